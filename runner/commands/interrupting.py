"""While a command asks models: a signal stops it cleanly, and a store that fails is told from an unusable one."""

import asyncio
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from ..errors import StoreError, StoreFailedError

SIGNALS = (signal.SIGINT, signal.SIGTERM)
DIED_BY = 128
"""Added to the number of the signal that ended a process, its exit code: 130 for Ctrl-C."""


@contextmanager
def under_way() -> Iterator[None]:
    """Tell a store that fails during a run, which the same command resumes, from one that can't be used at all."""
    try:
        yield
    except StoreError as error:
        raise StoreFailedError(str(error)) from error


@contextmanager
def interruptible(stop: asyncio.Event, console: Console) -> Iterator[None]:
    """Let the first Ctrl-C or SIGTERM stop cleanly and the second leave at once.

    Args:
        stop: Set by the first.
        console: Where that is said.
    """
    loop = asyncio.get_running_loop()
    came = False

    def interrupt(signum: int, _frame: object) -> None:
        nonlocal came
        if came:
            console.show_cursor()  # which a live display hides
            os._exit(DIED_BY + signum)
        came = True
        loop.call_soon_threadsafe(stop.set)
        console.print(Text("Stopping; results are kept. Once more leaves at once."))

    previous = [(each, signal.signal(each, interrupt)) for each in SIGNALS]
    try:
        yield
    finally:
        for each, handler in previous:
            signal.signal(each, handler)
