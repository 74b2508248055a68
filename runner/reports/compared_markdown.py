"""A comparison as Markdown that fits a comment on a pull request; foreign text in it is no Markdown."""

from collections.abc import Iterator, Sequence

from ..comparing.findings import Caveat, Comparison, ConditionChange, Impact, VersionsComparison
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
from .flips import command_line
from .markdown import gate_blocks
from .markdown_text import Block, code, fitted, plain, short, table
from .text import how_read, p_value, percent, points, points_interval

LIMIT = 65_000
"""Characters of a comment, somewhat less than the 65,536 that GitHub allows."""
NAME, SENTENCE = 60, 1200
RANKS = {"regressed": 0, "suggestive": 1, "improved": 1}


def comparison_markdown(found: Comparison | VersionsComparison, *, limit: int = LIMIT) -> str:
    """Write a comparison as Markdown.

    Args:
        found: The comparison, of two runs or of several.
        limit: Characters at most, as UTF-16 counts them; what has no room is counted, and said where to find.
    """
    if isinstance(found, Comparison):
        where = command_line("compare", found.before.run, found.after.run, store=found.after.store)
        return fitted([*_blocks(found)], limit, code(where))
    runs = [found.reference.run, *(each.after.run for each in found.comparisons)]
    where = command_line("compare", *runs, store=found.reference.store)
    return fitted([*_several(found)], limit, code(where))


def _blocks(found: Comparison) -> Iterator[Block]:
    names = f"{short(found.after.given, NAME)} against {short(found.before.given, NAME)}"
    yield Block(before=(f"### {names}", "", f"**{short(found.conclusion, SENTENCE)}**", *_caveats(found.caveats)))
    yield from gate_blocks(found.gates)
    yield Block(before=tuple(_claims(found)))
    yield _conditions(found)
    if found.kinds:
        yield Block(before=tuple(_kinds(found)))
    if found.impact is not None:
        yield Block(before=tuple(_impact(found.impact, found.alpha)))
    yield from _changed(found)
    yield _methods(found)


def _several(found: VersionsComparison) -> Iterator[Block]:
    names = ", ".join(short(each.after.given, NAME) for each in found.comparisons)
    level = f"{100 * (1 - found.comparisons[0].alpha):g}% interval"
    rows = [_version(each) for each in found.comparisons]
    heads = ("version", "verdict", "n", "baseline", "change", level, "p", "Holm")
    yield Block(
        before=(
            f"### {names} against {short(found.reference.given, NAME)}",
            "",
            f"**{short(found.conclusion, SENTENCE)}**",
            "",
            *table(heads, rows),
        )
    )
    for each in found.comparisons:
        said = (f"#### {short(each.after.given, NAME)}", "", *_caveats(each.caveats), *_claims(each))
        yield Block(before=("", *said))
        if each.impact is not None:
            yield Block(before=tuple(_impact(each.impact, each.alpha)))
    yield _methods(found.comparisons[0])


def _version(each: Comparison) -> Sequence[str]:
    overall = each.claim("overall")
    return (
        short(each.after.given, NAME),
        verdict_word(overall.verdict, overall.change.n),
        str(overall.change.n),
        percent(each.after.baseline_rate.estimate),
        points(overall.change.estimate),
        points_interval(overall.change),
        p_value(overall.exact.pvalue),
        p_value(overall.holm_p),
    )


def _caveats(caveats: Sequence[Caveat]) -> Iterator[str]:
    if caveats:
        yield ""
        yield from (f"- {each.weight}: {short(each.text, SENTENCE)}" for each in caveats)


def _claims(found: Comparison) -> Iterator[str]:
    yield ""
    for claim in found.claims:
        strong = "**" if claim.verdict in {"regressed", "improved"} else ""
        yield f"- {strong}{plain(claim.sentence)}{strong}"


def _conditions(found: Comparison) -> Block:
    level = f"{100 * (1 - found.alpha):g}% interval"
    heads = ("condition", "verdict", "n", "before", "after", "change", level, "p", "Holm", "max-T", "if read")
    head, rule, *rows = table(heads, [_condition(each) for each in found.conditions])
    return Block(
        before=("", "#### Each wording, on the same items", "", head, rule),
        lines=tuple(rows),
        ranks=tuple(RANKS.get(each.verdict, 2) for each in found.conditions),
        noun="condition",
        share=0.5,
    )


def _condition(each: ConditionChange) -> Sequence[str]:
    figures = each.figures
    return (
        short(each.condition, NAME),
        verdict_word(each.verdict, figures.n),
        str(figures.n),
        percent(figures.baseline_rate.estimate),
        percent(figures.variant_rate.estimate),
        points(figures.change.estimate),
        points_interval(figures.change),
        p_value(figures.exact.pvalue),
        p_value(each.holm_p),
        p_value(each.max_t_p),
        f"{points(each.parsed_change.estimate)} (n {each.parsed_change.n})",
    )


def _kinds(found: Comparison) -> Iterator[str]:
    yield from ("", "#### Replies without a usable answer", "")
    heads = ("kind", "verdict", "before", "after", "cells", "change", "interval", "p", "Holm")
    rows = [
        (
            KIND_NAMES[each.kind],
            kind_verdict(each),
            str(each.before),
            str(each.after),
            str(each.cells),
            points(each.change.estimate),
            points_interval(each.change),
            p_value(each.exact.pvalue),
            p_value(each.holm_p),
        )
        for each in found.kinds
    ]
    yield from table(heads, rows)


def _impact(impact: Impact, alpha: float) -> Iterator[str]:
    yield from ("", f"#### {short(impact_title(impact), SENTENCE)}", "")
    heads = ("written", *map(plain, impact_headings(impact, f"{100 * (1 - alpha):g}% interval")))
    rows = impact.rows if impact.total is None else (*impact.rows, impact.total)
    yield from table(heads, [(short(wording_of(row), NAME), *impact_cells(row)) for row in rows])
    yield ""
    yield from (f"- {plain(line)}" for line in impact_lines(impact))


def _changed(found: Comparison) -> Iterator[Block]:
    if not found.changed:
        return
    heads = ("item", "worse", "better", "of", "under", "right", "before", "after")
    head, rule, *rows = table(
        heads,
        [
            (
                short(each.item_id, NAME),
                str(each.worse),
                str(each.better),
                str(each.compared),
                short(each.condition, NAME),
                short(each.gold, NAME),
                short(how_read(each.before), NAME),
                short(how_read(each.after), NAME),
            )
            for each in found.changed
        ],
    )
    yield Block(before=("", "#### Items that changed most", "", head, rule), lines=tuple(rows), noun="item", share=0.3)


def _methods(found: Comparison) -> Block:
    lines = (f"- {plain(line)}" for line in method_lines(found))
    return Block(before=("", "<details><summary>How to read this</summary>", "", *lines, "", "</details>"))
