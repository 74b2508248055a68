"""Each figure of a gate, measured of a subject: in one run, or as its change from another run to this one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ...stats import Estimate, compare_runs, pass_k_rates, summarise
from ..config.gates import OF_K, GateConfig, Rule
from ..findings import JudgeUsage, Usage
from . import values
from .evidence import Evidence, Mask
from .measuring import Labels, Measure, measured_change, measured_rate
from .subjects import EVERY, Subject
from .values import Values

RATES: Mapping[str, Callable[[Evidence, Sequence[int]], Values]] = {
    "pass_rate": values.pass_rate,
    "flip_rate": values.flips,
    "answer_agreement": values.agreement,
    "baseline_rate": lambda evidence, columns: values.passes(evidence.outcomes, columns[0]),
    "robust_rate": values.robust,
    "any_pass_rate": values.anywhere,
    "fully_stable": values.stable,
    "always_fails": values.nowhere,
    "errors": values.errors,
    **{figure: partial(values.replies, figure=figure) for figure in values.BAD},
}
COUNTED = {"errors": "cells", **dict.fromkeys(values.BAD, "replies")}


@dataclass(frozen=True, slots=True)
class Measured:
    """One subject with its figure."""

    subject: str
    measure: Measure


def measured(gate: GateConfig, rule: Rule, subject: Subject, now: Evidence, then: Evidence | None) -> list[Measured]:
    """Measure the figure of a gate.

    Args:
        gate: The gate.
        rule: Its rule.
        subject: What it is taken of.
        now: The run.
        then: The run that it is compared with; None where a gate is on one run.

    Returns:
        One figure; several where the figure is of slots.
    """
    if rule.kind.scope == "slots":
        return of_slots(now)
    if then is not None:
        return [Measured(subject.name, between(rule, subject, now, then))]
    if gate.figure in OF_K:
        return [Measured(subject.name, of_runs(gate, subject, now))]
    if rule.kind.scope == "control":
        return [Measured(subject.name, of_control(subject, now))]
    rows, labels = rows_of(subject, now)
    columns = now.columns(subject.conditions)
    if rule.kind.kind == "difference":
        before, after = differences(rule.figure, now, columns)
        return [
            Measured(subject.name, measured_change(before.of(rows), after.of(rows), labels, higher=rule.kind.higher))
        ]
    found = RATES[rule.figure](now, columns).of(rows)
    return [Measured(subject.name, measured_rate(found, labels, of=COUNTED.get(rule.figure, "")))]


def differences(figure: str, evidence: Evidence, columns: Sequence[int]) -> tuple[Values, Values]:
    """Where a difference starts from, and what it comes to."""
    if figure == "excess_flips":
        return values.excess(evidence, columns)
    return values.change(evidence.parsed if figure == "parsed_change" else evidence.outcomes, columns)


def rows_of(subject: Subject, evidence: Evidence) -> tuple[Mask, Labels | None]:
    """The items that count, and the clusters that make them depend on one another; within one cluster none does."""
    every = np.ones(len(evidence.outcomes.items), dtype=bool)
    labels = evidence.outcomes.clusters
    if subject.cluster is None:
        return every, labels
    return np.array([label == subject.cluster for label in labels or ()], dtype=bool) & every, None


def between(rule: Rule, subject: Subject, now: Evidence, then: Evidence) -> Measure:
    """The change of a figure from one run to another, over the items of both."""
    figure = "pass_rate" if rule.figure == "change" else rule.figure
    names = [name for name in subject.conditions if name in then.outcomes.conditions]
    here, there = then.columns(names), now.columns(names)
    rows, labels = rows_of(subject, now)
    if figure == "robustness_change":
        return of_robustness(names, now, then)
    if not names:
        empty = values.nothing(now)
        return measured_change(empty, empty, labels, higher=rule.kind.higher)
    of_now, of_then = own_values(figure, now, there), own_values(figure, then, here)
    places = {item: place for place, item in enumerate(then.outcomes.items)}
    found = [places.get(item, -1) for item in now.outcomes.items]
    at = np.array(found, dtype=np.intp)
    before = Values(of_then.values[at], of_then.kept[at] & (at >= 0), of_then.runs[at], of_then.whole)
    first, second = values.paired(before.of(rows), of_now.of(rows))
    return measured_change(first, second, labels, higher=rule.kind.higher)


def of_robustness(names: Sequence[str], now: Evidence, then: Evidence) -> Measure:
    """How much more or less a run loses under some conditions than another, over the items complete in both."""
    before, after = then.outcomes.select(names), now.outcomes.select(names)

    def at(level: float) -> Estimate:
        # Nothing of what is drawn enters this figure.
        found = compare_runs(before, after, rng=np.random.default_rng(0), alpha=1.0 - level, draws=1)
        return found.robustness_change

    if not set(before.items) & set(after.items):
        return Measure(0, 0, lambda level: Estimate(None, None, None, level, 0, "no item is in both runs"))
    found = at(1.0 - now.world.alpha)
    units = found.n if before.codes is None else min(found.n, int(before.codes.max()) + 1)
    return Measure(found.n, units, at, foreseeable=False)


def own_values(figure: str, evidence: Evidence, columns: Sequence[int]) -> Values:
    """The values of a figure in one run; a pass rate over every item that has a result, whatever the baseline has."""
    if figure == "pass_rate":
        return values.mean_of([values.passes(evidence.outcomes, column) for column in columns])
    return RATES[figure](evidence, columns)


def of_runs(gate: GateConfig, subject: Subject, evidence: Evidence) -> Measure:
    """pass@k or pass^k of a condition."""
    k, name = gate.k or 1, subject.conditions[0]

    def at(level: float) -> Estimate:
        found = pass_k_rates(evidence.outcomes, condition=name, level=level)
        if len(found) < k:
            return Estimate(None, None, None, level, 0, "no item has so many runs")
        return found[k - 1].at_least_one if gate.figure == "pass_at_k" else found[k - 1].all_of_them

    return of_estimates(at, evidence)


def of_control(subject: Subject, evidence: Evidence) -> Measure:
    """How often answers that were right follow a control."""
    response = evidence.control[subject.conditions[0]]
    return of_estimates(lambda level: response(1.0 - level).follows, evidence)


def of_estimates(at: Callable[[float], Estimate], evidence: Evidence) -> Measure:
    """A figure of which the statistics give the interval alone; without repeats and clusters its count is exact."""
    found = at(1.0 - evidence.world.alpha)
    alone = evidence.outcomes.codes is None and found.count is not None
    units = found.n if evidence.outcomes.codes is None else min(found.n, int(evidence.outcomes.codes.max()) + 1)
    return Measure(found.n, units, at, count=found.count if alone else None)


def of_slots(evidence: Evidence) -> list[Measured]:
    """How much more often answers pass with the right option in a slot than elsewhere, one figure a slot."""
    found = evidence.positions(evidence.world.alpha)
    if found is None:
        return []

    def at(place: int, level: float) -> Estimate:
        again = evidence.positions(1.0 - level)
        assert again is not None  # noqa: S101 - slots do not depend on the level
        return again.figures.slots[place].difference

    return [
        Measured(f"slot {label}", Measure(slot.difference.n, slot.difference.n, partial(at, place), foreseeable=False))
        for place, (label, slot) in enumerate(zip(found.labels, found.figures.slots, strict=True))
        if slot.difference.n
    ]


def failing_items(evidence: Evidence, subject: Subject, rows: Mask) -> list[str]:
    """The items that fail under every condition, among some."""
    found = values.nowhere(evidence, evidence.columns(subject.conditions)).of(rows)
    return [evidence.outcomes.items[place] for place in np.flatnonzero(found.kept & (found.values >= 1.0)).tolist()]


def point(figure: str, subject: Subject, evidence: Evidence) -> tuple[float | None, int, str]:
    """A figure that carries no interval, what it rests on, and its method."""
    names = evidence.outcomes.conditions
    chosen = evidence.outcomes.select([names[column] for column in evidence.columns(subject.conditions)])
    overall = summarise(chosen, alpha=evidence.world.alpha).overall
    if figure == "pooled_flip_rate":
        return overall.pooled_flip_rate.estimate, overall.pooled_flip_rate.n, "share of paired cells, no interval"
    if figure == "spread":
        return overall.spread.estimate, overall.baseline_rate.n, "best condition's rate − worst's, no interval"
    return overall.robustness_score, overall.baseline_rate.n, "½·mean agreement + ½·(1 − mean drop), no interval"


def fact(figure: str, subject: Subject, usage: Usage | None) -> tuple[float | None, int, str]:
    """What a run took: the figure, the replies that it is of, and what it counts.

    Calls, tokens and cost of a whole run are those of the judge of its answers, too; which of these are of one
    condition is not known, and there they are of the model under test alone, as latencies always are.
    """
    entry = None
    if usage is not None and usage.judge is not None and subject.name == EVERY and not figure.startswith("latency"):
        return with_judge(figure, usage, usage.judge)
    if usage is not None:
        of = {each.condition: each for each in usage.conditions}
        entry = usage.total if subject.name == EVERY else of.get(subject.conditions[0])
    if entry is None:
        return None, 0, "no reply is known"
    if figure.startswith("latency"):
        seconds = {"p50": entry.latency.p50_s, "p90": entry.latency.p90_s, "p99": entry.latency.p99_s}
        return seconds[figure.split("_")[1]], entry.latency.n, "nearest rank of the answers that were timed"
    if figure == "tokens":
        return (
            float(entry.prompt_tokens + entry.completion_tokens),
            entry.with_tokens,
            "sum over replies with known tokens",
        )
    if figure == "calls":
        return float(entry.calls), entry.replies, "retries included"
    return entry.cost, entry.with_tokens, "by the config's prices"


def with_judge(figure: str, usage: Usage, judge: JudgeUsage) -> tuple[float | None, int, str]:
    """What model under test and judge took together, as `fact`."""
    both, total = usage.together, usage.total
    if both is None:
        return None, 0, "no reply is known"
    if figure == "calls":
        return float(both.calls), total.replies + judge.replies, "retries included, with the judge's"
    n = total.with_tokens + judge.with_tokens
    if figure == "tokens":
        return (
            float(both.prompt_tokens + both.completion_tokens),
            n,
            "sum over replies with known tokens, the judge's too",
        )
    unknown = usage.no_cost or judge.no_cost
    return both.cost, n, f"not known: {unknown}" if unknown else "by the prices of model and judge"
