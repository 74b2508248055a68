"""Runs in the store: when a command resumes one, and how a person finds it."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.errors import UsageError
from prt.runner.store.database import Store
from prt.runner.store.find import find_run
from prt.runner.store.read import load_run
from prt.runner.store.runs import RunSpec, finish_run, grader_key, list_runs, open_run, run_id
from sqlalchemy import text

from ..run_fakes import IDENTITY, NOON, Bench, FakeGrader, FakeModel, make_world

DIGITS = "3fa9"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


SPEC = RunSpec(name="bench", model=IDENTITY, grader=FakeGrader().identity())


def number_of_rows(store: Store, table: str) -> int:
    with store.reading() as connection:
        number: int = connection.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()  # noqa: S608 - a name of the test's own
        return number


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("ticket-triage", "ticket-triage"),
        ("my run/2 (final)", "my-run-2-final"),
        ("Größe", "Gr-e"),
        ("../..", "run"),
        ("", "run"),
        ("\ud800\0", "run"),
        ("x" * 300, "x" * 60),
    ],
)
def test_an_id_is_readable_and_safe_whatever_the_name(name: str, begins: str) -> None:
    assert run_id(name, NOON, "3fa9") == f"{begins}-20260301-120000-3fa9"


def test_a_run_records_what_it_was_asked_to_do(bench: Bench) -> None:
    wanted = replace(
        SPEC,
        repeats=3,
        config={"model": {"name": "m"}, "seed": 0},
        dataset_sha256="ab" * 32,
        bundle_hash="cd" * 32,
        prt_version="0.1.0",
        environment={"python": "3.11.7"},
    )
    with bench.open() as store:
        made = open_run(store, wanted, items=bench.world.items, variants=bench.world.all_variants(), token=DIGITS)
        (run,) = list_runs(store)
    assert run == made
    assert (run.id, run.name, run.state, run.reason, run.fresh) == (
        "bench-20260301-120000-3fa9",
        "bench",
        "running",
        "",
        False,
    )
    assert (run.started_at, run.finished_at) == (NOON, None)
    for name in ("model", "grader", "repeats", "config", "dataset_sha256", "bundle_hash", "prt_version", "environment"):
        assert getattr(run, name) == getattr(wanted, name)
    assert run.grader_key == grader_key(wanted.grader)


@pytest.mark.parametrize(
    "other",
    [replace(SPEC, name="other"), replace(SPEC, model={**IDENTITY, "name": "n"}), replace(SPEC, repeats=2)],
)
def test_another_name_model_or_number_of_repeats_is_another_run(bench: Bench, other: RunSpec) -> None:
    with bench.open() as store:
        first = bench.begin(store)
        second = open_run(store, other, items=bench.world.items, variants=bench.world.all_variants(), token=DIGITS)
        assert second.id != first.id
        assert number_of_rows(store, "suites") == 1, "equal items and variants are kept once"


def test_other_items_or_variants_are_another_run(bench: Bench) -> None:
    with bench.open() as store:
        first = bench.begin(store)
        bench.world = make_world(4, 2)
        assert bench.begin(store).id != first.id
        assert number_of_rows(store, "suites") == 2


def test_a_dataset_that_lies_elsewhere_is_the_same_run(bench: Bench) -> None:
    with bench.open() as store:
        first = bench.begin(store)
        moved = [replace(item, number=item.number + 7) for item in bench.world.items]
        bench.world = replace(bench.world, items=moved)
        assert bench.begin(store).id == first.id


def test_another_grader_or_config_is_the_same_run(bench: Bench) -> None:
    with bench.open() as store:
        first = bench.begin(store)
        again = open_run(
            store,
            replace(SPEC, grader={"grader": "strict"}, config={"alpha": 0.01}),
            items=bench.world.items,
            variants=bench.world.all_variants(),
            token=DIGITS,
        )
    assert (again.id, again.started_at) == (first.id, first.started_at)
    assert (again.grader, again.config) == ({"grader": "strict"}, {"alpha": 0.01})
    assert again.grader_key != first.grader_key


@pytest.mark.parametrize("state", ["complete", "incomplete", "stopped"])
def test_the_newest_run_is_resumed_however_it_ended(bench: Bench, state: str) -> None:
    with bench.open() as store:
        run = bench.begin(store)
        bench.clock.advance(60)
        finish_run(store, run, state, "a reason")  # type: ignore[arg-type]  # parametrize widens the literal
        (ended,) = list_runs(store)
        assert (ended.state, ended.reason, (ended.finished_at or NOON) - NOON) == (
            state,
            "a reason",
            timedelta(minutes=1),
        )
        resumed = bench.begin(store)
        assert (resumed.id, resumed.state, resumed.reason, resumed.finished_at) == (run.id, "running", "", None)


def test_a_fresh_run_is_a_new_one_and_the_next_command_resumes_that(bench: Bench) -> None:
    with bench.open() as store:
        first = bench.begin(store)
        fresh = bench.begin(store, fresh=True)
        assert fresh.id != first.id
        assert fresh.fresh
        assert bench.begin(store) == replace(fresh, alive_at=NOON)


def test_the_keys_of_a_run_hold_for_the_version_that_made_all_of_them(bench: Bench) -> None:
    with bench.open() as store:
        assert bench.begin(store, prt_version="1").keys_hold
        assert bench.begin(store, prt_version="1").keys_hold
        newer = bench.begin(store, prt_version="2")
        assert not newer.keys_hold
        assert not bench.begin(store, prt_version="2").keys_hold, "it may have been cut off before it looked"
        finish_run(store, newer, "stopped", "it was interrupted")
        assert not bench.begin(store, prt_version="2").keys_hold
        finish_run(store, newer, "complete")
        assert bench.begin(store, prt_version="2").keys_hold
        assert not bench.begin(store, prt_version="1").keys_hold


def test_two_runs_use_one_store_at_the_same_time(bench: Bench) -> None:
    worlds = {"one": make_world(30, 1), "two": make_world(31, 1)}
    script = (
        "import sys; from pathlib import Path; from tests.runner.run_fakes import Bench, FakeModel, make_world\n"
        "name, items, path = sys.argv[1:]\n"
        "bench = Bench(Path(path), world=make_world(int(items), 1))\n"
        "assert bench.run(FakeModel(), name=name).state == 'complete'\n"
    )
    root = Path(__file__).parents[3]
    children = [
        subprocess.Popen([sys.executable, "-c", script, name, str(len(world.items)), str(bench.path)], cwd=root)  # noqa: S603 - our own script
        for name, world in worlds.items()
    ]
    assert [child.wait(timeout=30) for child in children] == [0, 0]
    for name, world in worlds.items():
        assert len(bench.results(name)) == world.total


class TestFinding:
    @pytest.fixture
    def store(self, bench: Bench) -> Iterator[Store]:
        with bench.open() as store:
            for name in ("triage", "triage", "tickets"):
                bench.begin(store, name=name, fresh=True)
                bench.clock.advance(3600)
            yield store

    def test_latest_is_the_newest(self, store: Store) -> None:
        assert find_run(store, "latest").name == "tickets"
        assert load_run(store, "latest").record == find_run(store, "latest")

    def test_an_id_or_its_beginning_finds_a_run(self, store: Store) -> None:
        wanted = "triage-20260301-120000-0000"
        assert find_run(store, wanted).id == find_run(store, wanted[:19]).id == wanted
        assert find_run(store, "tic").name == "tickets"

    def test_a_name_finds_its_newest_run(self, store: Store) -> None:
        assert find_run(store, "triage").id == "triage-20260301-130000-0001"

    def test_a_beginning_that_fits_several_runs_is_refused_with_their_ids(self, store: Store) -> None:
        with pytest.raises(UsageError) as caught:
            find_run(store, "tri")
        assert str(caught.value).endswith(
            ': "tri" fits 2 runs (triage-20260301-130000-0001, triage-20260301-120000-0000); give more of the id; '
            "`prt runs` lists them all."
        )

    @pytest.mark.parametrize(
        ("wanted", "meant"), [("trigae", "triage"), ("tickets-20260301-140000-9992", "tickets-20260301-140000-0002")]
    )
    def test_a_slip_is_answered_with_what_was_meant(self, store: Store, wanted: str, meant: str) -> None:
        with pytest.raises(UsageError) as caught:
            find_run(store, wanted)
        assert str(caught.value).endswith(
            f': there is no run "{wanted}"; did you mean `{meant}`?; `prt runs` lists them all.'
        )

    def test_an_empty_text_means_no_run(self, store: Store) -> None:
        with pytest.raises(UsageError, match='there is no run ""'):
            find_run(store, "")


def test_a_store_without_runs_says_how_to_make_one(bench: Bench) -> None:
    with bench.open() as store, pytest.raises(UsageError, match="there are no runs in it yet; `prt run` makes one"):
        find_run(store, "latest")


def test_the_journal_gives_signs_of_life(bench: Bench) -> None:
    with bench.open() as store:
        run = bench.begin(store)
    bench.clock.advance(100)
    bench.run(FakeModel())
    with bench.open() as store:
        assert find_run(store, "latest").alive_at > run.alive_at
