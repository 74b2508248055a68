"""Clusters: items that belong together are not independent, in any interval, test or verdict."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.stats import Outcomes, clustered_standard_error, signflip_exact, summarise

modest = settings(max_examples=40, deadline=None, derandomize=True)
labelled = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), min_size=2, max_size=30)

# Passes of 27 tasks under both prompts: both, direct only, chain of thought only, neither (code-davinci-002 on
# BIG-Bench Hard, 6,511 items, as published by Suzgun et al., 2022).
TASKS = [
    (212, 9, 20, 9), (73, 46, 28, 40), (149, 10, 69, 22), (146, 22, 44, 38), (77, 40, 65, 68), (72, 59, 54, 65),
    (50, 30, 86, 84), (100, 51, 66, 33), (54, 27, 83, 86), (33, 32, 64, 121), (120, 12, 99, 19), (204, 8, 22, 16),
    (2, 1, 117, 130), (119, 7, 122, 2), (111, 2, 122, 15), (76, 21, 40, 9), (164, 5, 65, 16), (146, 42, 25, 37),
    (132, 23, 20, 75), (74, 35, 32, 37), (177, 5, 67, 1), (189, 5, 53, 3), (43, 8, 181, 18), (29, 7, 185, 29),
    (76, 18, 120, 36), (125, 4, 113, 8), (82, 44, 19, 105),
]  # fmt: skip


def known(value: float | None) -> float:
    assert value is not None
    return value


def tasks() -> Outcomes:
    results = [(1, 1), (1, 0), (0, 1), (0, 0)]
    rows = [
        (*result, task)
        for task, counts in enumerate(TASKS)
        for result, n in zip(results, counts, strict=True)
        for _ in range(n)
    ]
    return Outcomes.from_array(
        [row[:2] for row in rows], conditions=["direct", "cot"], clusters=[f"task {row[2]}" for row in rows]
    )


def test_an_interval_clustered_by_task_stands_beside_the_plain_one() -> None:
    (found,) = summarise(tasks()).conditions
    assert found.unclustered is not None
    assert (found.n, found.units, found.unclustered.units) == (6511, 27, 6511)
    assert found.change.estimate == pytest.approx(found.unclustered.change.estimate)
    clustered = known(found.change.high) - known(found.change.low)
    plain = known(found.unclustered.change.high) - known(found.unclustered.change.low)
    assert 5 < clustered / plain < 8
    assert found.change.standard_error == pytest.approx(0.0439, abs=5e-5)
    assert known(found.exact.pvalue) > 1e100 * known(found.unclustered.exact.pvalue)
    assert found.verdict == "improved"


def test_every_figure_with_an_interval_is_wider_with_clusters_that_are_alike() -> None:
    summary = summarise(tasks())
    (found,) = summary.conditions
    plain = found.unclustered
    overall, overall_plain = summary.overall, summary.overall.unclustered
    assert plain is not None
    assert overall_plain is not None
    pairs = [
        *(
            (getattr(found, name), getattr(plain, name))
            for name in ("baseline_rate", "variant_rate", "change", "change_score", "flip_rate")
        ),
        *(
            (getattr(overall, name), getattr(overall_plain, name))
            for name in ("baseline_rate", "robust_rate", "robust_rate_present", "any_pass_rate", "fully_stable")
        ),
    ]
    for clustered, independent in pairs:
        assert clustered.estimate == pytest.approx(independent.estimate)
        assert clustered.high - clustered.low > 1.5 * (independent.high - independent.low)


def test_where_no_two_items_share_a_cluster_nothing_changes(worked_missing: Outcomes) -> None:
    alone = Outcomes.from_array(
        worked_missing.matrix(),
        items=worked_missing.items,
        conditions=worked_missing.conditions,
        clusters=[None, "", *range(18)],
    )
    assert alone.codes is None
    assert summarise(alone) == summarise(worked_missing)


@modest
@given(labelled)
def test_the_order_of_items_is_irrelevant(items: list[tuple[int, int]]) -> None:
    values, clusters = zip(*items, strict=True)
    backwards = clustered_standard_error(values[::-1], clusters[::-1])
    assert clustered_standard_error(values, clusters) == pytest.approx(backwards)


@modest
@given(labelled)
def test_items_by_themselves_give_the_familiar_standard_error(items: list[tuple[int, int]]) -> None:
    values = [value for value, _ in items]
    expected = float(np.std(values, ddof=1)) / sqrt(len(values))
    for correction in ("CR1", "miller"):
        assert clustered_standard_error(values, correction=correction) == pytest.approx(expected)


def test_copies_of_items_in_their_cluster_are_no_new_evidence() -> None:
    """Each of 30 documents asked once or, with the same result, ten times."""
    rng = np.random.default_rng(2)
    once = rng.random(30) < 0.6
    copied = clustered_standard_error(np.repeat(once, 10), np.repeat(np.arange(30), 10).tolist())
    assert copied == pytest.approx(clustered_standard_error(once))
    before, after = rng.random(30) < 0.7, rng.random(30) < 0.4
    single = summarise(Outcomes.from_array(np.stack([before, after], axis=1)))
    tenfold = Outcomes.from_array(
        np.repeat(np.stack([before, after], axis=1), 10, axis=0), clusters=np.repeat(np.arange(30), 10).tolist()
    )
    found, original = summarise(tenfold).conditions[0], single.conditions[0]
    assert found.exact.pvalue == pytest.approx(original.exact.pvalue)
    assert known(found.change.high) - known(found.change.low) > 0.95 * (
        known(original.change.high) - known(original.change.low)
    )


def test_fewer_than_ten_clusters_get_no_verdict() -> None:
    cells = [[1, 0]] * 90
    verdicts = {
        groups: summarise(Outcomes.from_array(cells, clusters=[place % groups for place in range(90)]))
        .conditions[0]
        .verdict
        for groups in (9, 10)
    }
    assert verdicts == {9: "too_few", 10: "regressed"}


def test_cochrans_q_gives_no_p_value_for_clustered_items() -> None:
    test = summarise(tasks()).overall.cochran
    assert test.pvalue is None
    assert known(test.statistic) > 0
    assert "without p-value" in test.method


def test_clusters_survive_selecting_and_can_be_dropped(worked_example: Outcomes) -> None:
    clustered = Outcomes.from_array(
        worked_example.matrix(), conditions=worked_example.conditions, clusters=["a", "b"] * 10
    )
    assert clustered.select(["typo"]).clusters == clustered.clusters
    assert summarise(clustered).clusters == 2
    assert clustered.without_clusters().codes is None


def test_long_rows_take_the_clusters_of_their_items() -> None:
    rows = [("q1", "baseline", 0, True), ("q2", "baseline", 0, True), ("q3", "baseline", 0, False)]
    outcomes = Outcomes.from_rows(rows, clusters={"q1": "doc", "q3": "doc"})
    assert outcomes.clusters == ("doc", None, "doc")
    assert outcomes.codes is not None
    assert outcomes.codes.tolist() == [0, 1, 0]


def false_alarm_rate(*, by_cluster: bool) -> float:
    """300 seeded runs of 20 documents of 8 items each, in which half of the documents get better, half worse."""
    rng = np.random.default_rng(11)
    labels = np.repeat(np.arange(20), 8).tolist()
    alarms = 0
    for _ in range(300):
        towards = rng.choice([-1, 1], 20).repeat(8)
        differences = np.where(rng.random(160) < 0.4, towards, 0)
        pvalue = signflip_exact(differences, labels if by_cluster else None).pvalue
        alarms += known(pvalue) <= 0.05
    return alarms / 300


def test_signs_flip_by_cluster() -> None:
    assert false_alarm_rate(by_cluster=True) <= 0.07


def test_the_wrong_twin_that_takes_items_for_independent_sees_changes_everywhere() -> None:
    assert false_alarm_rate(by_cluster=False) > 0.2


@pytest.mark.parametrize("bad", [["a"], ["a"] * 3])
def test_labels_that_do_not_fit_are_refused(bad: list[str]) -> None:
    with pytest.raises(ValueError, match="one label an item: 2 items"):
        Outcomes.from_array([[1], [0]], clusters=bad)


def test_an_unknown_correction_is_refused() -> None:
    with pytest.raises(ValueError, match="correction must be one of CR0, CR1, miller, got 'CR2'"):
        clustered_standard_error([1, 0], correction="CR2")  # type: ignore[arg-type]  # which is what is tested


@pytest.mark.parametrize("values", [[], [1]])
def test_fewer_than_two_items_have_no_standard_error(values: list[int]) -> None:
    assert clustered_standard_error(values) is None
