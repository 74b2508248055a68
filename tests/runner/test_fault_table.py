"""The fault table: whole runs by the command line, each struck by one fault after it has begun well.

Whatever the fault: every call that was answered is in the store, none is stored or made twice, the run ends with the
documented exit code and names the cause in one line, and the same command makes exactly the missing calls once the
fault is mended. `ELSEWHERE` names the tests of the faults that are not made here.
"""

import re
import socket
import sqlite3
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from email.utils import formatdate
from functools import partial
from pathlib import Path
from typing import Self

import pytest
from prt.runner.commands.run_asking import workers
from prt.runner.store import database
from prt.runner.store.database import open_store
from pydantic import JsonValue as Json

from .command_line import KEY, CommandLine, Ended
from .fault_server import (
    Behaviour,
    Call,
    FaultServer,
    answers,
    drips,
    fails,
    gathers,
    has_choices,
    is_malformed,
    resets,
    resets_in_the_body,
    sends,
    shows_a_page,
    stalls,
    stalls_in_the_body,
)
from .faults import (
    ANSWERED_FIRST,
    CONCURRENCY,
    ITEMS,
    PassingTime,
    Struck,
    answers_on_disk,
    check_end,
    check_rest,
    stored,
    told_once,
)
from .test_cli import knows_capitals

CELLS = 3 * ITEMS
CERTIFICATE = Path(__file__).parent / "models" / "loopback.pem"
TEN_MEGABYTES = "x" * 10_000_000
ELSEWHERE = {
    "SIGINT": "test_interrupt.py::test_an_interrupt_waits_for_calls_in_flight_and_the_same_command_does_the_rest",
    "SIGTERM": "test_interrupt.py::test_an_interrupt_waits_for_calls_in_flight_and_the_same_command_does_the_rest",
    "SIGINT twice": "test_interrupt.py::test_a_second_interrupt_drops_the_calls_in_flight_and_keeps_what_came",
    "SIGINT three times": "test_fault_processes.py::test_a_third_interrupt_leaves_at_once_and_what_was_stored_is_kept",
    "SIGKILL": "engine/test_crash.py::test_runs_killed_again_and_again_end_as_one_that_was_left_alone",
    "256 open files": "test_fault_processes.py::test_more_calls_than_open_files_are_made_all_the_same",
    "disk full": "test_fault_processes.py::test_a_disk_without_room_stops_the_run_and_the_same_command_does_the_rest",
    "disk full, one row at a time": "engine/test_journal.py::"
    "test_of_a_batch_that_finds_no_room_whatever_has_room_is_kept",
    "store locked for a moment": "engine/test_store_troubles.py::"
    "test_a_lock_that_passes_costs_a_moment_and_nothing_else",
    "two runs, one store": "test_fault_processes.py::"
    "test_two_processes_write_into_one_store_and_neither_loses_anything",
    "one run, two processes": "test_interrupt.py::test_a_second_process_is_refused_while_a_run_is_being_worked_on",
    "database server": "store/test_store_faults.py::"
    "test_a_connection_that_the_server_ends_is_a_sentence_and_the_next_one_works",
    "no HTTP at all": "models/test_transport.py::test_half_a_response_and_what_is_no_http_are_told_as_such",
    "no TLS there": "models/test_transport.py::test_an_endpoint_that_speaks_no_tls_is_told_as_such",
    "body without end": "models/test_transport.py::"
    "test_a_body_without_end_is_broken_off_at_its_bound_and_not_asked_for_again",
    "number of calls": "test_fault_calls.py::test_the_endpoint_sees_exactly_the_calls_that_the_retries_allow",
}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.delenv("PRT_STORE", raising=False)
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


@pytest.fixture(autouse=True)
def passing(monkeypatch: pytest.MonkeyPatch) -> PassingTime:
    """Waits between calls pass at once."""
    passing = PassingTime()
    passing.passes_in(monkeypatch)
    return passing


def config_of(prt: CommandLine, base_url: str, model: dict[str, Json], **limits: Json) -> str:
    return prt.config(
        base_url,
        items=ITEMS,
        model={"timeout_s": 60, **model},
        limits={"concurrency": CONCURRENCY, "give_up_after": None, **limits},
    )


