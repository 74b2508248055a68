"""What a judge must reply, and the verdict that is read in its reply."""

from dataclasses import dataclass


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
FORMATS = {
    PASS_FAIL: '{"reason": "…", "verdict": "pass"} or {"reason": "…", "verdict": "fail"}',
    SCORE: '{"reason": "…", "score": a number from 0 to 1}',
    PREFERENCE: '{"reason": "…", "verdict": "A"}, or with "B", or with "tie"',
}
"""How a prompt writes down what the judge must reply."""


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
