"""A duel on the terminal: verdicts with their shares and intervals, the judge, the lost queries, the prompts."""

from collections.abc import Iterator

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from ..duel.findings import Dimension, Duel, Failure, Marks
from ..problems import counted
from .tables import narrow_table
from .text import p_value, percent, percent_interval, points, visible
from .variants import indented, styled

ANSWER_SHOWN = 600
"""Characters of a question or an answer that are shown."""
CONTEXT = 120
"""Characters that both prompts share and that are shown before and after a change."""
VERDICTS = {"BETTER": "bold green", "WORSE": "bold red"}


def print_duel(duel: Duel, console: Console) -> None:
    """Print a duel."""
    for block in duel_blocks(duel):
        console.print(block)


def duel_blocks(duel: Duel) -> Iterator[RenderableType]:
    """The parts of the report, in reading order."""
    yield Text(f"{visible(duel.candidate)} against {visible(duel.baseline)} · {visible(duel.source)}", style="bold")
    for name, value in duel.facts:
        yield Text(f"{name}: {visible(value)}")
    yield Text()
    yield verdict_table(duel)
    yield Text(f"\n{verdict_legend(duel)}", style="dim")
    if in_orders(duel):
        for table, legend in ((judge_table(duel), JUDGE_LEGEND), (rows_table(duel), ROWS_LEGEND)):
            yield Text()
            yield table
            yield Text(f"\n{legend}", style="dim")
    yield from (Text(f"\n{sentence}") for sentence in warnings(duel))
    for note in duel.notes:
        yield Text(f"\nnote: {visible(note)}")
    for each in duel.dimensions:
        yield from _failures(duel, each)
    yield from _changes(duel)


def verdict_table(duel: Duel) -> Table:
    """Verdict, shares and win rate of each dimension."""
    table = narrow_table()
    table.add_column("dimension", overflow="fold", min_width=8)
    table.add_column("verdict", overflow="fold", min_width=len("INCONCLUSIVE"))
    table.add_column("cand/base/tie %", justify="right", no_wrap=True)
    table.add_column("win rate", justify="right", no_wrap=True)
    table.add_column(f"{level(duel)} interval", no_wrap=True)
    for heading in ("p (Holm)", "n"):
        table.add_column(heading, justify="right", no_wrap=True)
    for each in duel.dimensions:
        found = each.found
        table.add_row(
            visible(each.asked.id),
            Text(found.verdict, style=VERDICTS.get(found.verdict, "")),
            "/".join(share.removesuffix("%") for share in shares(each)),
            percent(found.rate.estimate),
            percent_interval(found.rate),
            p_value(found.holm_p),
            str(found.n),
        )
    return table


def shares(each: Dimension) -> tuple[str, str, str]:
    """Share of the complete queries that the candidate won, the baseline won, and neither."""
    found = each.found
    won, lost, tied = (
        percent(count / found.n if found.n else None) for count in (found.wins, found.losses, found.ties)
    )
    return won, lost, tied


def level(duel: Duel) -> str:
    """`95%`."""
    return f"{100 * (1 - duel.alpha):g}%"


def verdict_legend(duel: Duel) -> str:
    """How the verdicts are made, in words."""
    found = duel.dimensions[0].found
    return (
        "n: complete queries, which a judge that compares has judged in both orders; won means won in both. Interval: "
        f"{found.rate.method}. p: {found.exact.method}, Holm over {counted(len(duel.dimensions), 'dimension')}. "
        "BETTER, WORSE: p ≤ "
        f"{duel.alpha:g}. TIED: the interval lies inside 50% ± {100 * duel.margin:g} points. INSUFFICIENT_EVIDENCE: n "
        "below 10. Dimensions are not added up: there is no overall winner."
    )


JUDGE_LEGEND = (
    "incomplete: queries without a score in each order, in no figure. inconsistent: ties in which the two orders name "
    "different winners. first, second: how many of these went to what was shown there; p: exact binomial test that "
    "both are alike. advantage: mean score of the first shown − ½, in points, over both orders; without an interval."
)
ROWS_LEGEND = (
    "Over rows: the mean score with a plain percentile bootstrap, as if the two orders of a query were two pieces of "
    "evidence, and what is often said of it; it decides nothing here. Over queries: the win rate with a bootstrap in "
    "which both orders of a query stay together."
)


