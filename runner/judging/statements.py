"""The places of a judge's reply that give a verdict: JSON objects with its key, and lines such as `Verdict: pass`."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from typing import Literal

from pydantic import JsonValue as Json

from ..graders.text import fold
from .forms import Form
from .quoting import NEAR, is_attributed, is_quoted

Kind = Literal["json", "text"]
_KEYS = {
    True: ("verdict", "judgement", "judgment", "decision", "grade", "label", "winner"),
    False: ("score", "verdict", "rating"),
}
"""Names of the key that holds a label (True) or a score (False); the first is the one that is asked for."""
_REVISED = ("", "final", "overall", "revised", "corrected", "updated", "new", "my")
"""What may stand before the name of a key: `final_verdict`."""
_SCALES = ("scale", "max", "maximum", "maxscore", "outof")
_JSON_BEGINS = re.compile(r"\{\s*[\"}]|\[\s*\{")
PLACE_MARKS = "\ue000\ue001"
PLACE = re.compile(f"{PLACE_MARKS[0]}(\\d+){PLACE_MARKS[1]}")
"""What stands for a JSON value that was taken out; its marks must be in no text that is read."""
DRESS = " \t*_~`#>|$\\\"'“”‘’.,:;!()[]{}<>-–—"
_REASONS = ("reason", "reasoning", "rationale", "explanation")
_COMMA = re.compile(r"[+-]?\d*,\d")
_SCALE = re.compile(
    r"(?:\bout of|/|\bscale (?:of|from) \d+ (?:to|-)|\bof)\s*(?!0*1(?:\.0+)?(?![\d.]))\d", re.IGNORECASE
)
_SCALE_FOLLOWS = re.compile(r"\s*\(?\s*(?:out of|/)\s*(?!1(?:\.0+)?(?![\d.]))\d", re.IGNORECASE)
_NUMBER_DRESS = " \t\n*_~`$\"'()[]{}|;:!"
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e[+-]?\d+)?(?:\s?(?:/|out of)\s?1(?:\.0+)?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Statement:
    """A place of a reply that gives a verdict.

    Attributes:
        kind: How it is written.
        source: Its text.
        value: What it gives, None where that is none of what was asked for.
        shown: The same as it is written, for messages.
        reason: What its JSON says for it.
        at: Where it begins in the text that it was found in.
        end: Where it ends there.
        inside: Whether it begins after other words on its line.
        reported: Whether it stands in quotation marks, or is what another text says.
    """

    kind: Kind
    source: str
    value: str | float | None
    shown: str
    reason: str = ""
    at: int = 0
    end: int = 0
    inside: bool = False
    reported: bool = False


class _Object(tuple[tuple[str, "Json | _Object"], ...]):
    """A JSON object with all its keys, those that come twice too."""

    __slots__ = ()


def plain(text: str) -> str:
    """A text as it is compared: folded, in lower case, its white space and its dress left out."""
    return "".join(character for character in fold(text).lower() if character not in DRESS and not character.isspace())


def json_values(text: str, form: Form) -> tuple[str, list[list[Statement]]]:
    """Take the JSON values out of a text; each leaves a mark with its number, and has the verdicts in it."""
    decoder = json.JSONDecoder(strict=False, object_pairs_hook=_Object)
    pieces: list[str] = []
    values: list[list[Statement]] = []
    at = 0
    while begins := _JSON_BEGINS.search(text, at):
        start = begins.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            pieces.append(text[at : start + 1])
            at = start + 1
            continue
        before = text[max(0, start - NEAR) : start]
        told, said = is_quoted(before), is_attributed(before)
        found = [
            replace(each, reported=told or (said and not each.reason.strip()))
            for each in _invalue_of(value, text[start:end], form)
        ]
        pieces.append(text[at:start])
        pieces.append(f"\n\ue000{len(values)}\ue001\n" if found else text[start:end])
        if found:
            values.append(found)
        at = end
    pieces.append(text[at:])
    return "".join(pieces), values


def _invalue_of(value: "Json | _Object", source: str, form: Form) -> Iterator[Statement]:
    """The verdicts in a JSON value, however deep."""
    if isinstance(value, _Object):
        own = [*_named(value, form)]
        reason = next((given for key, given in value if plain(key) in _REASONS and isinstance(given, str)), "")
        for given in own:
            shown = given if isinstance(given, str) else json.dumps(given)
            no_label = isinstance(given, bool | list | None) or _has_scale(value, form)
            yield Statement("json", source, None if no_label else value_of(shown, form), shown, reason)
    for each in _within(value):
        yield from _invalue_of(each, source, form)


def _within(value: "Json | _Object") -> "Sequence[Json | _Object]":
    """The values that a JSON value holds."""
    if isinstance(value, _Object):
        return [given for _, given in value]
    return value if isinstance(value, list) else ()


def _named(value: _Object, form: Form) -> Iterator["Json | _Object"]:
    """What an object gives as its verdict: under the first name that it has, and under others that say a label too."""
    names = _KEYS[bool(form.labels)]
    first = next((name for name in names if any(_is_named(key, name, given) for key, given in value)), None)
    for key, given in value:
        name = next((name for name in names if _is_named(key, name, given)), None)
        if name is not None and (name == first or (isinstance(given, str) and value_of(given, form) is not None)):
            yield given


def _is_named(key: str, name: str, given: "Json | _Object") -> bool:
    return not isinstance(given, _Object) and plain(key) in {before + name for before in _REVISED}


def _has_scale(value: _Object, form: Form) -> bool:
    """Whether an object says that its score is on another scale than from 0 to 1."""
    return not form.labels and any(plain(key) in _SCALES and given not in (1, "1", "0-1", None) for key, given in value)


def statements(marked: str, values: Sequence[Sequence[Statement]], form: Form) -> Iterator[Statement]:
    """All verdicts of a reply in their order; those of one JSON value that differ come as one that can't be read."""
    text = fold(marked)
    for found in _places(form).finditer(text):
        if found["place"] is not None:
            yield _one_of(values[int(found["place"])], found, text, form)
        elif (said := _said(found, text, form)) is not None:
            yield said


