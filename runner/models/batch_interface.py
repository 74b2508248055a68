"""The Batch API of OpenAI: files of requests, the batches made of them, and the files of what came of these.

The `openai` package makes the calls; the retry layer decides about those that fail, as it does for completions. Files
of any size pass through as streams.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, BinaryIO, Literal, TypeVar, cast

from ..config.schema import OpenAIModel
from ..errors import FatalReplyError
from ..records import Reply
from .completion import malformed
from .failure import FailedAttempt
from .pace import Pace
from .retry import Retrier
from .status import RESUME, Endpoint, HttpAnswer, one_line
from .throttle import Throttle

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types import Batch

COMPLETIONS: Literal["/v1/chat/completions"] = "/v1/chat/completions"
"""What a batch asks for, as the interface names it whatever the address."""
TOKEN, RUN = "prt_batch", "prt_run"
"""Names in a batch's metadata."""
TRANSFER_S = 1800.0
"""Seconds that a file may take to be sent or fetched, where the config's limits allow less for a call."""
CLOCKS_DIFFER = timedelta(hours=6)
"""How much earlier than by our clock a batch may have been made by the endpoint's."""
CHUNK_BYTES = 1 << 16
NOT_OFFERED = frozenset({404, 405, 501})
UNKNOWN = 404
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class BatchProblem:
    """Why a file of requests was refused.

    Attributes:
        message: In the endpoint's own words.
        code: Its code; empty where it has none.
        line: The line of the file that it blames, from 1; None where it blames none.
    """

    message: str
    code: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class BatchState:
    """How a batch is getting on.

    Attributes:
        id: The endpoint's id.
        status: In the endpoint's word: `validating`, `in_progress`, `finalizing`, `completed`, `failed`, `expired`,
            `cancelling`, `cancelled`.
        total: Requests in it; 0 while that is not known.
        answered: Those that have an answer.
        failed: Those that failed.
        files: Ids of the files of what came: answers first, then errors.
        problems: Why its file was refused.
    """

    id: str
    status: str
    total: int = 0
    answered: int = 0
    failed: int = 0
    files: tuple[str, ...] = ()
    problems: tuple[BatchProblem, ...] = ()

    @property
    def has_ended(self) -> bool:
        """Whether nothing more will come of it."""
        return self.status in ENDED


