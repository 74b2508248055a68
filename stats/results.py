"""What a statistic returns: an estimate with its interval, or a test. Never NaN: what can't be estimated is None."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """One figure, its interval, and what it rests on.

    Attributes:
        estimate: The figure; None where nothing could be estimated (n = 0).
        low: Lower confidence limit; None where the figure carries no interval.
        high: Upper confidence limit; None where the figure carries no interval.
        level: Confidence level of the interval, such as 0.95; None where the figure never carries one.
        n: How many units the figure rests on: items, or cells where the method says so.
        method: The method by name.
        count: The numerator where the figure is a share of counted units; None otherwise.
        standard_error: Standard error of the figure, where items have repeats or clusters; None otherwise. The limits
            don't come from it.
    """

    estimate: float | None
    low: float | None
    high: float | None
    level: float | None
    n: int
    method: str
    count: int | None = None
    standard_error: float | None = None


@dataclass(frozen=True, slots=True)
class HypothesisTest:
    """One significance test.

    Attributes:
        pvalue: The p-value; None where there is nothing to test (n = 0).
        statistic: The test statistic that the method names; None where there is nothing to test.
        n: How many items the test rests on.
        method: The method by name, with what makes it differ from its neighbours (exact, mid-p, one-sided).
    """

    pvalue: float | None
    statistic: float | None
    n: int
    method: str
