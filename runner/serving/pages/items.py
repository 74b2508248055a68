"""The items of a run: a list that the server filters and pages, and one item with its prompts and replies."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlencode

import numpy as np
from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import UsageError
from ...explorer import FLIPPED, RESULT
from ...explorer_texts import changes
from ...findings import Answer
from ...flipped import own_gold_words
from ...problems import did_you_mean, quoted
from ...reports.html.flipped import AnswerView, answer_view
from ...reports.items import ConditionView, ItemView, item_view
from ...reports.text import one_line, visible
from ...store.of_items import items_of
from ..explored import KINDS, ORDERS, Explored, Filters, Mask, Places, counts, matching, sign_of, signs_of, words_of
from ..paging import Pages, number_of
from ..reading import Found, explored_run, found_run, query_of, searched, settings_of, with_run
from ..rendering import page

SIZE = 50
STRIP = 40
"""Conditions of which each has a sign in the list; of more, the flips alone are told."""
ASKS = 90
"""Characters of what an item asks that the list shows."""
LONGEST = 50_000
"""Characters of a prompt or a reply that are shown."""
CLUSTERS = 500
"""Clusters that can be chosen from a list; of more, one is typed."""
TOLD = 8
"""Conditions under which an item flips that are named."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in the list.

    Attributes:
        id: The item.
        href: Its page.
        asks: The beginning of what it asks.
        cluster: What it belongs to.
        strip: A sign a condition; empty where there are too many.
        flips: Under how many conditions of the headline it flips.
        told: Under which conditions it flips or was not read, in words.
    """

    id: str
    href: str
    asks: str
    cluster: str
    strip: str
    flips: int
    told: str


@dataclass(frozen=True, slots=True)
class Choice:
    """A condition of an item that can be looked at."""

    name: str
    href: str
    sign: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Pane:
    """An item under one condition.

    Attributes:
        name: The condition.
        marks: Its prompt, with what differs.
        cut: How many characters of it are not shown.
        outcome: Why nothing was asked; empty where it was.
        gold: What counts as right where that is not what does in the dataset.
        answers: Its replies, one a run.
    """

    name: str
    marks: Sequence[tuple[str, str]]
    cut: int
    outcome: str
    gold: str
    answers: tuple[AnswerView, ...]


async def show(request: Request) -> Response:
    """The list of a run's items."""
    found = await found_run(request)
    explored = await explored_run(request, found)
    query = query_of(request)
    filters = filters_of(query, explored)
    mask = await searched(request, found, explored, filters.text)
    return await to_thread.run_sync(
        lambda: listed(request, found, explored, filters, mask, number_of(query.get("page", "")))
    )


def listed(  # noqa: PLR0917 - what a page is of
    request: Request, found: Found, explored: Explored, filters: Filters, mask: Mask | None, number: int
) -> Response:
    """A page of the list."""
    cells = explored.cells
    rows = matching(explored, filters, mask)
    pages = Pages(number, len(rows), SIZE)
    shown = [int(at) for at in rows[pages.start : pages.start + SIZE]]
    ids = [cells.items[at] for at in shown]
    read = with_run(settings_of(request), found, lambda run: [*items_of(run, ids)])
    asks = {item.id: one_line(item.question.text, ASKS) for item in read}
    clusters = sorted({*map(visible, cells.clusters)} - {""})
    return page(
        request,
        "items.html.j2",
        title=f"Items of {found.record.id}",
        kicker="Explorer",
        styles=("explorer.css", "runs.css"),
        run=found.record,
        filters=filters,
        kinds=KINDS,
        orders=ORDERS,
        counts=counts(explored, filters, mask),
        conditions=[*map(visible, cells.conditions)],
        clusters=clusters if len(clusters) <= CLUSTERS else [],
        clustered=bool(clusters),
        counted=cells.counted.shape[1],
        every=len(cells.items),
        pages=pages,
        entries=[entry(found, explored, filters, at, asks[cells.items[at]]) for at in shown],
        striped=len(cells.conditions) <= STRIP,
    )


def filters_of(query: dict[str, str], explored: Explored) -> Filters:
    """The filters of an address.

    Raises:
        HTTPException: 404: one of them names what the run does not have.
    """
    filters = Filters.of(query)
    try:
        filters.check(explored.cells)
    except UsageError as error:
        raise HTTPException(404, str(error)) from None
    return filters


def entry(found: Found, explored: Explored, filters: Filters, at: int, asks: str) -> Entry:
    """An item in the list."""
    cells = explored.cells
    row, item = cells.cells[at], cells.items[at]
    telling = np.flatnonzero(row & FLIPPED).tolist()
    named = [f"{words_of(int(row[place]))} under {cells.conditions[place]}" for place in telling[:TOLD]]
    more = len(telling) - len(named)
    told = ", ".join([f"{words_of(int(row[0]))} under the original", *named, *([f"and {more} more"] if more else [])])
    return Entry(
        id=item,
        href=item_href(found, item, filters),
        asks=asks,
        cluster=cells.clusters[at] if cells.clusters else "",
        strip=signs_of(row) if len(cells.conditions) <= STRIP else "",
        flips=int(np.count_nonzero(cells.counted[at] & FLIPPED)),
        told=told,
    )