class BatchInterface:
    """Calls of one endpoint's Batch API; enter it in the event loop that makes them."""

    def __init__(
        self,
        config: OpenAIModel,
        *,
        root: str,
        headers: dict[str, str],
        endpoint: Endpoint,
        throttle: Throttle,
        pace: Pace,
    ) -> None:
        """Get ready; nothing is opened.

        Args:
            config: Its time limits and retries hold for each call.
            root: The endpoint's root, without credentials.
            headers: Sent with every call; they say who calls.
            endpoint: How messages speak of it.
            throttle: Bounds the calls in flight.
            pace: Time and chance.
        """
        self._root, self._headers, self._endpoint, self._pace = root, headers, endpoint, pace
        self._retrier = Retrier(config, pace, throttle)
        longest_s = max(config.timeout_s, TRANSFER_S)
        patient = {"timeout_s": longest_s, "total_timeout_s": max(config.total_timeout_s, 2 * longest_s)}
        self._transfers = Retrier(config.model_copy(update=patient), pace, throttle)
        self._opened: AsyncOpenAI | None = None

    async def send_file(self, file: BinaryIO, name: str) -> str:
        """Send a file of requests.

        Args:
            file: The file, open for reading; it is sent from its beginning.
            name: What the endpoint calls it.

        Returns:
            The endpoint's id of it.

        Raises:
            FatalReplyError: It could not be sent.
        """

        async def call() -> str:
            file.seek(0)
            sent = await self._client.files.create(file=(name, file), purpose="batch")
            return _text(sent, "id")

        return await self._made(call, self._transfers, "to take a file of requests")

    async def find_file(self, name: str, since: datetime) -> str | None:
        """Find a file that was sent; None where there is none.

        Args:
            name: Its name.
            since: It was not made before that.

        Raises:
            FatalReplyError: That can't be told.
        """
        earliest = (since - CLOCKS_DIFFER).timestamp()

        async def call() -> str | None:
            async for file in self._client.files.list(purpose="batch", order="desc"):
                if file.created_at < earliest:
                    break
                if file.filename == name:
                    return file.id
            return None

        return await self._made(call, self._retrier, "to list files")

    async def begin(self, file_id: str, *, token: str, run: str, window: str, since: datetime) -> BatchState:
        """Begin a batch; where it is not certain whether one was begun, that is looked up first.

        Args:
            file_id: The file of its requests.
            token: What it can be found by.
            run: The run that it belongs to, for whoever looks at it at the endpoint.
            window: How long it may take, as the interface names it.
            since: When it was first tried.

        Raises:
            FatalReplyError: It could not be begun.
        """
        unsure = False

        async def call() -> BatchState:
            nonlocal unsure
            if unsure and (begun := await self._found(token, since)) is not None:
                return begun
            unsure = True
            made = await self._client.batches.create(
                input_file_id=file_id,
                endpoint=COMPLETIONS,
                completion_window=cast("Literal['24h']", window),
                metadata={TOKEN: token, RUN: run},
            )
            return self._state(made)

        return await self._made(call, self._retrier, "to begin a batch")

    async def find(self, token: str, since: datetime) -> BatchState | None:
        """Find a batch by its token; None where none was begun.

        Raises:
            FatalReplyError: That can't be told.
        """
        return await self._made(lambda: self._found(token, since), self._retrier, "to list batches")

    async def look(self, batch_id: str) -> BatchState | None:
        """See how a batch is getting on; None where the endpoint does not know it.

        Raises:
            FatalReplyError: That can't be told.
        """
        return await self._made(
            lambda: self._known(self._client.batches.retrieve(batch_id)), self._retrier, "to tell of a batch"
        )

    async def cancel(self, batch_id: str) -> None:
        """Ask for a batch to be cancelled; one that has ended, or that the endpoint does not know, is left alone.

        Raises:
            FatalReplyError: That was not possible.
        """

        async def call() -> None:
            state = await self._known(self._client.batches.retrieve(batch_id))
            if state is not None and not state.has_ended and state.status != "cancelling":
                await self._client.batches.cancel(batch_id)

        await self._made(call, self._retrier, "to cancel a batch")

    async def fetch(self, file_id: str, into: BinaryIO) -> None:
        """Fetch a file of what came.

        Args:
            file_id: The file.
            into: Where to write it; emptied first.

        Raises:
            FatalReplyError: It could not be fetched.
        """

        async def call() -> None:
            into.seek(0)
            into.truncate()
            async with self._client.files.with_streaming_response.content(file_id) as response:
                async for chunk in response.iter_bytes(CHUNK_BYTES):
                    into.write(chunk)

        await self._made(call, self._transfers, "to give a file of answers")

    async def close(self) -> None:
        """Close all connections."""
        if self._opened is not None:
            await self._opened.close()
        self._opened = None

    @property
    def _client(self) -> "AsyncOpenAI":
        if self._opened is None:
            from .batch_client import opened_client  # noqa: PLC0415  half a second, which only batches pay

            self._opened = opened_client(self._root, self._headers)
        return self._opened

    async def _found(self, token: str, since: datetime) -> BatchState | None:
        earliest = (since - CLOCKS_DIFFER).timestamp()
        async for batch in self._client.batches.list(limit=100):
            if batch.created_at < earliest:
                break
            if (batch.metadata or {}).get(TOKEN) == token:
                return self._state(batch)
        return None

    async def _known(self, call: "Awaitable[Batch]") -> BatchState | None:
        import openai  # noqa: PLC0415  as for the client

        try:
            return self._state(await call)
        except openai.APIStatusError as error:
            if error.status_code == UNKNOWN:
                return None
            raise

    async def _made(self, call: Callable[[], Awaitable[T]], retrier: Retrier, what: str) -> T:
        """Make a call, as often as the retries allow, and give what it returns."""
        came: list[T] = []
        failed: list[Exception] = []

        async def attempt() -> Reply:
            try:
                came.append(await call())
            except FailedAttempt:
                raise
            except Exception as error:  # noqa: BLE001 - what is no failure of the call is raised again
                failed.append(error)
                raise self._failure(error) from None
            return Reply()

        _ = self._client  # opened before the time of a call begins
        reply = await retrier.ask(attempt)
        if reply.error is None:
            return came[-1]
        said = reply.error.message.rstrip(".")
        if getattr(failed[-1] if failed else None, "status_code", None) in NOT_OFFERED:
            advice = f"Asked {what}; where the endpoint has no batches, leave model.mode out."
            raise FatalReplyError(f"{said}. {advice}")
        raise FatalReplyError(f"The endpoint was asked {what}: {said}. {RESUME}")

    def _failure(self, error: Exception) -> FailedAttempt:
        """What a failed call means; what is no failure of a call is raised as it is.

        Raises:
            FatalReplyError: No call can work.
        """
        from .batch_client import failed_call  # noqa: PLC0415  as for the client

        answer = failed_call(error, self._endpoint)
        if not isinstance(answer, HttpAnswer):
            return answer
        try:
            reply = self._endpoint.judge(answer, (), self._pace.now())
        except FailedAttempt as failure:
            return failure
        return FailedAttempt("bad_request", f"{self._endpoint.url} refuses it: {reply.refusal}", again=False)

    def _state(self, batch: "Batch") -> BatchState:
        status, counts = _text(batch, "status"), batch.request_counts
        problems = (batch.errors.data or []) if batch.errors is not None else []
        return BatchState(
            id=_text(batch, "id"),
            status=status,
            total=(counts.total or 0) if counts else 0,
            answered=(counts.completed or 0) if counts else 0,
            failed=(counts.failed or 0) if counts else 0,
            files=tuple(filter(None, (batch.output_file_id, batch.error_file_id))),
            problems=tuple(
                BatchProblem(one_line(self._endpoint.redact(each.message or "")), each.code or "", each.line)
                for each in problems
            ),
        )


def _text(value: object, name: str) -> str:
    """A field of an answer that must be a text; an answer of another shape is passed on by the package as it is.

    Raises:
        FailedAttempt: It is none.
    """
    found = getattr(value, name, None)
    if not isinstance(found, str) or not found:
        raise malformed(f"the endpoint sent an answer without `{name}`")
    return found
