"""A calibration on the terminal: how far a judge agrees with people, and the answers on which it doesn't."""

import json
from collections.abc import Iterator, Mapping

from pydantic import JsonValue as Json
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ...stats import Estimate
from ..judging.calibration import Calibrated, Calibration, Figures, Judgement
from ..judging.calibration_file import calibration_values
from ..problems import counted
from .tables import narrow_table
from .text import UNKNOWN, p_value, percent, percent_interval, visible
from .variants import indented

ANSWER_SHOWN = 600
"""Characters of a question or an answer that are shown."""
SAYS = {True: "pass", False: "fail", None: "no verdict"}
MEANINGS = {
    "agreement": "both say the same",
    "sensitivity": "of what people pass, the judge passes",
    "specificity": "of what people fail, the judge fails",
}


def print_calibration(found: Calibrated, console: Console, *, level: float, shown: int | None) -> None:
    """Print a calibration.

    Args:
        found: The calibration.
        console: Where to.
        level: Confidence level.
        shown: How many disagreements are shown; None for all.
    """
    for block in _blocks(found, level, shown):
        console.print(block)


def calibrated_json(found: Calibrated, *, level: float) -> str:
    """Write the same as JSON, two spaces deep; `prt report --calibration` and `prt judge drift` read it too."""
    told: dict[str, Json] = {
        **calibration_values(found.calibration, level=level),
        "disagreements": [_disagreement(each) for each in found.disagreements],
        "notes": [*found.notes],
    }
    return json.dumps(told, indent=2, allow_nan=False)


def _disagreement(each: Judgement) -> dict[str, Json]:
    item, condition, repeat = each.row.place
    said: dict[str, Json] = {"label": each.row.label, "verdict": each.verdict, "reason": each.reason}
    return {"item": item, "condition": condition, "repeat": repeat, **said, "answer": each.answer}


def _blocks(found: Calibrated, level: float, shown: int | None) -> Iterator[RenderableType]:
    calibration = found.calibration
    figures = calibration.figures(level=level)
    yield Text(title(calibration), style="bold")
    yield Text(f"{counted(figures.table.n, 'labelled answer')} with a verdict of the judge{_without(calibration)}.\n")
    yield figures_table(figures, level)
    yield Text()
    yield confusion(figures)
    yield Text()
    yield from (Text(sentence) for sentence in sentences(figures))
    yield from _conditions(calibration.by_condition(level=level), level)
    yield Text(f"\n{methods(figures)}", style="dim")
    for note in found.notes:
        yield Text(f"note: {visible(note)}")
    yield from _disagreements(found, shown)


def title(calibration: Calibration) -> str:
    """What was compared."""
    judge = f"judge {visible(calibration.name)}" if calibration.name else "verdicts made elsewhere"
    run = f" · run {visible(calibration.run)}" if calibration.run else ""
    return f"{visible(calibration.labels)} · {judge}{run}"


def _without(calibration: Calibration) -> str:
    """`; 2 verdicts can't be read, 3 answers are truncated`, or nothing."""
    parts = []
    if calibration.unreadable:
        parts.append(f"{calibration.unreadable} without a verdict that can be read")
    parts += [f"{n} not asked about: {why.replace('_', ' ')}" for why, n in calibration.not_asked.items()]
    if calibration.unlabelled:
        parts.append(f"{counted(calibration.unlabelled, 'row')} without a label")
    return f"; in no figure: {', '.join(parts)}" if parts else ""


