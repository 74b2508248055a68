"""Comparisons of stored runs: equal runs raise no alarm, and each of three planted causes is named and no other."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from prt.runner.comparing.findings import Comparison
from prt.runner.comparing.versions import Settings, compare_pair, compare_versions
from prt.runner.flipped import prompt_of
from prt.runner.store.database import Store, open_store
from prt.runner.store.read import Result
from prt.stats import Outcomes, compare_runs

from .worlds import Made, always, put

CALLED = {"regressed", "improved"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(str(tmp_path / "prt.db")) as opened:
        yield opened


def called(found: Comparison) -> set[str]:
    """What is proven of the causes, by name and direction."""
    return {f"{each.name} {each.verdict}" for each in found.claims[1:] if each.verdict in CALLED}


def test_a_run_against_itself_has_no_change_and_raises_no_alarm(store: Store) -> None:
    run = put(store, Made("a"))
    found = compare_pair(run, run)
    assert [each.change.estimate for each in found.claims[:3]] == [0.0, 0.0, 0.0]
    assert {each.holm_p for each in found.claims} == {1.0, None}
    assert {each.figures.change.estimate for each in found.conditions} == {0.0}
    assert (found.is_worse, found.changed, found.kinds, called(found)) == (False, (), (), set())
    assert [(each.kind, each.weight) for each in found.caveats] == [("same_run", "note")]


def test_two_runs_of_the_same_quality_raise_no_alarm(store: Store) -> None:
    found = compare_pair(put(store, Made("a")), put(store, Made("b"), number=1))
    assert (found.is_worse, called(found), found.caveats) == (False, set(), ())
    assert found.claim("overall").verdict in {"no_worse", "inconclusive"}


def test_a_change_of_the_model_is_named_as_that(store: Store) -> None:
    found = compare_pair(put(store, Made("a")), put(store, Made("b", passes=always(0.6)), number=1))
    assert called(found) == {"model regressed"}
    assert found.claim("overall").verdict == "regressed"
    assert found.is_worse
    assert "b is proven worse than a: " in found.conclusion
    assert "Proven of the three causes: the model is worse." in found.conclusion
    assert found.claim("model").sentence.startswith("Model: under the original prompts")
    assert {each.verdict for each in found.conditions} == {"regressed"}


def test_a_change_under_the_variants_alone_is_named_as_the_perturbations(store: Store) -> None:
    def fragile(item: str, condition: str) -> float:  # noqa: ARG001 - the form of a chance
        return 0.9 if condition == "baseline" else 0.55

    found = compare_pair(put(store, Made("a")), put(store, Made("b", passes=fragile), number=1))
    assert called(found) == {"perturbation_effect regressed"}
    assert "points, more is lost than before (" in found.claim("perturbation_effect").sentence
    low, high = found.claim("perturbation_effect").change.low, found.claim("perturbation_effect").change.high
    assert low is not None
    assert high is not None
    assert low < -0.35 < high < 0


@pytest.mark.parametrize("trouble", ["truncated", "unparsed", "refused", "error"])
def test_replies_without_an_answer_are_named_as_infrastructure(store: Store, trouble: str) -> None:
    broken = Made("b", troubled=always(0.3), trouble=trouble)  # type: ignore[arg-type]  # one of the statuses
    found = compare_pair(put(store, Made("a")), put(store, broken, number=1))
    assert called(found) == {"infrastructure regressed"}
    (kind,) = found.kinds
    assert (kind.kind, kind.before, kind.cells, kind.verdict) == (trouble, 0, 480, "regressed")
    assert kind.after == pytest.approx(144, abs=35)
    assert f" went from 0 to {kind.after} of 480 cells (" in found.claim("infrastructure").sentence
    # What counts as fail lowers the rate all the same; failed calls are missing.
    assert (found.claim("overall").verdict == "regressed") == (trouble != "error")
    assert found.is_worse


def test_fewer_failures_and_a_better_model_are_improvements(store: Store) -> None:
    broken = Made("a", troubled=always(0.3), passes=always(0.5))
    found = compare_pair(put(store, broken), put(store, Made("b"), number=1))
    assert {"infrastructure improved", "model improved"} <= called(found)
    assert not found.is_worse
    assert "is proven better than a" in found.conclusion


def test_all_figures_are_those_of_the_statistics_on_the_same_results(store: Store) -> None:
    before, after = put(store, Made("a")), put(store, Made("b", passes=always(0.7)), number=1)
    found = compare_pair(before, after)
    cells = [
        np.array([[bool(r.grade and r.grade.passed) for r in group] for group in by_item(run.run.results())]).astype(
            int
        )
        for run in (before, after)
    ]
    names = ("baseline", "typo.1", "typo.2", "style.1")
    expected = compare_runs(
        *(Outcomes.from_array(each, conditions=names) for each in cells), rng=np.random.default_rng(0)
    )
    assert found.claim("overall").change == expected.change
    assert found.claim("overall").exact == expected.exact
    assert found.claim("perturbation_effect").change == expected.robustness_change
    assert [each.figures for each in found.conditions] == [each.figures for each in expected.conditions]
    assert [each.max_t_p for each in found.conditions] == list(expected.max_t.pvalues)


def by_item(results: Iterator[Result]) -> list[list[Result]]:
    every = list(results)
    return [every[start : start + 4] for start in range(0, len(every), 4)]


def test_the_items_that_changed_most_are_shown_with_both_answers(store: Store) -> None:
    def drop(item: str, condition: str) -> float:
        return 0.0 if item == "q7" and condition != "baseline" else 1.0

    before = put(store, Made("a", passes=always(1.0)))
    found = compare_pair(before, put(store, Made("b", passes=drop), number=1))
    (item,) = found.changed
    assert (item.item_id, item.worse, item.better, item.compared, item.condition) == ("q7", 3, 0, 4, "typo.1")
    assert (item.before.passed, item.before.text, item.after.passed, item.after.text) == (True, "7", False, "?")
    assert (item.gold, item.prompt) == ("7", prompt_of(Made("b").all_variants()[4 * 7 + 1]))


def test_clusters_are_the_units(store: Store) -> None:
    before = put(store, Made("a", clusters=20))
    found = compare_pair(before, put(store, Made("b", clusters=20, passes=always(0.2)), number=1))
    assert (found.items, found.units, found.claim("overall").verdict) == (120, 6, "too_few")


def test_repeats_of_both_are_used_though_they_are_not_equally_many(store: Store) -> None:
    before = put(store, Made("a", repeats=2, items=60))
    found = compare_pair(before, put(store, Made("b", repeats=3, items=60, passes=always(0.5)), number=1))
    assert found.claim("model").verdict == "regressed"
    assert found.conditions[0].figures.table is None
    assert "repeats" in {each.kind for each in found.caveats}


def test_several_versions_are_held_against_the_first_and_adjusted_together(store: Store) -> None:
    runs = [
        put(store, Made(name, passes=always(share)), number=place)
        for place, (name, share) in enumerate([("a", 0.9), ("b", 0.9), ("c", 0.55), ("d", 0.8)])
    ]
    found = compare_versions(runs[0], runs[1:])
    alone = compare_pair(runs[0], runs[3])
    assert [each.after.given for each in found.comparisons] == ["b", "c", "d"]
    assert [each.claim("overall").verdict in CALLED for each in found.comparisons] == [False, True, True]
    assert found.is_worse
    assert "Proven worse than a, over all wordings: c (" in found.conclusion
    together = found.comparisons[2]
    assert together.claim("overall").exact == alone.claim("overall").exact
    assert (together.claim("model").holm_p or 0) > (alone.claim("model").holm_p or 0)
    assert (together.conditions[1].holm_p or 0) >= (alone.conditions[1].holm_p or 0)


def test_alpha_and_margin_are_the_later_runs_unless_they_are_given(store: Store) -> None:
    before = put(store, Made("a"))
    after = put(store, Made("b", config={"analysis": {"alpha": 0.1, "margin": 0.2}}), number=1)
    found = compare_pair(before, after)
    assert (found.alpha, found.margin, found.conditions[0].figures.change.level) == (0.1, 0.2, 0.9)
    given = compare_pair(before, after, Settings(alpha=0.01, margin=0.3))
    assert (given.alpha, given.margin) == (0.01, 0.3)


def test_a_failed_call_and_a_missing_result_leave_the_pair_alone(store: Store) -> None:
    before = put(store, replace(Made("a", passes=always(1.0)), missing=20, state="incomplete"))
    found = compare_pair(before, put(store, Made("b", passes=always(1.0)), number=1))
    assert {each.figures.n for each in found.conditions} == {100}
    assert [each.kind for each in found.caveats] == ["state"]
    assert "400 of 480 cells have a result: the budget is spent" in found.caveats[0].text
