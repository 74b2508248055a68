"""Baselines: a run is found by the name that a person pinned to it, and by nothing that means two runs."""

from pathlib import Path

import pytest
from prt.runner.errors import UsageError
from prt.runner.store.baselines import find_baseline, list_baselines, remove_baseline, set_baseline
from prt.runner.store.find import find_run
from prt.runner.store.read import load_run

from ..run_fakes import Bench, FakeModel


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A store with two runs, `first` and `second`."""
    bench = Bench(tmp_path / "prt.db")
    bench.run(FakeModel(), name="first")
    bench.run(FakeModel(), name="second")
    return bench


def test_a_run_is_found_by_the_name_that_was_pinned_to_it(bench: Bench) -> None:
    with bench.open() as store:
        first = find_run(store, "first")
        assert set_baseline(store, "main", first) is None
        assert find_run(store, "main") == first
        assert load_run(store, "main").record == first
        (listed,) = list_baselines(store)
        assert (listed.name, listed.run, listed.set_at) == ("main", first, bench.clock())


def test_a_name_moves_to_another_run_and_says_where_it_was(bench: Bench) -> None:
    with bench.open() as store:
        first, second = find_run(store, "first"), find_run(store, "second")
        set_baseline(store, "main", first)
        earlier = set_baseline(store, "main", second)
        assert earlier is not None
        assert earlier.run == first
        assert find_run(store, "main") == second
        assert len(list_baselines(store)) == 1


def test_a_pinned_name_goes_before_the_name_of_a_run_and_after_an_id(bench: Bench) -> None:
    with bench.open() as store:
        first, second = find_run(store, "first"), find_run(store, "second")
        set_baseline(store, "second", first)
        assert find_run(store, "second") == first
        assert find_run(store, second.id) == second
        remove_baseline(store, "second")
        assert find_run(store, "second") == second


def test_removing_a_baseline_leaves_the_run(bench: Bench) -> None:
    with bench.open() as store:
        set_baseline(store, "main", find_run(store, "first"))
        assert remove_baseline(store, "main").run == find_run(store, "first")
        assert find_baseline(store, "main") is None
        with pytest.raises(UsageError, match=r"there is no baseline \"main\"; `prt baseline set` makes one"):
            remove_baseline(store, "main")


def test_a_name_that_is_close_is_offered(bench: Bench) -> None:
    with bench.open() as store:
        set_baseline(store, "production", find_run(store, "first"))
        with pytest.raises(UsageError, match=r"did you mean .production.\?"):
            remove_baseline(store, "productoin")
        with pytest.raises(UsageError, match=r"did you mean .production.\?"):
            find_run(store, "productoin")


def test_the_baselines_that_there_are_are_named_where_none_is_close(bench: Bench) -> None:
    with bench.open() as store:
        for name in ("main", "production"):
            set_baseline(store, name, find_run(store, "first"))
        with pytest.raises(UsageError, match=r"there is no baseline \"x\"; there are `\w+` and `\w+`$") as caught:
            remove_baseline(store, "x")
    assert "`main`" in str(caught.value)
    assert "`production`" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "no blanks"),
        (" main", "no blanks"),
        ("ma\nin", "no blanks"),
        ("ma\x1b[31min", "no control characters"),
        ("x" * 101, "at most 100 characters"),
        ("latest", "the newest run"),
        ("--json", "an option"),
        ("first-20260301-120000-0000", "the id of a run"),
    ],
)
def test_a_name_that_would_mean_something_else_is_refused(bench: Bench, name: str, why: str) -> None:
    with bench.open() as store:
        with pytest.raises(UsageError, match=why):
            set_baseline(store, name, find_run(store, "first"))
        assert list_baselines(store) == []


def test_any_printable_name_comes_back(bench: Bench) -> None:
    names = sorted(["größe 1", "escaped:x", "'; DROP TABLE runs", "a/b.c", "😀"])
    with bench.open() as store:
        for name in names:
            set_baseline(store, name, find_run(store, "first"))
        assert [each.name for each in list_baselines(store)] == names
