"""What becomes of a reply whatever grades it: failed calls, refusals, empty and cut-off replies."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ..records import CUT_OFF, FILTERED, Grade, Reply, Status
from .text import View, blank_reasoning

_OPENING = 1_000
"""Characters in which a reply declines, if it does."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a grader read in the text of a reply.

    Attributes:
        passed: Its verdict; None where it found no answer and so has none.
        found: Whether it found an answer; a verdict without one ("the text is nowhere") yields to a refusal in words.
        final: Whether the verdict stands even if the reply was cut off where it ends.
        extracted: What was read as the answer, as it stands in the reply.
        answer: Its canonical form.
        reason: Why there is no verdict, or what is wrong with a wrong answer where that is more than its text says.
        span: Where `extracted` stands in the reply's text.
    """

    passed: bool | None
    found: bool = True
    final: bool = True
    extracted: str | None = None
    answer: str | None = None
    reason: str = ""
    span: tuple[int, int] | None = None


_NOTHING = Reading(None, found=False, reason="empty reply")
_UNSAID = Reading(None, found=False, reason="empty reply: there is reasoning, and no answer after it")


def grade_reply(reply: Reply, read: Callable[[str], Reading], *, count_as_fail: Collection[Status]) -> Grade:
    """Grade a reply by what is read in its text.

    A cut-off reply is graded only where its reading is final, and `truncated` otherwise. A reply without an answer that
    declines to give one in words is `refused`.

    Args:
        reply: The reply.
        read: The grader's reading of a text; not asked where there is none.
        count_as_fail: The statuses whose replies did not pass; those of other statuses are missing.
    """
    if reply.error is not None:
        return Grade(None, "error", reason=f"{reply.error.kind}: {reply.error.message}")
    finish = reply.finish_reason.lower()
    if reply.refusal or finish in FILTERED:
        return _ungraded("refused", reply.refusal or f"the endpoint stopped with {reply.finish_reason}", count_as_fail)
    cut_off = finish in CUT_OFF
    reading = read(reply.text) if reply.text.strip() else _UNSAID if reply.reasoning.strip() else _NOTHING
    if reading.passed is not None and (reading.found or not _refuses(reply.text)) and (reading.final or not cut_off):
        return Grade(
            reading.passed, "graded", reading.extracted, reading.answer, reason=reading.reason, span=reading.span
        )
    if cut_off:
        return _ungraded(
            "truncated", reading.reason or "the reply was cut off before its answer was sure", count_as_fail
        )
    if not reading.found and _refuses(reply.text):
        return _ungraded("refused", "the reply declines to answer", count_as_fail)
    return _ungraded("unparsed", reading.reason, count_as_fail, reading)


def judge_error(reason: str) -> Grade:
    """The grade of a reply that could not be judged, through no fault of the model's."""
    return Grade(None, "judge_error", reason=reason)


def _ungraded(status: Status, reason: str, count_as_fail: Collection[Status], reading: Reading = _NOTHING) -> Grade:
    passed = False if status in count_as_fail else None
    return Grade(passed, status, reading.extracted, reason=reason, span=reading.span)


def _refuses(text: str) -> bool:
    if not text.strip():
        return False
    from .announce import Passage  # noqa: PLC0415 - a reply with an answer needs none of it

    return Passage(View.of(blank_reasoning(text).lstrip()[:_OPENING])).declines
