"""An event loop whose time passes at once: whoever sleeps is woken in the right order, and nobody waits."""

import asyncio
import random
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

from prt.runner.models.pace import Pace

T = TypeVar("T")
Ready = list[tuple[selectors.SelectorKey, int]]


class JumpingSelector(selectors.DefaultSelector):
    """Jumps over the time that a selector would wait."""

    now_s = 1000.0

    def select(self, timeout: float | None = None) -> Ready:
        ready: Ready = super().select(0)
        if timeout and not ready:
            self.now_s += timeout
        return ready


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop on a selector that jumps."""

    def __init__(self) -> None:
        self._jumping = JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s


def run_at_once(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end in virtual time."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(work)


def virtual_pace(seed: int = 1) -> Pace:
    """The pace of the running loop."""
    loop = asyncio.get_running_loop()
    return Pace(clock=loop.time, now=loop.time, sleep=asyncio.sleep, rng=random.Random(seed))  # noqa: S311  jitter
