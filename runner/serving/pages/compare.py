"""Runs held against one another: the comparison, the items that changed by the page, and one of them side by side."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ....perturbations.difference import Mark, marked_difference
from ...comparing.changed import ItemChange
from ...comparing.fairness import UnfairError
from ...comparing.findings import Comparison, VersionsComparison
from ...comparing.versions import Settings as How
from ...errors import PrtError, UsageError
from ...findings import Answer
from ...reports.compared_json import comparison_json
from ...reports.compared_markdown import comparison_markdown
from ...reports.html.compared import comparison_page
from ...reports.html.flipped import AnswerView, answer_view
from ...reports.items import ConditionView, ItemView, item_view
from ...reports.text import visible
from ...store.baselines import list_baselines
from ...store.listing import page_of_runs
from ...store.read import StoredRun
from ...store.runs import PRUNED, RunRecord
from ..comparisons import LATER, MOST_VERSIONS, Wanted, changed, compared, compared_parts, found_runs
from ..paging import Pages, number_of
from ..reading import query_of, reading, settings_of
from ..rendering import page
from ..settings import Settings
from .analyser import SIDES, fraction
from .runs import why_empty

LISTED = 300
"""Runs that can be chosen from the lists, the newest."""
SIZE = 50
MARKED = 4_000
"""Characters of two prompts that are held against one another."""
LONGEST = 50_000
"""Characters of a prompt or a reply that are shown."""
WAYS = {"any": "worse or better", "worse": "worse", "better": "better"}
FORMS: dict[str, tuple[str, Callable[[Comparison | VersionsComparison], str]]] = {
    "html": ("text/html", comparison_page),
    "json": ("application/json", lambda found: comparison_json(found) + "\n"),
    "md": ("text/markdown", comparison_markdown),
}


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen, each as its value and what it is called.

    Attributes:
        baselines: The baselines.
        runs: The newest runs.
        older: How many more there are.
    """

    baselines: Sequence[tuple[str, str]]
    runs: Sequence[tuple[str, str]]
    older: int

    def knows(self, value: str) -> bool:
        """Whether a value is in the lists."""
        return any(value == each for each, _ in (*self.baselines, *self.runs))


def choices_of(settings: Settings) -> Choices:
    """Read what can be chosen.

    Raises:
        StoreError: The store can't be read.
    """
    with reading(settings) as store:
        found = page_of_runs(store, start=0, size=LISTED)
        pinned = list_baselines(store)
    baselines = [(each.name, f"{each.name} = {called(each.run)}") for each in pinned if each.run.state != PRUNED]
    runs = [(each.id, called(each)) for each in found.runs if each.state != PRUNED]
    return Choices(baselines, runs, max(0, found.total - LISTED))


def called(run: RunRecord) -> str:
    """A run in the lists."""
    model = str(run.environment.get("model", ""))
    return " · ".join(filter(None, (run.id, model, "" if run.state == "complete" else run.state)))


def how_of(wanted: Wanted) -> How:
    """How runs are compared.

    Raises:
        UsageError: A setting is no number, or out of its range.
    """
    alpha, margin = (
        fraction(name, typed, *SIDES[name]) if (typed := getattr(wanted, name)) else None
        for name in ("alpha", "margin")
    )
    return How(alpha=alpha, margin=margin, allow=wanted.allow)


async def show(request: Request) -> Response:
    """The form, and the comparison that is asked for."""
    settings, wanted = settings_of(request), Wanted.of(query_of(request))
    if why := await to_thread.run_sync(why_empty, settings):
        return page(request, "compare.html.j2", title="Compare runs", kicker="Comparison of runs", why=why)
    choices = await to_thread.run_sync(choices_of, settings)
    parts: dict[str, object] = {}
    problem: PrtError | None = None
    if wanted.is_whole:
        try:
            parts = await compared_parts(request, wanted, how_of(wanted))
        except PrtError as error:
            problem = error
    made = parts.get("shell")
    return await to_thread.run_sync(
        lambda: page(
            request,
            "compare.html.j2",
            title=getattr(made, "title", "Compare runs"),
            kicker="Comparison of runs",
            contents=getattr(made, "contents", ()),
            styles=("compare.css",),
            status=422 if problem and not isinstance(problem, UnfairError) else 200,
            why="",
            wanted=wanted,
            choices=choices,
            places=places_of(wanted),
            problem=problem,
            unfair=problem if isinstance(problem, UnfairError) else None,
            allowed=replace(wanted, allow=True).address("/compare"),
            shown=bool(parts),
            downloads=[(form, wanted.address(f"/compare/download/{form}")) for form in FORMS],
            **{name: value for name, value in parts.items() if name != "shell"},
        )
    )


def places_of(wanted: Wanted) -> list[tuple[str, str, str]]:
    """The later runs of the form, each with its parameter and label; one more than are chosen, up to the most."""
    chosen = [*wanted.others, ""][:MOST_VERSIONS]
    labels = ["Later run", *(f"Later run {number}, if any" for number in range(2, len(chosen) + 1))]
    return [*zip(LATER, labels, chosen, strict=False)]


async def download(request: Request) -> Response:
    """The comparison as a file, as `prt compare` writes it."""
    form, wanted = request.path_params["form"], Wanted.of(query_of(request))
    if form not in FORMS:
        raise HTTPException(404, f"There is no comparison as {form}; there is one as {', '.join(FORMS)}")
    if not wanted.is_whole:
        raise UsageError("choose two runs first: the reference `a`, and the later run `b`")
    found = await compared(request, wanted, how_of(wanted))
    media, written = FORMS[form]
    body = await to_thread.run_sync(lambda: written(found).encode("utf-8", "backslashreplace"))
    headers = {"Content-Disposition": f'attachment; filename="prt-comparison.{form}"'}
    return Response(body, media_type=media, headers=headers)


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
    Route("/compare", show, methods=["GET"]),
    Route("/compare/items", items, methods=["GET"]),
    Route("/compare/item", item, methods=["GET"]),
    Route("/compare/download/{form}", download, methods=["GET"]),
]
