"""A lock between processes, which ends with the process that holds it however that ends."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

POLL_S = 0.2

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@asynccontextmanager
async def file_lock(path: Path, waiting: Callable[[], None]) -> AsyncIterator[None]:
    """Hold a lock for the time of a `with` block.

    Args:
        path: The lock file; it is made where missing, and stays.
        waiting: Called once where another process holds the lock.

    Raises:
        OSError: The file can't be made or the file system has no locks.
    """
    with path.open("ab") as file:
        told = False
        while True:
            try:
                _lock(file.fileno())
                break
            except (BlockingIOError, PermissionError):  # what POSIX and Windows call held by another
                if not told:
                    waiting()
                told = True
                await asyncio.sleep(POLL_S)
        yield
