"""A function of the user's own, sync or async."""

import inspect
import traceback
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ..callables import load_callable, source_digest
from ..config.schema import PythonModel, RetryConfig
from ..records import Reply, Request
from ..threads import in_thread
from .base import Surroundings, provider
from .content import as_sent
from .failure import FailedAttempt
from .redaction import Redactor, lets_in
from .retry import Retrier
from .status import one_line

CALLS_IN_FLIGHT = 8
OWN_FILES = {__file__, in_thread.__code__.co_filename}


class PythonFunction:
    """A model that is a function from messages to the answer's text."""

    def __init__(
        self, config: PythonModel, function: Callable[..., object], redact: Redactor, around: Surroundings
    ) -> None:
        self.name = config.callable
        throttle = around.limits.throttle(config.callable, own=CALLS_IN_FLIGHT)
        self.concurrency = throttle.most
        self._function = function
        self._redact = redact
        # An exception of the user's code is a fact about that code, and only it knows what can be tried again.
        once = config.model_copy(update={"retry": RetryConfig(retries=0)})
        self._retrier = Retrier(once, around.pace, throttle)

    def identity(self) -> dict[str, Json]:
        """The function's name and the digest of the file that defines it."""
        return {"provider": "python", "callable": self.name, "sha256": source_digest(self._function)}

    async def __aenter__(self) -> Self:
        """There is nothing to do."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to do: a thread that is still in the user's function does not keep the process alive."""

    async def ask(self, request: Request) -> Reply:
        """Call the function, as `Model.ask` says."""
        return await self._retrier.ask(lambda: self._attempt(request))

    async def _attempt(self, request: Request) -> Reply:
        messages = as_sent(request.messages)
        try:
            answer = await self._call(messages)
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever the user's code raises is its result
            raise self._failed(f"{type(error).__name__}: {error}{_place(error)}") from None
        if not isinstance(answer, str):
            raise self._failed(f"returned {type(answer).__name__}, not the answer's text (str)")
        return Reply(text=str(answer))

    async def _call(self, messages: list[dict[str, Json]]) -> object:
        if inspect.iscoroutinefunction(self._function):
            return await self._function(messages)
        answer = await in_thread(lambda: self._function(messages))
        return await answer if isinstance(answer, Awaitable) else answer

    def _failed(self, what: str) -> FailedAttempt:
        return FailedAttempt("callable", one_line(self._redact(f"{self.name} {what}")), again=False)


def _place(error: BaseException) -> str:
    """File and line that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename not in OWN_FILES]
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


@provider(PythonModel)
def open_python(config: PythonModel, surroundings: Surroundings) -> PythonFunction:
    """Import the function.

    Raises:
        ConfigError: There is none of that name, it can't be imported, or it doesn't take one argument.
    """
    function = load_callable(config.callable, base=surroundings.base, key="model.callable", given=("messages",))
    return PythonFunction(config, function, Redactor(_keys(surroundings.env)), surroundings)


def _keys(env: Mapping[str, str]) -> list[str]:
    """The credentials of the environment, which the user's code may quote when it fails."""
    return [value for name, value in env.items() if lets_in(name)]
