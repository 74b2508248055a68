"""Several versions against one reference, for the terminal: one row each, and what is proven of it."""

from collections.abc import Iterator, Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..comparing.findings import Comparison, VersionsComparison
from .compared import caveat_lines, impact_blocks, versions_table
from .compared_methods import method_lines, verdict_word
from .flips import command_line
from .tables import figures_table
from .terminal import VERDICT_STYLES
from .text import p_value, percent, points, points_interval, visible

PROVEN = frozenset({"regressed", "improved"})


def print_versions(found: VersionsComparison, console: Console) -> None:
    """Print how several versions compare with the reference; the console decides on colour and width."""
    console.print(Group(*_blocks(found)), soft_wrap=False)


def _blocks(found: VersionsComparison) -> Iterator[RenderableType]:
    names = ", ".join(visible(each.after.given) for each in found.comparisons)
    yield Text(f"{names} against {visible(found.reference.given)}", style="bold")
    yield versions_table([found.reference, *(each.after for each in found.comparisons)])
    yield Text("\n" + found.conclusion, style="bold")
    for each in found.comparisons:
        yield from caveat_lines([caveat for caveat in each.caveats if caveat.weight != "note"])
    yield Text("\nEach version against the reference, over all wordings", style="bold")
    yield versions_changes(found.comparisons)
    for each in found.comparisons:
        yield Text(f"\n{visible(each.conclusion)}", style="bold")
        for claim in each.claims:
            yield Text(f"· {visible(claim.sentence)}")
        if each.impact is not None:
            yield from impact_blocks(each.impact, each.alpha)
    first = found.comparisons[0]
    told = command_line("compare", found.reference.run, first.after.run, store=first.after.store)
    yield Text(f"\nAll figures of one of them: {told}", no_wrap=True, overflow="ignore")
    yield Text("\nHow to read this", style="bold")
    yield Text("· All adjusted p-values are over all versions together, so that the chance of any false claim holds.")
    for line in method_lines(first):
        yield Text(f"· {visible(line)}")


def versions_changes(comparisons: Sequence[Comparison]) -> Table:
    """The rates of each version and its change."""
    columns = ("n", "baseline", "change"), ("p", "Holm", "verdict")
    table = figures_table("version", *columns, alpha=comparisons[0].alpha)
    for each in comparisons:
        overall = each.claim("overall")
        table.add_row(
            Text(visible(each.after.given)),
            str(overall.change.n),
            percent(each.after.baseline_rate.estimate),
            points(overall.change.estimate),
            points_interval(overall.change),
            p_value(overall.exact.pvalue),
            p_value(overall.holm_p),
            Text(
                verdict_word(overall.verdict, overall.change.n),
                style=VERDICT_STYLES.get(overall.verdict, "") if overall.verdict in PROVEN else "",
            ),
        )
    return table
