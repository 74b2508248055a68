"""What goes wrong below the protocol: each cause is named, bounded in time and size, and counted exactly."""

import asyncio
import json
import socket
import ssl
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import get_args

import aiohttp
import pytest
from prt.runner.config.models import Retried
from prt.runner.config.schema import HttpModel, RetryConfig
from prt.runner.errors import ModelError
from prt.runner.models import pool
from prt.runner.models.broken import broken
from prt.runner.models.network import proxy_for
from prt.runner.models.open_files import KEPT_FREE
from prt.runner.models.status import Endpoint, text_of
from prt.runner.records import Reply
from yarl import URL

from ..fault_server import (
    Behaviour,
    FaultServer,
    answers,
    fails,
    has_choices,
    is_malformed,
    resets,
    sends,
    shows_a_page,
    stalls,
    waits,
)
from .asking import chat, opened, replies, reply, request

CERTIFICATE = Path(__file__).with_name("loopback.pem")
"""A self-signed certificate of 127.0.0.1 with its key, made for these tests; it protects nothing."""
COMPLETION = b'{"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]}'
ONCE = RetryConfig(retries=0)
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def message_of(answer: Reply) -> str:
    assert answer.error is not None
    return answer.error.message


def kind_of(answer: Reply) -> str:
    assert answer.error is not None
    return answer.error.kind


def from_socket(serve: Serve, *, tls: bool = False, scheme: str = "http", **settings: object) -> Reply:
    """The reply of an endpoint that writes to its socket whatever it likes."""

    async def handled(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def run() -> Reply:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        async with await asyncio.start_server(handled, "127.0.0.1", 0, ssl=context if tls else None) as server:
            port = server.sockets[0].getsockname()[1]
            config = chat(f"{scheme}://127.0.0.1:{port}/v1", retry=ONCE, **settings)
            async with opened(config) as model:
                return await model.ask(request())

    return asyncio.run(run())


def writes(*parts: bytes, pause_s: float = 0.0) -> Serve:
    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for part in parts:
            writer.write(part)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return serve


def head(length: int) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n".encode()


def test_a_body_that_comes_in_pieces_is_read_whole() -> None:
    pieces = [COMPLETION[at : at + 7] for at in range(0, len(COMPLETION), 7)]
    assert from_socket(writes(head(len(COMPLETION)), *pieces, pause_s=0.001)).text == "B"


def test_a_slow_loris_is_ended_by_the_time_of_the_attempt_though_it_never_falls_silent() -> None:
    answer = from_socket(writes(head(10_000), *[b" "] * 1000, pause_s=0.01), timeout_s=0.3)
    assert (kind_of(answer), answer.attempts) == ("timeout", 1)
    assert message_of(answer) == "no answer within 0.3 s, as model.timeout_s allows"


@pytest.mark.parametrize(
    ("parts", "kind", "cause"),
    [
        ((head(1000), COMPLETION), "connection", "broke off in the middle of its response"),
        (
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",),
            "connection",
            "in the middle of its resp",
        ),
        ((b"SSH-2.0-OpenSSH_9.6\r\n\r\n",), "bad_response", "sent what is no HTTP response"),
        ((b"HTTP/1.1 200 OK\r\nX: " + b"x" * 20_000 + b"\r\n\r\n",), "bad_response", "sent what is no HTTP response"),
        ((), "connection", "it was closed without a response"),
    ],
)
def test_half_a_response_and_what_is_no_http_are_told_as_such(parts: tuple[bytes, ...], kind: str, cause: str) -> None:
    answer = from_socket(writes(*parts))
    assert kind_of(answer) == kind
    assert cause in message_of(answer)


def test_a_certificate_that_nobody_vouches_for_is_refused_at_once_with_what_to_do() -> None:
    answer = from_socket(writes(head(len(COMPLETION)), COMPLETION), tls=True, scheme="https")
    assert kind_of(answer) == "connection"
    assert "its TLS certificate is not accepted: self-signed certificate). Set SSL_CERT_FILE" in message_of(answer)


def test_a_certificate_that_the_environment_vouches_for_is_accepted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    answer = from_socket(writes(head(len(COMPLETION)), COMPLETION), tls=True, scheme="https")
    assert (answer.text, answer.error) == ("B", None)


def test_an_endpoint_that_speaks_no_tls_is_told_as_such() -> None:
    with FaultServer(answers("B")) as server:
        answer = reply(opened(chat(server.base_url.replace("http:", "https:"), retry=ONCE)))
    assert kind_of(answer) == "connection"
    assert "no TLS connection" in message_of(answer)
    assert "Check whether the address is one of https" in message_of(answer)


def test_a_name_that_is_not_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    answer = reply(opened(chat("http://no-such-endpoint.example/v1", retry=ONCE)))
    assert kind_of(answer) == "connection"
    assert "its name is not known: Name or service not known). Check the address and the network" in message_of(answer)


def test_a_connection_that_is_refused_is_told() -> None:
    with FaultServer(answers()) as server:
        base_url = server.base_url
    assert message_of(reply(opened(chat(base_url, retry=ONCE)))).endswith("or it broke off (Connection refused)")


@pytest.mark.parametrize(
    ("behaviour", "cause"),
    [
        (sends("plain words", content_type="text/plain"), "a body of the type text/plain that is no JSON"),
        (sends("data: {}\n\n", content_type="text/event-stream"), "a stream of events, though none was asked for"),
        (sends(b"\x89PNG\r\n\x00", content_type="image/png"), "a body of the type image/png that is no JSON"),
        (shows_a_page(), "a page titled 'Bad gateway' instead of JSON"),
    ],
)
def test_another_content_type_is_named(behaviour: Behaviour, cause: str) -> None:
    with FaultServer(behaviour) as server:
        assert cause in message_of(reply(opened(chat(server.base_url, retry=ONCE))))


def test_json_of_another_content_type_is_an_answer() -> None:
    with FaultServer(sends(COMPLETION, content_type="text/plain")) as server:
        assert reply(opened(chat(server.base_url, retry=ONCE))).text == "B"


def test_a_body_without_end_is_broken_off_at_its_bound_and_not_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "MOST_BYTES", 1 << 20)
    with FaultServer(sends(b"x" * (5 << 20))) as server:
        answer = reply(opened(chat(server.base_url)))
        assert len(server.calls) == 1
    assert (kind_of(answer), answer.attempts) == ("bad_response", 1)
    assert message_of(answer).endswith("sent more than 1 MiB")


