"""The child process of a local model: llama.cpp's OpenAI-compatible server on loopback, while its parent lives.

Run as a script. One line of JSON on standard input says what to serve, one line of JSON on standard output announces
the address. When standard input ends, which also happens when the parent is killed, the process ends at once.
"""

import contextlib
import importlib
import json
import os
import signal
import sys
import threading
from dataclasses import dataclass
from typing import IO, Protocol


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What the child is to serve.

    Attributes:
        path: The GGUF file.
        alias: The model name that its replies carry.
        key: A key made up for this child, so that no other program on the machine can use it.
        threads: CPU threads.
        context: Context window in tokens.
    """

    path: str
    alias: str
    key: str
    threads: int
    context: int


class Server(Protocol):
    """What is used of the server of xllamacpp, which has no types."""

    listening_address: str


def main() -> None:
    """Serve until the parent is gone."""
    # Ctrl-C reaches every process of a terminal; whether to stop is the parent's decision.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    settings = ServerSettings(**json.loads(sys.stdin.buffer.readline()))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    announcements = _reserve_stdout()
    server = _serve(settings)
    if server is None:
        sys.stderr.flush()
        os._exit(1)
    announcements.write(json.dumps({"url": f"{server.listening_address}/v1"}) + "\n")
    announcements.flush()
    threading.Event().wait()


def _end_with_parent() -> None:
    with contextlib.suppress(OSError):
        sys.stdin.buffer.read()
    # Taking the server down in an orderly way can hang, and it has nothing to lose.
    os._exit(0)


def _reserve_stdout() -> IO[str]:
    """Keep standard output for the announcement; whatever the library prints goes to standard error."""
    announcements = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return announcements


def _serve(settings: ServerSettings) -> Server | None:
    """Start the server; None where llama.cpp refuses, which it explains on standard error."""
    llama = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = settings.path
    params.model_alias = {settings.alias}
    params.api_keys = [settings.key]
    params.n_ctx = settings.context
    params.cpuparams.n_threads = settings.threads
    params.cpuparams_batch.n_threads = settings.threads
    # Equal prompts get equal replies, byte for byte: with several slots or a prompt cache the sums are made in another
    # order from call to call, and flash attention makes them in another order for another number of threads.
    params.n_parallel = 1
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.flash_attn_type = llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.ui = False
    params.endpoint_slots = False
    params.verbosity = 1
    try:
        server: Server = llama.Server(params)
    except RuntimeError as error:
        sys.stderr.write(f"{error}\n")
        return None
    return server


if __name__ == "__main__":
    main()
