"""The mean score by a plain bootstrap over rows: what is often reported of judged pairs, and is not to be believed."""

import numpy as np

from .checks import check_fraction, whole_number
from .judged_pairs import JudgedPairs
from .results import Estimate

METHOD = "mean score, plain percentile bootstrap over rows; for comparison only"
DRAWN_AT_ONCE = 1_000_000


def bootstrap_rows(
    pairs: JudgedPairs, *, rng: "np.random.Generator", resamples: int = 2_000, level: float = 0.95
) -> Estimate:
    """Estimate the candidate's mean score as if every judgement stood by itself.

    *Choose it* only to show beside `win_rate` what it would say. The two rows of a query are one piece of evidence
    twice, so its interval is too narrow where the judge is consistent; where only one order was judged, a judge's bias
    for a place passes for a preference; and for few rows, or rows that all agree, percentiles are too narrow still.

    Args:
        pairs: The judgements. Rows of incomplete queries count too.
        rng: Source of the draws; a seeded one repeats its limits.
        resamples: Number of draws, at least 100.
        level: Confidence level.

    Returns:
        The mean score over rows, with percentile limits; n is the number of rows. Nothing but n where there are none.

    Raises:
        ValueError: If there are fewer than 100 resamples, or `level` is not between 0 and 1.

    References:
        B. Efron and R. J. Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.

    Examples:
        Ten queries, eight of them won in both orders: over rows this looks certain. The exact test has p = .11.

        >>> import numpy as np
        >>> from prt.stats import JudgedPairs, bootstrap_rows
        >>> scores = (1.0,) * 8 + (0.0,) * 2
        >>> pairs = JudgedPairs(tuple("abcdefghij"), scores, scores)
        >>> rows = bootstrap_rows(pairs, rng=np.random.default_rng(1))
        >>> f"{rows.estimate:.2f}, n = {rows.n}", rows.low > 0.5
        ('0.80, n = 20', True)
    """
    check_fraction("level", level)
    if whole_number("resamples", resamples) < 100:
        raise ValueError(f"a bootstrap needs at least 100 resamples, got {resamples}")
    rows = np.array([score for score in (*pairs.shown_first, *pairs.shown_second) if score is not None], dtype=float)
    if rows.size == 0:
        return Estimate(None, None, None, level, 0, METHOD)
    values, counts = np.unique(rows, return_counts=True)
    at_once = max(DRAWN_AT_ONCE // values.size, 1)
    means = [
        rng.multinomial(rows.size, counts / rows.size, size=min(at_once, resamples - done)) @ values / rows.size
        for done in range(0, resamples, at_once)
    ]
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(np.concatenate(means), [tail, 1.0 - tail]).tolist()
    return Estimate(float(rows.mean()), low, high, level, rows.size, METHOD)
