"""Variance components: how much of the results' scatter is items, conditions, their interaction, and mere luck."""

from dataclasses import dataclass

import numpy as np

from .cells import Cells
from .numeric import FloatArray
from .outcomes import Outcomes

AT_A_TIME = 16_000
"""Results that are looked at together; a million of them as floating-point numbers would take many MiB."""
METHOD = "two-way random-effects ANOVA, moments, negative estimates set to 0"


@dataclass(frozen=True, slots=True)
class VarianceComponents:
    """Variances of a single result (0 or 1) by source; each is None where it can't be estimated.

    Attributes:
        between_items: Items differ in how hard they are.
        between_conditions: Conditions differ in their pass rates, alike for every item.
        item_by_condition: Conditions help some items and hurt others: the wording's effect item by item.
        run_to_run: The same question gets different answers from run to run.
        truncated: Names of the components whose estimate fell below 0 and is given as 0.
        n: Items with every run under every condition; only these enter.
        conditions: Number of conditions.
        runs: Runs a cell.
        method: The method by name.
    """

    between_items: float | None
    between_conditions: float | None
    item_by_condition: float | None
    run_to_run: float | None
    truncated: tuple[str, ...]
    n: int
    conditions: int
    runs: int
    method: str = METHOD


def variance_components(outcomes: Outcomes) -> VarianceComponents:
    """Split the variance of a single result into items, conditions, item × condition, and run to run.

    With n items, J conditions, k runs a cell and the mean squares of the two-way layout: run-to-run = MSE, item ×
    condition = (MSIC − MSE)/k, items = (MSI − MSIC)/(Jk), conditions = (MSC − MSIC)/(nk). A moment estimate below 0 is
    set to 0 and named in `truncated`: the component is small against its error. The components carry no intervals.

    Args:
        outcomes: Results with at least two repeats.

    Returns:
        The components; None where there are fewer than two complete items or only one condition.

    Raises:
        ValueError: If there is one run a cell: item × condition and run-to-run can't be told apart then.

    References:
        S. R. Searle, G. Casella and C. E. McCulloch (1992), Variance Components, chapter 4.

    Examples:
        >>> from prt.stats import Outcomes, variance_components
        >>> cells = [[[1, 1], [1, 1]], [[1, 0], [0, 0]], [[0, 0], [1, 1]], [[0, 0], [0, 0]]]
        >>> found = variance_components(Outcomes.from_array(cells))
        >>> round(found.run_to_run, 4), round(found.item_by_condition, 4), round(found.between_items, 4)
        (0.0625, 0.1667, 0.0833)
        >>> found.between_conditions, found.truncated
        (0.0, ('between_conditions',))
    """
    if outcomes.repeats < 2:
        raise ValueError(
            "one run a cell can't tell item × condition from run-to-run variance; give outcomes with repeats"
        )
    complete = outcomes.cells[np.all(outcomes.cells >= 0, axis=(1, 2))]
    n, conditions, runs = complete.shape
    if n < 2 or conditions < 2:
        return VarianceComponents(None, None, None, None, (), n, conditions, runs)
    moments = _moments(complete)
    return VarianceComponents(
        between_items=max(moments["between_items"], 0.0),
        between_conditions=max(moments["between_conditions"], 0.0),
        item_by_condition=max(moments["item_by_condition"], 0.0),
        run_to_run=moments["run_to_run"],
        truncated=tuple(name for name, value in moments.items() if value < 0.0),
        n=n,
        conditions=conditions,
        runs=runs,
    )


def _moments(cells: Cells) -> dict[str, float]:
    """Moment estimates of the components, not truncated, by name; the layout is complete and large enough."""
    n, conditions, runs = cells.shape
    means, grand = cells.mean(axis=2), float(cells.mean())
    items, columns = means.mean(axis=1), means.mean(axis=0)
    error = _squares(cells.reshape(-1), means.reshape(-1), 0, cells.size) / (n * conditions * (runs - 1))
    interaction = means  # each step in place: this is as large as the results themselves
    interaction -= items[:, np.newaxis]
    interaction -= columns
    interaction += grand
    interaction **= 2
    by_both = runs * float(np.sum(interaction)) / ((n - 1) * (conditions - 1))
    by_item = conditions * runs * float(np.sum((items - grand) ** 2)) / (n - 1)
    by_condition = n * runs * float(np.sum((columns - grand) ** 2)) / (conditions - 1)
    return {
        "between_items": (by_item - by_both) / (conditions * runs),
        "between_conditions": (by_condition - by_both) / (n * runs),
        "item_by_condition": (by_both - error) / runs,
        "run_to_run": error,
    }


def _squares(cells: Cells, means: FloatArray, start: int, end: int) -> float:
    """Sum of squared differences of some results from the means of their cells, a part of them at a time.

    The sum is halved as numpy halves one of a whole array, so that it is the same to the last digit.

    Args:
        cells: All results, those of one cell next to one another.
        means: The mean of each cell.
        start: The first result that counts.
        end: The one behind the last.
    """
    size = end - start
    if size > AT_A_TIME:
        middle = start + size // 16 * 8
        return _squares(cells, means, start, middle) + _squares(cells, means, middle, end)
    of_cell = np.arange(start, end) // (cells.size // means.size)
    return float(np.sum((cells[start:end] - means[of_cell]) ** 2))
