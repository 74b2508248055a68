"""The verdict in a judge's reply: what the judge itself says last, or why there is none that can be read.

Read are JSON objects with the key that was asked for, and words such as `Verdict: pass`. Where there is neither, a
label counts that is the whole reply or a sentence of its own. What the judge quotes, what it says that the answer says,
and what it repeats of its prompt is not its own word, and a verdict that also stands in a text under judgement is none.
A verdict that can't be told is a `judge_error`, and never a wrong answer.
"""

import re
from collections.abc import Sequence

from ..graders.text import blank_fences, blank_reasoning, fold
from ..graders.words import HIDDEN
from ..records import CUT_OFF, FILTERED, Reply
from .forms import PASS_FAIL, PREFERENCE, SCORE, Form, Verdict
from .quoting import is_quoted_whole, without_quotations
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

READER_VERSION = 2
"""Raised whenever the same reply could be read otherwise."""
NO_ANSWER = "the judge did not answer"
"""How the problem begins where a call failed."""
REASON_LENGTH = 500
"""Characters of a judge's reason that are kept."""
MOST_CHARACTERS = 20_000
"""Of a longer reply the end is read, where its verdict stands or nowhere."""


def read_reply(reply: Reply, form: Form, *, quoted: Sequence[str] = (), prompt: Sequence[str] = ()) -> Verdict:
    """Read the verdict in a judge's reply; a call that failed, was refused or cut off has none.

    Args:
        reply: The reply.
        form: What the judge was to reply.
        quoted: The texts that it judged.
        prompt: The texts of its prompt; what it repeats of them is not its own word.
    """
    finish = reply.finish_reason.lower()
    if reply.error is not None:
        return Verdict(problem=f"{NO_ANSWER}: {reply.error.kind}: {reply.error.message}")
    if reply.refusal or finish in FILTERED:
        return Verdict(problem=f"the judge refused: {reply.refusal or finish}")
    if finish in CUT_OFF:
        return Verdict(
            problem="the judge's reply was cut off; give it more tokens, such as `params: {max_tokens: 400}`"
        )
    return _read(reply.text, form, quoted, prompt)


def read_label(text: str, labels: Sequence[str], *, quoted: Sequence[str] = (), prompt: Sequence[str] = ()) -> Verdict:
    r"""Read the label that a judge gives.

    Args:
        text: Its reply.
        labels: The labels of which it gives one.
        quoted: The texts that it judged.
        prompt: The texts of its prompt; what it repeats of them is not its own word.

    Example:
        >>> read_label("Right, but rude.\n**Verdict: FAIL**", ["pass", "fail"]).label
        'fail'
    """
    return _read(text, Form(tuple(labels)), quoted, prompt)


def read_score(text: str, *, quoted: Sequence[str] = (), prompt: Sequence[str] = ()) -> Verdict:
    """Read the score from 0 to 1 that a judge gives; one out of range, or on another scale, can't be read.

    Example:
        >>> read_score('{"reason": "Half of it is there.", "score": 0.5}').score
        0.5
        >>> read_score("Score: 8/10").problem
        "'8/10' is not a number from 0 to 1"
    """
    return _read(text, SCORE, quoted, prompt)


_HIDDEN = re.compile(f"[{HIDDEN}\u200c\u200d\u00a0{PLACE_MARKS}]")
_DOUBT = re.compile(
    r"\b(?:not|never|no|neither|nor|cannot|without|if|unless|whether|would|could|should|may|might|must|to|hardly|barely"
    r"|almost|nearly|but|however|although|either|or|both|which)\b|n't\b|\?",
    re.IGNORECASE,
)
"""Words beside which a label that stands in a sentence may mean something else."""
_CORRECTS = re.compile(
    r"\b(?:wait|corrections?|correcting|actually|on reflection|second thoughts?|reconsider\w*|changed?|mistake\w*"
    r"|wrong|sorry|instead|rather|looked again|re-?read\w*|final|revised|corrected|hold on|scratch that|oops)\b"
    r"|\bno\b(?=[,.!: ])",
    re.IGNORECASE,
)
"""Words between two verdicts by which the second plainly takes the place of the first."""
_TAKES_BACK = re.compile(
    r"(?:^|[.!?\n])\W*(?:no[, ]+)?(?:wait|correction|hold on|scratch that|oops|on (?:reflection|second thoughts?)"
    r"|i (?:was|am|must|have to) (?:wrong|mistaken|correct|change|take)|i(?:'ve)? changed?|i take (?:it|that) back)\b",
    re.IGNORECASE,
)
_INFLECTED = {"pass": "pass(?:es|ed)?", "fail": "fail(?:s|ed)?"}
_ALONE = (
    r"(?:so|therefore|thus|hence|overall|clearly|in short|conclusion|result)?[,:]?\s*(?:(?:it|this|that|(?:the|this|my)"
    r" (?:answer|response|reply|result|conclusion)|i (?:would )?(?:consider|judge|rate|call|deem) (?:it|this|that"
    r"|the (?:answer|response|reply)))\b(?:'s| is|:)?)?\s*(?:an? |the )?"
)
"""What may stand before a label in a sentence that says no more than that."""