@dataclass(frozen=True, slots=True)
class Fault:
    """A row of the table.

    Attributes:
        behaviour: What the endpoint does instead of answering.
        cause: What standard error has to say.
        model: What the config's `model` says besides.
        calls: How often each cell that is not answered is asked; None where the first one ends the run.
    """

    behaviour: Behaviour
    cause: str
    model: dict[str, Json] = field(default_factory=dict)
    calls: int | None = 2


AGAIN: dict[str, Json] = {"retry": {"retries": 1}}
SILENT: dict[str, Json] = {"timeout_s": 2, "retry": {"retries": 0}}
NO_ANSWER_IN_TIME = "no answer within 2 s, as model.timeout_s allows"
NO_WAIT = "it asks to wait 3600 s, beyond model.total_timeout_s (600 s)"
FAULTS = {
    "429 and Retry-After 2": Fault(fails(429, headers={"Retry-After": "2"}), "answered 429: scripted failure", AGAIN),
    "429 and Retry-After 54": Fault(fails(429, headers={"Retry-After": "54"}), "answered 429: scripted failure", AGAIN),
    "429 and Retry-After 3600": Fault(fails(429, headers={"Retry-After": "3600"}), NO_WAIT, AGAIN, calls=1),
    "insufficient_quota": Fault(fails(429, code="insufficient_quota"), "has no quota left for this key", calls=None),
    "bad key": Fault(fails(401, code="invalid_api_key"), "does not accept the key", calls=None),
    "400": Fault(fails(400), "answered 400: scripted failure", AGAIN, calls=1),
    "500": Fault(fails(500), "answered 500: scripted failure", AGAIN),
    "500 of ten megabytes": Fault(fails(500, message=TEN_MEGABYTES), "answered 500: xxxx", calls=1),
    "stalled": Fault(stalls(), NO_ANSWER_IN_TIME, SILENT, calls=1),
    "stalled in the body": Fault(stalls_in_the_body(), NO_ANSWER_IN_TIME, SILENT, calls=1),
    "slow loris": Fault(drips(), NO_ANSWER_IN_TIME, SILENT, calls=1),
    "dropped": Fault(resets(), "or it broke off (it was closed without a response)", AGAIN),
    "half-written body": Fault(resets_in_the_body(), "broke off in the middle of its response", AGAIN),
    "malformed body": Fault(is_malformed(), "that is no JSON", AGAIN),
    "empty body": Fault(sends(""), "sent an empty body", AGAIN),
    "choices: null": Fault(has_choices(None), "sent `choices: null`, so there is no answer in it", AGAIN),
    "page of a gateway": Fault(shows_a_page(), "a page titled 'Bad gateway' instead of JSON", AGAIN),
    "stream of events": Fault(sends("data: {}\n\n", content_type="text/event-stream"), "a stream of events", AGAIN),
    "wrong content type": Fault(sends("soon", content_type="text/plain"), "a body of the type text/plain", AGAIN),
    "ten megabytes of no JSON": Fault(sends(TEN_MEGABYTES), "that is no JSON", calls=1),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_run_that_is_struck_loses_nothing_and_the_same_command_does_the_rest(prt: CommandLine, name: str) -> None:
    fault = FAULTS[name]
    endpoint = Struck(fault.behaviour)
    with FaultServer(by=endpoint) as server:
        config = config_of(prt, server.base_url, fault.model)
        ended = prt("run", config)
        answered = list(endpoint.answered)
        check_end(prt, ended, cause=fault.cause, answered=len(answered))
        struck = len(server.calls) - len(answered)
        assert struck <= CONCURRENCY if fault.calls is None else struck == (CELLS - len(answered)) * fault.calls
        endpoint.mended = True
        check_rest(prt, config, server, total=CELLS, answered=answered)


class Forgetful(CommandLine):
    """Runs that take nothing from the store."""

    def __call__(self, *args: str) -> Ended:
        return super().__call__(*args, "--fresh")


def test_the_table_would_notice_a_run_that_makes_a_call_twice(prt: CommandLine) -> None:
    endpoint = Struck(fails(500))
    with FaultServer(by=endpoint) as server:
        config = config_of(prt, server.base_url, {})
        prt("run", config)
        answered = list(endpoint.answered)
        endpoint.mended = True
        twin = Forgetful(prt.folder, prt.capsys, prt.monkeypatch)
        with pytest.raises(AssertionError):
            check_rest(twin, config, server, total=CELLS, answered=answered)
        assert len(server.calls) == 2 * CELLS


@pytest.mark.parametrize("name", ["429 and Retry-After 54", "500", "stalled", "dropped"])
def test_a_fault_that_stays_ends_a_run_before_all_of_it_has_failed(prt: CommandLine, name: str) -> None:
    endpoint = Struck(FAULTS[name].behaviour, first=0)
    with FaultServer(by=endpoint) as server:
        config = config_of(prt, server.base_url, SILENT, give_up_after=2)
        check_end(prt, prt("run", config), cause="stopped: the first ", answered=0)
        assert 2 <= len(server.calls) < CELLS
        endpoint.mended = True
        check_rest(prt, config, server, total=CELLS, answered=[])


@dataclass(slots=True)
class Storm:
    """Refuses all calls of the first moment, and answers later ones; notes when each came."""

    refusal: Behaviour
    passing: PassingTime
    came_s: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.refusal = gathers(CONCURRENCY, self.refusal)

    def __call__(self, call: Call) -> Behaviour:
        self.came_s.append(self.passing.seconds)
        return self.refusal if call.number <= CONCURRENCY else knows_capitals(call)

    @property
    def waited_s(self) -> float:
        """How long no call came after the refusals."""
        return min(self.came_s[CONCURRENCY:]) - self.came_s[0]


@pytest.mark.parametrize("asked_s", [2, 54])
def test_a_storm_of_refusals_is_waited_out_by_all_calls_and_costs_one_retry_each(
    prt: CommandLine, passing: PassingTime, asked_s: int
) -> None:
    passing.sleepers = workers(CONCURRENCY)
    storm = Storm(fails(429, headers={"Retry-After": str(asked_s)}), passing)
    with FaultServer(by=storm) as server:
        config = config_of(prt, server.base_url, AGAIN)
        ended = prt("run", config)
        assert ended.code == 0, ended.err
        assert len(server.calls) == CELLS + CONCURRENCY
    assert asked_s <= storm.waited_s < asked_s + 2
    assert ended.err.count("asks to wait 54 s; no call goes there before that") == (asked_s == 54)
    assert answers_on_disk(prt.folder / "prt.db") == len(stored(prt.folder / "prt.db")) == CELLS


def test_a_storm_without_retry_after_is_not_waited_out_for_so_long(prt: CommandLine, passing: PassingTime) -> None:
    storm = Storm(fails(429), passing)
    with FaultServer(by=storm) as server:
        assert prt("run", config_of(prt, server.base_url, AGAIN)).code == 0
    assert storm.waited_s < 2, "the test above would pass whatever the endpoint asks for"


@pytest.mark.parametrize("skew_s", [-86_400.0, 0.0, 86_400.0])
def test_a_date_to_wait_for_is_one_by_the_clock_of_the_endpoint(
    prt: CommandLine, passing: PassingTime, skew_s: float
) -> None:
    passing.sleepers = workers(CONCURRENCY)
    passing.wall_s = lambda: time.time() + skew_s
    began_s = time.time()
    headers = {"Date": formatdate(began_s, usegmt=True), "Retry-After": formatdate(began_s + 54, usegmt=True)}
    storm = Storm(fails(429, headers=headers), passing)
    with FaultServer(by=storm) as server:
        assert prt("run", config_of(prt, server.base_url, AGAIN)).code == 0
        assert len(server.calls) == CELLS + CONCURRENCY
    assert 54 <= storm.waited_s < 56


class JumpingDate(datetime):
    """The date of a machine whose clock is set while it runs."""

    jump = timedelta()

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Self:
        return super().now(tz) + cls.jump


@pytest.mark.parametrize("jump", [timedelta(days=-400), timedelta(hours=1)])
def test_a_wall_clock_that_is_set_while_a_run_goes_on_changes_nothing(
    prt: CommandLine, passing: PassingTime, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    monkeypatch.setattr(JumpingDate, "jump", timedelta())
    monkeypatch.setattr(database, "datetime", JumpingDate)
    passing.wall_s = lambda: JumpingDate.now(UTC).timestamp()
    endpoint = Struck(fails(500), first=CELLS // 2)

    def jumps(call: Call) -> Behaviour:
        JumpingDate.jump = jump if call.number >= 3 else timedelta()
        return endpoint(call)

    with FaultServer(by=jumps) as server:
        config = config_of(prt, server.base_url, AGAIN)
        ended = prt("run", config)
        check_end(prt, ended, cause="answered 500: scripted failure", answered=CELLS // 2)
        answered = list(endpoint.answered)
        endpoint.mended = True
        check_rest(prt, config, server, total=CELLS, answered=answered)
    assert not re.search(r" -\d|-\d+ s", ended.err), "a time that passed is shown as negative"


def test_replies_of_ten_megabytes_are_kept_whole(prt: CommandLine) -> None:
    with FaultServer(by=lambda call: answers(TEN_MEGABYTES) if call.number == 1 else knows_capitals(call)) as server:
        assert prt("run", config_of(prt, server.base_url, AGAIN)).code == 0
        assert len(server.calls) == CELLS
    texts = [reply.text for reply in stored(prt.folder / "prt.db").values()]
    assert len(texts) == CELLS
    assert texts.count(TEN_MEGABYTES) == 1


def test_a_name_that_is_not_known_is_told_and_asked_for_again(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = False
    looked_up = socket.getaddrinfo

    def look_up(host: str | None, *args: object, **rest: object) -> object:
        if host == "endpoint.example":
            if not known:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
            host = "127.0.0.1"
        return looked_up(host, *args, **rest)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    for proxy in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(proxy, raising=False)
    with FaultServer(by=knows_capitals) as server:
        config = config_of(prt, server.base_url.replace("127.0.0.1", "endpoint.example"), AGAIN)
        cause = "its name is not known: Name or service not known). Check the address and the network"
        check_end(prt, prt("run", config), cause=cause, answered=0)
        assert server.calls == []
        known = True
        check_rest(prt, config, server, total=CELLS, answered=[])


def test_a_certificate_that_is_not_accepted_is_told_and_the_same_command_runs_once_it_is(
    prt: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    with FaultServer(by=knows_capitals, certificate=CERTIFICATE) as server:
        config = config_of(prt, server.base_url, AGAIN)
        cause = "its TLS certificate is not accepted: self-signed certificate). Set SSL_CERT_FILE"
        check_end(prt, prt("run", config), cause=cause, answered=0)
        assert server.calls == []
        monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
        check_rest(prt, config, server, total=CELLS, answered=[])


def test_an_endpoint_that_is_stopped_and_started_again_is_asked_for_what_is_missing(prt: CommandLine) -> None:
    with FaultServer(answers()) as server:
        port = server.port
        config = config_of(prt, server.base_url, AGAIN)
    check_end(prt, prt("run", config), cause="or it broke off (Connection refused)", answered=0)
    with FaultServer(by=knows_capitals, port=port) as server:
        check_rest(prt, config, server, total=CELLS, answered=[])


@pytest.mark.sqlite
def test_a_store_that_stays_locked_stops_the_run_and_the_same_command_does_the_rest(prt: CommandLine) -> None:
    path = prt.folder / "prt.db"
    holder = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    endpoint = Struck(fails(500))

    def locks(call: Call) -> Behaviour:
        if call.number == ANSWERED_FIRST + 1:
            holder.execute("BEGIN IMMEDIATE")
            endpoint.mended = True
        return endpoint(call)

    with FaultServer(by=locks) as server:
        config = config_of(prt, server.base_url, AGAIN)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("prt.runner.commands.run.open_store", partial(open_store, busy_timeout_s=0.1))
            ended = prt("run", config)
        holder.close()
        assert ended.code == 3
        told_once(ended, "prt.db: the store stayed locked by another program; wait until that has finished")
        kept = answers_on_disk(path)
        before = len(server.calls)
        assert prt("run", config).code == 0
        assert len(server.calls) - before == CELLS - kept, "exactly what is not in the store is asked"
    assert answers_on_disk(path) == len(stored(path)) == CELLS


@pytest.mark.parametrize("fault", ELSEWHERE)
def test_the_faults_that_are_not_made_here_are_tested_where_it_says(fault: str) -> None:
    file, _, name = ELSEWHERE[fault].partition("::")
    source = (Path(__file__).parent / file).read_text(encoding="utf-8")
    assert re.search(rf"^ *def {name}\(", source, re.MULTILINE), f"{file} has no test {name}"
