"""A lock between processes."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from prt.runner.file_lock import file_lock

HOLDER = """
import asyncio, pathlib, sys
from prt.runner.file_lock import file_lock

async def main():
    async with file_lock(pathlib.Path(sys.argv[1]), lambda: None):
        print("held", flush=True)
        await asyncio.sleep(60)

asyncio.run(main())
"""


def test_a_lock_is_waited_for_and_ends_with_the_process_that_held_it(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    told: list[str] = []
    command = [sys.executable, "-c", HOLDER, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:  # noqa: S603  ours
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"

        def waiting() -> None:
            told.append("waiting")
            holder.kill()

        async def take() -> None:
            async with file_lock(path, waiting):
                told.append("taken")

        asyncio.run(take())
    assert told == ["waiting", "taken"]


def test_a_free_lock_is_taken_at_once_and_again_after_an_error(tmp_path: Path) -> None:
    async def take(error: Exception | None) -> None:
        async with file_lock(tmp_path / "lock", lambda: pytest.fail("nobody holds it")):
            if error:
                raise error

    with pytest.raises(KeyError):
        asyncio.run(take(KeyError()))
    asyncio.run(take(None))
