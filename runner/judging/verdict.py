"""The verdict in a judge's reply: what the judge itself says last, or why there is none that can be read.

Read are JSON objects with the key that was asked for, and lines such as `Verdict: pass`. Where there is neither, the
only label in the text counts. What the judge quotes of the texts under judgement is not its own word: a long text that
is repeated is cut out, and a verdict that also stands in such a text yields to one that does not. A verdict that can't
be told is none: it is a `judge_error`, and never a wrong answer.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import Literal

from pydantic import JsonValue as Json

from ..graders.text import blank_fences, blank_reasoning, fold
from ..graders.words import HIDDEN
from ..records import CUT_OFF, FILTERED, Reply
from .fence import TAG_DIGITS

READER_VERSION = 1
"""Raised whenever the same reply could be read otherwise."""
REASON_LENGTH = 500
"""Characters of a judge's reason that are kept."""
SHORT = 24
"""Characters of a line that a judge may well write by itself; where it stands in a reply, it need be no quotation."""
MOST_CHARACTERS = 20_000
"""Of a longer reply the end is read, where its verdict stands or nowhere."""

Kind = Literal["json", "text"]


@dataclass(frozen=True, slots=True)
class Form:
    """What a judge must reply.

    Attributes:
        labels: The labels of which it gives one; none where it gives a score from 0 to 1.
    """

    labels: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The key of its JSON that holds the verdict."""
        return "verdict" if self.labels else "score"

    @property
    def wanted(self) -> str:
        """What it must give, for messages."""
        return ", ".join(self.labels[:-1]) + f" or {self.labels[-1]}" if self.labels else "a number from 0 to 1"


PASS_FAIL = Form(("pass", "fail"))
PREFERENCE = Form(("A", "B", "tie"))
SCORE = Form()


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was read in a judge's reply; either a label or a score, or the reason why there is neither.

    Attributes:
        label: The label, as it was asked for; None where there is none.
        score: The score, from 0 to 1; None where there is none.
        reason: What the judge says for it, cut to a bearable length; empty where it says nothing.
        problem: Why no verdict can be read, as a clause; empty where one was.
    """

    label: str | None = None
    score: float | None = None
    reason: str = ""
    problem: str = ""


def read_reply(reply: Reply, form: Form, *, quoted: Sequence[str] = ()) -> Verdict:
    """Read the verdict in a judge's reply; a call that failed, was refused or cut off has none.

    Args:
        reply: The reply.
        form: What the judge was to reply.
        quoted: The texts that it judged.
    """
    finish = reply.finish_reason.lower()
    if reply.error is not None:
        return Verdict(problem=f"the judge did not answer: {reply.error.kind}: {reply.error.message}")
    if reply.refusal or finish in FILTERED:
        return Verdict(problem=f"the judge refused: {reply.refusal or finish}")
    if finish in CUT_OFF:
        return Verdict(
            problem="the judge's reply was cut off; give it more tokens, such as `params: {max_tokens: 400}`"
        )
    return read_label(reply.text, form.labels, quoted=quoted) if form.labels else read_score(reply.text, quoted=quoted)


def read_label(text: str, labels: Sequence[str], *, quoted: Sequence[str] = ()) -> Verdict:
    r"""Read the label that a judge gives.

    Args:
        text: Its reply.
        labels: The labels of which it gives one.
        quoted: The texts that it judged.

    Example:
        >>> read_label("Right, but rude.\n**Verdict: FAIL**", ["pass", "fail"]).label
        'fail'
    """
    return _read(text, Form(tuple(labels)), quoted)


def read_score(text: str, *, quoted: Sequence[str] = ()) -> Verdict:
    """Read the score from 0 to 1 that a judge gives; one out of range, or on another scale, can't be read.

    Example:
        >>> read_score('{"reason": "Half of it is there.", "score": 0.5}').score
        0.5
        >>> read_score("Score: 8/10").problem
        "'8/10' is not a number from 0 to 1"
    """
    return _read(text, SCORE, quoted)


