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
    """Say in two or three sentences what the run shows."""
    overall = report.summary.overall
    if overall.baseline_rate.n == 0:
        return "No item has a result under the baseline, so nothing can be compared."
    if not any(each.summary.n for each in report.conditions):
        rate = percent(overall.baseline_rate.estimate)
        return f"The baseline passes {rate}; no variant has a result to compare with it."
    return " ".join((_verdict(report), *_items(report)))


def _verdict(report: Report) -> str:
    """What is proven of the variants, each on average over the items."""
    regressed = [each for each in report.conditions if each.summary.verdict == "regressed"]
    if regressed:
        worst = min(regressed, key=lambda each: each.summary.change.estimate or 0.0).summary
        return (
            f"The baseline's {percent(report.summary.overall.baseline_rate.estimate)} does not survive "
            f"{_names(regressed)}: {visible(worst.condition)} changes it by {points(worst.change.estimate)} points "
            f"({points_interval(worst.change)})."
        )
    verdicts = {each.summary.verdict for each in report.conditions}
    if verdicts == {"too_few"}:
        return "Too few items for a verdict: a variant needs 10 paired items."
    if verdicts <= {"no_worse", "improved"}:
        return f"No variant lowers the rate by {100 * report.summary.margin:g} points or more."
    hints = [each for each in report.conditions if each.summary.verdict == "suggestive"]
    if hints:
        return f"No variant is proven worse, but {_names(hints)} hints at a change; more items would settle it."
    return "No variant is proven worse, and not every one is proven harmless."


def _items(report: Report) -> Iterator[str]:
    """What happens to single items, which averages hide."""
    overall = report.summary.overall
    stable, robust = overall.fully_stable, overall.robust_rate
    if stable.count is not None and stable.n:
        yield f"{stable.n - stable.count} of {stable.n} items change their result under some variant;"
    if robust.estimate is not None:
        yield (
            f"{percent(robust.estimate)} pass under every one, against {percent(overall.baseline_rate.estimate)} at "
            "baseline."
        )


def _names(findings: Sequence[ConditionFinding]) -> str:
    names = [visible(each.summary.condition) for each in findings]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def method_lines(report: Report) -> Iterator[str]:
    """Say what each kind of figure is and what it can't say, for the figures that this report shows."""
    summary, overall = report.summary, report.summary.overall
    level = f"{100 * summary.level:.0f}%"
    if report.conditions:
        first = report.conditions[0].summary
        yield (
            "change = variant rate − baseline rate on the items that carry both, in points; "
            f"{level} interval: {first.change.method}."
        )
        if summary.bonferroni_bar is not None:
            variants = "variant" if summary.tests == 1 else "variants"
            yield (
                f"exact p: {first.exact.method}, of no change; with {summary.tests} {variants} the Bonferroni bar for "
                f"it is {100 * summary.bonferroni_bar:.2f}%. Verdicts go by Holm's adjusted p at {summary.alpha:g}."
            )
        yield (
            f"no worse: the lower limit of {first.change_score.method} rules out a drop of {100 * summary.margin:g} "
            "points or more. inconclusive: neither a change nor its absence is shown."
        )
    yield (
        f"Rates and shares carry an interval over items: {overall.baseline_rate.method}. The pooled flip rate and the "
        "spread carry none."
    )
    if summary.clusters is not None:
        yield (
            f"Items of one cluster are not independent: intervals and tests rest on {summary.clusters} clusters. "
            "`unclustered` in the JSON report has the figures as if they were."
        )
    yield _noise_line(report)
    yield "Stable is not right: an item that fails everywhere is fully stable."


def _noise_line(report: Report) -> str:
    """Why a flip rate needs a floor, and where it is found."""
    if report.summary.repeats > 1:
        return (
            "A flip rate can't be read without its floor, how often two runs of the same prompt differ; caused = "
            "flip rate − mean floor of the two prompts estimates what the wording itself did."
        )
    if any(each.role == "rerun" for each in report.apart):
        return (
            "A flip rate can't be read without its floor, how often the original asked again differs from itself; "
            "excess = flips of the variant − flips of the rerun, paired on the same items."
        )
    return "One result a cell: a flip may be the model's own run-to-run noise. " + (
        "Add `rerun` to `perturbations`, or set `repeats`, to see how often the original prompt flips by itself."
        if report.source.kind == "run"
        else "Results of the original asked again would show how large that is."
    )
