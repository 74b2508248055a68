"""What two stored runs have in common: their suite, their replies, and the texts of what they ask."""

import json
from pathlib import Path

import pytest
from prt.runner.store.overlap import item_payloads, shared_replies, suite_digest, variant_payloads
from prt.runner.store.read import load_run

from ..run_fakes import Bench, FakeGrader, FakeModel, make_world


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Three runs over the same suite: the second takes the replies of the first, the third asks anew."""
    bench = Bench(tmp_path / "prt.db", world=make_world(4, 2))
    bench.run(FakeModel(), name="first")
    bench.run(FakeModel(), name="reusing", grader=FakeGrader(note="other"))
    bench.run(FakeModel(), name="fresh", fresh=True)
    return bench


def test_replies_that_two_runs_share_are_counted(bench: Bench) -> None:
    with bench.open() as store:
        first, reusing, fresh = (load_run(store, name) for name in ("first", "reusing", "fresh"))
        assert (shared_replies(first, reusing), shared_replies(reusing, first)) == (12, 12)
        assert (shared_replies(first, fresh), shared_replies(first, first)) == (0, 12)


def test_runs_of_different_stores_share_none(bench: Bench, tmp_path: Path) -> None:
    other = Bench(tmp_path / "other.db", world=bench.world)
    other.run(FakeModel(), name="first")
    with bench.open() as store, other.open() as elsewhere:
        here, there = load_run(store, "first"), load_run(elsewhere, "first")
        assert shared_replies(here, there) == 0
        assert suite_digest(here) == suite_digest(there)


def test_texts_come_in_the_order_of_their_places(bench: Bench) -> None:
    bench.world = make_world(2, 1)
    bench.run(FakeModel(), name="smaller")
    with bench.open() as store:
        run = load_run(store, "smaller")
        assert [json.loads(text)["id"] for text in item_payloads(run)] == ["q0", "q1"]
        places = [(json.loads(text)["item_id"], json.loads(text)["condition"]) for text in variant_payloads(run)]
        assert places == [("q0", "baseline"), ("q0", "typo.1"), ("q1", "baseline"), ("q1", "typo.1")]
        assert suite_digest(run) != suite_digest(load_run(store, "first"))