@cache
def _places(form: Form) -> re.Pattern[str]:
    """JSON values that were taken out, and what gives a verdict in words."""
    names = "|".join(_KEYS[bool(form.labels)])
    said = (
        rf"(?P<lead>(?:^|(?<=[{{,]))[-*•#|_\"'` \t]*|(?<![\w-]))(?:(?:my|the|final|overall|revised|corrected|new|so"
        rf"|therefore)[ \t]+){{0,4}}(?P<name>{names})(?P<dress>[*_\"'` \t]*)"
        r"(?P<sign>(?:is|was|should be|must be|has to be|becomes|changes to|changed to)\b|=|->|→|:|-|\|)"
        r"[*_\"'` \t]*(?=(?P<given>[^\n]{0,300}))"
    )
    return re.compile(rf"{PLACE_MARKS[0]}(?P<place>\d+){PLACE_MARKS[1]}|{said}", re.IGNORECASE | re.MULTILINE)


def _said(found: re.Match[str], text: str, form: Form) -> Statement | None:
    """A verdict in words; None where words that look like one speak of something else."""
    line = text.rfind("\n", 0, found.start()) + 1
    before = text[line : found.start()]
    inside = re.search(r"\w", before) is not None
    if inside and found["sign"] in "-|":
        return None
    given = found["given"].strip()
    if (inside or found["sign"][0].isalpha()) and not _names_one(re.split(r"[.!?;](?=\s)", given)[0], form):
        return None
    value = _leading(given, form)
    keyed = re.search(r"[\"']", found["dress"]) or text[found.start() - 1 : found.start()] == "{"
    if not form.labels and (_on_other_scale(given, text[found.end() :]) or (keyed and _COMMA.match(given))):
        value = None
    end = found.end() + (0 if value is None else len(given) if value_of(given, form) is not None else 1)
    near = max(0, found.start() - NEAR)
    reported = is_quoted(text[near : found.start()]) or is_attributed(text[near : found.start("name")])
    source = (found.group() + given).strip()
    return Statement("text", source, value, given[:80], "", found.start(), end, inside, reported)


def _names_one(words: str, form: Form) -> bool:
    """Whether words hold a label, or for a score a digit."""
    labels = "|".join(map(re.escape, form.labels))
    return re.search(rf"(?<!\w)(?:{labels})(?:e?[sd]|ed)?(?!\w)" if labels else r"\d", words, re.IGNORECASE) is not None


def _on_other_scale(given: str, after: str) -> bool:
    """Whether what follows a score says that it is out of 10 or the like."""
    following = after.removeprefix(given)
    return _SCALE.search(given) is not None or _SCALE_FOLLOWS.match(following) is not None


def _one_of(same: Sequence[Statement], found: re.Match[str], text: str, form: Form) -> Statement:
    """The verdict of one JSON value."""
    last = replace(same[-1], at=found.start(), end=found.end())
    if not form.labels and _SCALE_FOLLOWS.match(text[found.end() :]):
        return replace(last, value=None)
    if len({each.value for each in same}) == 1:
        return last
    return replace(last, value=None, shown=" and ".join(dict.fromkeys(each.shown for each in same)))


def _leading(given: str, form: Form) -> str | float | None:
    """The value that a statement begins with, if nothing follows that makes it another one."""
    bare = _bare(given, form)
    if (whole := value_of(bare, form)) is not None:
        return whole
    head = re.match(
        r"(?P<value>[^\s,;:(]+?)[*_\"'`)\]}]*(?:[.,;:!)]+(?=\s|$|\")|\s+(?=[-–—(])|[*_\"'`]*\s*[,}\]])", bare
    )
    return value_of(head["value"], form) if head else None


def _bare(given: str, form: Form) -> str:
    """A text without what dresses it up; the point of a number stays."""
    return given.strip(DRESS if form.labels else _NUMBER_DRESS)


def value_of(given: str, form: Form) -> str | float | None:
    """A label or a score, if a text is exactly that."""
    bare = _bare(fold(given), form)
    if form.labels:
        return next((label for label in form.labels if label.lower() == bare.strip().lower()), None)
    bare = bare[:-1] if bare.endswith((".", ",")) else bare
    if not _NUMBER.fullmatch(bare):
        return None
    number = float(re.split(r"/|out of", bare, flags=re.IGNORECASE)[0].strip().replace(",", "."))
    return abs(number) if isfinite(number) and 0 <= number <= 1 else None
