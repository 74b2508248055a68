"""Tables of a report's page: how replies were read, what is missing, what it took; the verdict; where all is from."""

from dataclasses import dataclass

from ...findings import ConditionUsage, Report, StatusCounts, Usage
from ..missing import causes
from ..text import UNKNOWN, points, points_interval
from ..usage import money, seconds, unknown_cost
from ..wording import VERDICT_WORDS
from .blocks import TableView

WORST_FIRST = ("regressed", "suggestive", "inconclusive", "too_few", "improved", "no_worse")
SIGNS = {"regressed": "✗", "suggestive": "!", "inconclusive": "?", "too_few": "?", "improved": "✓", "no_worse": "✓"}
STATUSES = ("graded", "unparsed", "truncated", "refused", "error", "judge_error")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a whole report in a word.

    Attributes:
        kind: Its name in the JSON report; `nothing` where nothing was compared.
        sign: A sign for it, beside the word.
        words: The word, and how many conditions it is of.
    """

    kind: str
    sign: str
    words: str


def verdict_of(report: Report) -> Verdict:
    """The worst verdict among the conditions, and of how many of them it is."""
    found = [each.summary.verdict for each in report.compared]
    if not found:
        return Verdict("nothing", "–", "nothing to compare")
    if report.summary.overall.baseline_rate.estimate == 0:
        return Verdict("inconclusive", "?", "says nothing: the baseline passes nothing")
    worst = next(verdict for verdict in WORST_FIRST if verdict in found)
    if len(found) == 1:
        of = "the one variant"
    else:
        of = f"{'all' if found.count(worst) == len(found) else f'{found.count(worst)} of'} {len(found)} variants"
    return Verdict(worst, SIGNS[worst], f"{VERDICT_WORDS[worst]}: {of}")


def reading_table(report: Report) -> TableView | None:
    """How the replies of each condition were read; none where the results were made elsewhere."""
    if report.baseline_statuses is None:
        return None
    level = f"{100 * report.summary.level:.0f}% interval"
    headings = ("condition", "replies", *(name.replace("_", " ") for name in STATUSES), "change if read", level, "n")
    rows = [("baseline", *counts(report.baseline_statuses), "", "", "")]
    for each in (*report.conditions, *report.apart):
        change = each.parsed_change
        figures = ("", "", "") if change is None else (points(change.estimate), points_interval(change), str(change.n))
        rows.append((each.summary.condition, *counts(each.statuses or StatusCounts()), *figures))
    rows += [(each.response.condition, *counts(each.statuses), "", "", "") for each in report.controls]
    caption = "How replies were read, and the change in points among items whose answer was read under both"
    return TableView(caption, headings, tuple(rows), frozenset(range(1, len(headings))))


def counts(statuses: StatusCounts) -> tuple[str, ...]:
    """The number of replies, and of each status."""
    found = [getattr(statuses, name) for name in STATUSES]
    return tuple(map(str, (sum(found), *found)))


def missing_table(report: Report) -> TableView | None:
    """Every cause of a missing result under every condition; none where nothing is missing."""
    rows = tuple((name, str(each.n), each.cause.replace("_", " "), each.reason) for name, each in causes(report))
    if not rows:
        return None
    headings = ("condition", "cells", "cause", "what was said")
    return TableView("Cells without a result, by cause", headings, rows, frozenset({1}))


def usage_table(report: Report) -> TableView | None:
    """What each condition took, and all together; none where that is not known."""
    found = report.usage
    if found is None:
        return None
    priced = bool(found.currency)
    headings = ["condition", "replies", "failed", "reused", "calls", "tokens in", "tokens out", "n with tokens"]
    headings += [f"cost, {found.currency}"] * priced + ["half within", "90% within", "99% within", "n timed"]
    rows = [usage_row(each, found.currency) for each in (*found.conditions, found.total)]
    if found.judge is not None and found.together is not None:
        judge, both = found.judge, found.together
        rows.append((f"judge, {judge.model}", *usage_row(judge, found.currency)[1:]))
        cost = (UNKNOWN if both.cost is None else money(both.cost, "").strip(),) * priced
        tokens = f"{both.prompt_tokens:,}", f"{both.completion_tokens:,}"
        rows.append(("with the judge", "", "", "", f"{both.calls:,}", *tokens, "", *cost, "", "", "", ""))
    return TableView(usage_caption(found), tuple(headings), tuple(rows), frozenset(range(1, len(headings))))


def usage_caption(found: Usage) -> str:
    """What the table is of, and why a cost in it is not known."""
    if found.judge is None:
        return "What each condition took"
    parts = ["What each condition took, of the model under test; its judge; and both"]
    whys = unknown_cost("the judge", found.judge.no_cost), unknown_cost("the model under test", found.no_cost)
    return "".join([*parts, *whys])


def usage_row(took: ConditionUsage, currency: str) -> tuple[str, ...]:
    """What one condition took."""
    numbers = (took.replies, took.failed, took.reused, took.calls)
    tokens = (took.prompt_tokens, took.completion_tokens) if took.with_tokens else (None, None)
    cost = (UNKNOWN if took.cost is None else money(took.cost, "").strip(),) if currency else ()
    latency = took.latency
    return (
        took.condition or "all together",
        *(f"{number:,}" for number in numbers),
        *(UNKNOWN if number is None else f"{number:,}" for number in tokens),
        f"{took.with_tokens:,}",
        *cost,
        *map(seconds, (latency.p50_s, latency.p90_s, latency.p99_s)),
        f"{latency.n:,}",
    )


def provenance(report: Report) -> list[tuple[str, str]]:
    """What was analysed, as names and values."""
    source, summary = report.source, report.summary
    facts = [
        ("run" if source.kind == "run" else "results", source.name),
        ("state", source.state + (f": {source.reason}" if source.reason else "")),
        ("begun", source.started_at),
        ("model", source.model),
        ("model as the endpoint calls it", ", ".join(source.resolved_models)),
        ("grader", source.grader),
        ("judge", source.judge),
        ("dataset, SHA-256", source.dataset_sha256),
        ("store", source.store),
        ("prt", source.prt_version),
        ("significance level α", f"{summary.alpha:g}"),
        ("margin", f"{100 * summary.margin:g} points"),
        ("runs a cell", str(summary.repeats)),
        ("clusters", "" if summary.clusters is None else str(summary.clusters)),
    ]
    return [(name, value) for name, value in facts if value]