def _read(text: str, form: Form, quoted: Sequence[str], prompt: Sequence[str]) -> Verdict:
    own = _shown(blank_reasoning(text)[-MOST_CHARACTERS:])
    if not own.strip():
        return Verdict(problem="the judge's reply is empty")
    seen = [_shown(each) for each in quoted if each.strip()]
    judged = [plain(each) for each in seen]
    unquoted = [plain(each) for each in seen if not is_quoted_whole(each, own)]
    own = without_quotations(own, seen, [_shown(each) for each in prompt])
    if not own.strip() or (plain(own) and plain(own) in judged):
        return Verdict(problem="the judge's reply only repeats what it was given")
    marked, values = json_values(own, form)
    found = [*statements(marked, values, form)]
    if found:
        return _decided(found, unquoted, marked, form)
    return _alone(marked, unquoted, form)


def _shown(text: str) -> str:
    """A text without what can't be seen in it."""
    return _HIDDEN.sub(lambda found: " " if found.group() == "\u00a0" else "", text)


def _decided(found: Sequence[Statement], seen: Sequence[str], marked: str, form: Form) -> Verdict:
    """The judge's own last verdict among those in its reply."""
    own = [each for each in found if not each.reported and not _is_borrowed(each, seen)]
    if not own:
        return Verdict(problem="it only quotes a verdict, and gives none of its own")
    last, text = own[-1], fold(marked)
    problem = _problem(found, own, text, form)
    if problem or last.value is None:
        return Verdict(problem=problem)
    rest = blank_fences(PLACE.sub(" ", text).replace(last.source, " "))
    return _verdict(last.value, last.reason or (rest if rest.strip(DRESS) else ""))


def _problem(found: Sequence[Statement], own: Sequence[Statement], text: str, form: Form) -> str:
    """Why the last of the judge's own verdicts does not count; empty where it does."""
    last, others = own[-1], [each for each in own if each.value != own[-1].value]
    after = [each for each in found if each.at > last.at and not each.reported]
    problem = ""
    if any(each.value != last.value for each in after):
        problem = f"it says {last.shown!r}, and quotes another verdict after that"
    elif last.value is None:
        problem = f"{last.shown!r} is not {form.wanted}" if last.shown else "its verdict is empty"
    elif any(each.kind != last.kind for each in others):
        problem = "its JSON and its text give different verdicts"
    elif others and not _CORRECTS.search(text[others[-1].end : last.end]):
        problem = "it gives different verdicts, and does not say which of them counts"
    elif _TAKES_BACK.search(text[last.end :]):
        problem = f"it says {last.shown!r}, and takes it back"
    return problem


def _is_borrowed(said: Statement, seen: Sequence[str]) -> bool:
    """Whether a verdict stands in a text under judgement; inside a line, its label alone decides."""
    words = said.source
    if said.inside and said.value is not None:
        head = re.match(rf".*?[:=>→]?\s*{re.escape(str(said.value))}", words, re.IGNORECASE)
        words = head.group() if head else words
    return any(plain(words) in text for text in seen)


def _alone(marked: str, seen: Sequence[str], form: Form) -> Verdict:
    """The verdict of a reply that states none in a form: a label or a number that is all of it, or a sentence."""
    text = fold(marked)
    if (whole := value_of(text, form)) is not None:
        return _verdict(whole, "")
    if not form.labels:
        return Verdict(problem="there is no score in the judge's reply")
    labels = {label: _INFLECTED.get(label, re.escape(label)) for label in form.labels if len(label) > 1}
    sentences = re.split(r"(?<=[.!?])(?=\s|[*_\"'`])|\n", text)
    named = [(label, each) for each in sentences for label, word in labels.items() if _holds(each, word)]
    if len({label for label, _ in named}) > 1:
        return Verdict(problem="there are several labels in the judge's reply, and no verdict")
    said = [
        label
        for label, each in named
        if re.fullmatch(_ALONE + labels[label], each.strip(DRESS), re.IGNORECASE)
        and not any(plain(each) in judged for judged in seen)
    ]
    if not said or any(_DOUBT.search(each) for _, each in named) or _TAKES_BACK.search(text):
        return Verdict(problem="there is no verdict in the judge's reply")
    return _verdict(said[0], text)


def _holds(sentence: str, word: str) -> bool:
    return re.search(rf"(?<![\w-])(?:{word})(?![\w-])", sentence, re.IGNORECASE) is not None


def _verdict(value: str | float, reason: str) -> Verdict:
    words = " ".join(reason.split())
    kept = words if len(words) <= REASON_LENGTH else words[: REASON_LENGTH - 1].rstrip() + "…"
    return Verdict(label=value, reason=kept) if isinstance(value, str) else Verdict(score=value, reason=kept)
