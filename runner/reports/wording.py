"""What the figures allow to say, in sentences; every report uses the same ones."""

from collections.abc import Iterator, Sequence

from ..findings import ConditionFinding, Report
from .text import percent, points, points_interval, visible

VERDICT_WORDS = {
    "regressed": "regressed",
    "improved": "improved",
    "suggestive": "suggestive",
    "no_worse": "no worse",
    "inconclusive": "inconclusive",
    "too_few": "too few items",
}


def conclusion(report: Report) -> str:
    """Say in one or two sentences what the run shows."""
    overall = report.summary.overall
    regressed = [each for each in report.conditions if each.summary.verdict == "regressed"]
    rate = percent(overall.baseline_rate.estimate)
    if overall.baseline_rate.n == 0:
        return "No item has a result under the baseline, so nothing can be compared."
    if not report.conditions:
        return f"The baseline passes {rate}; no variant has a result to compare with it."
    if regressed:
        worst = min(regressed, key=lambda each: each.summary.change.estimate or 0.0)
        return (
            f"The baseline's {rate} does not survive {_names(regressed)}: {visible(worst.summary.condition)} changes it by "
            f"{points(worst.summary.change.estimate)} points ({points_interval(worst.summary.change)}). "
            f"{percent(overall.robust_rate.estimate)} pass everywhere."
        )
    return f"{_unproven(report)} {percent(overall.robust_rate.estimate)} pass everywhere, against {rate} at baseline."


def _unproven(report: Report) -> str:
    verdicts = [each.summary.verdict for each in report.conditions]
    if all(verdict == "too_few" for verdict in verdicts):
        return "Too few items for a verdict: each variant needs 10 paired items."
    if all(verdict in {"no_worse", "improved"} for verdict in verdicts):
        return f"No variant is worse by {points(report.summary.margin).lstrip('+')} points or more."
    hints = [each for each in report.conditions if each.summary.verdict == "suggestive"]
    if hints:
        return f"No variant is proven worse, but {_names(hints)} hints at a change: more items would settle it."
    return "No variant is proven worse, and for some none is ruled out: that is not the same as no change."


def _names(findings: Sequence[ConditionFinding]) -> str:
    names = [visible(each.summary.condition) for each in findings]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def method_lines(report: Report) -> Iterator[str]:
    """Say what each kind of figure is and what it can't say, for the figures that this report shows."""
    summary = report.summary
    yield (
        "change = variant rate − baseline rate on the items that carry both, in points; "
        f"{100 * summary.level:.0f}% interval by Newcombe's method 10."
    )
    if summary.bonferroni_bar is not None:
        yield (
            f"exact p: McNemar's exact test of no change; with {summary.tests} variants the Bonferroni bar for it is "
            f"{100 * summary.bonferroni_bar:.2f}%. Verdicts go by Holm's adjusted p at {summary.alpha:g}."
        )
    yield (
        f"no worse: Tango's score interval rules out a drop of {100 * summary.margin:g} points or more. inconclusive: "
        "neither a change nor its absence is shown."
    )
    yield "Rates and shares carry Wilson's interval over items; the pooled flip rate and the spread carry none."
    if not any(each.role == "rerun" for each in report.apart):
        yield "One result a cell: a flip may be the model's own run-to-run noise. " + (
            "Add `rerun` to `perturbations` to see how often the original prompt flips by itself."
            if report.source.kind == "run"
            else "Results of the original asked again, as a further condition, would show how large that is."
        )
    yield "Stable is not right: an item that fails everywhere is fully stable."
