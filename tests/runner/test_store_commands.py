"""`prt store`: what it prints and its exit codes."""

import csv
import io
import json
from pathlib import Path

import pytest
from prt.runner.store.database import open_store
from prt.runner.store.schema import runs
from sqlalchemy import text, update

from .command_line import CommandLine
from .run_fakes import Bench, FakeModel


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


@pytest.fixture(autouse=True)
def bench(tmp_path: Path) -> Bench:
    """A store with a run of 8 cells."""
    bench = Bench(tmp_path / "prt.db")
    bench.run(FakeModel())
    return bench


def test_check_counts_the_rows_of_a_store_that_is_whole(prt: CommandLine) -> None:
    told = prt("store", "check")
    assert told.code == 0
    first, rows = told.out.splitlines()
    assert first.endswith(": whole")
    assert rows.startswith("rows: suites 1, items 4, ")
    assert prt("store", "check", "--json").json["whole"] is True


def test_check_ends_with_1_where_something_is_wrong(prt: CommandLine) -> None:
    with open_store("prt.db") as store, store.writing() as connection:
        connection.execute(text("UPDATE items SET payload = '{' WHERE position = 2"))
    told = prt("store", "check")
    assert told.code == 1
    assert "not whole; take it from a backup" in told.out
    assert "  items: the item at position 2 of the suite 1 can't be read" in told.out
    assert len(prt("store", "check", "--json").json["faults"]) == 1


def test_vacuum_tells_the_size_before_and_after(prt: CommandLine) -> None:
    assert " MiB before, " in prt("store", "vacuum").out
    assert prt("store", "vacuum", "--json").json["after"] > 0


def test_export_writes_a_file_and_says_so_or_writes_to_standard_output(prt: CommandLine) -> None:
    told = prt("store", "export", "latest", "out.csv")
    assert (told.code, told.out) == (0, "")
    assert told.err.startswith("out.csv: 8 rows of bench-")
    piped = prt("store", "export", "bench", "-")
    assert piped.out == (prt.folder / "out.csv").read_text(encoding="utf-8")
    assert [row["passed"] for row in csv.DictReader(io.StringIO(piped.out))] == ["true", "false"] * 4
    assert prt("analyze", "out.csv", "--json").json["conditions"][0]["summary"]["n"] == 4


def test_export_refuses_what_it_can_t_do_with_2(prt: CommandLine) -> None:
    assert prt("store", "export", "nothing", "out.csv").code == 2
    assert prt("store", "export", "latest", "out.xlsx").code == 2
    assert not (prt.folder / "out.csv").exists()


def test_merge_names_what_it_added_and_the_same_again_adds_nothing(prt: CommandLine) -> None:
    told = prt("store", "merge", "prt.db", "--store", "all.db")
    assert told.code == 0
    assert ": 1 run added with 8 replies, 0 here already, from " in told.out
    again = prt("store", "merge", "prt.db", "--store", "all.db", "--json")
    assert (again.json["added"], len(again.json["known"])) == ([], 1)
    assert json.loads(prt("runs", "--store", "all.db", "--json").out)[0]["name"] == "bench"


def test_merge_of_a_store_that_is_not_there_is_refused_and_makes_none(prt: CommandLine) -> None:
    assert prt("store", "merge", "nowhere/other.db", "--store", "all.db").code == 2
    assert not (prt.folder / "all.db").exists()


def test_a_run_whose_process_was_killed_is_listed_as_cut_off(prt: CommandLine) -> None:
    with open_store("prt.db") as store, store.writing() as connection:
        for table in ("grades", "cells"):
            connection.execute(text(f"DELETE FROM {table} WHERE variant < 3"))  # noqa: S608 - names of our own
        connection.execute(update(runs).values(state="running", owner="elsewhere:1"))
    (row,) = json.loads(prt("runs", "--json").out)
    assert (row["state"], row["with_result"], row["cells"]) == ("cut off", 5, 8)
    assert "cut off, 5 of 8 cells" in " ".join(prt("runs").out.split())


def test_a_run_that_is_worked_on_is_listed_as_running_and_a_complete_one_without_counts(
    prt: CommandLine,
) -> None:
    (row,) = json.loads(prt("runs", "--json").out)
    assert (row["state"], row["with_result"], row["cells"]) == ("complete", None, None)
    with open_store("prt.db") as store, store.writing() as connection:
        connection.execute(update(runs).values(state="running", owner="elsewhere:1", alive_at=store.now()))
    assert json.loads(prt("runs", "--json").out)[0]["state"] == "running"
