"""What every provider is to the rest of a run: something that turns a Request into a Reply."""

from types import TracebackType
from typing import Protocol, Self

from pydantic import JsonValue as Json

from ..records import Reply, Request


class Model(Protocol):
    """A model under test; opened once per run, asked by many workers at once.

    Attributes:
        name: What people are shown.
        concurrency: Calls that it can have in flight at most, by the limits it was opened with; more may be asked at
            once, and wait for their turn.
    """

    name: str
    concurrency: int

    def identity(self) -> dict[str, Json]:
        """All of the endpoint and model that decides a reply, without any secret; may be asked before entering."""
        ...

    async def __aenter__(self) -> Self:
        """Get ready to be asked.

        Raises:
            ModelError: Where that is not possible, with what to do about it.
        """
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of connections and processes; never hangs."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Ask, as often as the config's retries allow.

        Args:
            request: The messages. Its `params` are laid over those of the config.

        Returns:
            The reply. A call that failed in the end is a reply too, with `error` set.

        Raises:
            FatalReplyError: The endpoint refuses whatever is asked (bad key, no quota, unknown model).
        """
        ...
