"""Nights in the store, and the lock that keeps two processes from one series."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.errors import UsageError
from prt.runner.nightly.lock import Holder, lock_file, night_lock
from prt.runner.store.database import Store
from prt.runner.store.nights import list_nights, list_series, put_night, run_of, suite_hash_of, undecided_run
from prt.runner.store.processes import Process

from ..run_fakes import NOON, Bench, FakeModel, HandClock

HOLDS = """
import sys
from prt.runner.nightly.lock import night_lock
from prt.runner.store.database import open_store

with open_store(sys.argv[1]) as store, night_lock(store, sys.argv[2]):
    print("held", flush=True)
    sys.stdin.readline()
"""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", clock=HandClock())


def test_nights_are_numbered_from_1_in_each_series_and_can_be_said_anew(bench: Bench) -> None:
    with bench.open() as store:
        run = bench.begin(store)
        first = put_night(store, "a", run.number, {"night": 0, "verdict": "incomplete"})
        again = put_night(store, "a", run.number, {"night": 0, "verdict": "quiet"}, night=first.night)
        second = put_night(store, "a", run.number, {"verdict": "alarm"})
        other = put_night(store, "b\0ü", run.number, {})
        assert (first.night, again.night, second.night, other.night) == (1, 1, 2, 1)
        assert list_nights(store, "a") == [again, second]
        assert again.summary == {"night": 1, "verdict": "quiet"}
        assert list_series(store) == ["a", "b\0ü"]
        assert list_nights(store, "none") == []
        assert run_of(store, run.number) == run
        with pytest.raises(KeyError):
            run_of(store, 99)


def test_a_night_that_was_cut_off_is_found_until_it_is_decided_or_too_old(bench: Bench) -> None:
    with bench.open() as store:
        run = bench.begin(store, fresh=True)
        bench.clock.advance(3600)
        since = bench.clock() - timedelta(hours=2)
        assert undecided_run(store, run.fingerprint, since=since, decided=set()) == run.number
        assert undecided_run(store, run.fingerprint, since=since, decided={run.number}) is None
        assert undecided_run(store, run.fingerprint, since=NOON + timedelta(minutes=1), decided=set()) is None
        assert undecided_run(store, "0" * 64, since=since, decided=set()) is None


def test_the_hash_of_a_runs_suite_is_told(bench: Bench) -> None:
    with bench.open() as store:
        run = bench.begin(store)
        assert len(suite_hash_of(store, run.suite)) == 64


@pytest.fixture
def holder(bench: Bench) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock of the series `triage`."""
    bench.run(FakeModel())
    command = [sys.executable, "-c", HOLDS, str(bench.path), "triage"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_a_second_process_is_refused_with_who_holds_the_lock(bench: Bench, holder: subprocess.Popen[str]) -> None:
    with bench.open() as store:
        said = rf'a night of "triage" is under way \(process .*:{holder.pid}'
        with pytest.raises(UsageError, match=said), night_lock(store, "triage"):
            pass
        with night_lock(store, "other") as left_behind:
            assert left_behind is None


def test_a_process_that_dies_leaves_no_lock(bench: Bench, holder: subprocess.Popen[str], database: str) -> None:
    holder.kill()
    holder.wait()
    with bench.open() as store:
        left_behind = taken_over(bench, store_owner=f":{holder.pid}")
        assert (left_behind is None) == (database == "postgresql")
        with night_lock(store, "triage") as none:
            assert none is None


def taken_over(bench: Bench, *, store_owner: str) -> Holder | None:
    """Take the lock, as soon as the server knows that its holder is gone."""
    with bench.open() as store:
        for _ in range(200):
            try:
                with night_lock(store, "triage") as left_behind:
                    assert left_behind is None or left_behind.process.endswith(store_owner)
                    return left_behind
            except UsageError:
                with store.reading() as connection:
                    connection.exec_driver_sql("SELECT pg_sleep(0.02)")
    raise AssertionError("the lock of a dead process is still held")


@pytest.mark.sqlite
def test_the_lock_file_says_who_holds_it_and_is_empty_afterwards(bench: Bench) -> None:
    with bench.open() as store:
        path = lock_file(store.place, "tri/age\n")
        with night_lock(store, "tri/age\n"):
            note = json.loads(path.read_text(encoding="utf-8"))
            assert note == {"process": Process.read(store.owner).name, "since": "2026-03-01T12:00:00.000+00:00"}
        assert path.read_text(encoding="utf-8") == ""
    assert path.parent == bench.path.parent
    assert path.name.startswith("prt.db.tri-age-")
    assert path.name.endswith(".night.lock")


@pytest.mark.sqlite
def test_series_that_look_alike_have_locks_of_their_own(tmp_path: Path) -> None:
    place = str(tmp_path / "prt.db")
    names = {lock_file(place, series).name for series in ("a b", "a-b", "a/b")}
    assert len(names) == 3
    assert lock_file(f"file:{place}?mode=rwc", "a b") == lock_file(place, "a b")


@pytest.mark.sqlite
def test_a_note_that_was_cut_off_is_no_holder(bench: Bench) -> None:
    with bench.open() as store:
        lock_file(store.place, "triage").write_text('{"process": "ho', encoding="utf-8")
        with night_lock(store, "triage") as left_behind:
            assert left_behind is None


def test_the_lock_ends_with_an_exception_too(bench: Bench) -> None:
    with bench.open() as store:
        with pytest.raises(ZeroDivisionError), night_lock(store, "triage"):
            raise ZeroDivisionError
        with night_lock(store, "triage") as left_behind:
            assert left_behind is None


def test_a_nights_run_is_another_one_than_that_of_its_config(bench: Bench) -> None:
    with bench.open() as store:
        own, night = (bench.begin(store, name=name, fresh=True) for name in ("triage", "triage-night"))
        assert own.fingerprint != night.fingerprint
        assert own.suite == night.suite


def test_a_series_is_free_again_before_the_session_of_its_holder_has_ended(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.run(FakeModel())
    opened = Store.maintaining
    with bench.open() as store, ExitStack() as sessions:
        # A server notices only a moment later that a session is closed; here none is until the end.
        monkeypatch.setattr(Store, "maintaining", lambda self: nullcontext(sessions.enter_context(opened(self))))
        for _ in range(2):
            with night_lock(store, "triage") as left_behind:
                assert left_behind is None
