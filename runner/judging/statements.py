"""The places of a judge's reply that give a verdict: JSON objects with its key, and lines such as `Verdict: pass`."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

from pydantic import JsonValue as Json

from ..graders.text import fold
from .forms import Form

Kind = Literal["json", "text"]
_KEYS = {
    True: ("verdict", "judgement", "judgment", "decision", "grade", "label", "winner"),
    False: ("score", "verdict", "rating"),
}
"""Names of the key that holds a label (True) or a score (False); the first is the one that is asked for."""
_JSON_BEGINS = re.compile(r"\{\s*[\"}]|\[\s*\{")
PLACE_MARKS = "\ue000\ue001"
PLACE = re.compile(f"{PLACE_MARKS[0]}(\\d+){PLACE_MARKS[1]}")
"""What stands for a JSON value that was taken out; its marks must be in no text that is read."""
DRESS = " \t*_~`#>|$\\\"'“”‘’.,:;!()[]{}<>-–—"
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
    """

    kind: Kind
    source: str
    value: str | float | None
    shown: str
    reason: str = ""


def plain(text: str) -> str:
    """A text as it is compared: folded, in lower case, its white space and its dress left out."""
    return "".join(character for character in fold(text).lower() if character not in DRESS and not character.isspace())


def json_values(text: str, form: Form) -> tuple[str, list[list[Statement]]]:
    """Take the JSON values out of a text; each leaves a mark with its number, and has the verdicts in it."""
    decoder = json.JSONDecoder(strict=False)
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
        found = [*_invalue_of(value, text[start:end], form)]
        pieces.append(text[at:start])
        pieces.append(f"\n\ue000{len(values)}\ue001\n" if found else text[start:end])
        if found:
            values.append(found)
        at = end
    pieces.append(text[at:])
    return "".join(pieces), values


def _invalue_of(value: Json, source: str, form: Form) -> Iterator[Statement]:
    """The verdicts in a JSON value, however deep."""
    if isinstance(value, list):
        for each in value:
            yield from _invalue_of(each, source, form)
    elif isinstance(value, dict):
        named = {plain(key): each for key, each in value.items()}
        key = next((key for key in _KEYS[bool(form.labels)] if key in named), None)
        if key is not None and not isinstance(named[key], dict):
            reason = next(
                (named[name] for name in ("reason", "reasoning", "rationale", "explanation") if name in named), ""
            )
            given = named[key]
            shown = given if isinstance(given, str) else json.dumps(given)
            read = None if isinstance(given, bool | list | None) else value_of(shown, form)
            yield Statement("json", source, read, shown, reason if isinstance(reason, str) else "")
            return
        for each in value.values():
            yield from _invalue_of(each, source, form)


def statements(marked: str, values: Sequence[Sequence[Statement]], form: Form) -> Iterator[Statement]:
    """All verdicts of a reply in their order; those of one JSON value that differ come as one that can't be read."""
    names = "|".join(_KEYS[bool(form.labels)])
    said = re.compile(
        rf"(?:^|(?<=[{{,]))[-*•#|_\"'` \t]*(?:(?:my|the|final|overall|so|therefore)[ \t]+){{0,3}}"
        rf"(?:{names})[*_\"'` \t]*(?:is\b|=|->|→|:|-)[*_\"'` \t]*(?P<given>[^\n]*)",
        re.IGNORECASE | re.MULTILINE,
    )
    both = re.compile(f"{PLACE.pattern}|{said.pattern}", re.IGNORECASE | re.MULTILINE)
    for found in both.finditer(fold(marked)):
        if found[1] is not None:
            yield _one_of(values[int(found[1])])
        else:
            given = found["given"].strip()
            yield Statement("text", found.group().strip(), _leading(given, form), given[:80])


def _one_of(same: Sequence[Statement]) -> Statement:
    """The verdict of one JSON value."""
    if len({each.value for each in same}) == 1:
        return same[-1]
    return replace(same[-1], value=None, shown=" and ".join(dict.fromkeys(each.shown for each in same)))


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
    return number if isfinite(number) and 0 <= number <= 1 else None
