"""The headline: all variants together, over the conditions that have an item to compare."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..stats import Outcomes, Summary, summarise
from .answers import Answers


def summarise_headline(
    outcomes: Outcomes,
    conditions: Sequence[str],
    reruns: Sequence[str],
    *,
    alpha: float,
    margin: float,
    answers: Answers | None = None,
) -> Summary:
    """Summarise the conditions of the headline; one without any paired item counts in no figure over all of them.

    Such a condition would leave no complete item, and so take the robust rate from all others.

    Args:
        outcomes: Results, the baseline first.
        conditions: The conditions of the headline, in the order in which they are reported.
        reruns: The conditions that repeat the original.
        alpha: Significance level.
        margin: The largest drop that would not matter, as a rate.
        answers: What was read in each reply; None leaves answer agreement out.

    Returns:
        The figures over the conditions with a paired item; `conditions` has the others too, with n 0.
    """

    def over(names: Sequence[str]) -> Summary:
        counted = outcomes.select([*names, *reruns])
        codes = None if answers is None else answers.of(counted)
        return summarise(counted, alpha=alpha, margin=margin, answers=codes, reruns=reruns)

    compared = compared_conditions(outcomes, conditions)
    summary = over(compared)
    if len(compared) == len(conditions):
        return summary
    others = over([name for name in conditions if name not in compared])
    found = {each.condition: each for each in (*summary.conditions, *others.conditions)}
    return replace(summary, conditions=tuple(found[name] for name in conditions))


def compared_conditions(outcomes: Outcomes, conditions: Sequence[str]) -> list[str]:
    """The conditions under which at least one item has a result that it also has under the baseline."""
    present = np.any(outcomes.cells >= 0, axis=2)
    return [name for name in conditions if np.any(present[:, 0] & present[:, outcomes.variant_column(name)])]


def not_compared(summary: Summary) -> tuple[str, ...]:
    """The conditions without any paired item, which count in no figure over all variants."""
    return tuple(each.condition for each in summary.conditions if not each.n)
