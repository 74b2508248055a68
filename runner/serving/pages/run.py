"""One run: its report, the same as files, and how it is getting on while it is under way."""

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ...engine.progress import duration, rate
from ...explorer import CellMap
from ...findings import Report
from ...reports.csv_files import report_csv
from ...reports.html import ReportView, report_page
from ...reports.html.bands import COLUMNS, bands
from ...reports.html.of_run import view_of_run
from ...reports.html.report import map_table, shell, values
from ...reports.machine import report_json
from ...reports.markdown import report_markdown
from ...store.columns import STATUSES
from ...store.read import StoredRun
from ...store.watching import Progress, watch
from ..reading import Found, caches, explored_run, found_run, reading, report_of, settings_of, with_run
from ..rendering import STATIC, fill, page

LOOK_S = 1.0
"""For how long what was seen of a run under way is told to all who ask."""
FORMS: dict[str, tuple[str, str, Callable[[StoredRun, Report], str]]] = {
    "html": ("HTML", "text/html", lambda run, report: report_page(view_of_run(run, report))),
    "json": ("JSON", "application/json", lambda _, report: report_json(report)),
    "csv": ("CSV", "text/csv", lambda _, report: report_csv(report)),
    "md": ("Markdown", "text/markdown", lambda _, report: report_markdown(report)),
}


async def show(request: Request) -> Response:
    """The report of a run, with how it is getting on where it is under way."""
    found = await found_run(request)
    if found.record.id != request.path_params["run"]:
        return RedirectResponse(f"/runs/{quote(found.record.id, safe='')}", status_code=303)
    looked = await look(request, found) if found.record.state == "running" else None
    report = await report_of(request, found)
    explored = await explored_run(request, found)

    async def make() -> dict[str, object]:
        return await caches(request).run(lambda: filled(report, explored.cells))

    parts = await caches(request).pages.get(found.key, make)
    return await to_thread.run_sync(lambda: written(request, found, parts, looked))


def written(request: Request, found: Found, parts: dict[str, Any], looked: dict[str, object] | None) -> Response:
    """The page of a run."""
    return page(
        request,
        "run.html.j2",
        title=found.record.id,
        kicker="Run",
        contents=shell(parts, STATIC, title=found.record.id).contents,
        styles=("explorer.css", "runs.css"),
        scripts=("page.js", "run.js"),
        run=found.record,
        looked=looked,
        forms=FORMS,
        **{name: value for name, value in parts.items() if name != "shell"},
    )


def filled(report: Report, cells: CellMap) -> dict[str, object]:
    """What the report's template is filled with: all that the page of a run has, but the texts of its items."""
    parts = values(ReportView(report), STATIC)
    drawn = bands(cells) if cells.items else ()
    return parts | {
        "explored": bool(cells.items),
        "bands": drawn,
        "map_table": map_table(drawn),
        "band_items": len(cells.items),
        "per_column": -(-len(cells.items) // COLUMNS),
    }


async def download(request: Request) -> Response:
    """The report of a run as a file, as `prt report` writes it."""
    form = request.path_params["form"]
    if form not in FORMS:
        raise HTTPException(404, f"There is no report as {form}; there is one as {', '.join(FORMS)}")
    found = await found_run(request)
    report = await report_of(request, found)
    _, media, write = FORMS[form]
    settings = settings_of(request)
    body = await caches(request).run(lambda: with_run(settings, found, lambda run: write(run, report)))
    headers = {"Content-Disposition": f'attachment; filename="{found.record.id}.{form}"'}
    return Response(body.encode("utf-8", "backslashreplace"), media_type=media, headers=headers)


async def progress(request: Request) -> Response:
    """How a run is getting on: a part of its page, and in a sentence."""
    looked = await look(request, await found_run(request))
    return JSONResponse({**looked, "html": fill("run_progress.html.j2", looked=looked)})


async def look(request: Request, found: Found) -> dict[str, object]:
    """Look how a run is getting on; all who ask within a moment are told the same."""
    settings = settings_of(request)

    def work() -> dict[str, object]:
        with reading(settings) as store:
            return looked_at(found, watch(store, found.record))

    async def make() -> dict[str, object]:
        return await to_thread.run_sync(work)

    return await caches(request).looks.get((found.key[:-1], found.state, int(time.monotonic() / LOOK_S)), make)


def looked_at(found: Found, seen: Progress) -> dict[str, object]:
    """What is told of a run under way."""
    left = max(0, seen.cells - seen.with_result)
    speed = ""
    if found.is_running and seen.since is not None and seen.arrived > 1:
        elapsed = (datetime.now(UTC) - seen.since).total_seconds()
        if elapsed > 0:
            per_s = seen.arrived / elapsed
            speed = f"{rate(per_s)}, by its {seen.arrived} latest replies"
            speed += f"; about {duration(left / per_s)} left" if left else ""
    return {
        "state": found.state,
        "running": found.is_running,
        "with_result": seen.with_result,
        "cells": seen.cells,
        "statuses": {name: seen.statuses[name] for name in STATUSES if name in seen.statuses},
        "speed": speed,
        "said": said(found, seen, left),
    }


def said(found: Found, seen: Progress, left: int) -> str:
    """How a run is getting on, in a sentence."""
    have = f"{seen.with_result:,} of {seen.cells:,} cells have a result"
    if found.is_running:
        return f"The run is under way: {have}."
    if found.state == "cut off":
        return f"The run was cut off: {have}, and no process works on it. `prt run` goes on with it."
    return f"The run is {found.state}: {have}." + (f" {left:,} have none." if left else "")


ROUTES = [
    Route("/runs/{run}", show, methods=["GET"]),
    Route("/runs/{run}/report.{form}", download, methods=["GET"]),
    Route("/api/runs/{run}/progress", progress, methods=["GET"]),
]
