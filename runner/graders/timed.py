"""Patterns of the user's, which may backtrack without end on some reply: searched with a time limit."""

from dataclasses import dataclass

import regex

from ..errors import GraderError
from .base import UnusableKeyError

TIME_LIMIT_S = 2.0
"""Seconds that a pattern may take on one reply."""
_FRAMES = (
    "{}", "Answer: {}", "The answer is {}.", "Final answer: {}", "#### {}", "\\boxed{{{}}}", "<answer>{}</answer>",
    "({})", '{{"answer": "{}"}}', "Answer: ({})", "**{}**",
)  # fmt: skip
"""Usual replies around an answer, of which a pattern should find one."""
OTHERS = ("another answer", "other", "Z", "A", "B", "C", "7", "42", "no", "yes")
"""Answers that a pattern may find: one of them should be wrong."""


class SearchTimeoutError(Exception):
    """A pattern took longer than its limit on a reply; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class TimedPattern:
    """A compiled pattern whose searches end in time.

    Attributes:
        source: The pattern as the user wrote it.
        compiled: The pattern.
    """

    source: str
    compiled: regex.Pattern[str]

    @classmethod
    def of(cls, source: str, *, ignore_case: bool) -> "TimedPattern":
        """Compile a pattern.

        Raises:
            GraderError: It doesn't compile, or finds the empty text.
        """
        try:
            compiled = regex.compile(source, regex.IGNORECASE if ignore_case else 0)
        except regex.error as error:
            raise GraderError(f"grade.pattern {source!r} does not compile: {error}") from None
        if compiled.fullmatch("") is not None:
            raise GraderError(f"grade.pattern {source!r} also matches the empty text; write one that needs an answer")
        return cls(source, compiled)

    def last(self, text: str) -> tuple[int, int, bool] | None:
        """Where the answer of the last match stands, and whether the text goes on after the match.

        The answer is the first group that took part in the match, or the whole match where the pattern has no group.

        Raises:
            SearchTimeoutError: The search took longer than `TIME_LIMIT_S`.
        """
        found = None
        try:
            for found in self.compiled.finditer(text, timeout=TIME_LIMIT_S):  # noqa: B007  # only the last is wanted
                pass
        except TimeoutError:
            raise SearchTimeoutError(
                f"the pattern {self.source!r} took longer than {TIME_LIMIT_S:g} s on this reply; make it less ambiguous"
            ) from None
        if found is None:
            return None
        group = next((number for number in range(1, self.compiled.groups + 1) if found.span(number) != (-1, -1)), 0)
        return *found.span(group), found.end() < len(text.rstrip())

    def frames(self, *answers: str) -> tuple[str | None, ...]:
        """For each answer, a usual reply around it in which the pattern finds something; None where there is none.

        Raises:
            UnusableKeyError: The pattern takes longer than its limit on one of them already.
        """
        try:
            return tuple(self._frame(answer) for answer in answers)
        except SearchTimeoutError as error:
            raise UnusableKeyError(str(error)) from None

    def _frame(self, answer: str) -> str | None:
        replies = (frame.format(answer) for frame in _FRAMES)
        return next((reply for reply in replies if self.last(reply) is not None), None)