def item_href(found: Found, item: str, filters: Filters, under: str = "") -> str:
    """The page of an item, which knows the list that it is of; `under` is the condition that is looked at."""
    chosen = {"id": item, **({"under": under} if under else {})}
    rest = filters.query()
    return f"/runs/{quote(found.record.id, safe='')}/item?{urlencode(chosen, errors='surrogatepass')}" + (
        f"&{rest}" if rest else ""
    )


async def show_item(request: Request) -> Response:
    """One item: prompts with their differences marked, and replies, under the original and another condition."""
    found = await found_run(request)
    explored = await explored_run(request, found)
    query = query_of(request)
    filters = filters_of(query, explored)
    item = query.get("id", "")
    at = explored.at.get(item)
    if at is None:
        near = await to_thread.run_sync(did_you_mean, item, explored.cells.items)
        raise HTTPException(404, f"{found.record.id}: there is no item {quoted(item)}{near}")
    under = query.get("under", "") or filters.condition
    shown = [*map(visible, explored.cells.conditions)]
    if under and under not in shown:
        raise HTTPException(404, f"condition: there is no {quoted(under)} here{did_you_mean(under, shown)}")
    column = shown.index(under) if under else telling_column(explored, at)
    mask = await searched(request, found, explored, filters.text)
    settings = settings_of(request)

    def work() -> Response:
        name = explored.cells.conditions[column]
        view = with_run(settings, found, lambda run: item_view(run, item, condition=name))
        return answered(request, found, Looked(explored, filters, at, column, matching(explored, filters, mask)), view)

    return await to_thread.run_sync(work)


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What is looked at: an item's place in the map, a condition's column, and the list that it is of."""

    explored: Explored
    filters: Filters
    at: int
    column: int
    rows: Places


def telling_column(explored: Explored, at: int) -> int:
    """The condition that tells most of an item: the first under which it flips, else the first but the baseline."""
    row = explored.cells.cells[at]
    flips = [place for place in np.flatnonzero(row & FLIPPED).tolist() if place]
    asked = [place for place in np.flatnonzero(row & RESULT).tolist() if place]
    return int((flips or asked or [0])[0])


def answered(request: Request, found: Found, looked: Looked, view: ItemView) -> Response:
    """The page of an item."""
    cells, filters = looked.explored.cells, looked.filters
    row, item = cells.cells[looked.at], view.item_id
    place = np.flatnonzero(looked.rows == looked.at)
    here = int(place[0]) if place.size else None
    previous, following = (
        None if here is None or not 0 <= here + step < len(looked.rows) else looked.rows[here + step]
        for step in (-1, 1)
    )
    name = cells.conditions[looked.column]
    choices = [
        Choice(
            visible(each),
            item_href(found, item, filters, visible(each)),
            sign_of(int(row[at])),
            words_of(int(row[at])),
            at == looked.column,
        )
        for at, each in enumerate(cells.conditions)
    ]
    number = 1 if here is None else 1 + here // SIZE
    return page(
        request,
        "item.html.j2",
        title=item,
        kicker="Item",
        styles=("explorer.css", "runs.css"),
        run=found.record,
        gold=view.gold,
        cluster=cells.clusters[looked.at] if cells.clusters else "",
        choices=choices,
        under=name,
        panes=panes_of(view),
        previous=None if previous is None else item_href(found, cells.items[previous], filters),
        following=None if following is None else item_href(found, cells.items[following], filters),
        place=None if here is None else here + 1,
        total=len(looked.rows),
        back=f"/runs/{quote(found.record.id, safe='')}/items?{filters.query(page=number)}",
    )


def panes_of(view: ItemView) -> list[Pane]:
    """The original, and beside it the condition that is looked at, with what differs marked in both."""
    original, *others = view.conditions
    if not others:
        return [pane(original, [("equal", original.prompt[:LONGEST])])]
    (other,) = others
    before, after = original.prompt[:LONGEST], other.prompt[:LONGEST]
    asked = other.variant.outcome == "applied"
    marks = [*changes(original.variant, other.variant, before, after)] if asked else [("equal", before)]
    return [
        pane(original, [mark for mark in marks if mark[0] != "insert"]),
        pane(other, [mark for mark in marks if mark[0] != "delete"] if asked else []),
    ]


def pane(view: ConditionView, marks: Sequence[tuple[str, str]]) -> Pane:
    """An item under one condition."""
    variant = view.variant
    asked = variant.outcome == "applied"
    outcome = "" if asked else ": ".join(filter(None, (variant.outcome.replace("_", " "), variant.reason)))
    return Pane(
        name=variant.condition,
        marks=marks,
        cut=max(0, len(view.prompt) - LONGEST) if asked else 0,
        outcome=outcome,
        gold="" if variant.gold is None else own_gold_words(variant, variant.gold),
        answers=tuple(shown(each) for each in view.answers),
    )


def shown(answer: Answer) -> AnswerView:
    """A reply as it is shown."""
    return answer_view(answer, longest=LONGEST)


ROUTES = [
    Route("/runs/{run}/items", show, methods=["GET"]),
    Route("/runs/{run}/item", show_item, methods=["GET"]),
]
