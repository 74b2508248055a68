"""The forest plot of two runs: the change of each condition from the earlier run to the later one."""

from collections.abc import Sequence
from dataclasses import dataclass

from ....stats import ConditionComparison, Estimate
from ...problems import counted
from ..text import p_value, percent, points, points_interval, visible
from ..wording import VERDICT_WORDS
from .chart import Chart
from .intervals import Row, interval_plot
from .labels import TOLD, label
from .largest import largest_words

HEADINGS = ("condition", "verdict", "n", "before", "after", "change", "interval", "p", "Holm p")
OVERALL = "all conditions together"


@dataclass(frozen=True, slots=True)
class Compared:
    """One row of the comparison: a condition, or all of them together.

    Attributes:
        name: Its name.
        verdict: The later run against the earlier one, as `stats.Verdict` says it.
        change: Change of the pass rate, with its interval.
        before: Pass rate in the earlier run; None where a row has none, as all conditions together.
        after: Pass rate in the later run.
        p: Exact p-value of no change.
        holm_p: The same, adjusted over the conditions; None where the row is not one of several.
    """

    name: str
    verdict: str
    change: Estimate
    before: Estimate | None = None
    after: Estimate | None = None
    p: float | None = None
    holm_p: float | None = None

    @classmethod
    def of(cls, found: ConditionComparison) -> "Compared":
        """The row of one condition."""
        figures = found.figures
        return cls(
            found.condition,
            found.verdict,
            figures.change,
            figures.baseline_rate,
            figures.variant_rate,
            figures.exact.pvalue,
            found.holm_p,
        )


def comparison_forest(
    rows: Sequence[Compared],
    *,
    before: str,
    after: str,
    margin: float | None = None,
    name: str = "comparison",
) -> Chart:
    """Draw the change of each condition between two runs, in points.

    Args:
        rows: The conditions, from top to bottom; all of them together may be one (`OVERALL`).
        before: The earlier run, in words.
        after: The later one.
        margin: The largest drop that would not matter, as a rate; None draws no line for it.
        name: The chart's name, where several stand in one page.
    """
    earlier, later = label(before, TOLD), label(after, TOLD)
    first = next((row.change for row in rows if row.change.n and row.change.level), None)
    level = "" if first is None or first.level is None else f"{100 * first.level:.0f}% intervals"
    lines = f" Lines: {level} ({first.method})." if first is not None else ""
    dashed = "" if margin is None else f" Dashed: the margin, a drop of {100 * margin:g} points."
    return Chart(
        name=name,
        title="Change of each condition from one run to the other",
        summary=_summary(rows, earlier, later),
        note=f"Points: pass rate in {later} − pass rate in {earlier}, on the n items with a result in "
        f"both.{lines}{dashed}" + largest_words(len(rows), "changes"),
        spec=interval_plot(
            [Row(row.name, row.change, _word(row)) for row in rows],
            title=f"change in points{f', with {level}' if level else ''}",
            margin=margin,
            empty="The two runs share no condition with a result in both.",
        ),
        headings=HEADINGS,
        rows=tuple(_cells(row) for row in rows),
    )


def _word(row: Compared) -> str:
    return VERDICT_WORDS.get(row.verdict, row.verdict) if row.change.n else "no result"


def _cells(row: Compared) -> tuple[str, ...]:
    rates = ("" if each is None else percent(each.estimate) for each in (row.before, row.after))
    return (
        visible(row.name),
        _word(row),
        f"{row.change.n}",
        *rates,
        points(row.change.estimate),
        points_interval(row.change),
        p_value(row.p),
        "" if row.holm_p is None else p_value(row.holm_p),
    )


def _summary(rows: Sequence[Compared], before: str, after: str) -> str:
    compared = [row for row in rows if row.change.n]
    if not compared:
        return f"{after} and {before} share no condition with a result in both."
    verdicts = [_word(row) for row in compared]
    tally = ", ".join(f"{verdicts.count(word)} {word}" for word in dict.fromkeys(verdicts))
    most = max(compared, key=lambda row: abs(row.change.estimate or 0.0))
    return (
        f"{after} against {before}, of {counted(len(compared), 'row')} {tally}; the largest change is "
        f"{points(most.change.estimate)} points ({label(most.name, TOLD)})."
    )
