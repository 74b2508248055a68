"""A chat endpoint that does next to nothing, for measuring what asks it; it runs in a process of its own.

    python mock_server.py                 # prints its port, and serves until standard input ends

The address says how long each answer takes: `http://127.0.0.1:PORT/delay/50/v1` waits 50 ms. An answer takes no JSON
library and no framework: the prompt's ticket number (see `tickets.py`) is found in the raw body, and decides the answer
together with the words after it, so that every tool that sends the same prompt gets the same answer.

`GET /stats` tells, since the last `GET /reset`, how many calls came, how many were in flight at most, when the first
came and the last was answered (seconds of the system's monotonic clock, which all processes share), and what
processor time the server took. `GET /record` does what `/reset` does and keeps the bodies from then on; `GET /recorded`
gives them back and keeps none any more.

`python mock_server.py --ceiling` measures the server itself instead: a client that only writes ready-made requests and
counts bytes asks it as fast as it can, both with one request after the other on each connection and with many at once.
"""

import argparse
import asyncio
import contextlib
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self

from tickets import answered

BACKLOG = 4096
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
DELAY = re.compile(rb"/delay/(\d+)/")
OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
ANSWER = (
    b'{"id":"c","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",'
    b'"content":"The answer is %s."},"finish_reason":"stop","logprobs":null}],'
    b'"usage":{"prompt_tokens":60,"completion_tokens":5,"total_tokens":65}}'
)
ANSWERS = {
    letter: b"%s%d\r\n\r\n%s" % (OK, len(ANSWER % letter), ANSWER % letter) for letter in (b"A", b"B", b"C", b"D")
}
HEADER_END = b"\r\n\r\n"


@dataclass
class Seen:
    """What came since the last reset."""

    calls: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    first_s: float = 0.0
    last_s: float = 0.0
    began_cpu_s: float = field(default_factory=time.process_time)
    bodies: list[bytes] | None = None

    def public(self) -> dict[str, float]:
        """What `/stats` tells."""
        return {
            "calls": self.calls,
            "most_in_flight": self.most_in_flight,
            "first_s": self.first_s,
            "last_s": self.last_s,
            "cpu_s": time.process_time() - self.began_cpu_s,
        }


class Served:
    """The server's state, which its connections share."""

    def __init__(self) -> None:
        self.seen = Seen()

    def told(self, path: bytes) -> object:
        """The answer to one of the `GET` addresses."""
        if path in {b"/reset", b"/record"}:
            self.seen = Seen(in_flight=self.seen.in_flight, bodies=[] if path == b"/record" else None)
            return {}
        if path == b"/recorded":
            bodies, self.seen.bodies = self.seen.bodies or [], None
            return [json.loads(body) for body in bodies]
        return self.seen.public()


class Connection(asyncio.Protocol):
    """One connection; requests that come together are answered in their order."""

    def __init__(self, served: Served, loop: asyncio.AbstractEventLoop) -> None:
        self._served = served
        self._loop = loop
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep what answers are written to."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what `create_server` makes
        self._transport = transport

    def connection_lost(self, _: Exception | None) -> None:
        """Write no more."""
        self._transport = None

    def data_received(self, data: bytes) -> None:
        """Take every whole request out of what came."""
        buffer = self._buffer + data if self._buffer else data
        while (head_end := buffer.find(HEADER_END)) >= 0:
            length = LENGTH.search(buffer, 0, head_end)
            end = head_end + 4 + (int(length[1]) if length else 0)
            if len(buffer) < end:
                break
            self._request(buffer[:head_end], buffer[head_end + 4 : end])
            buffer = buffer[end:]
        self._buffer = buffer

    def _request(self, head: bytes, body: bytes) -> None:
        if head.startswith(b"GET "):
            told = json.dumps(self._served.told(head.split(b" ", 2)[1])).encode()
            self._write(b"%s%d\r\n\r\n%s" % (OK, len(told), told))
            return
        seen = self._served.seen
        seen.calls += 1
        seen.in_flight += 1
        seen.most_in_flight = max(seen.most_in_flight, seen.in_flight)
        seen.first_s = seen.first_s or time.monotonic()
        if seen.bodies is not None:
            seen.bodies.append(body)
        answer = ANSWERS[answered(body)]
        delay = DELAY.search(head, 0, 60)
        delay_s = int(delay[1]) / 1000 if delay else 0
        if delay_s:
            self._loop.call_later(delay_s, self._answer, answer)
        else:
            self._answer(answer)

    def _answer(self, answer: bytes) -> None:
        seen = self._served.seen
        seen.in_flight -= 1
        self._write(answer)
        seen.last_s = time.monotonic()

    def _write(self, answer: bytes) -> None:
        if self._transport is not None:
            self._transport.write(answer)