def figures_table(figures: Figures, level: float) -> Table:
    """Agreement, κ, sensitivity and specificity, with their intervals."""
    table = narrow_table()
    table.add_column("")
    table.add_column("", justify="right", no_wrap=True)
    table.add_column(f"{100 * level:g}% interval", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("")
    for name, meaning in MEANINGS.items():
        figure: Estimate = getattr(figures, name)
        counts = "" if figure.count is None else f"{meaning} {figure.count}"
        table.add_row(name, percent(figure.estimate), percent_interval(figure), str(figure.n), counts)
        if name == "agreement":
            kappa = figures.kappa
            table.add_row("Cohen's κ", *kappa_cells(kappa), str(kappa.n), "agreement beyond chance: 0 none, 1 full")
    return table


def kappa_cells(kappa: Estimate) -> tuple[str, str]:
    """κ and its limits."""
    if kappa.estimate is None or kappa.low is None or kappa.high is None:
        return UNKNOWN, ""
    shown = [f"{value:.2f}".replace("-", "−") for value in (kappa.estimate, kappa.low, kappa.high)]
    return shown[0], f"{shown[1]} to {shown[2]}"


def confusion(figures: Figures) -> Table:
    """The counts: what the judge says by what people say."""
    table, counts = narrow_table(), figures.table
    table.add_column("")
    for heading in ("people pass", "people fail"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_row("judge passes", str(counts.both_pass), str(counts.judge_only))
    table.add_row("judge fails", str(counts.human_only), str(counts.both_fail))
    return table


def sentences(figures: Figures) -> Iterator[str]:
    """What the figures come to, and what they don't allow."""
    table = figures.table
    if not table.n:
        yield "No labelled answer has a verdict, so nothing can be said of the judge."
        return
    judge, people = table.both_pass + table.judge_only, table.both_pass + table.human_only
    p = p_value(figures.lenience.pvalue)
    yield (
        f"The judge passes {judge} of {table.n}, people {people}: {counted(table.judge_only, 'answer')} passed wrongly "
        f"and {table.human_only} failed wrongly (p {p if p.startswith('<') else f'= {p}'}, of no difference)."
    )
    if judge in {0, table.n}:
        yield f"It {'passes' if judge else 'fails'} every answer, so its verdicts tell nothing."
    for side, n in (("pass", people), ("fail", table.n - people)):
        if not n:
            figure = "sensitivity" if side == "pass" else "specificity"
            yield f"People {side} none of these answers, so there is no {figure}; label some that they {side}."
    if 0 < people < table.n and not figures.is_better_than_chance:
        yield "It is no better than chance: sensitivity and specificity add up to 100% or less. Don't use its grades."
    elif figures.kappa.low is not None and figures.kappa.low <= 0.0:
        yield "That it agrees with people beyond chance is not shown: the interval of κ holds 0."
    if figures.items < table.n:
        yield (
            f"The {table.n} answers are of {counted(figures.items, 'item')}. Answers to one item are alike: for the "
            f"agreement they are worth {figures.worth:.1f} independent ones, and intervals and p go by item."
        )


def _conditions(found: Mapping[str, Figures], level: float) -> Iterator[RenderableType]:
    if not found:
        return
    yield Text("\nBy condition: one correction of all pass rates takes these to be alike", style="bold")
    table = narrow_table()
    table.add_column("condition", overflow="fold")
    for heading in ("n", "κ", "sensitivity"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column(f"{100 * level:g}% interval", no_wrap=True)
    table.add_column("specificity", justify="right", no_wrap=True)
    table.add_column(f"{100 * level:g}% interval", no_wrap=True)
    for name, figures in found.items():
        rates = [
            (percent(each.estimate), percent_interval(each)) for each in (figures.sensitivity, figures.specificity)
        ]
        kappa, _ = kappa_cells(figures.kappa)
        table.add_row(Text(visible(name)), str(figures.table.n), kappa, *rates[0], *rates[1])
    yield table


def methods(figures: Figures) -> str:
    """The methods by name."""
    return (
        f"Shares: {figures.agreement.method}. κ: {figures.kappa.method}. p: {figures.lenience.method}. They speak of "
        "answers like the labelled ones: label a random sample of those that the judge is to grade."
    )


def _disagreements(found: Calibrated, shown: int | None) -> Iterator[RenderableType]:
    every = found.disagreements
    if not every:
        return
    yield Text(f"\n{counted(len(every), 'disagreement')}, those that the judge passes first", style="bold")
    for each in every[:shown]:
        yield from judgement_blocks(each)
    if shown is not None and len(every) > shown:
        yield Text(f"\nand {len(every) - shown} more; --all shows them")


def judgement_blocks(judgement: Judgement) -> Iterator[RenderableType]:
    """One answer with what people and the judge say of it."""
    row = judgement.row
    label = "" if row.label is None else f"people {SAYS[row.label]}, "
    place = visible(row.place.words(), keep="")
    yield Text(f"\n{place} · {label}judge {SAYS[judgement.verdict]}", style="bold")
    for name, text in (
        ("question", row.texts.get("question", "")),
        ("answer", judgement.answer),
        ("reference", row.texts.get("reference", "")),
    ):
        if text.strip():
            yield indented(Text(name, style="dim"), 2)
            yield indented(Text(_cut(text)), 4)
    if judgement.reason:
        yield indented(Text(f"the judge: {_cut(judgement.reason)}"), 2)


def _cut(text: str) -> str:
    shown = visible(text.strip())
    return shown if len(shown) <= ANSWER_SHOWN else f"{shown[: ANSWER_SHOWN - 1]}…"
