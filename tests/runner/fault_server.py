"""A real HTTP server on loopback that answers by a script: what endpoints do right, and all that they do wrong.

    with FaultServer(fails(429, headers={"Retry-After": "2"}), answers("B")) as server:
        ...                      # an OpenAI-compatible endpoint at server.base_url
    assert len(server.calls) == 2

Behaviours are used in the order of arrival and the last one repeats. `FaultServer(by=function)` chooses by the call
instead, so that each item of a run can meet a fault of its own. The server runs in a thread, so that synchronous code
(a command line, a child process) can be tested against it too.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web
from pydantic import JsonValue as Json

from .threaded_server import ThreadedServer, tls_context

FOREVER_S = 3600.0


@dataclass(frozen=True, slots=True)
class Call:
    """One request as it arrived; `number` counts from 1 in the order of arrival."""

    number: int
    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Json]:
        """The body as a JSON object; empty where there is no body."""
        value: dict[str, Json] = json.loads(self.body) if self.body else {}
        return value

    @property
    def prompt(self) -> str:
        """The content of the last message of a chat request."""
        messages = self.json["messages"]
        assert isinstance(messages, list)
        last = messages[-1]
        assert isinstance(last, dict)
        return str(last["content"])


@dataclass(frozen=True, slots=True)
class Behaviour:
    """What the server does with one call."""

    respond: Callable[[web.Request], Awaitable[web.StreamResponse]]


def sends(
    body: str | bytes,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    content_type: str = "application/json",
) -> Behaviour:
    """Any status with any bytes."""
    data = body.encode() if isinstance(body, str) else body

    async def respond(_: web.Request) -> web.Response:
        return web.Response(body=data, status=status, headers={"Content-Type": content_type, **(headers or {})})

    return Behaviour(respond)


def sends_json(value: Json, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Behaviour:
    """Any status with a JSON body."""
    return sends(json.dumps(value), status=status, headers=headers)


def completes(message: Json, *, finish_reason: str | None = "stop", **rest: Json) -> Behaviour:
    """A chat completion with one choice, whose message and other fields are given."""
    choice: Json = {"index": 0, "finish_reason": finish_reason, "message": message}
    usage: Json = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    whole: dict[str, Json] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "served-model-1",
        "choices": [choice],
        "usage": usage,
    }
    return sends_json({**whole, **rest})


def answers(text: Json = "A", *, finish_reason: str | None = "stop", **rest: Json) -> Behaviour:
    """A chat completion with this content (None: `content: null`)."""
    return completes({"role": "assistant", "content": text}, finish_reason=finish_reason, **rest)


def has_choices(choices: Json) -> Behaviour:
    """A chat completion whose `choices` is null, empty or whatever else is given."""
    return sends_json({"id": "chatcmpl-1", "object": "chat.completion", "model": "served-model-1", "choices": choices})


def is_cut_off() -> Behaviour:
    """`content: null` with `finish_reason: length`: all tokens went into reasoning."""
    return answers(None, finish_reason="length")


def is_filtered() -> Behaviour:
    """A completion that a content filter stopped."""
    return answers("", finish_reason="content_filter")


def refuses_prompt() -> Behaviour:
    """A 400 by a content filter that stands before the model."""
    error: Json = {
        "code": "content_filter",
        "message": "The prompt was filtered.",
        "param": "prompt",
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
    return sends_json({"error": error}, status=400)


def is_malformed() -> Behaviour:
    """A 200 whose JSON breaks off."""
    return sends('{"id": "chatcmpl-1", "choices": [{"index": 0, "mess')


def shows_a_page(status: int = 200) -> Behaviour:
    """The HTML of a gateway instead of JSON."""
    page = "<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>"
    return sends(page, status=status, content_type="text/html")


def fails(
    status: int,
    *,
    message: str = "scripted failure",
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Behaviour:
    """An error in the form that OpenAI-compatible endpoints use."""
    error: Json = {"message": message, "type": code or "error", "param": param, "code": code}
    return sends_json({"error": error}, status=status, headers=headers)


def stalls(seconds: float = FOREVER_S) -> Behaviour:
    """Take the request and send nothing, until the client or the server goes away."""
    return waits(seconds, fails(503, message="stalled"))


def waits(seconds: float, then: Behaviour) -> Behaviour:
    """Behave, but only after some time."""

    async def respond(request: web.Request) -> web.StreamResponse:
        await asyncio.sleep(seconds)
        return await then.respond(request)

    return Behaviour(respond)


def stalls_in_the_body() -> Behaviour:
    """Send the headers and half of the body, and then nothing more."""

    async def respond(request: web.Request) -> web.StreamResponse:
        response = await _half_a_body(request)
        await asyncio.sleep(FOREVER_S)
        return response

    return Behaviour(respond)


def drips(byte: bytes = b" ", *, every_s: float = 0.02) -> Behaviour:
    """Send the headers and then a byte now and again, without end: a slow loris."""

    async def respond(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000000"})
        await response.prepare(request)
        while True:
            await response.write(byte)
            await asyncio.sleep(every_s)

    return Behaviour(respond)


def gathers(calls: int, then: Behaviour) -> Behaviour:
    """Let so many calls come together before any of them is answered."""
    arrived = 0
    together = asyncio.Event()

    async def respond(request: web.Request) -> web.StreamResponse:
        nonlocal arrived
        arrived += 1
        if arrived >= calls:
            together.set()
        await together.wait()
        return await then.respond(request)

    return Behaviour(respond)


def resets_in_the_body() -> Behaviour:
    """Send the headers and half of the body, and then reset the connection."""

    async def respond(request: web.Request) -> web.StreamResponse:
        response = await _half_a_body(request)
        _abort(request)
        return response

    return Behaviour(respond)


def resets() -> Behaviour:
    """Reset the connection without any response."""

    async def respond(request: web.Request) -> web.StreamResponse:
        _abort(request)
        return web.Response()

    return Behaviour(respond)


async def _half_a_body(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"id": "chatcmpl-1", "choices": [')
    return response


def _abort(request: web.Request) -> None:
    assert request.transport is not None
    request.transport.abort()


class FaultServer(ThreadedServer):
    """The server; a context manager.

    Attributes:
        calls: Every request so far, in the order of arrival.
        most_at_once: The largest number of calls that were in flight together.
    """

    def __init__(
        self,
        *behaviours: Behaviour,
        by: Callable[[Call], Behaviour] | None = None,
        certificate: Path | None = None,
        port: int = 0,
    ) -> None:
        """Get ready; it starts when entered.

        Args:
            behaviours: What it does, in the order of arrival; the last one repeats.
            by: What it does with each call, instead of these.
            certificate: A certificate with its key, to speak TLS.
            port: Where to listen; 0 for any that is free.
        """
        super().__init__("fault server")
        assert bool(behaviours) != bool(by), "give behaviours, or a function that chooses one"
        self.calls: list[Call] = []
        self.most_at_once = 0
        self._behaviours = behaviours
        self._by = by
        self._in_flight = 0
        self._port = port
        self._tls = tls_context(certificate)

    @property
    def url(self) -> str:
        """Root of the server."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    @property
    def port(self) -> int:
        """Where it listens; still known when it has stopped."""
        return self._port

    @property
    def base_url(self) -> str:
        """Root of its OpenAI-compatible endpoint."""
        return f"{self.url}/v1"

    async def _serve(self) -> None:
        app = web.Application(client_max_size=1 << 30)
        app.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self._port, backlog=1024, ssl_context=self._tls).start()
        self._port = runner.addresses[0][1]
        self._started.set()
        await self._stop.wait()
        await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        body = await request.read()
        call = Call(len(self.calls) + 1, request.method, request.path, dict(request.query), dict(request.headers), body)
        self.calls.append(call)
        self._in_flight += 1
        self.most_at_once = max(self.most_at_once, self._in_flight)
        try:
            return await self._behaviour(call).respond(request)
        finally:
            self._in_flight -= 1

    def _behaviour(self, call: Call) -> Behaviour:
        if self._by is not None:
            return self._by(call)
        return self._behaviours[min(call.number, len(self._behaviours)) - 1]
