"""What the figures allow to say, in sentences; every report uses the same ones."""

from collections.abc import Iterator, Sequence

from ...stats import Estimate
from ..findings import ConditionFinding, Report
from ..problems import counted
from .controls import control_warning
from .positions import favoured_labels
from .text import percent, points, points_interval, visible

VERDICT_WORDS = {
    "regressed": "regressed",
    "improved": "improved",
    "suggestive": "suggestive",
    "no_worse": "no worse",
    "inconclusive": "inconclusive",
    "too_few": "too few items",
}


MOSTLY = 0.5
NAMED = 8


def verdict_words(finding: ConditionFinding, report: Report) -> str:
    """The verdict as the table shows it: none without an item to compare, and no comfort where nothing could fall."""
    summary = finding.summary
    if not summary.n:
        return "not asked" if finding.applied_to_none else "no result"
    if summary.verdict == "no_worse" and report.summary.overall.baseline_rate.estimate == 0:
        return "says nothing"
    return VERDICT_WORDS[summary.verdict]


def conclusion(report: Report) -> str:
    """Say in a few sentences what the run shows, what could not be read first."""
    overall = report.summary.overall
    if overall.baseline_rate.n == 0:
        return "No item has a result under the baseline, so nothing can be compared."
    unread = tuple(_unread(report))
    if not report.compared:
        baseline = _count(overall.baseline_rate)
        passes = "The baseline passes" if overall.baseline_rate.count is not None else "Runs of the baseline pass in"
        alone = f"{passes} {baseline}; no variant has a result to compare with it."
        why = (f"{sentence}." for sentence, _ in _reasons_without_items(report))
        return " ".join(filter(None, (*unread, alone, *why, control_warning(report))))
    regressed = any(each.summary.verdict == "regressed" for each in report.compared)
    said = (_verdict(report), _items(report)) if regressed else (_items(report), _verdict(report))
    return " ".join(filter(None, (*unread, *said, *_uncounted(report), _favourites(report), control_warning(report))))


def _uncounted(report: Report) -> Iterator[str]:
    """Which conditions count in no figure over all variants, and why."""
    for sentence, one in _reasons_without_items(report):
        yield f"{sentence} and {'counts' if one else 'count'} in no figure over all variants."


def _reasons_without_items(report: Report) -> Iterator[tuple[str, bool]]:
    """Which conditions have no item to compare, by whether any was to be asked; and whether it is a single one."""
    missing = [each for each in report.conditions if not each.summary.n]
    applied_to_none = [each for each in missing if each.applied_to_none]
    others = [each for each in missing if not each.applied_to_none]
    if applied_to_none:
        yield f"{_names(applied_to_none)} applied to no item", len(applied_to_none) == 1
    if others:
        verb = "has" if len(others) == 1 else "have"
        yield f"{_names(others)} {verb} no item to compare", len(others) == 1


def _unread(report: Report) -> Iterator[str]:
    """What hides the model's answers, where that is most of them: then no figure is about the model."""
    statuses = report.baseline_statuses
    if statuses is None:
        return
    counts = {"unparsed": statuses.unparsed, "truncated": statuses.truncated, "refused": statuses.refused}
    replies = statuses.graded + sum(counts.values())
    if replies and sum(counts.values()) > MOSTLY * replies:
        worst = max(counts, key=lambda status: counts[status])
        yield (
            f"{sum(counts.values())} of {replies} replies to the original prompts gave no readable answer "
            f"({_names_of(counts)}), so the figures say little about the model. {ADVICE[worst]}"
        )


ADVICE = {
    "unparsed": "`prt show` tells why a reply was not read; `grade` or `prompt.answer` may be at fault.",
    "truncated": "They were cut off: raise `max_tokens` in `model.params`.",
    "refused": "The endpoint or the model refuses these prompts.",
}


