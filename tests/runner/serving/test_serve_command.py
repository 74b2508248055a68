"""`prt serve` as one calls it: what it refuses before it listens, what it prints, how it answers and how it ends."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Timer

import pytest

from ..command_line import CommandLine

WAIT_S = 60


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


@dataclass(frozen=True, slots=True)
class Running:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    address: str
    port: int

    def get(self, path: str, **headers: str) -> tuple[int, str]:
        """Ask for a page of it on this machine."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT_S)
        try:
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
        finally:
            connection.close()

    def interrupt(self) -> str:
        """Press Ctrl-C and give what was said after that."""
        assert self.process.stderr is not None
        self.process.send_signal(signal.SIGINT)
        watch = Timer(WAIT_S, self.process.kill)
        watch.start()
        # By the reader of the first line, which may hold the next ones already: `communicate` would not see them.
        err = self.process.stderr.read()
        self.process.wait()
        watch.cancel()
        return err


@contextmanager
def running(folder: Path, *options: str) -> Iterator[Running]:
    """Serve on a free port until the block ends."""
    with subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-m", "prt.runner", "serve", "--port", "0", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stderr is not None
            line = process.stderr.readline()
            found = re.fullmatch(r"prt serve: (http://\S+:(\d+)/\S*) \(Ctrl-C stops it\)\n", line)
            assert found is not None, line + process.stderr.read()
            yield Running(process, found[1], int(found[2]))
        finally:
            process.kill()


def test_it_answers_on_this_machine_and_ends_cleanly(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        assert server.address == f"http://127.0.0.1:{server.port}/"
        for path in ("/", "/plan", "/review", "/static/page.css"):
            assert server.get(path)[0] == 200
        assert server.get("/", Host="evil.example")[0] == 421
        assert server.interrupt().strip() == ""
        assert server.process.returncode == 0
    assert not [*tmp_path.iterdir()]


def test_a_port_that_is_taken_is_told(prt: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = prt("serve", "--port", str(port))
    assert (ended.code, ended.out) == (2, "")
    assert re.fullmatch(
        rf"prt: 127\.0\.0\.1:{port} can't be listened on \([^)]+\); `--port 0` takes a free port\n", ended.err
    )


def test_an_address_of_another_machine_is_told(prt: CommandLine) -> None:
    ended = prt("serve", "--port", "0", "--host", "192.0.2.1")
    assert ended.code == 2
    assert ended.err.startswith("prt: 192.0.2.1:0 can't be listened on (")


def test_a_host_that_there_is_not_is_told(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    ended = prt("serve", "--host", "nowhere.example")
    assert (ended.code, ended.err) == (
        2,
        "prt: --host nowhere.example: there is no such address (Name or service not known)\n",
    )


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_a_port_that_is_none_is_told(prt: CommandLine, port: str) -> None:
    ended = prt("serve", "--port", port)
    assert ended.code == 2
    assert "--port" in ended.err


@pytest.mark.parametrize(
    ("missing", "told"),
    [
        (["starlette"], "starlette is not installed"),
        (["uvicorn"], "uvicorn is not installed"),
        (["python_multipart"], "python_multipart is not installed"),
        (["starlette", "uvicorn"], "starlette, uvicorn are not installed"),
    ],
)
def test_what_is_missing_of_the_extra_is_named(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch, missing: list[str], told: str
) -> None:
    from importlib.util import find_spec  # noqa: PLC0415 - replaced below

    monkeypatch.setattr(
        "prt.runner.commands.serve.find_spec", lambda name: None if name in missing else find_spec(name)
    )
    ended = prt("serve", "--port", "0")
    assert ended.code == 2
    assert ended.err == f"prt: {told}; pip install 'prompt-robustness[web]', or '.[web]' in a checkout\n"


@pytest.mark.parametrize("name", ["lab.example:80", "a b", "http://lab.example", "lab.example/", ""])
def test_what_is_no_name_of_a_host_is_refused(prt: CommandLine, name: str) -> None:
    ended = prt("serve", "--port", "0", "--allow-host", name)
    assert ended.code == 2
    assert ended.err.startswith(f"prt: --allow-host {name}: this is no name of a host")


@pytest.mark.parametrize(("name", "found"), [("gone.jsonl", "there is no such file"), (".", "it is a folder")])
def test_a_bundle_that_is_no_file_is_told_before_it_listens(prt: CommandLine, name: str, found: str) -> None:
    ended = prt("serve", "--port", "0", "--bundle", name)
    assert (ended.code, ended.err) == (
        2,
        f"prt: --bundle {name}: {found}; `prt perturb CONFIG` writes a bundle\n",
    )


def test_a_server_that_others_can_reach_prints_a_token_and_wants_it(tmp_path: Path) -> None:
    with running(tmp_path, "--host", "0.0.0.0") as first, running(tmp_path, "--host", "0.0.0.0") as second:  # noqa: S104 - for a moment
        token, other = (server.address.partition("?token=")[2] for server in (first, second))
        assert len(token) >= 32
        assert token != other
        assert first.get("/")[0] == 401
        assert first.get(f"/?token={other}")[0] == 401
        assert first.get(f"/?token={token}")[0] == 303
        assert first.get("/", Authorization=f"Bearer {token}")[0] == 200
        # What is printed can be opened here, and it says what others open.
        assert first.address == f"http://127.0.0.1:{first.port}/?token={token}"
        assert "this machine's address in place of 127.0.0.1" in first.interrupt()


def test_a_further_name_is_answered_to_where_it_is_allowed(tmp_path: Path) -> None:
    with running(tmp_path, "--allow-host", "lab.example") as server:
        assert server.get("/plan", Host="lab.example")[0] == 200
        assert server.get("/plan", Host="evil.example")[0] == 421


def test_the_bundles_that_are_named_are_reviewed(prt: CommandLine, tmp_path: Path) -> None:
    prt.write("items.jsonl", json.dumps({"id": "s", "question": "A baker sells seven loaves.", "answer": "7"}) + "\n")
    prt.write("a.py", "def answer(messages): return '7'\n")
    prt.write(
        "prt.yaml",
        "model: {provider: python, callable: 'a.py:answer'}\ndataset: items.jsonl\n"
        "perturbations: [{typo: {rate: 0.3}}]\ngrade: numeric\nbundle: frozen.jsonl\n",
    )
    assert prt("perturb", "prt.yaml").code == 0
    with running(tmp_path, "--bundle", "frozen.jsonl") as server:
        assert "typo.1" in server.get("/review/1?condition=*")[1]
        assert server.get("/review/2")[0] == 404
        assert 'name="say"' not in server.get("/review/1?condition=*")[1]
    with running(tmp_path, "--bundle", "frozen.jsonl", "--allow-writes") as server:
        assert 'name="say" value="accept"' in server.get("/review/1?condition=*")[1]


def test_the_browser_is_opened_where_it_is_asked_for(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    assert prt("serve", "--port", "0").code == 0
    assert opened == []
    ended = prt("serve", "--port", "0", "--open")
    assert len(opened) == 1
    assert f"prt serve: {opened[0]} (Ctrl-C stops it)" in ended.err
