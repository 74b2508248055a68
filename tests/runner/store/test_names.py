"""The names in a store, as a shell is offered them: the same as the store's own, read without its engine."""

import subprocess
import sys
from pathlib import Path

import pytest
from prt.runner.store import database
from prt.runner.store.baselines import set_baseline
from prt.runner.store.find import find_run
from prt.runner.store.names import NOT_LISTED, open_names
from prt.runner.store.nights import put_night
from prt.runner.store.runs import JUDGING, OTHERS, PRUNED, RunSpec, finish_run, list_runs, open_run

from ..run_fakes import IDENTITY, Bench, FakeModel

HEAVY = ("sqlalchemy", "numpy", "scipy", "openai", "pydantic", "yaml", "psycopg")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A store with two runs, a baseline, two nights of a series, a pruned run, and a run that is listed nowhere."""
    bench = Bench(tmp_path / "prt.db")
    bench.run(FakeModel(), name="first")
    bench.run(FakeModel(), name="second")
    with bench.open() as store:
        first = find_run(store, "first")
        set_baseline(store, "main", first)
        put_night(store, "triage", first.number, {})
        put_night(store, "triage", find_run(store, "second").number, {})
        gone = bench.begin(store, name="gone", fresh=True)
        finish_run(store, gone, PRUNED, "pruned")
        hidden = RunSpec(name="second: judge", model=IDENTITY, grader={"name": JUDGING, "version": 1})
        open_run(store, hidden, items=bench.world.items, variants=bench.world.all_variants(), token=f"{10:04x}")
    return bench


def address(bench: Bench) -> str:
    """The store's address, on whichever database."""
    return database.store_url(str(bench.path), base=Path()).render_as_string(hide_password=False)


def test_runs_baselines_and_series_are_those_that_the_store_lists(bench: Bench) -> None:
    with bench.open() as store:
        listed = [run for run in list_runs(store) if run.state != PRUNED]
    with open_names(address(bench)) as names:
        assert names is not None
        read = names.runs()
        assert [run.id for run in read] == [run.id for run in listed]
        assert [(run.name, run.state) for run in read] == [("second", "complete"), ("first", "complete")]
        assert read[0].started == "2026-03-01T12:00:00.000+00:00"
        assert names.baselines() == {"main": read[1].id}
        assert names.series() == [("triage", 2)]


def test_a_run_is_found_by_all_that_names_it_and_by_nothing_that_names_two(bench: Bench) -> None:
    with open_names(address(bench)) as names:
        assert names is not None
        second, first = names.runs()
        assert {names.run(text) for text in ("latest", "second", second.id, second.id[:-1])} == {second}
        assert {names.run(text) for text in ("main", "first", first.id)} == {first}
        assert names.run("gone") is names.run("none") is names.run("") is None


def test_conditions_and_items_are_those_of_the_run(bench: Bench) -> None:
    with open_names(address(bench)) as names:
        assert names is not None
        (run, _) = names.runs()
        assert names.items(run) == [item.id for item in bench.world.items]
        first = bench.world.items[0].id
        expected = [each.condition for each in bench.world.all_variants() if each.item_id == first]
        assert names.conditions(run) == expected


def test_what_is_read_can_not_be_written(bench: Bench) -> None:
    with open_names(address(bench)) as names:
        assert names is not None
        with pytest.raises(Exception, match=r"read.?only"):
            names.connection.execute("DELETE FROM baselines")
    with open_names(address(bench)) as names:
        assert names is not None
        assert [*names.baselines()] == ["main"]


def test_the_graders_that_are_not_listed_are_those_of_the_store() -> None:
    assert NOT_LISTED == OTHERS


@pytest.mark.sqlite
@pytest.mark.parametrize("form", ["{}", "sqlite:///{}", "sqlite+pysqlite:///{}"])
def test_a_file_is_found_by_each_form_of_its_address(bench: Bench, form: str) -> None:
    with open_names(form.format(bench.path)) as names:
        assert names is not None
        assert len(names.runs()) == 2
    with open_names(form.format("prt.db"), base=bench.path.parent) as names:
        assert names is not None


@pytest.mark.sqlite
@pytest.mark.parametrize("none", ["none.db", "sqlite:///none.db", "mysql://h/d", "."])
def test_no_store_is_made_where_there_is_none(tmp_path: Path, none: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with open_names(none) as names:
        assert names is None
    assert [*tmp_path.iterdir()] == []


@pytest.mark.sqlite
def test_reading_names_loads_no_engine(bench: Bench) -> None:
    code = (
        "import sys\nfrom prt.runner.store.names import open_names\n"
        f"with open_names({str(bench.path)!r}) as names:\n    assert len(names.runs()) == 2\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert done.stdout.strip() == "[]"
