"""The items that changed between two runs, by the page, and one of them side by side."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ....perturbations.difference import Mark, marked_difference
from ...comparing.changed import ItemChange
from ...errors import UsageError
from ...findings import Answer
from ...reports.html.flipped import AnswerView, answer_view
from ...reports.items import ConditionView, ItemView, item_view
from ...reports.text import visible
from ...store.read import StoredRun
from ..comparisons import Wanted, changed, found_runs
from ..paging import Pages, number_of
from ..reading import query_of, reading, settings_of
from ..rendering import page

SIZE = 50
MARKED = 4_000
"""Characters of two prompts that are held against one another."""
LONGEST = 50_000
"""Characters of a prompt or a reply that are shown."""
WAYS = {"any": "worse or better", "worse": "worse", "better": "better"}


@dataclass(frozen=True, slots=True)
class Entry:
    """An item in the list of those that changed."""

    id: str
    href: str
    worse: str
    better: str
    compared: int


@dataclass(frozen=True, slots=True)
class Narrowed:
    """Which of the items that changed are asked for.

    Attributes:
        way: One of `WAYS`.
        condition: The condition under which they changed, as it is shown; empty for any.
    """

    way: str
    condition: str

    def keeps(self, change: ItemChange) -> bool:
        """Whether an item is one of them."""
        ways = {"any": (*change.worse, *change.better), "worse": change.worse, "better": change.better}[self.way]
        return bool(ways) and (not self.condition or self.condition in map(visible, ways))


async def items(request: Request) -> Response:
    """The items that changed between two runs, by the page."""
    query = query_of(request)
    wanted = whole(Wanted.of(query))
    runs, every = await changed(request, wanted)
    way = query.get("way", "any")
    narrowed = Narrowed(way if way in WAYS else "any", query.get("condition", ""))
    conditions = sorted({visible(name) for each in every for name in (*each.worse, *each.better)})
    chosen = [each for each in every if narrowed.keeps(each)]
    pages = Pages(number_of(query.get("page", "")), len(chosen), SIZE)
    shown = [entry(wanted, each) for each in chosen[pages.start : pages.start + SIZE]]
    kept = {"way": narrowed.way, "condition": narrowed.condition}
    return page(
        request,
        "compare_items.html.j2",
        title="Items that changed",
        kicker="Comparison of runs",
        versions=f"{wanted.others[0]} against {wanted.a}",
        styles=("compare.css",),
        wanted=wanted,
        runs=[each.record.id for each in runs],
        entries=shown,
        total=len(every),
        ways=WAYS,
        conditions=conditions,
        narrowed=narrowed,
        pages=pages,
        links={
            name: wanted.address("/compare/items", **kept, page=number)
            for name, number in (("previous", pages.previous), ("next", pages.next))
            if number is not None
        },
    )


def whole(wanted: Wanted) -> Wanted:
    """A reference and one later run.

    Raises:
        UsageError: One is not named.
    """
    if not wanted.is_whole:
        raise UsageError("choose two runs first: the reference `a`, and the later run `b`")
    return replace(wanted, others=wanted.others[:1])


def entry(wanted: Wanted, change: ItemChange) -> Entry:
    """An item as the list shows it."""
    return Entry(
        id=change.item_id,
        href=wanted.item(wanted.others[0], change.item_id, change.foremost),
        worse=", ".join(change.worse),
        better=", ".join(change.better),
        compared=change.compared,
    )


@dataclass(frozen=True, slots=True)
class SideView:
    """One item under one condition in one run.

    Attributes:
        title: Which run.
        run: Its id.
        href: The page of the item in this run alone.
        prompt: What was asked, with marks where the runs asked otherwise.
        cut: How many characters of it are not shown.
        answers: What came back, and what was read in it.
        missing: Why there is no prompt; empty where there is one.
    """

    title: str
    run: str
    href: str
    prompt: Sequence[tuple[Mark, str]]
    cut: int
    answers: Sequence[AnswerView]
    missing: str


@dataclass(frozen=True, slots=True)
class ConditionRow:
    """An item under one condition, in a line: what it came to in both runs."""

    condition: str
    href: str
    before: str
    after: str
    differs: bool


async def item(request: Request) -> Response:
    """One item in two runs, under one condition."""
    query = query_of(request)
    wanted = whole(Wanted.of(query))
    runs = await found_runs(request, wanted)
    item_id, settings = query.get("item", ""), settings_of(request)

    def work() -> tuple[ItemView, ItemView]:
        with reading(settings) as store:
            try:
                before, after = (item_view(StoredRun(store, each.record), item_id, condition=None) for each in runs)
            except UsageError as error:
                raise HTTPException(404, str(error)) from None
            return before, after

    before, after = await to_thread.run_sync(work)
    names = list(dict.fromkeys(each.variant.condition for each in (*before.conditions, *after.conditions)))
    condition = query.get("condition") or names[0]
    if condition not in names:
        raise HTTPException(404, f"The item was not asked under the condition {visible(condition)} in either run")
    sides = sides_of((before, after), condition)
    return page(
        request,
        "compare_item.html.j2",
        title=item_id,
        kicker="Comparison of runs",
        versions=f"{wanted.others[0]} against {wanted.a}",
        styles=("compare.css",),
        condition=condition,
        golds=list(dict.fromkeys((before.gold, after.gold))),
        same_prompt=not any(side.missing for side in sides) and sides[0].prompt == sides[1].prompt,
        sides=sides,
        rows=[condition_row(wanted, item_id, name, (before, after)) for name in names],
        back=wanted.items(wanted.others[0]),
        comparison=wanted.address("/compare"),
    )


def under(view: ItemView, condition: str) -> ConditionView | None:
    """An item under one condition; None where the run does not have it so."""
    return next((each for each in view.conditions if each.variant.condition == condition), None)


def sides_of(views: tuple[ItemView, ItemView], condition: str) -> tuple[SideView, SideView]:
    """Lay out both runs; where they asked otherwise, with what the other does not have marked."""
    found = [under(view, condition) for view in views]
    prompts = [None if each is None else each.prompt for each in found]
    marks: list[list[tuple[Mark, str]]] = [[("equal", (prompt or "")[:LONGEST])] for prompt in prompts]
    cuts = [max(0, len(prompt or "") - LONGEST) for prompt in prompts]
    if None not in prompts and prompts[0] != prompts[1]:
        texts = [(prompt or "")[:MARKED] for prompt in prompts]
        both = marked_difference(*texts)
        marks = [[mark for mark in both if mark[0] != other] for other in ("insert", "delete")]
        cuts = [len(prompt or "") - len(text) for prompt, text in zip(prompts, texts, strict=True)]
    before, after = (
        SideView(title, view.run, item_address(view, condition), marked, cut, answers_of(each), why_missing(each))
        for title, view, marked, cut, each in zip(("Earlier run", "Later run"), views, marks, cuts, found, strict=True)
    )
    return before, after


def item_address(view: ItemView, condition: str) -> str:
    """The address of the page of an item in one run."""
    query = urlencode({"id": view.item_id, "under": condition}, errors="surrogatepass")
    return f"/runs/{quote(view.run, safe='')}/item?{query}"


def answers_of(view: ConditionView | None) -> list[AnswerView]:
    """What came back."""
    return [] if view is None else [answer_view(answer, LONGEST) for answer in view.answers]


def why_missing(view: ConditionView | None) -> str:
    """Why there is no prompt."""
    if view is None:
        return "This run has no such condition."
    return "" if view.prompt else f"There was nothing to ask: {view.variant.outcome}, {view.variant.reason}"


def condition_row(wanted: Wanted, item_id: str, condition: str, views: tuple[ItemView, ItemView]) -> ConditionRow:
    """One condition in a line."""
    before, after = (outcome(under(view, condition)) for view in views)
    return ConditionRow(condition, wanted.item(wanted.others[0], item_id, condition), before, after, before != after)


def outcome(view: ConditionView | None) -> str:
    """What an item came to under one condition, in words."""
    if view is None or not view.answers:
        return "no reply"
    words = [passed(answer) for answer in view.answers]
    return words[0] if len(words) == 1 else f"{words.count('pass')} of {len(words)} pass"


def passed(answer: Answer) -> str:
    """How a reply was graded."""
    return {True: "pass", False: "fail", None: "no result"}[answer.passed]


ROUTES = [
    Route("/compare/items", items, methods=["GET"]),
    Route("/compare/item", item, methods=["GET"]),
]
