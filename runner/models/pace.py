"""Time and chance, so that a test need not wait."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Pace:
    """Where time and chance come from.

    Attributes:
        clock: Seconds that only grow.
        now: Seconds since 1970, to compare with the dates of an endpoint.
        sleep: Waits so many seconds.
        rng: Source of the jitter, which decides when a call is made and never what it says.
    """

    clock: Callable[[], float] = time.monotonic
    now: Callable[[], float] = time.time
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    rng: random.Random = field(default_factory=random.Random)
