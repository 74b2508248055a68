"""A key that stands in the environment and is repeated by a hostile server is nowhere to be read afterwards."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
import yaml
from aiohttp import web

from .command_line import CommandLine, Ended
from .fault_server import Behaviour, Call, FaultServer, answers, completes, fails, has_choices, sends, shows_a_page

KEY = "sk-planted/9a8b+7c6d=5e"
HIDDEN = "[hidden]"


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("APP_TOKEN", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def with_reason(status: int) -> Behaviour:
    """A status line whose words are the key."""

    async def respond(request: web.Request) -> web.Response:
        await request.read()
        return web.Response(status=status, reason=f"Denied {KEY}", text="")

    return Behaviour(respond)


def raw(data: bytes) -> Behaviour:
    """Bytes that are no HTTP, before the connection is closed."""

    async def respond(request: web.Request) -> web.Response:
        await request.read()
        assert request.transport is not None
        request.transport.write(data)
        request.transport.close()
        return web.Response()

    return Behaviour(respond)


PLACES: dict[str, Behaviour] = {
    "answer": answers(f"The key is {KEY}. The answer is A."),
    "answer, quoted as in an address": answers(f"The key is {quote(KEY, safe='')}."),
    "model": answers("A", model=f"served {KEY}"),
    "finish reason": answers("A", finish_reason=f"stop {KEY}"),
    "reasoning": completes({"role": "assistant", "content": "A", "reasoning_content": f"I was sent {KEY}."}),
    "refusal": completes({"role": "assistant", "content": None, "refusal": f"Not with {KEY}."}),
    "bad request": fails(400, message=f"Authorization was Bearer {KEY}", code=KEY, param=KEY),
    "filter": fails(400, message=f"filtered {KEY}", code="content_filter"),
    "server error": fails(500, message=f"Authorization was Bearer {KEY}", headers={"X-Echo": KEY, "Retry-After": KEY}),
    "rate limit": fails(429, message=KEY, headers={"x-ratelimit-reset-requests": KEY}),
    "redirect": sends("", status=302, headers={"Location": f"http://elsewhere/?key={KEY}"}),
    "page": sends(f"<html><title>{KEY}</title></html>", status=502, content_type="text/html"),
    "text": sends(f"Your headers: Authorization: Bearer {KEY}", status=418, content_type="text/plain"),
    "cut off": sends(f'{{"id": "{KEY}", "choices": [{{"mess'),
    "no object": sends(json.dumps([KEY])),
    "no choices": has_choices({KEY: KEY}),
    "error in a 200": sends(json.dumps({"error": {"message": KEY, "code": 503}})),
    "reason": with_reason(503),
    "header that is none": raw(f"HTTP/1.1 200 OK\r\n{KEY} no colon\r\n\r\n".encode()),
    "status line that is none": raw(f"HTTP/{KEY} hello\r\n\r\n".encode()),
    "half": raw(f"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{KEY}".encode()),
    "chunk that is none": raw(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{KEY}\r\n".encode()),
    "unknown coding": sends(KEY, headers={"Content-Encoding": "gzip"}),
}


def hostile(call: Call) -> Behaviour:
    """One place after the other."""
    return list(PLACES.values())[call.number % len(PLACES)]


def traces(prt: CommandLine, ended: Ended, *, key: str = KEY) -> list[str]:
    """Where the key can be read: in which file, or in what was printed."""
    forms = {key, quote(key, safe="")}
    texts = {"standard output": ended.out, "standard error": ended.err}
    for path in prt.folder.rglob("*"):
        if path.is_file():
            texts[path.name] = path.read_bytes().decode("latin-1")
    return [name for name, text in texts.items() if any(form in text for form in forms)]


def test_an_endpoint_that_repeats_the_key_wherever_it_can_gets_it_into_no_file_log_report_or_message(
    prt: CommandLine,
) -> None:
    with FaultServer(by=hostile) as server:
        config = prt.config(server.base_url, items=40, limits={"give_up_after": None, "max_error_rate": 1.0})
        ended = prt("run", config, "-vv", "--log-file", "log.jsonl")
        assert len(server.calls) >= 3 * len(PLACES)
        assert all(call.headers["Authorization"] == f"Bearer {KEY}" for call in server.calls)
    assert ended.code == 0, ended.err
    assert traces(prt, ended) == []
    log = (prt.folder / "log.jsonl").read_text(encoding="utf-8")
    assert HIDDEN in log
    assert HIDDEN in ended.err
    for command in (
        ["report"],
        ["report", "--json"],
        ["runs"],
        ["show", "latest", "q1"],
        ["show", "latest", "q2", "--json"],
    ):
        assert traces(prt, prt(*command)) == []


@pytest.mark.parametrize("status", [401, 403, 402, 404])
def test_an_endpoint_that_refuses_and_repeats_the_key_gets_it_nowhere(prt: CommandLine, status: int) -> None:
    refusal = fails(status, message=f"Incorrect API key provided: {KEY}", code=KEY)
    with FaultServer(refusal) as server:
        ended = prt("run", prt.config(server.base_url), "-vv", "--log-file", "log.jsonl")
    assert ended.code == 3
    assert HIDDEN in ended.err
    assert traces(prt, ended) == []


@pytest.mark.parametrize(
    "sent",
    [
        sends(json.dumps({"answer": f"{KEY} A"})),
        sends(json.dumps({KEY: "A"})),
        sends(json.dumps({"answer": {KEY: KEY}})),
        fails(400, message=KEY),
        shows_a_page(),
        sends(KEY, status=418, content_type="text/plain"),
    ],
)
def test_an_application_that_repeats_its_token_or_login_gets_them_nowhere(prt: CommandLine, sent: Behaviour) -> None:
    prt.monkeypatch.setenv("APP_LOGIN", "pa55word-of-ann")
    with FaultServer(sent) as server:
        address = server.url.replace("http://", "http://ann:${APP_LOGIN}@")
        model = {
            "provider": "http",
            "url": f"{address}/ask?token=${{APP_TOKEN}}",
            "headers": {"X-Api-Key": "${APP_TOKEN}"},
            "retry": {"retries": 0},
        }
        config = {"model": model, "dataset": prt.capitals(), "perturbations": ["reorder"]}
        prt.write("prt.yaml", yaml.safe_dump({**config, "limits": {"max_error_rate": 1.0}}))
        ended = prt("run", "prt.yaml", "-vv", "--log-file", "log.jsonl")
        assert server.calls[0].headers["X-Api-Key"] == KEY
    assert ended.code == 0, ended.err
    assert traces(prt, ended) == []
    assert traces(prt, ended, key="pa55word-of-ann") == []


def broken(message: str) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise RuntimeError(message)

    return fail


def test_the_traceback_of_a_mistake_in_the_program_shows_no_key(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from prt.runner import cli  # noqa: PLC0415 - its main is run without the helper, which takes no traceback

    monkeypatch.setattr("prt.runner.commands.run.analyse_run", broken(f"what a mistake: {KEY}"))
    with FaultServer(answers("A")) as server:
        config = prt.config(server.base_url)
        monkeypatch.setattr("sys.argv", ["prt", "run", config, "--log-file", "log.jsonl"])
        with pytest.raises(SystemExit) as ended:
            cli.main()
    printed = capsys.readouterr()
    assert ended.value.code == 1
    assert f"RuntimeError: what a mistake: {HIDDEN}" in printed.err
    assert traces(prt, Ended(1, printed.out, printed.err)) == []
    last = json.loads((prt.folder / "log.jsonl").read_text(encoding="utf-8").splitlines()[-1])
    assert "RuntimeError: what a mistake: [hidden]" in last["traceback"]


def test_the_looking_itself_finds_a_key_that_is_there(prt: CommandLine) -> None:
    prt.write("leak.txt", f"before {KEY} after")
    assert traces(prt, Ended(0, quote(KEY, safe=""), "")) == ["standard output", "leak.txt"]
