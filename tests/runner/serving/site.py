"""The real server of pages on a free port of this machine, in a thread of its own."""

import http.client
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Thread

import uvicorn
from playwright.sync_api import Page
from prt.runner.serving.app import create_app
from prt.runner.serving.settings import Settings

from ...browser import accessibility_faults, overflow

HOST = "127.0.0.1"
TIMEOUT_S = 30


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")


@dataclass(frozen=True, slots=True)
class Site:
    """A server that is under way."""

    port: int
    settings: Settings = field(default_factory=Settings)

    @property
    def address(self) -> str:
        """Its address, without a slash at the end."""
        return f"http://{HOST}:{self.port}"

    def ask(
        self, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> Answer:
        """Send a request as it stands: no part of the path is encoded or resolved on the way."""
        connection = http.client.HTTPConnection(HOST, self.port, timeout=TIMEOUT_S)
        try:
            connection.request(method, path, body=body, headers=dict(headers or {}))
            response = connection.getresponse()
            said = {name.casefold(): value for name, value in response.getheaders()}
            return Answer(response.status, said, response.read())
        finally:
            connection.close()


@contextmanager
def serving(settings: Settings) -> Iterator[Site]:
    """Serve until the block ends, as `prt serve` does."""
    listener = socket.create_server((HOST, 0))
    config = uvicorn.Config(
        create_app(settings), log_level="warning", access_log=False, server_header=False, lifespan="off", ws="none"
    )
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="site")
    thread.start()
    try:
        yield Site(listener.getsockname()[1], settings)
    finally:
        server.should_exit = True
        thread.join(TIMEOUT_S)
        listener.close()
        assert not thread.is_alive()


def assert_for_everyone(page: Page) -> None:
    """Fail where something has to be scrolled sideways, or axe finds a fault."""
    assert overflow(page) == 0
    assert accessibility_faults(page) == []
