"""Exported results: every row and text as it is stored, in files that other programs and `prt analyze` read."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prt.runner.analysis import analyse_run
from prt.runner.errors import UsageError
from prt.runner.exporting import COLUMNS, ExportFormat, export
from prt.runner.findings import Report
from prt.runner.records import Cell, Grade, Reply, ReplyError
from prt.runner.results.files import read_files
from prt.runner.store.read import Result, StoredRun, load_run
from prt.runner.store.results import NewReply, NewResult, add_results, cell_id
from prt.runner.table_analysis import analyse_table

from .run_fakes import Bench, graded, make_world

HOSTILE = 'said "no",\r\n=1+1\t\x1b[31m\u202eGröße \ud800\0'


@pytest.fixture
def run(tmp_path: Path) -> Iterator[StoredRun]:
    """A run of 30 items, three of whose cells are unusual; one has no reply, and one no grade."""
    bench = Bench(tmp_path / "prt.db", world=make_world(30, 2, repeats=2))
    first, second, third, fourth, *others = bench.world.cells()
    hostile = Reply(HOSTILE, "stop", HOSTILE, HOSTILE, "m", 3, 4, 0.25, 2)
    failed = Reply(error=ReplyError("timeout", "no answer in 600 s"), attempts=3)
    with bench.open() as store:
        begun = bench.begin(store)
        made: list[tuple[Cell, Reply, Grade | None]] = [
            (first, hostile, Grade(True, "graded", HOSTILE, HOSTILE, reason=HOSTILE)),  # noqa: FBT003 - a record in its own order
            (second, failed, Grade(None, "error", reason="timeout: no answer in 600 s")),
            (third, Reply("?"), Grade(False, "unparsed")),  # noqa: FBT003 - as above
        ]
        made += [(cell, Reply("4"), graded("4", passed=number % 3 > 0)) for number, cell in enumerate(others)]
        numbers = add_results(store, begun, [NewReply(cell.key, reply) for cell, reply, _ in made], [])
        results = [
            NewResult(*cell_id(cell), number, grade)
            for (cell, _, grade), number in zip(made, numbers, strict=True)
            if grade is not None
        ]
        add_results(store, begun, [], results)
        assert cell_id(fourth) not in [(result.variant, result.repeat) for result in results]
        yield load_run(store, "latest")


def exported(run: StoredRun, path: Path, form: ExportFormat | None = None) -> int:
    return export(run, str(path), form, sys.stdout)


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file, with no value where there is none."""
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pytest.importorskip("pyarrow.parquet").read_table(path).to_pylist()
        return rows
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    with path.open(encoding="utf-8", newline="") as file:
        return [{name: value or None for name, value in row.items()} for row in csv.DictReader(file)]


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_each_cell_with_a_reply_is_a_row_with_all_that_is_known_of_it(
    run: StoredRun, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"out.{ending}"
    assert exported(run, path) == 179
    rows = rows_of(path)
    assert [tuple(row) for row in rows] == [COLUMNS] * 179
    told = HOSTILE if ending == "jsonl" else HOSTILE.encode("utf-8", "backslashreplace").decode()
    told = told.replace("\0", r"\x00") if ending == "csv" else told
    first = rows[0]
    assert {first[name] for name in ("reply", "reasoning", "refusal", "extracted", "answer", "reason")} == {told}
    assert [str(first[name]) for name in ("item", "condition", "repeat", "latency_s", "attempts")] == [
        "q0",
        "baseline",
        "0",
        "0.25",
        "2",
    ]
    assert [str(row["passed"]).lower() for row in rows[:3]] == ["true", "none", "false"]
    assert [row["status"] for row in rows[:3]] == ["graded", "error", "unparsed"]
    assert (rows[1]["error_kind"], rows[1]["error_message"]) == ("timeout", "no answer in 600 s")
    assert [row["cluster"] for row in rows[::36]] == ["even"] * 5


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_prt_analyze_reads_the_same_figures_back(run: StoredRun, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"out.{ending}"
    exported(run, path)
    table = read_files([str(path)])
    again = analyse_table(table, alpha=0.05, margin=0.02)
    assert figures(again) == figures(analyse_run(run))
    assert table.outcomes().clusters == ("even", "odd") * 15


def figures(report: Report) -> list[object]:
    """The estimates of each condition."""
    return [(each.summary.condition, each.summary.n, each.summary.change) for each in report.conditions]


def test_standard_output_takes_csv_or_lines_of_json(run: StoredRun) -> None:
    out = io.StringIO()
    assert export(run, "-", None, out) == 179
    assert next(csv.reader(io.StringIO(out.getvalue()))) == list(COLUMNS)
    lines = io.StringIO()
    export(run, "-", "jsonl", lines)
    assert json.loads(lines.getvalue().splitlines()[0])["reply"] == HOSTILE
    with pytest.raises(UsageError, match="a Parquet file can't be written to standard output"):
        export(run, "-", "parquet", out)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_no_text_steers_a_terminal(run: StoredRun, form: ExportFormat) -> None:
    out = Terminal()
    export(run, "-", form, out)
    assert not {"\x1b", "\u202e", "\0", "\r"} & set(out.getvalue())
    assert "Gr" in out.getvalue()


def test_a_file_that_is_there_is_left_as_it_is(run: StoredRun, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"out\.csv is there already; name another file"):
        exported(run, path)
    assert path.read_text(encoding="utf-8") == "mine"


def test_an_ending_that_names_no_format_is_refused_unless_one_is_given(run: StoredRun, tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    with pytest.raises(UsageError, match=r"its ending names no format; use `\.csv`, `\.jsonl`, `\.parquet`, or say it"):
        exported(run, path)
    assert not path.exists()
    assert exported(run, path, "jsonl") == 179


def test_where_it_fails_half_way_no_file_is_left(
    run: StoredRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_self: StoredRun) -> Iterator[Result]:
        yield from ()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(StoredRun, "results", breaks)
    with pytest.raises(UsageError, match=r"out\.csv can't be written: No space left on device"):
        exported(run, tmp_path / "out.csv")
    assert list(tmp_path.glob("out.*")) == []


def test_a_folder_that_is_not_there_is_named(run: StoredRun, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere/out\.csv can't be written: No such file or directory"):
        exported(run, tmp_path / "nowhere" / "out.csv")
