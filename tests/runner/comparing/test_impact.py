"""What a change means for a day: failures and cost follow from the change, its interval and how users write."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest
from prt.runner.comparing.findings import Comparison, Impact
from prt.runner.comparing.versions import Named, Settings, compare_pair
from prt.runner.config.impact import ImpactConfig
from prt.runner.errors import UsageError
from prt.runner.store.database import open_store
from prt.stats import Outcomes, weighted_change

from .worlds import Made, always, put


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Named, Named]]:
    """Two runs, of which the later passes less under each wording."""
    with open_store(str(tmp_path_factory.mktemp("impact") / "prt.db")) as store:
        yield put(store, Made("a")), put(store, Made("b", passes=always(0.6)), number=1)


def compared(runs: tuple[Named, Named], **given: object) -> Comparison:
    return compare_pair(*runs, Settings(impact=ImpactConfig.model_validate({"traffic": 10_000.0, **given})))


def impact(runs: tuple[Named, Named], **given: object) -> Impact:
    found = compared(runs, **given).impact
    assert found is not None
    return found


def test_without_weights_each_wording_is_told_as_if_all_requests_were_written_so(runs: tuple[Named, Named]) -> None:
    comparison = compared(runs, cost_per_failure=0.5)
    found = comparison.impact
    assert found is not None
    assert (found.is_weighted, found.total, found.currency) == (False, None, "USD")
    for row, condition in zip(found.rows, comparison.conditions, strict=True):
        change = condition.figures.change
        assert (row.condition, row.weight, row.requests) == (condition.condition, 1.0, 10_000.0)
        assert row.proven == (condition.verdict == "regressed")
        limits = (row.failures.estimate, row.failures.low, row.failures.high)
        expected = [-10_000 * (each or 0.0) for each in (change.estimate, change.high, change.low)]
        assert limits == pytest.approx(expected)
        assert row.failures.n == change.n
        assert row.cost is not None
        assert (row.cost.estimate, row.cost.low, row.cost.high) == pytest.approx([each / 2 for each in expected])


def test_the_original_has_what_the_weights_leave_and_a_generator_is_shared_out(runs: tuple[Named, Named]) -> None:
    found = impact(runs, weights={"typo": 0.3, "style.1": 0.1})
    assert {row.condition: row.weight for row in found.rows} == pytest.approx(
        {"baseline": 0.6, "typo.1": 0.15, "typo.2": 0.15, "style.1": 0.1}
    )
    assert found.total is not None
    assert (found.total.requests, found.total.proven, found.total.cost) == (10_000.0, True, None)
    parts = sum(row.failures.estimate or 0.0 for row in found.rows)
    assert found.total.failures.estimate == pytest.approx(parts)


def test_the_interval_of_the_whole_is_made_of_items_and_not_of_the_rows(runs: tuple[Named, Named]) -> None:
    weights = {"typo.1": 0.25, "typo.2": 0.25, "style.1": 0.5}
    total = impact(runs, weights=weights).total
    assert total is not None
    cells = [
        np.array([bool(each.grade and each.grade.passed) for each in named.run.results()], dtype=int).reshape(120, 4)
        for named in runs
    ]
    names = ("baseline", "typo.1", "typo.2", "style.1")
    before, after = (Outcomes.from_array(each, conditions=names) for each in cells)
    change = weighted_change(before, after, weights)
    assert change.low is not None
    assert change.high is not None
    assert (total.failures.low, total.failures.high) == pytest.approx((-10_000 * change.high, -10_000 * change.low))


def test_a_change_that_is_not_proven_is_labelled_so(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as store:
        same = put(store, Made("a")), put(store, Made("b"), number=1)
        found = impact(same, weights={"typo": 0.4})
    assert {row.proven for row in found.rows} == {False}
    assert found.total is not None
    assert not found.total.proven


def test_a_run_brings_its_own_impact(tmp_path: Path) -> None:
    stored: Mapping[str, object] = {"traffic": 500.0, "cost_per_failure": None, "currency": "EUR", "weights": {}}
    with open_store(str(tmp_path / "prt.db")) as store:
        after = Made("b", config={"impact": stored})  # type: ignore[dict-item]  # it is JSON
        found = compare_pair(put(store, Made("a")), put(store, after, number=1)).impact
    assert found is not None
    assert (found.traffic, found.currency) == (500.0, "EUR")


@pytest.mark.parametrize(
    ("weights", "told"),
    [
        ({"typoo": 0.1}, 'no condition and no generator "typoo"; did you mean `typo`?'),
        ({"noise.1": 0.1}, "they have `typo`, `style`, `typo.1`, `typo.2` and `style.1`"),
    ],
)
def test_weights_of_what_the_runs_do_not_share_are_refused(
    runs: tuple[Named, Named], weights: dict[str, float], told: str
) -> None:
    with pytest.raises(UsageError) as refused:
        impact(runs, weights=weights)
    assert told in str(refused.value)


def test_items_without_all_weighted_wordings_are_left_out_of_the_whole_and_told(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as store:
        before = put(store, Made("a", items=40))
        after = put(
            store, Made("b", items=40, troubled=lambda item, name: float(name == "typo.1" and item < "q2")), number=1
        )
        failed = put(
            store,
            Made("c", items=40, trouble="error", troubled=lambda item, name: float(name == "typo.1" and item < "q2")),
            number=2,
        )
        whole, part = impact((before, after), weights={"typo": 0.4}), impact((before, failed), weights={"typo": 0.4})
    assert whole.total is not None
    assert part.total is not None
    assert (whole.total.failures.n, whole.notes) == (40, ())
    assert part.total.failures.n == 28
    assert part.notes == (
        "The whole is over the 28 of 40 items that have a result under every weighted wording in both runs.",
    )
