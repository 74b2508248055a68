"""What a change means for a day's requests: failures and cost more or fewer, as users really write."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...stats import Estimate, weighted_change
from ..config.impact import ImpactConfig
from ..errors import UsageError
from ..plan import BASELINE
from ..problems import did_you_mean, quoted
from ..suggest import listed
from .aligning import Aligned
from .findings import Claim, ConditionChange, Impact, ImpactRow

ALL = "all"
PROVEN = frozenset({"regressed", "improved"})
FAILURES = "requests a day × share × −change; limits from those of the change: {method}"
COST = "failures a day × cost of a failure"


def impact_of(
    config: ImpactConfig,
    aligned: Aligned,
    conditions: Sequence[ConditionChange],
    claims: Sequence[Claim],
    *,
    level: float,
) -> Impact:
    """Say what the changes make of a day's requests.

    Args:
        config: Requests a day, what a failure costs, how users write.
        aligned: The two runs.
        conditions: The changes by condition.
        claims: The four questions.
        level: Confidence level.

    Raises:
        UsageError: A weight is of a condition that the runs don't both have.
    """
    weights = weights_of(config.weights, conditions)
    verdicts = [each.verdict for each in claims[:-1]] + [each.verdict for each in conditions]
    proven = any(verdict in PROVEN for verdict in verdicts)
    if not weights:
        rows = tuple(
            _row(config, each.condition, 1.0, each.figures.change, each.verdict in PROVEN) for each in conditions
        )
        return Impact(
            config.traffic, config.cost_per_failure, config.currency, is_weighted=False, rows=rows, total=None
        )
    shares = {BASELINE: max(1.0 - sum(weights.values()), 0.0), **weights}
    rows = tuple(
        _row(config, each.condition, share, each.figures.change, each.verdict in PROVEN)
        for each in conditions
        if (share := shares.get(each.condition, 0.0)) > 0.0
    )
    change = weighted_change(*aligned.counted, shares, level=level)
    decided = proven and change.low is not None and change.high is not None and (change.low > 0 or change.high < 0)
    total = _row(config, ALL, 1.0, change, decided)
    return Impact(
        config.traffic,
        config.cost_per_failure,
        config.currency,
        is_weighted=True,
        rows=rows,
        total=total,
        notes=tuple(_notes(change, conditions)),
    )


def weights_of(given: Mapping[str, float], conditions: Sequence[ConditionChange]) -> dict[str, float]:
    """The weight of each condition; that of a generator is shared out evenly among its conditions.

    Raises:
        UsageError: A weight is of a condition or a generator that the runs don't both have, or counts twice.
    """
    variants = [each for each in conditions if each.condition != BASELINE]
    weights: dict[str, float] = {}
    for name, weight in given.items():
        meant = [each.condition for each in variants if each.condition == name]
        meant = meant or [each.condition for each in variants if each.generator == name]
        if not meant:
            known = [*dict.fromkeys(each.generator for each in variants), *(each.condition for each in variants)]
            hint = did_you_mean(name, known) or "; they have " + listed(known, last="and")
            raise UsageError(f"impact.weights: the runs share no condition and no generator {quoted(name)}{hint}")
        for condition in meant:
            if condition in weights:
                raise UsageError(f"impact.weights: {quoted(name)} weighs {condition} once more; leave one of both out")
            weights[condition] = weight / len(meant)
    return {name: weight for name, weight in weights.items() if weight > 0.0}


def _row(config: ImpactConfig, name: str, share: float, change: Estimate, proven: bool) -> ImpactRow:  # noqa: FBT001 - one of a row's own figures
    requests = config.traffic * share
    failures = scaled(change, -requests, FAILURES.format(method=change.method))
    cost = config.cost_per_failure
    return ImpactRow(name, share, requests, proven, failures, None if cost is None else scaled(failures, cost, COST))


def scaled(change: Estimate, factor: float, method: str) -> Estimate:
    """An estimate and its limits times a factor; a negative one swaps the limits."""
    low, high = (None if each is None else each * factor for each in (change.low, change.high))
    if factor < 0:
        low, high = high, low
    estimate = None if change.estimate is None else change.estimate * factor + 0.0
    return replace(change, estimate=estimate, low=low, high=high, method=method, count=None, standard_error=None)


def _notes(change: Estimate, conditions: Sequence[ConditionChange]) -> Iterator[str]:
    most = max((each.figures.n for each in conditions), default=0)
    if change.n < most:
        yield (
            f"The whole is over the {change.n} of {most} items that have a result under every weighted wording in both "
            "runs."
        )
