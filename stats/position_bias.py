"""Position bias: does the judge favour what it is shown first?"""

from dataclasses import dataclass

import numpy as np

from .judged_pairs import JudgedPairs
from .mcnemar import mcnemar_exact
from .results import Estimate, HypothesisTest
from .tables import PairedTable

METHOD = "mean score of the first shown − ½, over both orders of the complete queries"
TEST = "exact binomial, inconsistent queries that favour the first against the second shown"


@dataclass(frozen=True, slots=True)
class PositionBias:
    """How far the order of showing decides.

    Attributes:
        advantage: Mean score of what was shown first − ½, over both orders of the complete queries: 0 for a judge
            without a preference, ½ for one that always picks the first.
        favouring_first: Inconsistent queries in which whatever was shown first won.
        favouring_second: Those in which whatever was shown second won.
        exact: Exact test that the two are alike.
    """

    advantage: Estimate
    favouring_first: int
    favouring_second: int
    exact: HypothesisTest


def position_bias(pairs: JudgedPairs) -> PositionBias:
    """Measure and test the bias for a position.

    Consistent queries say nothing of position: whoever wins in both orders won once in each place. Without a bias, an
    inconsistent query favours either place alike.

    Args:
        pairs: Judgements in both orders.

    Returns:
        The advantage of the first place and the exact test.

    References:
        L. Zheng et al. (2023), Judging LLM-as-a-judge, arXiv:2306.05685, on position bias; the test is the exact sign
        test (McNemar's).

    Examples:
        A judge that picks the first shown in 133 of 143 inconsistent pairs:

        >>> from prt.stats import JudgedPairs, position_bias
        >>> first, second = [1] * 133 + [0] * 10 + [1] * 276, [0] * 133 + [1] * 10 + [1] * 276
        >>> queries = tuple(map(str, range(419)))
        >>> bias = position_bias(JudgedPairs(queries, tuple(first), tuple(second)))
        >>> bias.favouring_first, bias.favouring_second, round(bias.advantage.estimate, 3)
        (133, 10, 0.147)
    """
    first, second = pairs.both_orders()
    n = first.size
    advantage = float(np.mean((first + 1.0 - second) / 2.0)) - 0.5 if n else None
    towards, away = pairs.favouring_first, pairs.favouring_second
    test = mcnemar_exact(PairedTable(0, away, towards, n - towards - away))
    return PositionBias(
        advantage=Estimate(advantage, None, None, None, n, METHOD),
        favouring_first=towards,
        favouring_second=away,
        exact=HypothesisTest(test.pvalue, test.statistic, test.n, TEST),
    )
