"""A report as CSV for spreadsheets and notebooks: a row for each condition, with every figure that is said of it."""

import csv
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import TypeAlias

from ...stats import ConditionSummary, Estimate
from ..findings import ConditionFinding, ConditionUsage, ControlFinding, LeftOut, Report, StatusCounts
from .csv_text import defused
from .text import one_line

Value: TypeAlias = str | int | float | bool | None
NAME = 500
CAUSES = ("unchanged", "not_applicable", "rejected", "error", "judge_error", "not_counted", "not_graded", "no_reply")
STATUSES = ("graded", "unparsed", "truncated", "refused", "error", "judge_error")
USAGE = ("replies", "failed", "reused", "calls", "with_tokens", "prompt_tokens", "completion_tokens", "cost")
LATENCY = ("latency_n", "latency_p50_s", "latency_p90_s", "latency_p99_s")


def _estimate(name: str) -> tuple[str, ...]:
    return name, f"{name}_low", f"{name}_high"


COLUMNS = (
    "condition",
    "role",
    "generator",
    "verdict",
    "n",
    "units",
    "without_baseline",
    "without_variant",
    *_estimate("baseline_rate"),
    *_estimate("rate"),
    "rate_method",
    *_estimate("change"),
    "change_method",
    *_estimate("change_score"),
    "change_score_method",
    "level",
    "both_pass",
    "pass_to_fail",
    "fail_to_pass",
    "both_fail",
    *_estimate("flip_rate"),
    "flip_rate_method",
    "p",
    "p_method",
    "mid_p",
    "holm_p",
    "bh_q",
    "noninferiority_p",
    "noninferiority_method",
    "margin",
    "no_worse",
    *_estimate("parsed_change"),
    "parsed_change_n",
    "answer_agreement",
    "answer_agreement_n",
    "severity",
    "rerun_flips",
    *_estimate("excess"),
    "excess_n",
    "baseline_floor",
    "variant_floor",
    "caused",
    "churn_n",
    "right_before",
    *_estimate("follows"),
    *_estimate("same"),
    *(f"status_{status}" for status in STATUSES),
    *(f"left_out_{cause}" for cause in CAUSES),
    *USAGE,
    *LATENCY,
    "currency",
)
"""The columns, in their order. Rates, changes and limits are shares from 0 to 1 or −1 to 1, times are seconds."""


def report_csv(report: Report) -> str:
    """Write a report as CSV: the baseline first, then the conditions, those that stand apart, and the controls.

    Where a judge was asked, a last row holds its calls, tokens and cost alone; its role is `judge`, and its condition
    empty.

    A cell is empty where a figure does not apply or can't be estimated. What could be a formula is none.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in _rows(report):
        writer.writerow([cell(row.get(name)) for name in COLUMNS])
    return out.getvalue()


def cell(value: Value) -> str:
    """A value as it stands in CSV; numbers with all their digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return defused(one_line(value, NAME))
    return repr(value)


def _rows(report: Report) -> Iterator[Mapping[str, Value]]:
    usage = {} if report.usage is None else {each.condition: each for each in report.usage.conditions}
    currency = "" if report.usage is None else report.usage.currency
    level, margin = report.summary.level, report.summary.margin
    rows = [
        _baseline(report),
        *(_condition(each, margin) for each in (*report.conditions, *report.apart)),
        *map(_control, report.controls),
    ]
    for row in rows:
        yield {**row, "level": level, **_usage(usage.get(str(row["condition"])), currency)}
    if report.usage is not None and report.usage.judge is not None:
        yield {"role": "judge", **_usage(report.usage.judge, currency)}


def _baseline(report: Report) -> dict[str, Value]:
    rate = report.summary.overall.baseline_rate
    return {
        "condition": report.summary.baseline,
        "role": "baseline",
        "n": rate.n,
        **_figure("rate", rate),
        "rate_method": rate.method,
        **_statuses(report.baseline_statuses),
        **_left_out(report.baseline_left_out, known=report.baseline_statuses is not None),
    }


