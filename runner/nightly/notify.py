"""Telling all sinks of a night: side by side, each bounded in time, and none in the way of another."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from ..config.nightly import EmailSink, FileSink, NotifyConfig, SentSection, WebhookSink
from ..masking import masked
from ..problems import counted
from .mail import tell_by_mail
from .message import Message
from .sink import Means, SinkError
from .webhook import tell_webhook

LONGEST_WAIT_S = 60.0
AnySink = WebhookSink | EmailSink | FileSink


async def notify(sinks: Sequence[NotifyConfig], message: Message, means: Means) -> list[str]:
    """Tell every sink that is to be told of this.

    Args:
        sinks: The sinks of a config.
        message: What to tell.
        means: What they work with.

    Returns:
        A sentence for each sink that could not be told.
    """
    due = [each.sink for each in sinks if message.is_for(each.sink.when)]
    told = await asyncio.gather(*(_tell(sink, message, means) for sink in due), return_exceptions=True)
    what = "of the night, which is stored all the same" if message.kept else "that the night could not be run"
    return [
        masked(f"{name_of(sink)} could not be told {what}: {_said(error)}")
        for sink, error in zip(due, told, strict=True)
        if error is not None
    ]


def name_of(sink: AnySink) -> str:
    """A sink as people are told of it."""
    if isinstance(sink, WebhookSink):
        return f"the webhook ({sink.url_env})"
    return f"the mail to {', '.join(sink.to)}" if isinstance(sink, EmailSink) else f"the file {sink.path}"


def lacking(sinks: Sequence[NotifyConfig], means: Means) -> list[str]:
    """A sentence for each sink that can't be told, for want of a variable or a folder; said before a night begins."""
    found = []
    for each in sinks:
        if isinstance(each.sink, FileSink) and not (folder := (means.base / each.sink.path).parent).is_dir():
            found.append(f"{name_of(each.sink)} can't be told: the folder {folder} is not there; make it")
        variables = [getattr(each.sink, key, None) for key in ("url_env", "token_env", "password_env")]
        missing = [name for name in variables if name and not means.env.get(name, "").strip()]
        if missing:
            found.append(f"{name_of(each.sink)} can't be told: set the environment variable {' and '.join(missing)}")
    return found


def _said(error: BaseException) -> str:
    return str(error) if isinstance(error, SinkError) else f"{type(error).__name__}: {error}"


async def _tell(sink: AnySink, message: Message, means: Means) -> None:
    if isinstance(sink, FileSink):
        await asyncio.to_thread(tell_file, sink, message, means.base)
    elif isinstance(sink, WebhookSink):
        await _retried(sink, lambda: tell_webhook(sink, message, means), means)
    else:
        await _retried(sink, lambda: tell_by_mail(sink, message, means), means)


async def _retried(sink: SentSection, attempt: Callable[[], Awaitable[None]], means: Means) -> None:
    """Make attempts until one comes through, one fails for good, or none is left."""
    made = 0

    async def bounded() -> None:
        nonlocal made
        made += 1
        try:
            async with asyncio.timeout(sink.timeout_s):
                await attempt()
        except TimeoutError:
            raise SinkError(f"no answer within {sink.timeout_s:g} s", again=True) from None

    def wait_s(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked_s = error.retry_after_s if isinstance(error, SinkError) else None
        doubled_s = sink.first_wait_s * 2.0 ** (state.attempt_number - 1)
        return min(max(doubled_s, asked_s or 0.0), LONGEST_WAIT_S)

    retrying = AsyncRetrying(
        sleep=means.pace.sleep,
        stop=stop_after_attempt(1 + sink.retries),
        wait=wait_s,
        retry=retry_if_exception(lambda error: isinstance(error, SinkError) and error.again),
        reraise=True,
    )
    try:
        await retrying(bounded)
    except SinkError as error:
        if made > 1:
            raise SinkError(f"{error} ({counted(made, 'attempt')})") from None
        raise


def tell_file(sink: FileSink, message: Message, base: Path) -> None:
    """Add a line of JSON to a file, or write the digest anew.

    Raises:
        SinkError: The file can't be written.
    """
    path = base / Path(sink.path).expanduser()
    try:
        if sink.format == "jsonl":
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(message.data, allow_nan=False) + "\n")
        else:
            # A reader never finds half a digest.
            half = path.with_name(f"{path.name}.{os.getpid()}.part")
            half.write_text(message.markdown, encoding="utf-8")
            half.replace(path)
    except OSError as error:
        raise SinkError(f"it can't be written ({error.strerror or error})") from None
