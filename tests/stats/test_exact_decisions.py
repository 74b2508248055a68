"""The exact tests behind decisions: against sums over every table, and never wrong more often than they say."""

from collections.abc import Callable
from math import comb

import numpy as np
import pytest
from prt.stats import PairedTable, drop_exact, exact_rate_limits, tango_interval
from prt.stats.tango import score

TABLES = [(3, 6, 1, 4), (10, 3, 0, 4), (0, 9, 0, 0), (5, 2, 4, 3), (6, 0, 0, 6), (0, 0, 7, 2)]


def probability(n: int, losses: int, gains: int, loss: float, gain: float) -> float:
    stays = n - losses - gains
    return comb(n, losses) * comb(n - losses, gains) * loss**losses * gain**gains * max(1 - loss - gain, 0.0) ** stays


def every_table(n: int) -> list[tuple[int, int]]:
    return [(losses, gains) for losses in range(n + 1) for gains in range(n + 1 - losses)]


@pytest.mark.parametrize("margin", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("cells", TABLES)
def test_the_exact_p_of_a_drop_is_the_sum_over_every_table_as_far_below(
    cells: tuple[int, int, int, int], margin: float
) -> None:
    table = PairedTable(*cells)
    found = score(table.pass_to_fail, table.fail_to_pass, table.n, -margin)
    below = [each for each in every_table(table.n) if score(*each, table.n, -margin) <= found + 1e-9]
    chances = (1 - margin) / 2 * np.linspace(0, 1, 41) ** 2
    expected = max(sum(probability(table.n, *each, q + margin, q) for each in below) for q in chances.tolist())
    assert drop_exact(table, margin).pvalue == pytest.approx(min(expected, 1.0), abs=1e-10)


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
@pytest.mark.parametrize("n", [30, 100, 200])
def test_the_exact_test_keeps_its_level_where_flips_all_go_one_way(n: int, margin: float) -> None:
    assert 20 * chance_of(lambda table: (drop_exact(table, margin).pvalue or 0.0) <= 0.05 / 20, n, margin) <= 0.05


def test_the_limits_of_the_score_alone_do_not() -> None:
    def rejects(table: PairedTable) -> bool:
        upper = tango_interval(table, level=1 - 0.05 / 5).high
        return upper is not None and upper < -0.05

    assert 5 * chance_of(rejects, 200, 0.05) > 0.06


def chance_of(rejects: Callable[[PairedTable], bool], n: int, margin: float) -> float:
    """Chance of rejecting where losses are as likely as the margin, and nothing is gained."""
    fewest = next(losses for losses in range(n + 1) if rejects(PairedTable(n - losses, losses, 0, 0)))
    return sum(probability(n, losses, 0, margin, 0.0) for losses in range(fewest, n + 1))


def test_a_larger_drop_never_has_a_larger_p() -> None:
    pvalues = [drop_exact(PairedTable(20 - losses, losses, 1, 4), 0.05).pvalue for losses in range(21)]
    assert pvalues == sorted(pvalues, key=lambda p: -(p or 0.0))


def test_nothing_to_test_has_no_p_and_a_margin_of_one_is_refused() -> None:
    assert drop_exact(PairedTable(0, 0, 0, 0), 0.05).pvalue is None
    with pytest.raises(ValueError, match="at least 0 and below 1"):
        drop_exact(PairedTable(1, 0, 0, 0), 1.0)


@pytest.mark.parametrize(("count", "n"), [(0, 5), (1, 7), (4, 100), (20, 20), (13, 20)])
def test_the_exact_limits_are_where_the_tails_have_a_chance_of_alpha(count: int, n: int) -> None:
    low, high = exact_rate_limits(count, n, alpha=0.05)
    more = sum(comb(n, k) * low**k * (1 - low) ** (n - k) for k in range(count, n + 1))
    fewer = sum(comb(n, k) * high**k * (1 - high) ** (n - k) for k in range(count + 1))
    assert more == pytest.approx(0.05 if count else 1.0)
    assert fewer == pytest.approx(0.05 if count < n else 1.0)


def test_exact_limits_are_refused_without_a_unit() -> None:
    with pytest.raises(ValueError, match="n must be at least 1"):
        exact_rate_limits(0, 0)
    with pytest.raises(ValueError, match="count must not exceed"):
        exact_rate_limits(3, 2)