async def serve() -> None:
    """Serve until standard input ends."""
    loop = asyncio.get_running_loop()
    served = Served()
    server = await loop.create_server(lambda: Connection(served, loop), "127.0.0.1", 0, backlog=BACKLOG)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


class Server:
    """The server in another process; a context manager.

    Attributes:
        port: Where it listens, on the loopback address.
    """

    port = 0

    def __enter__(self) -> Self:
        """Start it."""
        self._process = subprocess.Popen(  # noqa: S603 - our own file
            [sys.executable, str(Path(__file__).resolve())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None  # noqa: S101 - it is piped
        self.port = int(self._process.stdout.readline())
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._process.communicate(timeout=10)

    def base_url(self, delay_ms: int = 0) -> str:
        """Root of the OpenAI-compatible endpoint that takes so long for each answer."""
        return f"http://127.0.0.1:{self.port}/delay/{delay_ms}/v1"

    def get(self, path: str) -> Any:
        """What one of its `GET` addresses tells."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", path)
            return json.loads(connection.getresponse().read())


class Blaster(asyncio.Protocol):
    """A client that writes ready-made requests, `depth` of them at once, and counts the bytes that come back."""

    def __init__(self, request: bytes, times: int, depth: int, done: asyncio.Future[None]) -> None:
        self._request = request
        self._left = times
        self._depth = depth
        self._awaited = 0
        self._done = done

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the first."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - what `create_connection` makes
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        """Send the next ones once all that were sent are answered."""
        self._awaited -= len(data)
        if self._awaited == 0:
            self._send()

    def connection_lost(self, error: Exception | None) -> None:
        """A connection that breaks off is no measurement."""
        if not self._done.done():
            self._done.set_exception(error or ConnectionError("the server hung up"))

    def _send(self) -> None:
        sent = min(self._depth, self._left)
        self._left -= sent
        self._awaited = sent * len(ANSWERS[b"A"])
        if sent:
            self._transport.write(self._request * sent)
        elif not self._done.done():
            self._done.set_result(None)
            self._transport.close()


async def blast(port: int, *, delay_ms: int, calls: int, connections: int, depth: int, body: bytes) -> float:
    """Ask as fast as a client can that does nothing else.

    Returns:
        Seconds it took.
    """
    loop = asyncio.get_running_loop()
    head = f"POST /delay/{delay_ms}/v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    request = head.encode() + b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    shares = [calls // connections + (at < calls % connections) for at in range(connections)]
    endings = [loop.create_future() for _ in shares]
    began = time.perf_counter()
    for share, done in zip(shares, endings, strict=True):
        await loop.create_connection(partial(Blaster, request, share, depth, done), "127.0.0.1", port)
    await asyncio.gather(*endings)
    return time.perf_counter() - began


def ceiling(server: Server, body: bytes, *, calls: int = 40_000) -> Iterator[str]:
    """Measure the server itself, in lines for people: calls a second of its own processor time, and by the clock."""
    for depth, how in ((1, "one at a time on each of 64 connections"), (16, "16 at a time on each of 64 connections")):
        server.get("/reset")
        taken_s = asyncio.run(blast(server.port, delay_ms=0, calls=calls, connections=64, depth=depth, body=body))
        cpu_s = server.get("/stats")["cpu_s"]
        yield f"{how}: {calls / taken_s:,.0f} calls/s by the clock, {calls / cpu_s:,.0f} a second of processor time"


def more_files() -> None:
    """Allow as many open files as the system lets this process have."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def main() -> None:
    """Serve, or measure the server."""
    parser = argparse.ArgumentParser(description="A chat endpoint that does next to nothing.")
    parser.add_argument("--ceiling", action="store_true", help="measure how many calls a second the server can take")
    more_files()
    if parser.parse_args().ceiling:
        with Server() as server:
            for line in ceiling(server, b'{"messages":[{"role":"user","content":"Ticket 9000001: what is it?"}]}'):
                print(line)
    else:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve())


if __name__ == "__main__":
    main()
