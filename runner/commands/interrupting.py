"""While a command asks models: signals stop it step by step, and a store that fails is told from an unusable one."""

import asyncio
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.text import Text

from ..engine.stopping import Stop
from ..errors import StoreError, StoreFailedError
from ..problems import counted

GRACE_S = {signal.SIGINT: 10.0, signal.SIGTERM: 5.0}
"""Seconds that calls in flight have to be answered, by the signal that stops a command.

Who presses Ctrl-C can end the wait. Who sends SIGTERM kills in the end, after ten seconds where nothing else is set
(Docker), and within these the answers are to be graded and the report written, too.
"""
TOGETHER_S = 0.1
"""Signals that come so close together are one: `timeout` and systemd send theirs to each process of a group, and a
parent among these passes it on."""
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
def interruptible(console: Console, *, clock: Callable[[], float] = time.monotonic) -> Iterator[Stop]:
    """Let Ctrl-C and SIGTERM stop what is done in a block, in an event loop.

    The first one lets no further call be made, and those in flight come to their end for some seconds. The second one
    drops them. The third one leaves the process at once.

    Args:
        console: Where that is said; standard error where it is quiet.
        clock: Tells seconds that pass.

    Yields:
        What they set.
    """
    loop, stop = asyncio.get_running_loop(), Stop()
    shown = Console(stderr=True, highlight=False) if console.quiet else console
    steps, came_s = 0, -TOGETHER_S

    def wait(grace_s: float) -> None:
        waiting = waiting_for(stop.in_flight, grace_s)
        stop.gently(grace_s)
        shown.print(Text(waiting), soft_wrap=True)

    def drop() -> None:
        stop.drop()
        shown.print(Text("Nothing is waited for any longer; what came is kept. Once more leaves at once."))

    def interrupt(signum: int, _frame: object) -> None:
        nonlocal steps, came_s
        before_s, came_s = came_s, clock()
        if came_s - before_s < TOGETHER_S:
            return
        steps += 1
        # Nothing is printed here but at the end: the signal may have come in the middle of a line that is printed.
        match steps:
            case 1:
                loop.call_soon_threadsafe(wait, GRACE_S[signal.Signals(signum)])
            case 2:
                loop.call_soon_threadsafe(drop)
            case _:
                try:
                    shown.show_cursor()  # which a live display hides
                finally:
                    os._exit(DIED_BY + signum)

    previous = [(each, signal.signal(each, interrupt)) for each in GRACE_S]
    try:
        yield stop
    finally:
        for each, handler in previous:
            signal.signal(each, handler)


def waiting_for(calls: int, grace_s: float) -> str:
    """Say what a command waits for that was interrupted.

    Args:
        calls: Calls in flight.
        grace_s: Seconds that they have.
    """
    if not calls:
        return f"Stopping: no call is in flight; what came is graded, for at most {grace_s:g} s. Once more ends that."
    them = "it" if calls == 1 else "them"
    return f"Stopping: waiting for {counted(calls, 'call')} in flight, at most {grace_s:g} s. Once more drops {them}."
