"""Runs as pages need them: found by id, analysed once, laid out once. The store is opened anew and only read.

What takes long runs in threads, two at a time, so that the analysis of large runs keeps no small page waiting.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar
from urllib.parse import parse_qsl

from anyio import CapacityLimiter, to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..analysis import analyse_run, read_results_of
from ..errors import UsageError
from ..findings import Report
from ..store.baselines import list_baselines
from ..store.database import Store, open_store
from ..store.find import find_run, refuse_pruned
from ..store.listing import run_of_id
from ..store.read import StoredRun
from ..store.runs import OTHERS, WITHOUT_TEXTS, RunRecord, state_now
from .caching import Kept
from .explored import Explored, Mask, explored_of, search
from .settings import Settings

Value = TypeVar("Value")

FRESH_S = 10.0
"""For how long the figures of a run that is under way are kept."""
AT_ONCE = 2
MAPS, REPORTS, PAGES, HEADLINES, SEARCHES, LOOKS = 8, 32, 16, 512, 64, 64
"""How many of each are kept; a map is a byte a cell, and the ids of the items."""


@dataclass(frozen=True, slots=True)
class Found:
    """A run that a page is about.

    Attributes:
        record: Its row.
        state: Its state; `cut off` where no process works on what its row says is running.
        key: What decides its figures, but for what is still to come of a run that is under way.
    """

    record: RunRecord
    state: str
    key: tuple[object, ...]

    @property
    def is_running(self) -> bool:
        """Whether a process works on it right now."""
        return self.state == "running"


@dataclass(slots=True)
class Caches:
    """What was worked out for the pages of a server."""

    limiter: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(AT_ONCE))
    maps: Kept[Explored] = field(default_factory=lambda: Kept(MAPS))
    reports: Kept[Report] = field(default_factory=lambda: Kept(REPORTS))
    pages: Kept[dict[str, object]] = field(default_factory=lambda: Kept(PAGES))
    headlines: Kept[str] = field(default_factory=lambda: Kept(HEADLINES))
    searches: Kept[Mask] = field(default_factory=lambda: Kept(SEARCHES))
    looks: Kept[dict[str, object]] = field(default_factory=lambda: Kept(LOOKS))

    async def run(self, work: Callable[[], Value]) -> Value:
        """Do what takes long in a thread, when it is its turn."""
        return await to_thread.run_sync(work, limiter=self.limiter)


def caches(request: Request) -> Caches:
    """The caches of a server."""
    state = request.app.state
    if not hasattr(state, "caches"):
        state.caches = Caches()
    kept: Caches = state.caches
    return kept


def settings_of(request: Request) -> Settings:
    """What the server was told."""
    settings: Settings = request.app.state.settings
    return settings


@contextmanager
def reading(settings: Settings) -> Iterator[Store]:
    """The store, open to be read.

    Raises:
        StoreError: There is none, or it can't be read.
    """
    with open_store(settings.store, may_write=False) as store:
        yield store


def query_of(request: Request) -> dict[str, str]:
    """The parameters of an address; ids that are no Unicode, for a lone surrogate in them, come as they are."""
    given = request.url.query
    try:
        pairs = parse_qsl(given, keep_blank_values=True, errors="surrogatepass")
    except UnicodeDecodeError:
        pairs = parse_qsl(given, keep_blank_values=True)
    return dict(pairs)


def find(settings: Settings, run_id: str) -> Found:
    """Find a run by its id.

    Raises:
        HTTPException: 404: there is no such run, or no results of it are left.
    """
    with reading(settings) as store:
        record = run_of_id(store, run_id)
        try:
            if record is None or record.grader.get("name") in OTHERS:
                record = find_run(store, run_id)
            refuse_pruned(store, record)
        except UsageError as error:
            raise HTTPException(404, str(error)) from None
        gated = record.config.get("gates")
        pinned = [(each.name, each.run.number) for each in list_baselines(store)] if gated else ()
        state = state_now(store, record)
    key = (
        record.id,
        record.state,
        record.finished_at,
        record.grader_key,
        record.environment.get(WITHOUT_TEXTS),
        *pinned,
        int(time.monotonic() / FRESH_S) if state == "running" else None,
    )
    return Found(record, state, key)


async def found_run(request: Request) -> Found:
    """The run that the path of a request names."""
    settings, run_id = settings_of(request), request.path_params["run"]
    return await to_thread.run_sync(lambda: find(settings, run_id))


async def report_of(request: Request, found: Found) -> Report:
    """The report of a run."""
    kept, settings = caches(request), settings_of(request)

    async def make() -> Report:
        def work() -> tuple[Report, Explored]:
            with reading(settings) as store:
                run = StoredRun(store, found.record)
                results = read_results_of(run)
                return analyse_run(run, results=results), explored_of(results)

        report, explored = await kept.run(work)
        kept.maps.put(found.key, explored)
        return report

    return await kept.reports.get(found.key, make)


async def explored_run(request: Request, found: Found) -> Explored:
    """The items of a run under all conditions."""
    kept, settings = caches(request), settings_of(request)

    async def make() -> Explored:
        return await kept.run(
            lambda: with_run(settings, found, lambda run: explored_of(read_results_of(run, usage=False)))
        )

    return await kept.maps.get(found.key, make)


async def searched(request: Request, found: Found, explored: Explored, text: str) -> Mask | None:
    """The items of a run in which a text stands; None where none is looked for."""
    if not text:
        return None
    kept, settings = caches(request), settings_of(request)

    async def make() -> Mask:
        return await kept.run(lambda: with_run(settings, found, lambda run: search(run, explored, text)))

    return await kept.searches.get((found.key, text.casefold()), make)


def with_run(settings: Settings, found: Found, work: Callable[[StoredRun], Value]) -> Value:
    """Do something with a run whose store is open."""
    with reading(settings) as store:
        return work(StoredRun(store, found.record))
