"""A duel as a page: the verdict of each dimension, the judge, the lost queries, and what the prompts say otherwise."""

from collections.abc import Sequence
from dataclasses import dataclass

from ...duel.findings import Dimension, Duel, Failure, Marks
from ..duel import (
    ANSWER_SHOWN,
    JUDGE_LEGEND,
    ROWS_LEGEND,
    in_orders,
    judge_table,
    near_changes,
    queries,
    rows_table,
    verdict_legend,
    verdict_table,
    warnings,
)
from .blocks import TableView, table_view
from .environment import render
from .shell import Shell

KINDS = {"WORSE": ("regressed", "▼"), "BETTER": ("improved", "▲"), "TIED": ("no_worse", "✓")}
SAID = ("BETTER", "WORSE", "TIED", "INCONCLUSIVE", "INSUFFICIENT_EVIDENCE")


@dataclass(frozen=True, slots=True)
class LossesView:
    """The queries that the candidate lost in a dimension.

    Attributes:
        title: The dimension, with how many were lost and won.
        description: What is compared in it.
        whole: Whether the answers are known; else the ids alone.
        failures: The clearest of them.
    """

    title: str
    description: str
    whole: bool
    failures: Sequence[Failure]


@dataclass(frozen=True, slots=True)
class ChangeView:
    """What the candidate's prompt says otherwise in one of its parts."""

    part: str
    marks: Marks


def duel_page(duel: Duel, *, linked: str = "") -> str:
    """Write a duel as one self-contained page.

    Args:
        duel: The duel.
        linked: Where a web server has the style sheets; empty puts them into the page.
    """
    return str(render("duel.html.j2", **values(duel, linked)))


def values(duel: Duel, linked: str) -> dict[str, object]:
    """What the template is filled with."""
    kind, sign = kind_of(duel)
    tables: list[tuple[TableView, str]] = [
        (table_view(verdict_table(duel), f"{duel.candidate} against {duel.baseline}"), verdict_legend(duel))
    ]
    if in_orders(duel):
        tables.append(
            (table_view(judge_table(duel), "The judge, and the places that answers were shown in"), JUDGE_LEGEND)
        )
        tables.append((table_view(rows_table(duel), "What a plain bootstrap over rows would say"), ROWS_LEGEND))
    losses = [losses_view(each) for each in duel.dimensions if each.failures]
    changes = [ChangeView(each.part, near_changes(each.marks)) for each in duel.changes]
    sections = (("verdicts", "Verdicts", True), ("lost", "Lost queries", losses), ("prompts", "Prompts", changes))
    return {
        "shell": Shell(
            title=f"{duel.candidate} against {duel.baseline}",
            kicker="Duel",
            contents=[(place, name) for place, name, there in sections if there],
            linked=linked,
        ),
        "duel": duel,
        "kind": kind,
        "sign": sign,
        "verdict": verdict_of(duel),
        "warnings": [*warnings(duel)],
        "tables": tables,
        "losses": losses,
        "changes": changes,
        "answer_shown": ANSWER_SHOWN,
    }


def kind_of(duel: Duel) -> tuple[str, str]:
    """How the box of the verdicts looks, and what says the same without colour: the worst verdict decides."""
    return next((look for verdict, look in KINDS.items() if verdict in duel.verdicts), ("suggestive", "?"))


def verdict_of(duel: Duel) -> str:
    """`BETTER in brief; INCONCLUSIVE in polite`: the verdicts, each with its dimensions."""
    named = [
        (verdict, [each.asked.id for each in duel.dimensions if each.found.verdict == verdict]) for verdict in SAID
    ]
    return "; ".join(f"{verdict} in {', '.join(names)}" for verdict, names in named if names)


def losses_view(each: Dimension) -> LossesView:
    """Lay out the lost queries of a dimension."""
    found = each.found
    return LossesView(
        title=f"{each.asked.id}: lost {found.losses} of {queries(found.n)}, won {found.wins}",
        description=each.asked.description,
        whole=any(failure.candidate or failure.baseline for failure in each.failures),
        failures=each.failures,
    )
