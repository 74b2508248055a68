"""Sinks: each is told in its form; one that fails is a sentence, holds nothing up, and shows no secret."""

import asyncio
import json
import random
import re
import socket
import ssl
from collections.abc import Mapping
from email import message_from_string, policy
from pathlib import Path

import pytest
from prt.runner.config.nightly import EmailSink, FileSink, NotifyConfig, WebhookSink
from prt.runner.masking import masked
from prt.runner.models.pace import Pace
from prt.runner.nightly.message import Message
from prt.runner.nightly.notify import lacking, notify
from prt.runner.nightly.sink import Means
from prt.runner.reports.digest import failure_message

from ..fault_server import Behaviour, FaultServer, fails, resets, sends, sends_json, stalls
from .smtp_server import HANG, SmtpServer

CERTIFICATE = Path(__file__).parents[1] / "models" / "loopback.pem"
PASSWORD = "pass-canary-81f2c4"  # noqa: S105 - made for these tests
MESSAGE = Message(
    subject="prt: triage, night 3: ALARM",
    text="triage: ALARM\n  proven?  yes\n",
    markdown="### triage\n",
    slack="*triage* <not a link>",
    data={"event": "prt.night", "exit_code": 1},
    exit_code=1,
    page="<!doctype html><title>triage</title>",
)
QUIET = Message("s", "t", "m", "k", {}, exit_code=0, changed=False)


def trusting() -> ssl.SSLContext:
    return ssl.create_default_context(cafile=CERTIFICATE)


