"""The list of runs: what each is at once, its figures as they are worked out, one run after the other."""

from dataclasses import dataclass

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...errors import StoreError
from ...store.database import checked_url
from ...store.listing import item_counts, page_of_runs
from ...store.runs import PRUNED, RunRecord, state_now
from ..headlines import headline
from ..paging import Pages, number_of
from ..reading import caches, found_run, query_of, reading, report_of, settings_of
from ..rendering import fill, page
from ..settings import Settings

SIZE = 25


@dataclass(frozen=True, slots=True)
class Row:
    """A run in the list.

    Attributes:
        id: Its id.
        name: Its name.
        state: Its state.
        reason: Why it is not complete.
        model: The model.
        grader: The grader.
        items: How many items it has.
        started: When it began.
        readable: Whether there is anything of it to be read.
    """

    id: str
    name: str
    state: str
    reason: str
    model: str
    grader: str
    items: int
    started: str
    readable: bool


def row(record: RunRecord, state: str, items: int) -> Row:
    """A run as the list shows it."""
    return Row(
        id=record.id,
        name=record.name,
        state=state,
        reason=record.reason,
        model=str(record.environment.get("model", "")),
        grader=str(record.grader.get("name", "")),
        items=items,
        started=f"{record.started_at:%Y-%m-%d %H:%M} UTC",
        readable=record.state != PRUNED,
    )


def rows_of(settings: Settings, number: int) -> tuple[Pages, list[Row]]:
    """A page of the list.

    Raises:
        StoreError: The store can't be read.
    """
    with reading(settings) as store:
        found = page_of_runs(store, start=(number - 1) * SIZE, size=SIZE)
        counts = item_counts(store, {each.suite for each in found.runs})
        rows = [row(each, state_now(store, each), counts.get(each.suite, 0)) for each in found.runs]
    return Pages(number, found.total, SIZE), rows


def why_empty(settings: Settings) -> str:
    """Why there is nothing to be listed, where the store can't be opened; empty where it can."""
    try:
        with reading(settings):
            return ""
    except StoreError as error:
        return str(error)


def is_absent(settings: Settings) -> bool:
    """Whether there is no store yet."""
    try:
        checked_url(settings.store, may_create=False)
    except StoreError:
        return True
    return False


async def show(request: Request) -> Response:
    """The list, or what to do where there is no store yet."""
    settings, number = settings_of(request), number_of(query_of(request).get("page", ""))
    why = await to_thread.run_sync(why_empty, settings)
    pages, rows = (Pages(1, 0, SIZE), []) if why else await to_thread.run_sync(rows_of, settings, number)
    return page(
        request,
        "runs.html.j2",
        title="Runs",
        place=settings_place(settings),
        styles=("runs.css",),
        scripts=("runs.js",),
        rows=rows,
        pages=pages,
        why=why,
        absent=is_absent(settings),
    )


def settings_place(settings: Settings) -> str:
    """The store, as people may see it: without a password."""
    return "the database" if "://" in settings.store else settings.store


async def headline_of(request: Request) -> Response:
    """The figures of a run in a few lines, as a part of the list."""
    found = await found_run(request)

    async def make() -> str:
        report = await report_of(request, found)
        return fill("run_headline.html.j2", headline=headline(report))

    return JSONResponse({"html": await caches(request).headlines.get(found.key, make)})


ROUTES = [
    Route("/runs", show, methods=["GET"]),
    Route("/api/runs/{run}/headline", headline_of, methods=["GET"]),
]
