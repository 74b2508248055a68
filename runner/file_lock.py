"""A lock between processes, which ends with the process that holds it however that ends."""

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

POLL_S = 0.2
HELD = (BlockingIOError, PermissionError)
"""What POSIX and Windows raise where another process holds the lock."""

if sys.platform == "win32":
    import msvcrt

    def try_lock(descriptor: int) -> None:
        """Lock a file that is open for writing, or raise `PermissionError` where another process holds the lock."""
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def try_lock(descriptor: int) -> None:
        """Lock a file that is open for writing, or raise `BlockingIOError` where another process holds the lock."""
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
                try_lock(file.fileno())
                break
            except HELD:
                if not told:
                    waiting()
                told = True
                await asyncio.sleep(POLL_S)
        yield