_KEYS = {
    True: ("verdict", "judgement", "judgment", "decision", "grade", "label", "winner"),
    False: ("score", "verdict", "rating"),
}
"""Names of the key that holds a label (True) or a score (False); the first is the one that is asked for."""
_HIDDEN = re.compile(f"[{HIDDEN}\u200c\u200d\u00a0]")
_FENCE = re.compile(rf"<(?P<name>[\w-]+) (?P<tag>[0-9a-f]{{{TAG_DIGITS}}})>\n.*?\n</(?P=name) (?P=tag)>", re.DOTALL)
_JSON_BEGINS = re.compile(r"\{\s*[\"}]|\[\s*\{")
_PLACE = re.compile("\ue000(\\d+)\ue001")
_QUOTES = "\"'`“”‘’„«»"
_DRESS = " \t*_~`#>|$\\\"'“”‘’.,:;!()[]{}<>-–—"
_NUMBER_DRESS = " \t\n*_~`$\"'()[]{}|;:!"
_DOUBT = re.compile(
    r"\b(?:not|never|no|neither|nor|cannot|without|if|unless|whether|would|could|should|may|might|must|to|hardly|barely"
    r"|almost|nearly|but|however|although|either|or|both|which)\b|n't\b|\?",
    re.IGNORECASE,
)
"""Words beside which a label that stands in a sentence may mean something else."""
_NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)?|[.,]\d+)(?:e[+-]?\d+)?(?:\s?(?:/|out of)\s?1(?:\.0+)?)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Statement:
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


def _read(text: str, form: Form, quoted: Sequence[str]) -> Verdict:
    own = _HIDDEN.sub(lambda found: " " if found.group() == "\u00a0" else "", blank_reasoning(text)[-MOST_CHARACTERS:])
    if not own.strip():
        return Verdict(problem="the judge's reply is empty")
    seen = [_HIDDEN.sub("", each) for each in quoted if each.strip()]
    own = _without_quotations(own, seen)
    if not own.strip():
        return Verdict(problem="the judge's reply only repeats what it judged")
    marked, values = _json_values(own, form)
    statements = [*_statements(marked, values, form)]
    if statements:
        return _decided(statements, [_plain(each) for each in seen], marked, form)
    return _alone(marked, form)


def _without_quotations(text: str, seen: Sequence[str]) -> str:
    """Cut out what is no word of the judge's own: quoted lines, fences, and whole texts under judgement."""
    text = _FENCE.sub(" ", text)
    for each in (whole for text in seen if len(whole := text.strip()) > SHORT or "\n" in whole):
        text = text.replace(each, " ").replace(json.dumps(each, ensure_ascii=False)[1:-1], " ")
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))


def _plain(text: str) -> str:
    """A text as it is compared: folded, in lower case, its white space and its dress left out."""
    return "".join(character for character in fold(text).lower() if character not in _DRESS and not character.isspace())


def _json_values(text: str, form: Form) -> tuple[str, list[list[_Statement]]]:
    """Take the JSON values out of a text; each leaves a mark with its number, and has the verdicts in it."""
    decoder = json.JSONDecoder(strict=False)
    pieces: list[str] = []
    values: list[list[_Statement]] = []
    at = 0
    while begins := _JSON_BEGINS.search(text, at):
        start = begins.start()
        try:
            value, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            pieces.append(text[at : start + 1])
            at = start + 1
            continue
        found = [*_in_value(value, text[start:end], form)]
        pieces.append(text[at:start])
        pieces.append(f"\n\ue000{len(values)}\ue001\n" if found else text[start:end])
        if found:
            values.append(found)
        at = end
    pieces.append(text[at:])
    return "".join(pieces), values


def _in_value(value: Json, source: str, form: Form) -> Iterator[_Statement]:
    """The verdicts in a JSON value, however deep."""
    if isinstance(value, list):
        for each in value:
            yield from _in_value(each, source, form)
    elif isinstance(value, dict):
        named = {_plain(key): each for key, each in value.items()}
        key = next((key for key in _KEYS[bool(form.labels)] if key in named), None)
        if key is not None and not isinstance(named[key], dict):
            reason = next(
                (named[name] for name in ("reason", "reasoning", "rationale", "explanation") if name in named), ""
            )
            given = named[key]
            shown = given if isinstance(given, str) else json.dumps(given)
            read = None if isinstance(given, bool | list | None) else _value(shown, form)
            yield _Statement("json", source, read, shown, reason if isinstance(reason, str) else "")
            return
        for each in value.values():
            yield from _in_value(each, source, form)


def _statements(marked: str, values: Sequence[Sequence[_Statement]], form: Form) -> Iterator[_Statement]:
    """All verdicts of a reply in their order; those of one JSON value that differ come as one that can't be read."""
    names = "|".join(_KEYS[bool(form.labels)])
    said = re.compile(
        rf"(?:^|(?<=[{{,]))[-*•#|_\"'` \t]*(?:(?:my|the|final|overall|so|therefore)[ \t]+){{0,3}}"
        rf"(?:{names})[*_\"'` \t]*(?:is\b|=|->|→|:|-)[*_\"'` \t]*(?P<given>[^\n]*)",
        re.IGNORECASE | re.MULTILINE,
    )
    both = re.compile(f"{_PLACE.pattern}|{said.pattern}", re.IGNORECASE | re.MULTILINE)
    for found in both.finditer(fold(marked)):
        if found[1] is not None:
            yield _one_of(values[int(found[1])])
        else:
            given = found["given"].strip()
            yield _Statement("text", found.group().strip(), _leading(given, form), given[:80])


