"""The child process of a local model, with children that do what children do wrong."""

import asyncio
import json
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest
from prt.runner.errors import ModelError
from prt.runner.models.local_process import LlamaProcess

from .asking import until

T = TypeVar("T")

SERVES = """
import json, sys
settings = json.loads(sys.stdin.readline())
print(json.dumps({"url": "http://127.0.0.1:1/v1"}), flush=True)
sys.stderr.write(json.dumps(settings))
sys.stderr.flush()
sys.stdin.read()
"""
IGNORES_ITS_PARENT = """
import json, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(json.dumps({"url": "http://127.0.0.1:1/v1"}), flush=True)
time.sleep(60)
"""
CRASHES = "import sys; sys.stdin.readline(); sys.exit('out of luck\\nand memory')"
CRASHES_UNASKED = "import os; os._exit(7)"
IS_KILLED = "import os, signal, sys; sys.stdin.readline(); os.kill(os.getpid(), signal.SIGKILL)"
REFUSES = (
    "import sys; sys.stdin.readline(); "
    "sys.exit('0.1 E load: error loading model: llama_model_loader: tensor x is out of bounds\\n0.2 E failed')"
)
LACKS_A_LIBRARY = "import sys; sys.exit('ImportError: libgomp.so.1: cannot open shared object file')"
SAYS_TOO_MUCH = """
import json, sys
sys.stderr.write("noise " * 1_000_000)
print(json.dumps({"url": "http://127.0.0.1:1/v1"}), flush=True)
sys.stdin.read()
"""
STALLS = "import sys, time; sys.stderr.write('still reading'); sys.stderr.flush(); time.sleep(60)"


async def started(script: str, timeout_s: float = 20) -> LlamaProcess:
    return await LlamaProcess.start(
        Path("folder/my model.gguf"),
        threads=3,
        context=512,
        command=(sys.executable, "-c", script),
        timeout_s=timeout_s,
    )


def with_child(script: str, use: Callable[[LlamaProcess], Awaitable[T]]) -> T:
    async def run() -> T:
        child = await started(script)
        try:
            return await use(child)
        finally:
            await child.close()

    return asyncio.run(run())


def test_the_child_is_told_what_to_serve_and_announces_where() -> None:
    async def settings(child: LlamaProcess) -> tuple[str, str, dict[str, object]]:
        await until(lambda: child.last_words().endswith("}"))
        return child.url, child.key, json.loads(child.last_words())

    url, key, told = with_child(SERVES, settings)
    assert url == "http://127.0.0.1:1/v1"
    assert told == {"path": "folder/my model.gguf", "alias": "my model", "key": key, "threads": 3, "context": 512}
    assert len(key) >= 16


def test_each_child_has_a_key_of_its_own() -> None:
    async def key(child: LlamaProcess) -> str:
        return child.key

    assert with_child(SERVES, key) != with_child(SERVES, key)


def test_closing_is_prompt_even_if_the_child_ignores_its_parent() -> None:
    async def nothing(_: LlamaProcess) -> float:
        return time.monotonic()

    before_s = with_child(IGNORES_ITS_PARENT, nothing)
    assert time.monotonic() - before_s < 4


def test_closing_twice_or_after_a_crash_does_no_harm() -> None:
    async def crash(child: LlamaProcess) -> bool:
        await child.close()
        await child.close()
        return child.running

    assert not with_child(SERVES, crash)


@pytest.mark.parametrize(
    ("script", "sentence"),
    [
        (CRASHES, "the process of the local model ended while it started (exit code 1): out of luck and memory"),
        (CRASHES_UNASKED, "the process of the local model ended while it started (exit code 7): nothing said"),
        (IS_KILLED, "the process of the local model ended while it started (signal 9): nothing said"),
        (
            LACKS_A_LIBRARY,
            "llama.cpp needs the system library libgomp; install it (Debian, Ubuntu: apt-get install libgomp1).",
        ),
        (
            REFUSES,
            "llama.cpp can't load folder/my model.gguf: tensor x is out of bounds. Fetch the file again, or another.",
        ),
    ],
)
def test_a_child_that_does_not_start_says_why(script: str, sentence: str) -> None:
    with pytest.raises(ModelError) as failed:
        asyncio.run(started(script))
    assert str(failed.value) == sentence


def test_a_child_that_never_gets_ready_is_ended_with_its_last_words() -> None:
    with pytest.raises(ModelError, match=r"was not loaded within 1 s; the last that llama\.cpp said: still reading"):
        asyncio.run(started(STALLS, timeout_s=1))


def test_a_start_that_is_cancelled_leaves_no_child(tmp_path: Path) -> None:
    said = tmp_path / "pid"
    script = f"import os, pathlib, time; pathlib.Path({str(said)!r}).write_text(str(os.getpid())); time.sleep(60)"

    async def run() -> None:
        task = asyncio.create_task(started(script))
        await until(lambda: said.exists() and said.read_text())
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    with pytest.raises(ProcessLookupError):
        os.kill(int(said.read_text()), 0)


def test_what_the_child_says_is_drained_and_only_its_end_kept() -> None:
    async def last(child: LlamaProcess) -> str:
        return child.last_words()

    assert len(with_child(SAYS_TOO_MUCH, last)) <= 300


def test_how_a_child_ended_can_be_told_afterwards() -> None:
    async def end(child: LlamaProcess) -> tuple[bool, bool, str]:
        early = await child.ends_within(0.01)
        await child.close()
        return early, await child.ends_within(1), child.exit_reason()

    assert with_child(SERVES, end) == (False, True, "signal 9")
