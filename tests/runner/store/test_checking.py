"""Checking a store and giving back its unused room: what is wrong is told, and nothing is lost."""

from pathlib import Path

import pytest
from prt.runner.errors import StoreError
from prt.runner.store.checking import Checked, checked
from prt.runner.store.database import Store
from prt.runner.store.read import load_run
from prt.runner.store.schema import metadata
from prt.runner.store.upkeep import vacuum
from sqlalchemy import delete, text

from ..run_fakes import Bench, FakeModel, another_process, make_world

LOOSE = {"sqlite": "PRAGMA foreign_keys=OFF", "postgresql": "SET session_replication_role = replica"}
"""What lets rows refer to what is not there, as a fault of a disk or of another program might."""


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path / "prt.db", world=make_world(6, 2))
    bench.run(FakeModel())
    return bench


def look(bench: Bench) -> Checked:
    with bench.open() as store:
        return checked(store)


def spoil(store: Store, statement: str) -> None:
    with store.maintaining() as connection:
        connection.exec_driver_sql(LOOSE[connection.dialect.name])
        connection.execute(text(statement))


def test_a_store_after_a_run_is_whole_and_its_rows_are_counted(bench: Bench) -> None:
    found = look(bench)
    assert found.faults == ()
    assert (found.rows["items"], found.rows["variants"], found.rows["cells"], found.rows["grades"]) == (6, 18, 18, 18)
    assert (found.unused_suites, found.replies_without_cell) == (0, 0)


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM replies WHERE id = 1", "cells: 1 row of replies that are not there"),
        (
            "INSERT INTO baselines VALUES ('main', 9, '2026-03-01T00:00:00.000+00:00')",
            "baselines: 1 row of runs that are not there",
        ),
        ("DELETE FROM cells WHERE variant < 3", "grades: 3 rows of cells that are not there"),
        (
            "DELETE FROM variants WHERE position = 4",
            "cells: 1 row of the run bench-20260301-120000-0000 with a variant",
        ),
        ("UPDATE items SET payload = '{' WHERE position = 2", "items: the item at position 2 of the suite 1 can't"),
        ("UPDATE variants SET condition = 'x' WHERE position = 5", "variants: the variant at position 5 of the suite"),
        ("UPDATE items SET payload = '[]' WHERE position = 0", "items: the item at position 0 of the suite 1 can't"),
    ],
)
def test_what_does_not_fit_together_is_told(bench: Bench, statement: str, told: str) -> None:
    with bench.open() as store:
        spoil(store, statement)
    assert any(fault.startswith(told) for fault in look(bench).faults), look(bench).faults


def test_a_night_whose_summary_is_garbled_is_told(bench: Bench) -> None:
    with bench.open() as store:
        spoil(store, "INSERT INTO nights VALUES ('s', 3, 1, '2026-03-01T00:00:00.000+00:00', '{')")
    assert look(bench).faults == ("nights: what night 3 of the series s decided can't be read",)


def test_what_is_no_fault_is_counted_apart(bench: Bench) -> None:
    with bench.open() as store, store.writing() as connection:
        connection.execute(text("INSERT INTO suites (hash) VALUES ('unused')"))
        connection.execute(text("DELETE FROM grades WHERE variant = 0"))
        connection.execute(text("DELETE FROM cells WHERE variant = 0"))
    found = look(bench)
    assert (found.faults, found.unused_suites, found.replies_without_cell) == ((), 1, 1)


@pytest.mark.sqlite
def test_a_damaged_file_is_told_as_such(bench: Bench) -> None:
    with bench.open() as store, store.reading() as connection:
        place = connection.execute(text("SELECT rootpage FROM sqlite_master WHERE name = 'ix_replies_cell_key'"))
        page = place.scalar_one()
    content = bytearray(bench.path.read_bytes())
    content[(page - 1) * 4096 + 200 : page * 4096] = b"\xff" * 3896
    bench.path.write_bytes(content)
    faults = look(bench).faults
    assert faults
    assert all("damaged" in fault for fault in faults)


def test_vacuum_gives_back_what_was_removed_and_keeps_the_rest(bench: Bench) -> None:
    bench.world = make_world(400, 2)
    bench.run(FakeModel(), name="large")
    before = bench.results("bench")
    with bench.open() as store:
        number = load_run(store, "large").record.number
        with store.writing() as connection:
            for table in ("grades", "cells", "replies"):
                connection.execute(delete(metadata.tables[table]).where(metadata.tables[table].c.run == number))
        done = vacuum(store)
    assert done.after < 0.9 * done.before
    assert bench.results("bench") == before
    assert look(bench).faults == ()


@pytest.mark.sqlite
def test_the_size_told_is_that_of_the_file(bench: Bench) -> None:
    with bench.open() as store:
        done = vacuum(store)
    assert done.after == bench.path.stat().st_size


def test_a_store_that_a_run_is_working_on_is_left_alone(bench: Bench) -> None:
    with another_process() as owner, bench.open() as store, bench.open() as other:
        other.owner = owner
        bench.begin(other, name="going on")
        with pytest.raises(StoreError, match=r"the run going-on-\S+ is being worked on \(here:\d+\)"):
            vacuum(store)
