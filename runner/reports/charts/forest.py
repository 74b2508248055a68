"""The forest plot: the change of each condition with its interval, beside no change and the margin."""

from ...findings import ConditionFinding, Report
from ...problems import counted
from ..text import p_value, percent, points, points_interval, visible
from ..wording import verdict_words
from .chart import Chart
from .intervals import Row, interval_plot
from .labels import TOLD, label
from .largest import largest_words

HEADINGS = ("condition", "verdict", "n", "baseline", "rate", "change", "interval", "p", "Holm p")


def forest(report: Report) -> Chart:
    """Draw the change of each condition against the baseline, those that stand apart from the headline last."""
    findings = (*report.conditions, *report.apart)
    level, margin = f"{100 * report.summary.level:.0f}%", report.summary.margin
    rows = [Row(each.summary.condition, each.summary.change, told(each, report)) for each in findings]
    method = next((each.summary.change.method for each in findings if each.summary.n), "")
    return Chart(
        name="forest",
        title="Change of each condition against the baseline",
        summary=_summary(report),
        note=f"Points: variant rate − baseline rate on the n items that carry both. Lines: {level} intervals "
        f"({method or 'none, without paired items'}). Dashed: the margin, a drop of {100 * margin:g} points."
        + largest_words(len(rows), "changes"),
        spec=interval_plot(
            rows,
            title=f"change in points, with {level} intervals",
            margin=margin,
            empty="No condition has an item to compare with the baseline.",
        ),
        headings=HEADINGS,
        rows=tuple(_cells(each, report) for each in findings),
    )


def told(finding: ConditionFinding, report: Report) -> str:
    """The verdict in words; of what stands apart, which is not judged, its role."""
    if finding.role != "perturbation" and finding.summary.n:
        return finding.role
    return verdict_words(finding, report)


def _cells(finding: ConditionFinding, report: Report) -> tuple[str, ...]:
    summary, judged = finding.summary, finding.role == "perturbation"
    return (
        visible(summary.condition),
        told(finding, report),
        f"{summary.n}",
        percent(summary.baseline_rate.estimate),
        percent(summary.variant_rate.estimate),
        points(summary.change.estimate),
        points_interval(summary.change),
        p_value(summary.exact.pvalue),
        p_value(summary.holm_p) if judged else "",
    )


def _summary(report: Report) -> str:
    compared = report.compared
    if not compared:
        return "No condition has an item to compare with the baseline."
    verdicts = [told(each, report) for each in compared]
    tally = ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(verdicts))
    worst = min(compared, key=lambda each: each.summary.change.estimate or 0.0).summary
    best = max(compared, key=lambda each: each.summary.change.estimate or 0.0).summary
    lowest, highest = (
        f"{points(each.change.estimate)} points ({label(each.condition, TOLD)})" for each in (worst, best)
    )
    span = f"changes go from {lowest} to {highest}" if best is not worst else f"the change is {lowest}"
    return f"Of {counted(len(compared), 'condition')} compared with the baseline {tally}: {span}."