def _one_of(same: Sequence[_Statement]) -> _Statement:
    """The verdict of one JSON value."""
    if len({each.value for each in same}) == 1:
        return same[-1]
    return replace(same[-1], value=None, shown=" and ".join(dict.fromkeys(each.shown for each in same)))


def _leading(given: str, form: Form) -> str | float | None:
    """The value that a statement begins with, if nothing follows that makes it another one."""
    bare = _bare(given, form)
    if (whole := _value(bare, form)) is not None:
        return whole
    head = re.match(
        r"(?P<value>[^\s,;:(]+?)[*_\"'`)\]}]*(?:[.,;:!)]+(?=\s|$|\")|\s+(?=[-–—(])|[*_\"'`]*\s*[,}\]])", bare
    )
    return _value(head["value"], form) if head else None


def _bare(given: str, form: Form) -> str:
    """A text without what dresses it up; the point of a number stays."""
    return given.strip(_DRESS if form.labels else _NUMBER_DRESS)


def _value(given: str, form: Form) -> str | float | None:
    """A label or a score, if a text is exactly that."""
    bare = _bare(fold(given), form)
    if form.labels:
        return next((label for label in form.labels if label.lower() == bare.strip().lower()), None)
    bare = bare[:-1] if bare.endswith((".", ",")) else bare
    if not _NUMBER.fullmatch(bare):
        return None
    number = float(re.split(r"/|out of", bare, flags=re.IGNORECASE)[0].strip().replace(",", "."))
    return number if isfinite(number) and 0 <= number <= 1 else None


def _decided(statements: Sequence[_Statement], seen: Sequence[str], marked: str, form: Form) -> Verdict:
    """The judge's own last verdict among those in its reply."""
    borrowed = [any(_plain(each.source) in text for text in seen) for each in statements]
    own = [each for each, is_borrowed in zip(statements, borrowed, strict=True) if not is_borrowed]
    if not own and len({each.value for each in statements}) > 1:
        return Verdict(problem="its verdicts are quotations of what it judged, and differ")
    last = own[-1] if own else statements[-1]
    after = statements[max(at for at, each in enumerate(statements) if each is last) + 1 :]
    if any(each.value != last.value for each in after):
        return Verdict(problem=f"it says {last.shown!r}, and quotes another verdict after that")
    if last.value is None:
        return Verdict(problem=f"{last.shown!r} is not {form.wanted}" if last.shown else "its verdict is empty")
    if {each.value for each in own if each.kind != last.kind} - {last.value}:
        return Verdict(problem="its JSON and its text give different verdicts")
    rest = blank_fences(_PLACE.sub(" ", fold(marked)).replace(last.source, " "))
    return _verdict(last.value, last.reason or (rest if rest.strip(_DRESS) else ""))


def _alone(marked: str, form: Form) -> Verdict:
    """The verdict of a reply that states none in a form: its only label, or a number that is all of it."""
    text = fold(marked)
    if (whole := _value(text, form)) is not None:
        return _verdict(whole, "")
    if not form.labels:
        return Verdict(problem="there is no score in the judge's reply")
    labels = {label.lower(): label for label in form.labels if len(label) > 1}
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, labels))})(?![\w-])", re.IGNORECASE)
    found = [*pattern.finditer(text)]
    if len({each.group().lower() for each in found}) > 1:
        return Verdict(problem="there are several labels in the judge's reply, and no verdict")
    if not found or any(_is_doubtful(text, each) for each in found):
        return Verdict(problem="there is no verdict in the judge's reply")
    return _verdict(labels[found[0].group().lower()], text)


def _is_doubtful(text: str, found: re.Match[str]) -> bool:
    """Whether a label may mean something else where it stands: quoted, negated, or under a condition."""
    before, after = text[: found.start()], text[found.end() :]
    sentence = re.split(r"[.!\n]", before)[-1] + found.group() + re.split(r"[.!\n]", after, maxsplit=1)[0]
    quoted = before[-1:] in _QUOTES and after[:1] in _QUOTES and bool(before[-1:].strip())
    return quoted or _DOUBT.search(sentence) is not None


def _verdict(value: str | float, reason: str) -> Verdict:
    words = " ".join(reason.split())
    kept = words if len(words) <= REASON_LENGTH else words[: REASON_LENGTH - 1].rstrip() + "…"
    return Verdict(label=value, reason=kept) if isinstance(value, str) else Verdict(score=value, reason=kept)
