"""A robustness score as it is written and shown: a line of JSON for each row, a summary for a person or a program."""

import json
from dataclasses import dataclass

from pydantic import JsonValue as Json
from rich.console import Console
from rich.text import Text

from ..config.score import ScoreSettings
from ..problems import counted
from ..scoring.pooling import Means, Summary
from ..scoring.result import Pair, RowParts, Scored
from .tables import narrow_table
from .text import visible

REASONS_SHOWN = 5
LINE_ENDS = "\x85\u2028\u2029"
"""What some readers take for the end of a line, and JSON leaves as it is."""


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """A score with what is known of how it was made.

    Attributes:
        settings: The settings.
        summary: What all rows come to.
        source: The file or run.
        judged_by: What its correctness and robustness rest on, in words.
        facts: Further facts, by name.
        reason: Why it ended before all rows had their chance; empty where it did not.
    """

    settings: ScoreSettings
    summary: Summary
    source: str
    judged_by: str
    facts: dict[str, str]
    reason: str = ""


def row_json(scored: Scored, settings: ScoreSettings) -> str:
    """One row as a line of JSON, without its end."""
    line = json.dumps(row_values(scored, settings), ensure_ascii=False)
    for separator in LINE_ENDS:
        line = line.replace(separator, f"\\u{ord(separator):04x}")
    return line.encode("utf-8", "backslashreplace").decode()


def row_values(scored: Scored, settings: ScoreSettings) -> dict[str, Json]:
    """One row as plain data."""
    head: dict[str, Json] = {"input_id": scored.id}
    if scored.line is not None:
        head |= {"row": scored.line.number, "line": scored.line.line}
    if scored.parts is None:
        return {**head, "metric_name": settings.metric_name, "score": None, "reason": scored.reason}
    return {**head, "metric_name": settings.metric_name, **_parts(scored.parts, settings), "reason": ""}


def _parts(parts: RowParts, settings: ScoreSettings) -> dict[str, Json]:
    values: dict[str, Json] = {
        "score": settings.scaled(parts.score),
        "robustness_score": parts.score,
        "mean_robustness": parts.robustness,
        "mean_correctness_drop": parts.drop,
        "base_correctness": parts.base_correctness,
        "weight": parts.weight,
        "n_pairs": len(parts.pairs),
        "pairs": [_pair(pair) for pair in parts.pairs],
        "missing_pairs": [{"condition": each.condition, "reason": each.reason} for each in parts.missing],
    }
    if parts.reference is not None:
        values |= {"reference": parts.reference, "base_response": parts.base_response}
    return values


def _pair(pair: Pair) -> dict[str, Json]:
    told: dict[str, Json] = {"prompt": pair.prompt, "response": pair.response} if pair.prompt else {}
    figures: dict[str, Json] = {
        "correctness": pair.correctness,
        "robustness": pair.robustness,
        "correctness_drop": pair.drop,
    }
    return {"condition": pair.condition, **told, **figures}


def report_values(report: ScoreReport) -> dict[str, Json]:
    """The summary as plain data."""
    settings, summary, pooled = report.settings, report.summary, report.summary.pooled
    low, high = scaled_limits(report)
    means = summary.means
    facts: dict[str, Json] = {**report.facts}
    unscored: dict[str, Json] = {**summary.unscored}
    return {
        "metric_name": settings.metric_name,
        "source": report.source,
        "judged_by": report.judged_by,
        "direction": settings.direction,
        "range": [settings.min, settings.max],
        "score": None if pooled.estimate is None else settings.scaled(pooled.estimate),
        "interval": {"low": low, "high": high, "level": pooled.level},
        "method": pooled.method,
        "n": pooled.n,
        "rows": summary.rows,
        "scored": summary.scored,
        "pairs": summary.pairs,
        "missing_pairs": summary.missing_pairs,
        "means": None
        if means is None
        else {
            "robustness": means.robustness,
            "correctness_drop": means.drop,
            "base_correctness": means.base_correctness,
            "row_score": settings.scaled(means.row_score),
        },
        "unscored": unscored,
        "facts": facts,
        "stopped": report.reason,
    }


def scaled_limits(report: ScoreReport) -> tuple[float | None, float | None]:
    """The limits of the pooled score as it is written; they change places where the score is turned round."""
    pooled = report.summary.pooled
    if pooled.low is None or pooled.high is None:
        return None, None
    low, high = sorted((report.settings.scaled(pooled.low), report.settings.scaled(pooled.high)))
    return low, high


def print_score(report: ScoreReport, console: Console) -> None:
    """Print the summary for a person."""
    summary, settings = report.summary, report.settings
    console.print(Text(f"{visible(settings.metric_name)} · {visible(report.source)}", style="bold"))
    console.print(Text(f"judged by: {visible(report.judged_by)}"), soft_wrap=True)
    for name, fact in report.facts.items():
        console.print(Text(f"{name}: {visible(fact)}"), soft_wrap=True)
    console.print()
    table = narrow_table()
    table.add_column("")
    for heading in ("value", "interval", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    low, high = scaled_limits(report)
    pooled = summary.pooled
    interval = "–" if low is None or high is None else f"{figure(low)} to {figure(high)}"
    value = "–" if pooled.estimate is None else figure(settings.scaled(pooled.estimate))
    table.add_row("score, pooled", value, interval, str(pooled.n), style="bold")
    for name, mean in () if summary.means is None else named_means(summary.means, settings):
        table.add_row(name, figure(mean), "", str(pooled.n))
    console.print(table)
    console.print(Text(f"\n{legend(report)}", style="dim"))
    _print_missing(summary, console)


def figure(value: float) -> str:
    """`0.833`, `−0.067`; what rounds to 0 has no sign."""
    return f"{round(value, 3) + 0.0:.3f}".replace("-", "−")


def named_means(means: Means, settings: ScoreSettings) -> tuple[tuple[str, float], ...]:
    """The means with their names, in reading order."""
    return (
        ("mean robustness of pairs", means.robustness),
        ("mean correctness drop", means.drop),
        ("mean correctness of originals", means.base_correctness),
        ("mean of the rows' own scores", settings.scaled(means.row_score)),
    )


def legend(report: ScoreReport) -> str:
    """How the figures are made, in words."""
    settings, pooled = report.settings, report.summary.pooled
    turned = ", turned round" if settings.inverted else ""
    scale = f" Scores run from {settings.min:g} to {settings.max:g}{turned}; the other figures are as judged."
    level = 100 * (pooled.level or 0.0)
    return (
        f"score: ½·mean robustness + ½·max(0, 1 − max(0, mean drop)). Interval: {level:g}%, {pooled.method}. n: rows "
        f"with a score and a weight, {counted(report.summary.pairs, 'pair')} in all. Means have no interval of their "
        f"own.{'' if (settings.min, settings.max, settings.inverted) == (0, 1, False) else scale}"
    )


def _print_missing(summary: Summary, console: Console) -> None:
    """Say what has no result, and why."""
    if summary.missing_pairs:
        told = f"\n{counted(summary.missing_pairs, 'pair')} of the rows with a score have no result, and count nothing"
        console.print(Text(told))
    if not summary.unscored:
        return
    without = summary.rows - summary.scored
    console.print(Text(f"\n{without} of {counted(summary.rows, 'row')} have no score:"))
    shown = [*summary.unscored.items()][:REASONS_SHOWN]
    for reason, count in shown:
        console.print(Text(f"  {count}: {visible(reason)}"), soft_wrap=True)
    if rest := without - sum(count for _, count in shown):
        console.print(Text(f"  {rest} for other reasons"))
