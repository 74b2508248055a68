"""Series of nights: which there are, the history of one, and a night of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote, urlencode

from anyio import to_thread
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...nightly.summary import NightSummary, read_history
from ...problems import did_you_mean, quoted
from ...reports.digest import VERDICTS, digest_of
from ...reports.html.blocks import TableView
from ...reports.night_pages import TableOf, night_values, sign_of, trend_values
from ...reports.text import percent, percent_interval
from ...reports.trend import date, rate, sparkline
from ...store.nights import list_nights, list_series
from ..caching import Kept
from ..paging import Pages, number_of
from ..reading import caches, query_of, reading, settings_of
from ..rendering import page
from ..settings import Settings
from .runs import why_empty

SIZE = 20
MOST_PAGES = 16
"""How many histories and nights are kept."""
KICKER = "Nights"
Nights = tuple[NightSummary, ...]


@dataclass(frozen=True, slots=True)
class SeriesRow:
    """A series in the list.

    Attributes:
        name: The series.
        href: Its history.
        nights: How many there are.
        alarms: How many of them are alarms.
        last: The day of the last night.
        verdict: What that came to.
        kind: How its verdict looks.
        sign: What says the same without colour.
        line: The pass rates of the originals as blocks.
        originals: The last of them, with its interval and number of items.
        method: What the interval is.
    """

    name: str
    href: str
    nights: int
    alarms: int
    last: str
    verdict: str
    kind: str
    sign: str
    line: str
    originals: str
    method: str


def series_address(name: str) -> str:
    """The address of the history of a series."""
    return f"/trends/series?{urlencode({'name': name}, errors='surrogatepass')}"


def night_address(name: str, night: int) -> str:
    """The address of a night."""
    return f"/trends/night?{urlencode({'name': name, 'night': night}, errors='surrogatepass')}"


def run_address(run: str) -> str:
    """The address of a run."""
    return f"/runs/{quote(run, safe='', errors='surrogatepass')}"


def series_rows(settings: Settings, number: int) -> tuple[Pages, list[SeriesRow]]:
    """A page of the list.

    Raises:
        StoreError: The store can't be read.
    """
    with reading(settings) as store:
        names = list_series(store)
        pages = Pages(number, len(names), SIZE)
        shown = names[pages.start : pages.start + SIZE]
        return pages, [series_row(name, read_history(list_nights(store, name)).nights) for name in shown]


def series_row(name: str, nights: Nights) -> SeriesRow:
    """A series as the list shows it."""
    last = nights[-1]
    kind, sign = sign_of(last)
    complete = [night for night in nights if night.verdict != "incomplete"]
    originals = method = ""
    if complete:
        found = complete[-1].baseline_rate
        originals = f"{percent(found.estimate)} ({percent_interval(found)}; n {found.n})"
        method = found.method if found.level is None else f"{100 * found.level:g}% interval: {found.method}"
    return SeriesRow(
        name=name,
        href=series_address(name),
        nights=len(nights),
        alarms=sum(night.verdict == "alarm" for night in nights),
        last=date(last),
        verdict="a gate failed" if last.verdict == "quiet" and last.failed_gates else VERDICTS[last.verdict],
        kind=kind,
        sign=sign,
        line=sparkline([rate(night, night.baseline_rate.estimate) for night in nights]),
        originals=originals,
        method=method,
    )


async def show(request: Request) -> Response:
    """The list of series."""
    settings, number = settings_of(request), number_of(query_of(request).get("page", ""))
    why = await to_thread.run_sync(why_empty, settings)
    pages, rows = (Pages(1, 0, SIZE), []) if why else await to_thread.run_sync(series_rows, settings, number)
    return page(
        request,
        "trends.html.j2",
        title="Trends",
        kicker=KICKER,
        styles=("trends.css",),
        why=why,
        pages=pages,
        rows=rows,
    )


@dataclass(frozen=True, slots=True)
class Series:
    """A series that a page is about.

    Attributes:
        name: Its name.
        nights: Its nights.
        key: What decides how they look.
    """

    name: str
    nights: Nights
    key: tuple[object, ...]


async def series_of(request: Request) -> Series:
    """The series that a request names.

    Raises:
        HTTPException: 404: there is no such series.
        StoreError: The store can't be read.
    """
    settings, name = settings_of(request), query_of(request).get("name", "")

    def work() -> Series:
        with reading(settings) as store:
            known = list_series(store)
            if name not in known:
                near = did_you_mean(name, known)
                raise HTTPException(404, f"{store.place}: there is no series of nights {quoted(name)}{near}")
            stored = list_nights(store, name)
        return Series(name, read_history(stored).nights, (name, *((each.run, each.decided_at) for each in stored)))

    return await to_thread.run_sync(work)


async def series(request: Request) -> Response:
    """The history of a series: charts, releases, and every night."""
    found = await series_of(request)
    name, nights = found.name, found.nights

    def work() -> dict[str, object]:
        parts = trend_values(name, nights)
        return {**parts, "tables": [linked(name, nights, table) for table in tables_of(parts)]}

    parts = await drawn(request, found.key, work)
    return nights_page(request, parts, title=name, back="", links=())


async def night(request: Request) -> Response:
    """A night of a series: its digest, and the history up to it."""
    found = await series_of(request)
    name, nights = found.name, found.nights
    number = number_of(query_of(request).get("night", ""))
    at = next((at for at, each in enumerate(nights) if each.night == number), None)
    if at is None:
        raise HTTPException(404, f"The series has no night {number}; it has {nights[0].night} to {nights[-1].night}")
    summary, previous = nights[at], nights[at - 1] if at else None

    def work() -> dict[str, object]:
        parts = night_values(digest_of(summary, previous), summary, nights[: at + 1])
        return {**parts, "tables": [linked(name, nights, table) for table in tables_of(parts)]}

    parts = await drawn(request, (number, *found.key), work)
    links = [(f"The run {summary.run}", run_address(summary.run))]
    if summary.reference is not None:
        pair = urlencode({"a": summary.reference.run, "b": summary.run}, errors="surrogatepass")
        links.append((f"Compared with {summary.reference.name}", f"/compare?{pair}"))
    links += [
        (f"Night {each.night}, the one {where}", night_address(name, each.night))
        for where, each in (("before", previous), ("after", nights[at + 1] if at + 1 < len(nights) else None))
        if each is not None
    ]
    title = f"{name}, night {number}"
    return nights_page(request, parts, title=title, back=series_address(name), links=links)


def tables_of(parts: dict[str, object]) -> Sequence[TableOf]:
    """The tables of a page of nights."""
    tables = parts["tables"]
    if not isinstance(tables, list):
        raise TypeError("a page of nights has a list of tables")
    return tables


def linked(name: str, nights: Nights, table: TableOf) -> TableOf:
    """A table of nights whose numbers lead to the nights, and which ends with their runs; other tables as they are."""
    if table.place != "nights":
        return table
    by_number = {str(each.night): each for each in nights}
    rows = []
    for number, *cells in table.view.rows:
        of = by_number[number]
        first = Markup('<a href="{}">{}</a>').format(night_address(name, of.night), number)
        last = Markup('<a href="{}">{}</a>').format(run_address(of.run), of.run)
        rows.append((first, *cells, last))
    view = TableView(table.view.caption, (*table.view.headings, "run"), tuple(rows), table.view.numeric)
    return replace(table, view=view)


async def drawn(request: Request, key: tuple[object, ...], work: Callable[[], dict[str, object]]) -> dict[str, object]:
    """What a page of nights is filled with, its charts drawn once."""
    state = request.app.state
    if not hasattr(state, "nights"):
        state.nights = Kept[dict[str, object]](MOST_PAGES)
    pages: Kept[dict[str, object]] = state.nights

    async def make() -> dict[str, object]:
        return await caches(request).run(work)

    return await pages.get(key, make)


def nights_page(
    request: Request, parts: dict[str, object], *, title: str, back: str, links: Sequence[tuple[str, str]]
) -> Response:
    """A page of nights."""
    made = parts["shell"]
    return page(
        request,
        "trend.html.j2",
        title=title,
        kicker=KICKER,
        contents=getattr(made, "contents", ()),
        styles=("trends.css",),
        status=200,
        back=back,
        links=links,
        **{name: value for name, value in parts.items() if name != "shell"},
    )


ROUTES = [
    Route("/trends", show, methods=["GET"]),
    Route("/trends/series", series, methods=["GET"]),
    Route("/trends/night", night, methods=["GET"]),
]