def _names_of(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {status}" for status, count in counts.items() if count)


def _verdict(report: Report) -> str:
    """What is proven of the variants, each on average over the items."""
    baseline = report.summary.overall.baseline_rate
    regressed = [each for each in report.compared if each.summary.verdict == "regressed"]
    if regressed:
        worst = min(regressed, key=lambda each: each.summary.change.estimate or 0.0).summary
        return (
            f"The baseline's {percent(baseline.estimate)} does not survive {_names(regressed)}: "
            f"{visible(worst.condition)} changes it by {points(worst.change.estimate)} points "
            f"({points_interval(worst.change)})."
        )
    if baseline.estimate == 0:
        return "The baseline passes nothing, so nothing could fall: this says nothing about robustness."
    verdicts = {each.summary.verdict for each in report.compared}
    if verdicts == {"too_few"}:
        return "Too few items for a verdict: a variant needs 10 paired items."
    if verdicts <= {"no_worse", "improved"}:
        return f"On average, no variant lowers the rate by {100 * report.summary.margin:g} points or more."
    hints = [each for each in report.compared if each.summary.verdict == "suggestive"]
    if hints:
        verb = "hints" if len(hints) == 1 else "hint"
        return (
            f"On average, no variant is proven worse, but {_names(hints)} {verb} at a change for more items to settle."
        )
    return _unproven(report)


def _unproven(report: Report) -> str:
    """What may be said where no variant is proven worse, and not every one is proven harmless."""
    harmless = [each for each in report.compared if each.summary.verdict in {"no_worse", "improved"}]
    if not harmless:
        return "On average, no variant is proven worse, and none is shown to be harmless."
    drop = f"a drop of {100 * report.summary.margin:g} points or more is ruled out"
    return f"On average, no variant is proven worse; {drop} for {_names(harmless)} alone."


def _items(report: Report) -> str:
    """What happens to single items, which averages hide."""
    overall = report.summary.overall
    stable, robust, baseline = overall.fully_stable, overall.robust_rate, overall.baseline_rate
    parts = []
    if stable.count is not None and stable.n:
        parts.append(f"{stable.n - stable.count} of {stable.n} items change their result under some variant")
    if robust.n and robust.count is None:
        parts.append(
            f"Single runs of the original and every variant all pass in {_count(robust)}, those of the original in "
            f"{_count(baseline)}"
        )
    elif robust.n:
        parts.append(
            f"{_count(robust)} pass under the original and every variant, {_count(baseline)} under the original"
        )
    elif overall.robust_rate_present.n:
        parts += [
            "no item has a result under every variant, so that there is no robust rate",
            _where_present(overall.robust_rate_present, baseline),
        ]
    return "; ".join(parts) + "." if parts else ""


def _where_present(robust: Estimate, baseline: Estimate) -> str:
    if robust.count is None:
        return (
            f"single runs pass wherever there are any in {_count(robust)}, those of the original in {_count(baseline)}"
        )
    return f"{_count(robust)} pass wherever they have one, {_count(baseline)} under the original"


def _favourites(report: Report) -> str:
    """What no average over balanced orders shows: that the model goes by the place of an option."""
    labels = () if report.positions is None else favoured_labels(report.positions)
    if not labels:
        return ""
    slots = f"slot {labels[0]}" if len(labels) == 1 else f"the slots {', '.join(labels[:-1])} and {labels[-1]}"
    return f"The model favours {slots} among the options."


def _count(rate: Estimate) -> str:
    """`7 of 20 (35.0%)`; over repeats, where nothing is counted, `35.0% (mean of 20 items)`."""
    share = percent(rate.estimate)
    return (
        f"{share} (mean of {counted(rate.n, 'item')})" if rate.count is None else f"{rate.count} of {rate.n} ({share})"
    )


def _names(findings: Sequence[ConditionFinding]) -> str:
    names = [visible(each.summary.condition) for each in findings]
    if len(names) > NAMED:
        return f"{', '.join(names[: NAMED - 1])} and {len(names) - NAMED + 1} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def method_lines(report: Report) -> Iterator[str]:
    """Say what each kind of figure is and what it can't say, for the figures that this report shows."""
    summary, overall = report.summary, report.summary.overall
    level = f"{100 * summary.level:.0f}%"
    if report.compared:
        first = report.compared[0].summary
        yield (
            "change = variant rate − baseline rate on the items that carry both, in points; "
            f"{level} interval: {first.change.method}."
        )
        if summary.bonferroni_bar is not None:
            variants = "variant" if summary.tests == 1 else "variants"
            yield (
                f"p: {first.exact.method}, of no change; with {summary.tests} {variants} the Bonferroni bar for "
                f"it is {100 * summary.bonferroni_bar:.2f}%. Verdicts go by Holm's adjusted p at {summary.alpha:g}."
            )
        yield (
            f"no worse: the lower limit of {first.change_score.method} rules out a drop of {100 * summary.margin:g} "
            "points or more. inconclusive: neither a change nor its absence is shown."
        )
        if summary.overall.baseline_rate.estimate == 0:
            yield "says nothing: the baseline passes nothing, so a drop could not show."
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
