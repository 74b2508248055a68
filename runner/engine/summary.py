"""What a run came to: the cells that are done, counted as they come, and the verdict at the end."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from ..records import Cell, Grade, Reply, Status
from ..store.runs import RunState

MISSING: frozenset[Status] = frozenset({"error", "judge_error"})


@dataclass(frozen=True, slots=True)
class CellDone:
    """A cell whose result is on the disk.

    Attributes:
        cell: The cell.
        grade: Its grade.
        reply: The reply that was asked for it; None where the store had one, or where an equal cell's reply serves it.
    """

    cell: Cell
    grade: Grade
    reply: Reply | None = None


@dataclass(slots=True)
class Tally:
    """Counts of the cells done so far.

    Attributes:
        by_status: Cells by the status of their grade.
        asked: Cells for which the model was asked.
        reused: Cells that took a reply that was there.
        failed: Cells that were asked and have no answer.
        calls: Calls made for them, retries included.
        prompt_tokens: Tokens in, of the calls made; those of replies that don't say count as 0.
        completion_tokens: Tokens out, likewise.
        unsaid: Answers that don't say their tokens.
    """

    by_status: Counter[Status] = field(default_factory=Counter)
    asked: int = 0
    reused: int = 0
    failed: int = 0
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unsaid: int = 0

    def add(self, done: CellDone) -> None:
        """Count one more cell."""
        self.by_status[done.grade.status] += 1
        if done.reply is None:
            self.reused += 1
            return
        self.asked += 1
        self.failed += done.reply.error is not None
        self.calls += done.reply.attempts
        self.prompt_tokens += done.reply.prompt_tokens or 0
        self.completion_tokens += done.reply.completion_tokens or 0
        self.unsaid += done.reply.says_no_tokens

    def add_found(self, status: Status, count: int) -> None:
        """Count cells that had their result before."""
        self.by_status[status] += count
        self.reused += count

    @property
    def done(self) -> int:
        """Cells that are done, with or without a result."""
        return self.by_status.total()

    @property
    def missing(self) -> int:
        """Cells that are done and have no result."""
        return sum(self.by_status[status] for status in MISSING)

    @property
    def with_result(self) -> int:
        """Cells that have a result: graded, unparsed, truncated or refused."""
        return self.done - self.missing


@dataclass(frozen=True, slots=True)
class RunSummary:
    """How a run ended and what it took.

    Attributes:
        state: `complete`; `incomplete` where too many cells have no result; `stopped` before the end.
        reason: Why it is not complete, one sentence; else empty.
        total: Cells of the run.
        done: Cells that were asked or found, with or without a result.
        missing: Cells without a result: those that failed, could not be judged, or were not reached.
        by_status: Cells by the status of their grade.
        asked: Cells for which the model was asked, this time.
        reused: Cells that took a reply that was there.
        failed: Cells that were asked, this time, and have no answer.
        calls: Calls made this time, retries included, also those that were cancelled when the run ended.
        unanswered: Those of the calls of which no answer is stored: they failed, or were cancelled.
        prompt_tokens: Tokens in, of the calls made this time.
        completion_tokens: Tokens out, likewise.
        elapsed_s: Seconds it took, this time.
        unsaid: Answers, this time, that don't say their tokens, which are in no sum of these.
        judging: How asking the judge of its answers ended, and what that took, which is in no figure above; None where
            none was asked this time.
    """

    state: RunState
    reason: str
    total: int
    done: int
    missing: int
    by_status: Mapping[Status, int]
    asked: int
    reused: int
    failed: int
    calls: int
    unanswered: int
    prompt_tokens: int
    completion_tokens: int
    elapsed_s: float
    unsaid: int = 0
    judging: "RunSummary | None" = None

    @property
    def complete(self) -> bool:
        """Whether no more cells lack a result than the config allows."""
        return self.state == "complete"


def summarise(
    tally: Tally, *, total: int, halted: str | None, max_error_rate: float | None, elapsed_s: float
) -> RunSummary:
    """Conclude a run.

    Args:
        tally: What was counted.
        total: Cells of the run.
        halted: Why it was stopped before the end; None where it was not.
        max_error_rate: Share of cells that may stay without a result for the run to be complete; None for none.
        elapsed_s: Seconds it took.
    """
    missing = total - tally.with_result
    state, reason = verdict(missing, total=total, halted=halted, max_error_rate=max_error_rate)
    return RunSummary(
        state=state,
        reason=reason,
        total=total,
        done=tally.done,
        missing=missing,
        by_status=dict(tally.by_status),
        asked=tally.asked,
        reused=tally.reused,
        failed=tally.failed,
        calls=tally.calls,
        unanswered=tally.calls - (tally.asked - tally.failed),
        prompt_tokens=tally.prompt_tokens,
        completion_tokens=tally.completion_tokens,
        elapsed_s=elapsed_s,
        unsaid=tally.unsaid,
    )


def verdict(missing: int, *, total: int, halted: str | None, max_error_rate: float | None) -> tuple[RunState, str]:
    """The state that a run ends in, and why it is not complete."""
    if halted is not None:
        return "stopped", halted
    if missing > (max_error_rate or 0.0) * total:
        bound = (
            "any cell without a result makes a run incomplete where limits.max_error_rate is not set"
            if max_error_rate is None
            else f"limits.max_error_rate allows {max_error_rate:.1%}"
        )
        return "incomplete", f"{missing} of {total} cells have no result ({missing / total:.1%}; {bound})"
    return "complete", ""
