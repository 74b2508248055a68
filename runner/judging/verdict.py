"""The verdict in a judge's reply: what the judge itself says last, or why there is none that can be read.

Read are JSON objects with the key that was asked for, and lines such as `Verdict: pass`. Where there is neither, the
only label in the text counts. What the judge quotes of the texts under judgement is not its own word: a long text that
is repeated is cut out, and a verdict that also stands in such a text yields to one that does not. A verdict that can't
be told is none: it is a `judge_error`, and never a wrong answer.
"""

import json
import re
from collections.abc import Sequence

from ..graders.text import blank_fences, blank_reasoning, fold
from ..graders.words import HIDDEN
from ..records import CUT_OFF, FILTERED, Reply
from .fence import TAG_DIGITS
from .forms import PASS_FAIL, PREFERENCE, SCORE, Form, Verdict
from .statements import DRESS, PLACE, PLACE_MARKS, Statement, json_values, plain, statements, value_of

__all__ = [
    "PASS_FAIL",
    "PREFERENCE",
    "READER_VERSION",
    "SCORE",
    "Form",
    "Verdict",
    "read_label",
    "read_reply",
    "read_score",
]

READER_VERSION = 1
"""Raised whenever the same reply could be read otherwise."""
REASON_LENGTH = 500
"""Characters of a judge's reason that are kept."""
SHORT = 24
"""Characters of a line that a judge may well write by itself; where it stands in a reply, it need be no quotation."""
MOST_CHARACTERS = 20_000
"""Of a longer reply the end is read, where its verdict stands or nowhere."""


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


_HIDDEN = re.compile(f"[{HIDDEN}\u200c\u200d\u00a0{PLACE_MARKS}]")
_FENCE = re.compile(rf"<(?P<name>[\w-]+) (?P<tag>[0-9a-f]{{{TAG_DIGITS}}})>\n.*?\n</(?P=name) (?P=tag)>", re.DOTALL)
_QUOTES = "\"'`“”‘’„«»"
_DOUBT = re.compile(
    r"\b(?:not|never|no|neither|nor|cannot|without|if|unless|whether|would|could|should|may|might|must|to|hardly|barely"
    r"|almost|nearly|but|however|although|either|or|both|which)\b|n't\b|\?",
    re.IGNORECASE,
)
"""Words beside which a label that stands in a sentence may mean something else."""


def _read(text: str, form: Form, quoted: Sequence[str]) -> Verdict:
    own = _HIDDEN.sub(lambda found: " " if found.group() == "\u00a0" else "", blank_reasoning(text)[-MOST_CHARACTERS:])
    if not own.strip():
        return Verdict(problem="the judge's reply is empty")
    seen = [_HIDDEN.sub("", each) for each in quoted if each.strip()]
    own = _without_quotations(own, seen)
    if not own.strip():
        return Verdict(problem="the judge's reply only repeats what it judged")
    marked, values = json_values(own, form)
    found = [*statements(marked, values, form)]
    if found:
        return _decided(found, [plain(each) for each in seen], marked, form)
    return _alone(marked, form)


def _without_quotations(text: str, seen: Sequence[str]) -> str:
    """Cut out what is no word of the judge's own: quoted lines, fences, and whole texts under judgement."""
    text = _FENCE.sub(" ", text)
    for each in (whole for text in seen if len(whole := text.strip()) > SHORT or "\n" in whole):
        text = text.replace(each, " ").replace(json.dumps(each, ensure_ascii=False)[1:-1], " ")
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))


def _decided(found: Sequence[Statement], seen: Sequence[str], marked: str, form: Form) -> Verdict:
    """The judge's own last verdict among those in its reply."""
    borrowed = [any(plain(each.source) in text for text in seen) for each in found]
    own = [each for each, is_borrowed in zip(found, borrowed, strict=True) if not is_borrowed]
    if not own and len({each.value for each in found}) > 1:
        return Verdict(problem="its verdicts are quotations of what it judged, and differ")
    last = own[-1] if own else found[-1]
    after = found[max(at for at, each in enumerate(found) if each is last) + 1 :]
    if any(each.value != last.value for each in after):
        return Verdict(problem=f"it says {last.shown!r}, and quotes another verdict after that")
    if last.value is None:
        return Verdict(problem=f"{last.shown!r} is not {form.wanted}" if last.shown else "its verdict is empty")
    if {each.value for each in own if each.kind != last.kind} - {last.value}:
        return Verdict(problem="its JSON and its text give different verdicts")
    rest = blank_fences(PLACE.sub(" ", fold(marked)).replace(last.source, " "))
    return _verdict(last.value, last.reason or (rest if rest.strip(DRESS) else ""))


def _alone(marked: str, form: Form) -> Verdict:
    """The verdict of a reply that states none in a form: its only label, or a number that is all of it."""
    text = fold(marked)
    if (whole := value_of(text, form)) is not None:
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
