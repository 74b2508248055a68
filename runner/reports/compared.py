"""A comparison of two runs for the terminal: read in one minute, 80 columns wide, plain text when piped."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..comparing.findings import Caveat, ChangedItem, Comparison, ConditionChange, Impact, KindChange, Version
from ..problems import counted
from .compared_methods import (
    KIND_NAMES,
    impact_cells,
    impact_headings,
    impact_lines,
    impact_title,
    kind_verdict,
    method_lines,
    verdict_word,
    wording_of,
)
from .flips import REPLY_WIDTH, answer_line, beside, command_line
from .gates import gates
from .tables import figures_table, narrow_table
from .terminal import VERDICT_STYLES
from .text import one_line, p_value, percent, percent_interval, points, points_interval, visible

CAVEAT_STYLES = {"caution": "bold yellow", "warning": "yellow", "note": "dim"}


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print a comparison; the console decides on colour and width."""
    console.print(Group(*_blocks(comparison)), soft_wrap=False)


def _blocks(comparison: Comparison) -> Iterator[RenderableType]:
    yield Text(f"{visible(comparison.after.given)} against {visible(comparison.before.given)}", style="bold")
    yield versions_table([comparison.before, comparison.after])
    yield Text("\n" + visible(comparison.conclusion), style="bold")
    yield from caveat_lines(comparison.caveats)
    yield Text("\nWhat changed, and what of", style="bold")
    for claim in comparison.claims:
        style = VERDICT_STYLES.get(claim.verdict, "") if claim.verdict in {"regressed", "improved"} else ""
        yield Text(f"· {visible(claim.sentence)}", style=style)
    yield from figure_blocks(comparison)
    yield from _changed(comparison)
    yield Text("\nHow to read this", style="bold")
    for line in method_lines(comparison):
        yield Text(f"· {visible(line)}")


def figure_blocks(comparison: Comparison) -> Iterator[RenderableType]:
    """The figures of each wording, of each kind of reply, and of a day's requests, each under its heading."""
    yield Text("\nEach wording: the later run against the earlier, on the same items", style="bold")
    yield _changes(comparison)
    yield Text("\nFlips each way, and the change among answers read in both runs", style="bold")
    yield _flips(comparison)
    if comparison.kinds:
        yield Text("\nReplies without a usable answer, over cells with an outcome in both runs", style="bold")
        yield _kinds(comparison)
    if comparison.impact is not None:
        yield from impact_blocks(comparison.impact, comparison.alpha)
    yield from gates(comparison.gates)


def versions_table(versions: Sequence[Version]) -> Table:
    """Which runs are compared, with their rates over what is compared."""
    table = narrow_table()
    for heading in ("", "run", "model", "started", "baseline", "robust"):
        right = heading in {"baseline", "robust"}
        table.add_column(heading, overflow="fold", justify="right" if right else "left", no_wrap=right)
    for version, role in zip(versions, ("earlier", *["later"] * (len(versions) - 1)), strict=True):
        model = version.model
        if version.resolved_models and version.resolved_models != (model,):
            model = f"{model} ({', '.join(version.resolved_models)})".strip()
        table.add_row(
            role,
            *(Text(visible(each)) for each in (version.run, model, version.started_at[:16].replace("T", " "))),
            percent(version.baseline_rate.estimate),
            percent(version.robust_rate.estimate),
        )
    return table


def caveat_lines(caveats: Sequence[Caveat]) -> Iterator[Text]:
    """What makes the comparison unfair, the gravest first."""
    for caveat in caveats:
        yield Text(f"{caveat.weight}: {visible(caveat.text)}.", style=CAVEAT_STYLES.get(caveat.weight, ""))


def _changes(comparison: Comparison) -> Table:
    columns = ("n", "rate", "change"), ("p", "Holm", "verdict")
    table = figures_table("condition", *columns, alpha=comparison.alpha)
    for each in comparison.conditions:
        table.add_row(*_change_row(each))
    return table


def _change_row(each: ConditionChange) -> Sequence[RenderableType]:
    figures = each.figures
    return (
        Text(visible(each.condition)),
        str(figures.n),
        percent(figures.variant_rate.estimate),
        points(figures.change.estimate),
        points_interval(figures.change),
        p_value(figures.exact.pvalue),
        p_value(each.holm_p),
        Text(verdict_word(each.verdict, figures.n), style=VERDICT_STYLES.get(each.verdict, "")),
    )


def _flips(comparison: Comparison) -> Table:
    columns = ("before", "to fail", "to pass", "flips"), ("max-T", "if read")
    table = figures_table("condition", *columns, alpha=comparison.alpha, gap=1)
    for each in comparison.conditions:
        figures, paired = each.figures, each.figures.table
        table.add_row(
            Text(visible(each.condition)),
            percent(figures.baseline_rate.estimate),
            *(("", "") if paired is None else (str(paired.pass_to_fail), str(paired.fail_to_pass))),
            percent(figures.flip_rate.estimate),
            percent_interval(figures.flip_rate),
            p_value(each.max_t_p),
            f"{points(each.parsed_change.estimate)} (n {each.parsed_change.n})",
        )
    return table


def _kinds(comparison: Comparison) -> Table:
    columns = ("before", "after", "cells", "change"), ("p", "Holm", "verdict")
    table = figures_table("kind", *columns, alpha=comparison.alpha)
    for each in comparison.kinds:
        table.add_row(*_kind_row(each))
    return table


def _kind_row(each: KindChange) -> Sequence[RenderableType]:
    return (
        KIND_NAMES[each.kind],
        str(each.before),
        str(each.after),
        str(each.cells),
        points(each.change.estimate),
        points_interval(each.change),
        p_value(each.exact.pvalue),
        p_value(each.holm_p),
        Text(kind_verdict(each), style=VERDICT_STYLES.get(each.verdict, "")),
    )


def impact_blocks(impact: Impact, alpha: float) -> Iterator[RenderableType]:
    """What the changes mean for a day's requests."""
    yield Text(f"\n{visible(impact_title(impact))}", style="bold")
    table = narrow_table(gap=1)
    table.add_column("written", overflow="fold")
    for heading in impact_headings(impact, f"{100 * (1 - alpha):g}% interval"):
        table.add_column(visible(heading), justify="right")
    rows = impact.rows if impact.total is None else (*impact.rows, impact.total)
    for row in rows:
        style = "bold" if row is impact.total else ""
        table.add_row(Text(visible(wording_of(row))), *impact_cells(row), style=style)
    yield table
    for line in impact_lines(impact):
        yield Text(f"· {visible(line)}")


def _changed(comparison: Comparison) -> Iterator[RenderableType]:
    if not comparison.changed:
        return
    yield Text("\nItems that changed most", style="bold")
    for item in comparison.changed:
        yield from _item(item)
    first, after = comparison.changed[0], comparison.after
    command = command_line("show", after.run, first.item_id, store=after.store)
    yield Text(f"  Whole prompts and replies: {command}", no_wrap=True, overflow="ignore")


def _item(item: ChangedItem) -> Iterator[RenderableType]:
    better = f", better under {item.better}" if item.better else ""
    worse = f"worse under {item.worse}" if item.worse else ""
    moved = (worse + better).removeprefix(", ")
    yield Text(f"  {visible(item.item_id)} · {moved} of {counted(item.compared, 'wording')}", style="bold")
    yield beside("right", Text(one_line(item.gold, REPLY_WIDTH)))
    yield beside("under", Text(visible(item.condition)))
    yield beside("before", answer_line(item.before))
    yield beside("after", answer_line(item.after))
