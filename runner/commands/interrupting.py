"""While a command asks models: Ctrl-C stops it cleanly, and a store that fails is told from one that can't be used."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from ..errors import StoreError, StoreFailedError

INTERRUPTED = 130


@contextmanager
def under_way() -> Iterator[None]:
    """Tell a store that fails during a run, which the same command resumes, from one that can't be used at all."""
    try:
        yield
    except StoreError as error:
        raise StoreFailedError(str(error)) from error


@contextmanager
def interruptible(stop: asyncio.Event, console: Console) -> Iterator[None]:
    """Let the first Ctrl-C stop cleanly and the second leave at once."""
    loop = asyncio.get_running_loop()

    def interrupt(_signum: int, _frame: object) -> None:
        if stop.is_set():
            os._exit(INTERRUPTED)
        loop.call_soon_threadsafe(stop.set)
        console.print(Text("Stopping; results are kept. Once more leaves at once."))

    previous = signal.signal(signal.SIGINT, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, previous)
