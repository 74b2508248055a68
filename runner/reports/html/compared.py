"""A comparison of runs as a page: what is proven first, then what of, every figure, the items, and the methods."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ...comparing.findings import Caveat, ChangedItem, Comparison, Version, VersionsComparison
from ..charts.comparison import OVERALL, Compared, comparison_forest
from ..compared import figure_blocks, versions_table
from ..compared_methods import method_lines
from ..compared_versions import versions_changes
from ..flips import command_line
from ..gates import by_gate, summary_of
from .blocks import Part, TableView, parts, table_view
from .environment import render
from .flipped import LONGEST, AnswerView, answer_view
from .report import Figure, figure
from .shell import Shell

SIGNS = {"regressed": "▼", "improved": "▲", "suggestive": "?", "no_worse": "✓"}
PROVEN = frozenset({"regressed", "improved"})


@dataclass(frozen=True, slots=True)
class ChangedView:
    """An item that changed, with its prompt as far as it is shown, and both answers."""

    item: ChangedItem
    prompt: str
    cut: int
    answers: tuple[AnswerView, AnswerView]


class ItemPages(Protocol):
    """Where a web server has pages of the items of a comparison."""

    def items(self, run: str) -> str:
        """The address of all items that changed from the reference to a run."""
        ...

    def item(self, run: str, item_id: str, condition: str) -> str:
        """The address of one of them."""
        ...


@dataclass(frozen=True, slots=True)
class Against:
    """One version against the reference, as a part of a page.

    Attributes:
        name: What the person called the version.
        run: Its run's id.
        place: The id of its section.
        kind: How the box of its verdict looks.
        sign: What says the same without colour.
        conclusion: What is proven.
        caveats: What makes the comparison unfair.
        claims: The four answers, and whether each is proven.
        chart: The change of each wording.
        parts: The figures.
        changed: The items that changed most.
        command: How one of them is shown.
    """

    name: str
    run: str
    place: str
    kind: str
    sign: str
    conclusion: str
    caveats: Sequence[Caveat]
    claims: Sequence[tuple[str, bool]]
    chart: Figure
    parts: Sequence[Part]
    changed: Sequence[ChangedView]
    command: str


def comparison_page(found: Comparison | VersionsComparison, *, linked: str = "") -> str:
    """Write a comparison as one self-contained page.

    Args:
        found: The comparison, of two runs or of several.
        linked: Where a web server has the style sheets; empty puts them into the page.
    """
    return str(render("compared.html.j2", **values(found, linked)))


def values(found: Comparison | VersionsComparison, linked: str, pages: ItemPages | None = None) -> dict[str, object]:
    """What the template is filled with.

    Args:
        found: The comparison.
        linked: As `comparison_page`.
        pages: Where a web server has pages of the items.
    """
    several = isinstance(found, VersionsComparison)
    comparisons = found.comparisons if isinstance(found, VersionsComparison) else (found,)
    first = comparisons[0]
    views = [_against(each, number) for number, each in enumerate(comparisons, 1)]
    views = [_named(view) for view in views] if several else views
    reference = first.before
    names = ", ".join(each.name for each in views)
    gates = by_gate(found.gates) if isinstance(found, Comparison) else []
    return {
        "shell": _shell(f"{names} against {reference.given}", views, linked, several=several),
        "versions": _versions([reference, *(each.after for each in comparisons)]),
        "several": several,
        "kind": _kind(comparisons) if several else views[0].kind,
        "sign": SIGNS.get(_kind(comparisons), "•") if several else views[0].sign,
        "conclusion": found.conclusion,
        "overview": table_view(versions_changes(comparisons), "Each version against the reference")
        if several
        else None,
        "views": views,
        "gates": gates,
        "gates_summary": summary_of(gates),
        "methods": [*method_lines(first)],
        "pages": pages,
    }


def _kind(comparisons: Sequence[Comparison]) -> str:
    if any(each.is_worse for each in comparisons):
        return "regressed"
    verdicts = {each.claim("overall").verdict for each in comparisons}
    return next((kind for kind in ("improved", "suggestive", "no_worse") if kind in verdicts), "")


def _versions(versions: Sequence[Version]) -> TableView:
    return table_view(versions_table(versions), "The runs, with their rates over what is compared")


def _shell(title: str, views: Sequence[Against], linked: str, *, several: bool) -> Shell:
    of_versions = [(each.place, each.name) for each in views] if several else [("figures", "Figures")]
    changed = [("changed", "Items that changed most")] if not several and views[0].changed else []
    contents = [*of_versions, *changed, ("methods", "Methods")]
    return Shell(title=title, kicker="Comparison of runs", contents=contents, linked=linked)


def _against(each: Comparison, number: int) -> Against:
    kind = _kind([each])
    shown = each.changed[0].item_id if each.changed else ""
    return Against(
        name=each.after.given,
        run=each.after.run,
        place=f"version-{number}",
        kind=kind,
        sign=SIGNS.get(kind, "•"),
        conclusion=each.conclusion,
        caveats=each.caveats,
        claims=[(claim.sentence, claim.verdict in PROVEN) for claim in each.claims],
        chart=figure(
            comparison_forest(
                [*_rows(each)],
                before=each.before.given,
                after=each.after.given,
                margin=each.margin,
                name=f"comparison-{number}",
            )
        ),
        parts=parts(figure_blocks(each)),
        changed=[_changed(item) for item in each.changed],
        command=command_line("show", each.after.run, shown, store=each.after.store) if shown else "",
    )


def _named(view: Against) -> Against:
    """A part that stands beside those of other versions: its figures and tables have names of their own."""
    drawn = view.chart
    chart = replace(drawn.chart, title=f"{drawn.chart.title}: {view.name}")
    table = replace(drawn.table, caption=f"{drawn.table.caption}: {view.name}")
    tables = [
        replace(
            part,
            blocks=[
                replace(block, caption=f"{block.caption}: {view.name}") if isinstance(block, TableView) else block
                for block in part.blocks
            ],
        )
        for part in view.parts
    ]
    return replace(view, chart=replace(drawn, chart=chart, table=table), parts=tables)


def _rows(each: Comparison) -> Iterator[Compared]:
    overall = each.claim("overall")
    yield Compared(OVERALL, overall.verdict, overall.change, p=overall.exact.pvalue, holm_p=overall.holm_p)
    for condition in each.conditions:
        figures = condition.figures
        yield Compared(
            condition.condition,
            condition.verdict,
            figures.change,
            figures.baseline_rate,
            figures.variant_rate,
            figures.exact.pvalue,
            condition.holm_p,
        )


def _changed(item: ChangedItem) -> ChangedView:
    prompt = item.prompt[:LONGEST]
    return ChangedView(
        item, prompt, len(item.prompt) - len(prompt), (answer_view(item.before), answer_view(item.after))
    )
