"""The parent's side of a local model: start the child, keep its last words, end it without waiting for it."""

import asyncio
import json
import os
import re
import secrets
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from ..errors import ModelError
from .local_server import ServerSettings
from .status import one_line

T = TypeVar("T")
SERVER = Path(__file__).with_name("local_server.py")
START_TIMEOUT_S = 600.0
CLOSE_TIMEOUT_S = 5.0
KEPT_BYTES = 8192
LOADING_FAILED = re.compile(r"error loading model: (?:llama_model_loader: )?(.+)")


class LlamaProcess:
    """A running child.

    Attributes:
        url: Root of its OpenAI-compatible endpoint.
        key: The key that it asks for.
    """

    def __init__(self, process: Process, settings: ServerSettings) -> None:
        self.url = ""
        self.key = settings.key
        self._process = process
        self._settings = settings
        self._last_words = b""
        self._listening = asyncio.create_task(self._keep_last_words())

    @classmethod
    async def start(
        cls,
        path: Path,
        *,
        threads: int,
        context: int,
        command: tuple[str, ...] = (sys.executable, "-P", str(SERVER)),
        timeout_s: float = START_TIMEOUT_S,
    ) -> "LlamaProcess":
        """Start a child and wait until it answers.

        Args:
            path: The GGUF file.
            threads: CPU threads.
            context: Context window in tokens.
            command: What to run; `-P` since its folder holds modules named as the standard library's.
            timeout_s: How long loading may take.

        Raises:
            ModelError: The model can't be loaded, with llama.cpp's own words.
        """
        settings = ServerSettings(str(path), path.stem, secrets.token_urlsafe(16), threads, context)
        # A session of its own keeps the terminal's Ctrl-C away from it. Threads that spin while they wait for each
        # other bring everything to a standstill on a machine that has anything else to do.
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
            env={"OMP_WAIT_POLICY": "passive", **os.environ},
        )
        child = cls(process, settings)
        try:
            await child._get_ready(timeout_s)
        except BaseException:
            await child.close()
            raise
        return child

    async def _get_ready(self, timeout_s: float) -> None:
        try:
            async with asyncio.timeout(timeout_s):
                line = await self._handshake()
        except TimeoutError:
            raise ModelError(
                f"{self._settings.path} was not loaded within {timeout_s:g} s; the last that llama.cpp said: "
                f"{self.last_words()}"
            ) from None
        if not line:
            raise ModelError(await self._why_not())
        self.url = str(json.loads(line)["url"])

    async def _handshake(self) -> bytes:
        stdin = _piped(self._process.stdin)
        try:
            stdin.write(json.dumps(asdict(self._settings)).encode() + b"\n")
            await stdin.drain()
        except ConnectionError:  # it has ended already, and standard error says why
            return b""
        return await _piped(self._process.stdout).readline()

    async def _why_not(self) -> str:
        await self.ends_within(CLOSE_TIMEOUT_S)
        said = self._last_words.decode(errors="replace")
        if "libgomp" in said:
            return "llama.cpp needs the system library libgomp; install it (Debian, Ubuntu: apt-get install libgomp1)."
        reason = LOADING_FAILED.search(said)
        if reason:
            return f"llama.cpp can't load {self._settings.path}: {reason[1].strip()}. Fetch the file again, or another."
        return f"the process of the local model ended while it started ({self.exit_reason()}): {self.last_words()}"

    async def _keep_last_words(self) -> None:
        stderr = _piped(self._process.stderr)
        while chunk := await stderr.read(KEPT_BYTES):
            self._last_words = (self._last_words + chunk)[-KEPT_BYTES:]

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def ends_within(self, seconds: float) -> bool:
        """Wait until it has ended and said all that it had to say; False where it has not in that time."""
        try:
            async with asyncio.timeout(seconds):
                await self._process.wait()
                await asyncio.wait([self._listening])
        except TimeoutError:
            return False
        return True

    def exit_reason(self) -> str:
        """How it ended."""
        code = self._process.returncode or 0
        return f"signal {-code}" if code < 0 else f"exit code {code}"

    def last_words(self) -> str:
        """The end of what it wrote on standard error, on one line."""
        return one_line(self._last_words.decode(errors="replace")[-300:])

    async def close(self) -> None:
        """End it. It is killed, since it holds nothing worth an orderly end, which can hang."""
        if self.running:
            self._process.kill()
        if not await self.ends_within(CLOSE_TIMEOUT_S):
            self._listening.cancel()


def _piped(stream: T | None) -> T:
    if stream is None:
        raise RuntimeError("the process was started without a pipe for this stream")
    return stream