def _condition(finding: ConditionFinding, margin: float) -> dict[str, Value]:
    summary = finding.summary
    judged = finding.role == "perturbation"
    return {
        "role": finding.role,
        "generator": finding.generator,
        "severity": finding.severity,
        "margin": margin,
        **_of_summary(summary, judged=judged),
        **_noise(summary),
        **_figure("parsed_change", finding.parsed_change),
        "parsed_change_n": None if finding.parsed_change is None else finding.parsed_change.n,
        **_statuses(finding.statuses),
        **_left_out(finding.left_out, known=finding.statuses is not None),
    }


def _of_summary(summary: ConditionSummary, *, judged: bool) -> dict[str, Value]:
    table, agreement = summary.table, summary.answer_agreement
    ways = ("both_pass", "pass_to_fail", "fail_to_pass", "both_fail")
    return {
        "condition": summary.condition,
        "verdict": summary.verdict if judged and summary.n else None,
        "n": summary.n,
        "units": summary.units,
        "without_baseline": summary.without_baseline,
        "without_variant": summary.without_variant,
        **_figure("baseline_rate", summary.baseline_rate),
        **_figure("rate", summary.variant_rate),
        "rate_method": summary.variant_rate.method,
        **_figure("change", summary.change),
        "change_method": summary.change.method,
        **_figure("change_score", summary.change_score),
        "change_score_method": summary.change_score.method,
        **_figure("flip_rate", summary.flip_rate),
        "flip_rate_method": summary.flip_rate.method,
        **{way: None if table is None else getattr(table, way) for way in ways},
        "p": summary.exact.pvalue,
        "p_method": summary.exact.method,
        "mid_p": summary.mid_p.pvalue,
        "holm_p": summary.holm_p if judged else None,
        "bh_q": summary.bh_q if judged else None,
        "noninferiority_p": summary.noninferiority.pvalue,
        "noninferiority_method": summary.noninferiority.method,
        "no_worse": summary.no_worse,
        "answer_agreement": None if agreement is None else agreement.estimate,
        "answer_agreement_n": None if agreement is None else agreement.n,
    }


def _noise(summary: ConditionSummary) -> dict[str, Value]:
    found: dict[str, Value] = {}
    if summary.excess is not None:
        found |= {"rerun_flips": summary.excess.rerun_flips.estimate, "excess_n": summary.excess.n}
        found |= _figure("excess", summary.excess.excess)
    if summary.churn is not None:
        found |= {
            "baseline_floor": summary.churn.baseline_floor.estimate,
            "variant_floor": summary.churn.variant_floor.estimate,
            "caused": summary.churn.caused.estimate,
            "churn_n": summary.churn.caused.n,
        }
    return found


def _control(finding: ControlFinding) -> dict[str, Value]:
    """A control's rate is the share that is right by the new answer."""
    response = finding.response
    return {
        "condition": response.condition,
        "role": "control",
        "generator": finding.generator,
        "verdict": response.verdict,
        "n": response.n,
        "units": response.units,
        **_figure("rate", response.right),
        "rate_method": response.right.method,
        "right_before": response.right_before,
        **_figure("follows", response.follows),
        **_figure("same", response.same),
        **_statuses(finding.statuses),
        **_left_out(finding.left_out, known=True),
    }


def _figure(name: str, figure: Estimate | None) -> dict[str, Value]:
    if figure is None:
        return {}
    return dict(zip(_estimate(name), (figure.estimate, figure.low, figure.high), strict=True))


def _statuses(statuses: StatusCounts | None) -> dict[str, Value]:
    return {} if statuses is None else {f"status_{status}": getattr(statuses, status) for status in STATUSES}


def _left_out(causes: tuple[LeftOut, ...], *, known: bool) -> dict[str, Value]:
    """How many cells have no result, by cause; nothing where results were made elsewhere, which do not say why."""
    if not known:
        return {}
    return {f"left_out_{cause}": sum(each.n for each in causes if each.cause == cause) for cause in CAUSES}


def _usage(took: ConditionUsage | None, currency: str) -> dict[str, Value]:
    if took is None:
        return {}
    times = took.latency.n, took.latency.p50_s, took.latency.p90_s, took.latency.p99_s
    named: dict[str, Value] = {name: getattr(took, name) for name in USAGE}
    return {**named, **dict(zip(LATENCY, times, strict=True)), "currency": currency if took.cost is not None else None}
