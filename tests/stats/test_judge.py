import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.stats import JudgeTable, cohen_kappa, corrected_rate

COUNTS = st.integers(0, 300)
TABLES = st.builds(JudgeTable, COUNTS, COUNTS, COUNTS, COUNTS)


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize(
    ("table", "kappa"),
    [
        (JudgeTable(20, 5, 10, 15), 0.4),  # the textbook's example
        (JudgeTable(80, 10, 10, 0), -1 / 9),  # Feinstein and Cicchetti's paradox: 80% agreement, and none beyond chance
        (JudgeTable(30, 0, 0, 20), 1.0),
        (JudgeTable(0, 10, 10, 0), -1.0),
        (JudgeTable(25, 25, 25, 25), 0.0),
    ],
)
def test_kappa_is_that_of_the_textbooks(table: JudgeTable, kappa: float) -> None:
    found = cohen_kappa(table, rng=rng())
    assert found.estimate == pytest.approx(kappa, abs=1e-12)
    assert found.n == table.n
    assert found.low is not None
    assert found.high is not None
    assert found.low <= kappa <= found.high


@pytest.mark.parametrize("table", [JudgeTable(0, 0, 0, 0), JudgeTable(9, 0, 0, 0), JudgeTable(0, 0, 0, 7)])
def test_there_is_no_kappa_where_nothing_varies(table: JudgeTable) -> None:
    assert cohen_kappa(table, rng=rng()).estimate is None


@given(table=TABLES)
def test_kappa_does_not_care_which_of_the_two_is_the_judge_nor_which_verdict_is_called_pass(table: JudgeTable) -> None:
    turned = JudgeTable(table.both_pass, table.human_only, table.judge_only, table.both_fail)
    reversed_ = JudgeTable(table.both_fail, table.human_only, table.judge_only, table.both_pass)
    here = cohen_kappa(table, rng=rng()).estimate
    assert cohen_kappa(turned, rng=rng()).estimate == pytest.approx(here)
    assert cohen_kappa(reversed_, rng=rng()).estimate == pytest.approx(here)


def coverage_of_kappa(n: int, shares: list[float], *, wald: bool) -> float:
    """Share of samples whose interval holds the true κ."""
    truth = cohen_kappa(JudgeTable(*(round(share * 10_000) for share in shares)), rng=rng()).estimate
    assert truth is not None
    hits, draws = 0, rng(7)
    for counts in draws.multinomial(n, shares, size=250):
        table = JudgeTable(*map(int, counts))
        found = cohen_kappa(table, rng=draws)
        low, high = (wald_limits(table) if wald else (found.low, found.high)) if found.estimate is not None else (0, 1)
        hits += low is not None and high is not None and low - 1e-9 <= truth <= high + 1e-9
    return hits / 250


def wald_limits(table: JudgeTable) -> tuple[float, float]:
    """The wrong twin: κ ± 1.96 standard errors, as if the chance agreement were known and κ normal."""
    n = table.n
    agreed, kappa = (table.both_pass + table.both_fail) / n, cohen_kappa(table, rng=rng()).estimate or 0.0
    chance = 1.0 if kappa == 1.0 else (agreed - kappa) / (1.0 - kappa)
    error = 1.96 * (agreed * (1.0 - agreed) / n) ** 0.5 / (1.0 - chance) if chance < 1.0 else 0.0
    return kappa - error, kappa + error


@pytest.mark.parametrize("n", [10, 50])
@pytest.mark.parametrize("shares", [[0.45, 0.05, 0.05, 0.45], [0.588, 0.012, 0.012, 0.388], [0.72, 0.06, 0.08, 0.14]])
def test_the_interval_of_kappa_holds(n: int, shares: list[float]) -> None:
    assert coverage_of_kappa(n, shares, wald=False) >= 0.93


def test_the_wald_interval_of_kappa_would_not_hold() -> None:
    assert coverage_of_kappa(10, [0.588, 0.012, 0.012, 0.388], wald=True) < 0.7


def test_the_correction_is_that_of_rogan_and_gladen() -> None:
    rate = corrected_rate(140, 200, JudgeTable(90, 15, 10, 85))
    assert rate.estimate == pytest.approx((0.7 + 0.85 - 1) / (0.9 + 0.85 - 1), abs=1e-12)
    assert rate.n == 200


def test_a_faultless_judge_with_many_labels_needs_no_correction() -> None:
    rate = corrected_rate(60, 100, JudgeTable(100_000, 0, 0, 100_000))
    assert rate.estimate == pytest.approx(0.6, abs=1e-12)
    assert rate.low == pytest.approx(0.502, abs=0.003)  # Agresti and Coull's for 60 of 100
    assert rate.high == pytest.approx(0.691, abs=0.003)


@pytest.mark.parametrize(
    "table", [JudgeTable(5, 5, 5, 5), JudgeTable(3, 9, 7, 1), JudgeTable(0, 4, 0, 9), JudgeTable(9, 0, 4, 0)]
)
def test_a_judge_that_knows_nothing_corrects_nothing(table: JudgeTable) -> None:
    assert corrected_rate(50, 100, table).estimate is None


@given(table=TABLES, passes=st.integers(0, 100), level=st.floats(0.5, 0.999))
def test_a_corrected_rate_is_a_rate_within_its_limits(table: JudgeTable, passes: int, level: float) -> None:
    rate = corrected_rate(passes, 100, table, level=level)
    if rate.estimate is None:
        assert rate.low is None
        assert rate.high is None
    else:
        assert rate.low is not None
        assert rate.high is not None
        assert 0.0 <= rate.low <= rate.estimate <= rate.high <= 1.0


def coverage_of_correction(*, truth: float, sensitivity: float, specificity: float, labels: int, plain: bool) -> float:
    """Share of samples whose interval holds the rate that a person would give."""
    draws, hits = rng(11), 0
    judged = truth * sensitivity + (1 - truth) * (1 - specificity)
    for _ in range(2000):
        passes, right = int(draws.binomial(200, judged)), int(draws.binomial(labels, sensitivity))
        refused = int(draws.binomial(labels, specificity))
        table = JudgeTable(right, labels - refused, labels - right, refused)
        rate = corrected_rate(passes, 200, table)
        low, high = rate.low, rate.high
        if plain:
            half = 1.96 * (passes / 200 * (1 - passes / 200) / 200) ** 0.5
            low, high = passes / 200 - half, passes / 200 + half
        hits += low is not None and high is not None and low <= truth <= high
    return hits / 2000


@pytest.mark.parametrize("truth", [0.05, 0.5, 0.8, 0.97])
@pytest.mark.parametrize("labels", [20, 100])
def test_the_interval_of_a_corrected_rate_holds(truth: float, labels: int) -> None:
    assert coverage_of_correction(truth=truth, sensitivity=0.9, specificity=0.8, labels=labels, plain=False) >= 0.93


def test_the_judges_own_rate_misses_the_truth() -> None:
    assert coverage_of_correction(truth=0.5, sensitivity=0.9, specificity=0.7, labels=50, plain=True) < 0.3


def test_what_is_no_count_is_refused() -> None:
    with pytest.raises(ValueError, match="judge_only"):
        JudgeTable(1, -1, 0, 0)
    with pytest.raises(ValueError, match="between 0 and n"):
        corrected_rate(11, 10, JudgeTable(1, 1, 1, 1))