def test_a_reply_of_ten_megabytes_is_kept_whole() -> None:
    text = "x" * 10_000_000
    with FaultServer(answers(text)) as server:
        assert reply(opened(chat(server.base_url, retry=ONCE))).text == text


FAULTS: dict[Retried, Behaviour] = {
    "timeout": stalls(),
    "connection": resets(),
    "rate_limit": fails(429),
    "server": fails(500),
    "bad_response": is_malformed(),
}


@pytest.mark.parametrize("kind", get_args(Retried))
@pytest.mark.parametrize("retries", [0, 1, 3])
def test_the_endpoint_sees_exactly_one_call_and_the_retries_of_each_kind(kind: Retried, retries: int) -> None:
    with FaultServer(FAULTS[kind]) as server:
        answer = reply(opened(chat(server.base_url, retry=RetryConfig(retries=retries), timeout_s=0.1)))
        assert len(server.calls) == retries + 1
    assert (kind_of(answer), answer.attempts) == (kind, retries + 1)


@pytest.mark.parametrize("behaviour", [fails(400), fails(422), has_choices(None)])
def test_no_retry_is_no_second_call(behaviour: Behaviour) -> None:
    with FaultServer(behaviour) as server:
        reply(opened(chat(server.base_url, retry=ONCE)))
        assert len(server.calls) == 1


@pytest.mark.parametrize("method", ["GET", "PUT", "POST"])
def test_a_connection_that_breaks_after_it_was_kept_is_not_used_for_a_second_call_in_secret(method: str) -> None:
    with FaultServer(sends('{"answer": "B"}'), resets(), resets()) as server:
        config = HttpModel.model_validate({"url": server.url, "method": method, "retry": ONCE})
        first, second = replies(opened(config), request(), request())
        assert len(server.calls) == 2
    assert first.text == "B"
    assert kind_of(second) == "connection"