class Waits:
    """Sleeps at once, and remembers for how long it would have."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.seconds.append(seconds)

    @property
    def pace(self) -> Pace:
        return Pace(sleep=self.sleep, now=lambda: 1_772_330_400.0, rng=random.Random(1))  # noqa: S311 - jitter


def means(folder: Path, env: Mapping[str, str], pace: Pace | None = None) -> Means:
    return Means(env, folder, pace=pace or Waits().pace, tls=trusting)


def webhook(**given: object) -> NotifyConfig:
    return NotifyConfig(webhook=WebhookSink.model_validate({"url_env": "HOOK", **given}))


def mail(server: SmtpServer | int, **given: object) -> NotifyConfig:
    port = server if isinstance(server, int) else server.port
    settings = {"host": "127.0.0.1", "port": port, "sender": "prt@example.org", "to": ["team@example.org"]}
    return NotifyConfig(email=EmailSink.model_validate({**settings, "security": "none", **given}))


def told(sinks: list[NotifyConfig], with_means: Means, message: Message = MESSAGE) -> list[str]:
    return asyncio.run(notify(sinks, message, with_means))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_a_webhook_gets_the_digest_as_json_or_in_the_form_of_slack(tmp_path: Path) -> None:
    with FaultServer(sends("ok")) as server:
        env = {"HOOK": f"{server.url}/hook/abc", "TOKEN": "token-canary-93ab12"}
        assert told([webhook(token_env="TOKEN"), webhook(format="slack")], means(tmp_path, env)) == []  # noqa: S106
    bodies = {json.dumps(call.json): call for call in server.calls}
    assert set(bodies) == {json.dumps(MESSAGE.data), json.dumps({"text": MESSAGE.slack})}
    assert bodies[json.dumps(MESSAGE.data)].headers["Authorization"] == "Bearer token-canary-93ab12"
    assert {(call.method, call.path) for call in server.calls} == {("POST", "/hook/abc")}


@pytest.mark.parametrize(
    ("when", "message", "calls"),
    [("alarm", MESSAGE, 1), ("alarm", QUIET, 0), ("change", QUIET, 0), ("always", QUIET, 1)],
)
def test_a_sink_is_told_when_it_wants_to_be(tmp_path: Path, when: str, message: Message, calls: int) -> None:
    with FaultServer(sends("ok")) as server:
        assert told([webhook(when=when)], means(tmp_path, {"HOOK": server.url}), message) == []
    assert len(server.calls) == calls


def test_what_changed_is_told_at_a_change_and_not_as_an_alarm(tmp_path: Path) -> None:
    changed = Message("s", "t", "m", "k", {}, exit_code=0, changed=True)
    with FaultServer(sends("ok")) as server:
        told([webhook(when="change"), webhook(when="alarm")], means(tmp_path, {"HOOK": server.url}), changed)
    assert len(server.calls) == 1


def test_a_failure_that_passes_is_tried_again_after_a_bounded_wait(tmp_path: Path) -> None:
    waits = Waits()
    busy = sends_json({"error": "busy"}, status=503, headers={"Retry-After": "5000"})
    with FaultServer(fails(500), busy, sends("ok")) as server:
        assert told([webhook(retries=3)], means(tmp_path, {"HOOK": server.url}, waits.pace)) == []
    assert len(server.calls) == 3
    assert waits.seconds == [2.0, 60.0]


@pytest.mark.parametrize(
    ("behaviour", "calls", "said"),
    [
        (fails(500, message="it burns"), 3, "it answered 500: it burns (3 attempts)"),
        (fails(404, message="no_such_hook"), 1, "it answered 404: no_such_hook"),
        (sends("", status=302, headers={"Location": "http://127.0.0.1:1/"}), 1, "it answered 302"),
        (resets(), 3, "no connection to the address, or it broke off"),
    ],
)
def test_a_webhook_that_fails_is_one_sentence(tmp_path: Path, behaviour: Behaviour, calls: int, said: str) -> None:
    with FaultServer(behaviour) as server:
        (line,) = told([webhook()], means(tmp_path, {"HOOK": f"{server.url}/hook/canary-5f1d2c3b"}))
    assert line.startswith("the webhook (HOOK) could not be told of the night, which is stored all the same: ")
    assert said in line
    assert "canary" not in line
    assert len(server.calls) == calls


def test_of_a_night_that_could_not_be_run_nothing_is_said_to_be_stored(tmp_path: Path) -> None:
    with FaultServer(fails(404)) as server:
        (line,) = told([webhook()], means(tmp_path, {"HOOK": server.url}), failure_message("triage", "no store", 2))
    assert line.startswith("the webhook (HOOK) could not be told that the night could not be run: ")


def test_a_webhook_that_hangs_is_given_up_after_its_time(tmp_path: Path) -> None:
    with FaultServer(stalls()) as server:
        (line,) = told([webhook(timeout_s=0.2, retries=1)], means(tmp_path, {"HOOK": server.url}))
    assert line.endswith("no answer within 0.2 s (2 attempts)")


def test_a_webhook_that_nobody_serves_or_whose_certificate_is_unknown_is_named(tmp_path: Path) -> None:
    (refused,) = told([webhook(retries=0)], means(tmp_path, {"HOOK": f"http://127.0.0.1:{free_port()}/x"}))
    assert "Connection refused" in refused
    with FaultServer(sends("ok"), certificate=CERTIFICATE) as server:
        (untrusted,) = told([webhook()], means(tmp_path, {"HOOK": server.url}))
    assert "its TLS certificate is not accepted" in untrusted
    assert "attempts" not in untrusted
    assert server.calls == []


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "the environment variable HOOK is not set"),
        ({"HOOK": "hooks.example/canary-5f1d2c3b"}, "the environment variable HOOK holds no address"),
        ({"HOOK": "http://"}, "the environment variable HOOK holds no address"),
        ({"HOOK": "http://host:port/canary-5f1d2c3b"}, "holds an address that can't be read"),
    ],
)
def test_an_address_that_is_none_is_told_without_showing_it(tmp_path: Path, env: dict[str, str], said: str) -> None:
    (line,) = told([webhook()], means(tmp_path, env))
    assert said in line
    assert "canary" not in line


def test_a_mail_comes_over_starttls_after_a_login_with_text_and_page(tmp_path: Path) -> None:
    with SmtpServer(certificate=CERTIFICATE) as server:
        sink = mail(server, security="starttls", user="me", password_env="MAIL_PASSWORD", to=["a@x.org", "b@x.org"])  # noqa: S106
        assert told([sink], means(tmp_path, {"MAIL_PASSWORD": PASSWORD})) == []
    (came,) = server.mails
    assert (came.sender, came.to) == ("prt@example.org", ("a@x.org", "b@x.org"))
    assert (came.encrypted, came.login) == (True, f"/me/{PASSWORD}")
    parsed = message_from_string(came.text, policy=policy.default)
    assert parsed["Subject"] == MESSAGE.subject
    assert parsed["Date"] == "Sun, 01 Mar 2026 02:00:00 +0000"
    text, page = (parsed.get_body((kind,)) for kind in ("plain", "html"))
    assert text is not None
    assert page is not None
    assert text.get_content().splitlines() == MESSAGE.text.splitlines()
    assert page.get_content().strip() == MESSAGE.page


def test_a_mail_goes_over_tls_from_the_first_byte_where_that_is_asked(tmp_path: Path) -> None:
    with SmtpServer(certificate=CERTIFICATE, tls_at_once=True) as server:
        assert told([mail(server, security="tls")], means(tmp_path, {})) == []
    assert server.mails[0].encrypted


def test_a_subject_can_hold_no_header_of_its_own(tmp_path: Path) -> None:
    with SmtpServer() as server:
        sly = Message("night\r\nBcc: everyone@example.org", "t", "m", "k", {}, exit_code=1)
        assert told([mail(server)], means(tmp_path, {}), sly) == []
    assert server.mails[0].to == ("team@example.org",)
    assert "\nBcc:" not in server.mails[0].text


def test_a_mail_server_that_is_busy_is_tried_again(tmp_path: Path) -> None:
    with SmtpServer(replies={"MAIL": ["451 later"], "RCPT": ["450 greylisted"]}) as server:
        assert told([mail(server)], means(tmp_path, {})) == []
    assert (server.connections, len(server.mails)) == (3, 1)


@pytest.mark.parametrize(
    ("replies", "given", "said", "connections"),
    [
        ({"RCPT": ["550 unknown"]}, {}, "refuses team@example.org (550 unknown)", 1),
        ({"RCPT": ["250 ok", "550 gone"]}, {"to": ["a@x.org", "b@x.org"]}, "refuses b@x.org (550 gone)", 1),
        ({".": ["554 spam"]}, {}, "answered 554: spam", 1),
        ({"MAIL": ["451 later"] * 9}, {}, "answered 451: later (3 attempts)", 3),
        ({}, {"security": "starttls"}, "STARTTLS", 1),
    ],
)
def test_a_mail_that_is_not_taken_is_one_sentence(
    tmp_path: Path, replies: dict[str, list[str]], given: dict[str, object], said: str, connections: int
) -> None:
    with SmtpServer(replies=replies) as server:
        (line,) = told([mail(server, **given)], means(tmp_path, {}))
    assert line.startswith("the mail to ")
    assert said in line
    assert server.connections == connections


def test_a_login_that_is_refused_shows_no_password(tmp_path: Path) -> None:
    with SmtpServer(certificate=CERTIFICATE, replies={"AUTH": [f"535 no {PASSWORD}"] * 9}) as server:
        sink = mail(server, security="starttls", user="me", password_env="MAIL_PASSWORD")  # noqa: S106
        (line,) = told([sink], means(tmp_path, {"MAIL_PASSWORD": PASSWORD}))
    assert "does not accept the login of me (535)" in line
    assert PASSWORD not in line
    assert PASSWORD not in masked(f"a log that holds {PASSWORD}")


def test_a_mail_server_whose_certificate_is_unknown_gets_no_password(tmp_path: Path) -> None:
    with SmtpServer(certificate=CERTIFICATE) as server:
        sink = mail(server, security="starttls", user="me", password_env="MAIL_PASSWORD")  # noqa: S106
        wary = Means({"MAIL_PASSWORD": PASSWORD}, tmp_path, pace=Waits().pace)
        (line,) = told([sink], wary)
    assert "its TLS certificate is not accepted" in line
    assert server.connections == 1
    assert server.mails == []


def test_a_mail_server_that_hangs_or_is_not_there_is_given_up(tmp_path: Path) -> None:
    with SmtpServer(replies={"CONNECT": [HANG] * 2}) as server:
        (line,) = told([mail(server, timeout_s=0.2, retries=1)], means(tmp_path, {}))
    assert line.endswith("(2 attempts)")
    assert re.search(r"no answer within 0\.2 s|timed out", line)
    (refused,) = told([mail(free_port(), retries=0)], means(tmp_path, {}))
    assert "Connection refused" in refused


def test_a_file_gets_a_line_a_night_or_is_the_last_digest(tmp_path: Path) -> None:
    sinks = [
        NotifyConfig(file=FileSink(path="nights.jsonl")),
        NotifyConfig(file=FileSink(path="last.md", format="markdown")),
    ]
    assert [told(sinks, means(tmp_path, {})), told(sinks, means(tmp_path, {}))] == [[], []]
    lines = (tmp_path / "nights.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [MESSAGE.data] * 2
    assert (tmp_path / "last.md").read_text(encoding="utf-8") == MESSAGE.markdown
    assert {path.name for path in tmp_path.iterdir()} == {"nights.jsonl", "last.md"}


def test_a_sink_that_fails_stops_no_other(tmp_path: Path) -> None:
    sinks = [
        NotifyConfig(file=FileSink(path="missing/nights.jsonl")),
        webhook(),
        NotifyConfig(file=FileSink(path="nights.jsonl")),
    ]
    missing, unset = told(sinks, means(tmp_path, {}))
    assert "the file missing/nights.jsonl could not be told" in missing
    assert "No such file or directory" in missing
    assert "HOOK is not set" in unset
    assert (tmp_path / "nights.jsonl").exists()


def test_what_no_one_foresaw_in_a_sink_is_told_and_stops_no_other(tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no such wire")

    with_broken = Means({}, tmp_path, pace=Waits().pace, smtp=broken)  # type: ignore[arg-type]
    lines = told([mail(25), NotifyConfig(file=FileSink(path="nights.jsonl"))], with_broken)
    assert [line.rpartition(": ")[2] for line in lines] == ["no such wire"]
    assert (tmp_path / "nights.jsonl").exists()


def test_what_sinks_lack_is_known_before_the_night(tmp_path: Path) -> None:
    sinks = [
        webhook(token_env="TOKEN"),  # noqa: S106
        NotifyConfig(file=FileSink(path="nights.jsonl")),
        NotifyConfig(file=FileSink(path="missing/nights.jsonl")),
    ]
    assert lacking(sinks, means(tmp_path, {"TOKEN": " "})) == [
        "the webhook (HOOK) can't be told: set the environment variable HOOK and TOKEN",
        f"the file missing/nights.jsonl can't be told: the folder {tmp_path / 'missing'} is not there; make it",
    ]