def judge_table(duel: Duel) -> Table:
    """What is known of the judge in each dimension that it judged in both orders."""
    table = narrow_table()
    table.add_column("judge", overflow="fold", min_width=8)
    for heading in ("incomplete", "inconsistent", "first", "second", "p", "advantage"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("bias", no_wrap=True)
    for each in in_orders(duel):
        found, place = each.found, each.found.position
        table.add_row(
            visible(each.asked.id),
            str(found.incomplete),
            str(found.inconsistent),
            str(place.favouring_first),
            str(place.favouring_second),
            p_value(place.exact.pvalue),
            points(place.advantage.estimate),
            bias(each),
        )
    return table


def rows_table(duel: Duel) -> Table:
    """What a plain bootstrap over rows would say of each dimension, beside a bootstrap over queries and the verdict."""
    table = narrow_table()
    table.add_column("bootstrap", overflow="fold", min_width=8)
    table.add_column("over rows", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("would say", no_wrap=True)
    table.add_column("over queries", no_wrap=True)
    table.add_column("n", justify="right", no_wrap=True)
    table.add_column("verdict", overflow="fold")
    for each in in_orders(duel):
        table.add_row(visible(each.asked.id), *rows_cells(each), each.found.verdict)
    return table


def rows_cells(each: Dimension) -> tuple[str, ...]:
    """Interval over rows, number of rows, what is said of it; interval over queries, number of queries."""
    if each.by_row is None:
        return ("",) * 5
    over_queries = (percent_interval(each.found.bootstrap), str(each.found.bootstrap.n))
    return (percent_interval(each.by_row), str(each.by_row.n), each.by_row_verdict or "nothing", *over_queries)


def in_orders(duel: Duel) -> list[Dimension]:
    """The dimensions in which a judge saw both answers, in either order."""
    return [each for each in duel.dimensions if each.asked.kind == "pairwise"]


def bias(each: Dimension) -> str:
    """`YES, first`: the place that the judge favours; or that no bias was found."""
    return f"YES, {favoured(each)}" if each.is_biased else "not found"


def favoured(each: Dimension) -> str:
    """The place that the judge favours."""
    place = each.found.position
    return "first" if place.favouring_first > place.favouring_second else "second"


def warnings(duel: Duel) -> Iterator[str]:
    """Sentences that a reader must not miss."""
    for each in duel.dimensions:
        found, name = each.found, visible(each.asked.id)
        if each.is_biased:
            place = found.position
            of_them = max(place.favouring_first, place.favouring_second)
            yield (
                f"{name}: the judge favours what is shown {favoured(each)}, in {of_them} of its {found.inconsistent} "
                f"inconsistent queries (p {_equal(place.exact.pvalue)}); these are ties and decide nothing."
            )
        if found.verdict == "TIED" and 2 * found.inconsistent > found.n:
            contradicted = "the two orders contradict one another in most queries"
            yield f"{name}: {contradicted}; TIED says that this judge can't tell the two apart."
        if each.by_row_verdict and each.by_row_verdict != found.verdict:
            rows = f"{name}: a plain bootstrap over rows would say {each.by_row_verdict}"
            yield f"{rows}; by queries it is {found.verdict}."
        if each.asked.kind != "pairwise" and found.incomplete:
            yield f"{name}: {queries(found.incomplete)} without a result on both sides, in no figure."


def queries(count: int) -> str:
    """`1 query`, `2 queries`."""
    return "1 query" if count == 1 else f"{count} queries"


def _equal(p: float | None) -> str:
    text = p_value(p)
    return text if text.startswith("<") else f"= {text}"


def _failures(duel: Duel, each: Dimension) -> Iterator[RenderableType]:
    if not each.failures:
        return
    found = each.found
    yield Text(
        f"\n{visible(each.asked.id)}: lost {found.losses} of {queries(found.n)}, won {found.wins}; the clearest losses",
        style="bold",
    )
    if each.asked.description:
        yield indented(Text(visible(each.asked.description)), 2)
    if not any(failure.candidate or failure.baseline for failure in each.failures):
        yield indented(Text(", ".join(visible(failure.query) for failure in each.failures)), 2)
        return
    for failure in each.failures:
        yield from _failure(duel, failure)


def _failure(duel: Duel, failure: Failure) -> Iterator[RenderableType]:
    yield indented(Text(visible(failure.query), style="bold"), 2)
    for name, text in (
        ("asked", failure.question),
        (visible(duel.candidate), failure.candidate),
        (visible(duel.baseline), failure.baseline),
    ):
        yield indented(Text(name, style="dim"), 4)
        yield indented(Text(cut(text) or "(nothing)"), 6)
    for reason in failure.reasons:
        yield indented(Text(f"why: {cut(reason)}"), 4)


def cut(text: str) -> str:
    """A foreign text, made visible and cut to a bearable length."""
    shown = visible(text.strip())
    return shown if len(shown) <= ANSWER_SHOWN else f"{shown[: ANSWER_SHOWN - 1]}…"


def _changes(duel: Duel) -> Iterator[RenderableType]:
    if not duel.changes:
        return
    yield Text(
        f"\nWhat {visible(duel.candidate)} says otherwise: [-only the baseline-] {{+only the candidate+}}", style="bold"
    )
    for change in duel.changes:
        yield indented(Text(change.part, style="dim"), 2)
        yield indented(styled(near_changes(change.marks)), 4)


def near_changes(marks: Marks) -> Marks:
    """The changes with what stands near them; long stretches that both sides share are left out in the middle."""
    return tuple((mark, _without_middle(text) if mark == "equal" else text) for mark, text in marks)


def _without_middle(text: str) -> str:
    return text if len(text) <= 2 * CONTEXT + 10 else f"{text[:CONTEXT]} … {text[-CONTEXT:]}"
