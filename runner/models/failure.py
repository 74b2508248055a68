"""One attempt that failed: what the retry layer decides by."""

from ..records import ErrorKind, ReplyError


class FailedAttempt(Exception):  # noqa: N818  an outcome passed to the retry layer, which alone catches it
    """A single call without an answer.

    Attributes:
        error: What becomes of the reply where this was the last attempt.
        again: Whether asking again can help.
        retry_after_s: Seconds that the endpoint asks to wait first; None where it does not say.
        overloaded: Whether the endpoint refused it since it has too much to do.
        refuses: The parameters that the model does not take, by their names.
    """

    def __init__(
        self,
        kind: ErrorKind,
        message: str,
        *,
        again: bool,
        retry_after_s: float | None = None,
        overloaded: bool = False,
        refuses: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.error = ReplyError(kind, message)
        self.again = again
        self.retry_after_s = retry_after_s
        self.overloaded = overloaded
        self.refuses = refuses
