"""What the servers on loopback share: each runs its event loop in a thread, from the start of a `with` to its end."""

import asyncio
import ssl
import threading
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import Self

WAIT_S = 10


class ThreadedServer(ABC):
    """A server in a thread of its own; a context manager."""

    def __init__(self, name: str) -> None:
        """Get ready; it starts when entered.

        Args:
            name: What the thread and messages call it.
        """
        self._loop = asyncio.new_event_loop()
        self._started = threading.Event()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name)

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._started.wait(WAIT_S), f"the {self._thread.name} did not start"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(WAIT_S)
        assert not self._thread.is_alive(), f"the {self._thread.name} did not stop"

    @abstractmethod
    async def _serve(self) -> None:
        """Listen, set `_started`, and serve until `_stop` is set."""

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()


def tls_context(certificate: Path | None) -> ssl.SSLContext | None:
    """To speak TLS by a certificate with its key; None without one."""
    if certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context