@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("Größe".encode(), "application/json", "Größe"),
        ("Größe".encode("latin-1"), 'text/plain; Charset="ISO-8859-1"', "Größe"),
        (b"a\xff", "application/json; charset=utf-8", "a\ufffd"),
        ("ö".encode(), "text/plain; charset=klingon", "ö"),
        (b"", "", ""),
    ],
)
def test_a_body_is_read_by_its_charset(body: bytes, content_type: str, text: str) -> None:
    assert text_of(body, content_type) == text


def test_a_used_up_limit_of_open_files_is_told_with_what_to_do() -> None:
    error = OSError(24, "Too many open files")
    said = broken(Endpoint("http://h", key="k"), error).error.message
    assert said.endswith("(this process may open no more files). Lower limits.concurrency, or raise `ulimit -n`")


def test_an_error_that_has_no_words_is_told_by_its_name() -> None:
    assert (
        "(ClientConnectionError)"
        in broken(Endpoint("http://h", key="k"), aiohttp.ClientConnectionError()).error.message
    )


@pytest.mark.parametrize(
    ("env", "url", "proxy"),
    [
        ({"HTTP_PROXY": "http://proxy:3128"}, "http://h/", "http://proxy:3128"),
        ({"http_proxy": "proxy:3128"}, "http://h/", "http://proxy:3128"),
        ({"HTTP_PROXY": "http://proxy:3128"}, "https://h/", None),
        ({"ALL_PROXY": "http://proxy:3128"}, "https://h/", "http://proxy:3128"),
        ({"HTTP_PROXY": "http://proxy:3128", "NO_PROXY": "h"}, "http://h/", None),
        ({"HTTP_PROXY": "http://proxy:3128"}, "http://localhost:8000/", None),
        ({"HTTP_PROXY": "http://proxy:3128"}, "http://127.0.0.1:8000/", None),
        ({"HTTP_PROXY": "http://proxy:3128"}, "http://[::1]:8000/", None),
        ({}, "http://h/", None),
    ],
)
def test_the_proxy_of_the_environment_is_used_but_never_for_this_machine(
    monkeypatch: pytest.MonkeyPatch, env: dict[str, str], url: str, proxy: str | None
) -> None:
    clear_proxies(monkeypatch)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert proxy_for(URL(url)) == (None if proxy is None else URL(proxy))


def test_a_proxy_that_cannot_be_used_is_told_before_any_call(monkeypatch: pytest.MonkeyPatch) -> None:
    clear_proxies(monkeypatch)
    monkeypatch.setenv("ALL_PROXY", "socks5://ann:pa55word@proxy:1080")
    with pytest.raises(
        ModelError, match=r"socks5://proxy:1080, is of the kind socks5; prt can use .* NO_PROXY=h\."
    ) as told:
        opened(chat("http://h/v1"))
    assert "pa55word" not in str(told.value)


def clear_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


CHILD = """
import asyncio, json, resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]), int(sys.argv[3])))
from prt.perturbations.question import Message
from prt.runner.config.schema import OpenAIModel
from prt.runner.models.base import open_model
from prt.runner.models.throttle import Caps, Limits
from prt.runner.records import Request

told = []
config = OpenAIModel(name="m", base_url=sys.argv[1], api_key_env=None, retry={"retries": 0})
limits = Limits(Caps(concurrency=400))
model = open_model(config, base=Path(), env={}, progress=told.append, limits=limits)

async def run():
    async with model:
        asked = Request((Message("user", "Q"),))
        return await asyncio.gather(*(model.ask(asked) for _ in range(600)))

replies = asyncio.run(run())
print(json.dumps([model.concurrency, told, sorted({reply.error.message if reply.error else "" for reply in replies})]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
@pytest.mark.parametrize(("soft", "hard", "in_flight"), [(256, 256, 256 - KEPT_FREE), (128, 4096, 400)])
def test_the_limit_of_open_files_is_raised_or_kept_and_no_call_fails_by_it(
    soft: int, hard: int, in_flight: int
) -> None:
    with FaultServer(waits(0.2, answers("B"))) as server:
        command = [sys.executable, "-c", CHILD, server.base_url, str(soft), str(hard)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  ours
        most = server.most_at_once
    concurrency, told, errors = json.loads(run.stdout)
    assert (concurrency, errors) == (in_flight, [""])
    assert most <= in_flight
    sentence = f"{in_flight} calls in flight instead of 400: this system allows no more open files (ulimit -n)"
    assert told == ([sentence] if in_flight < 400 else [])
