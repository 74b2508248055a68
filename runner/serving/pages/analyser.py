"""The analyser: results that were made elsewhere are pasted, and their report is beside them as one types."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite
from typing import Any

from anyio import to_thread
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ...errors import Problem, ProblemsError, PrtError, UsageError
from ...explorer import map_of_table
from ...findings import Report
from ...problems import quoted
from ...reports.csv_files import report_csv
from ...reports.html import ReportView, report_page
from ...reports.html.report import values
from ...reports.machine import report_json
from ...results.read import read_results
from ...results.table import ResultsTable
from ...table_analysis import analyse_table
from ..rendering import OWN, STATIC, fill, page

NAME = "pasted table"
ALPHA, MARGIN = 0.05, 0.05
SIDES = {"alpha": (1e-6, 0.5), "margin": (1e-6, 0.999)}
"""What `prt analyze` takes."""
LABELS = {"alpha": "Significance level", "margin": "Margin"}
"""What the pages call them."""
NO_TEXT = "{} is no text in UTF-8; save it as CSV in UTF-8"
FORMS: dict[str, tuple[str, Callable[[ResultsTable, Report], str]]] = {
    "html": ("text/html", lambda table, report: report_page(ReportView(report, map_of_table(table)))),
    "json": ("application/json", lambda _, report: report_json(report)),
    "csv": ("text/csv", lambda _, report: report_csv(report)),
}


@dataclass(frozen=True, slots=True)
class Pasted:
    """What a visitor pasted, and how it is to be analysed.

    Attributes:
        table: The results, in any form that `prt analyze` reads.
        baseline: The baseline; empty for the one that the table names, else the first.
        alpha: Significance level, as typed.
        margin: The largest drop that would not matter, as typed.
        unread: Why a file that was sent could not be read; empty where it could.
    """

    table: str
    baseline: str = ""
    alpha: str = f"{ALPHA:g}"
    margin: str = f"{MARGIN:g}"
    unread: str = ""

    def analysed(self) -> tuple[ResultsTable, Report]:
        """Read and analyse it.

        Raises:
            PrtError: It can't be read, or a setting is none.
        """
        if self.unread:
            raise UsageError(self.unread)
        alpha, margin = (fraction(name, getattr(self, name), *sides) for name, sides in SIDES.items())
        table = read_results(None, self.table, baseline=self.baseline.strip() or None, name=NAME)
        return table, analyse_table(table, alpha=alpha, margin=margin)


def fraction(name: str, typed: str, low: float, high: float) -> float:
    """A setting as a number.

    Raises:
        UsageError: It is none, or out of its range.
    """
    try:
        number = float(typed)
    except ValueError:
        number = float("nan")
    if not isfinite(number) or not low <= number <= high:
        raise UsageError(
            f"{LABELS[name]}: {quoted(typed)} is not allowed; a number from {low:g} to {high:g} is, such as 0.05"
        )
    return number


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a paste was not analysed.

    Attributes:
        problems: One sentence each, with the line that it is about; None where it is about no line.
        lines: All lines that are marked.
    """

    problems: tuple[tuple[int | None, str], ...]
    lines: tuple[int, ...]


def refused(error: PrtError) -> Refused:
    """Each problem with its line; those that the command line would only count, too."""
    if not isinstance(error, ProblemsError):
        return Refused(((None, str(error)),), ())
    every = sorted(error.every, key=lambda problem: problem.line or 0)
    return Refused(
        tuple((problem.line, without_place(problem)) for problem in every),
        tuple(sorted({problem.line for problem in every if problem.line is not None})),
    )


def without_place(problem: Problem) -> str:
    """A problem without the place that is shown beside it."""
    return ": ".join(part for part in (problem.key, problem.message) if part)


@cache
def example() -> str:
    """The worked example: 20 items under a baseline and four variants."""
    return (files(OWN) / "data" / "example.csv").read_text(encoding="utf-8")


async def show(request: Request) -> Response:
    """The page with the worked example."""
    return await answered(request, Pasted(example()))


async def submit(request: Request) -> Response:
    """The page with what was sent by its form; works without scripts."""
    return await answered(request, await pasted(request))


async def answered(request: Request, given: Pasted) -> Response:
    """The whole page, with its results or with why there are none."""
    found = await to_thread.run_sync(outcome, given)
    return page(
        request,
        "analyser.html.j2",
        title="Does the score survive a change of wording?",
        kicker="Analyser",
        styles=("analyser.css",),
        scripts=("analyser.js",),
        given=given,
        most=request.app.state.settings.upload_limit,
        forms=[*FORMS],
        **found,
    )


async def analyse(request: Request) -> Response:
    """The results alone, for the page as one types."""
    given = await pasted(request)
    found = await to_thread.run_sync(outcome, given)
    html = await to_thread.run_sync(lambda: fill("analysed.html.j2", **found))
    problem = found["refused"]
    return JSONResponse({"html": html, "lines": problem.lines if isinstance(problem, Refused) else ()})


async def download(request: Request) -> Response:
    """The report as a file."""
    form = request.path_params["form"]
    if form not in FORMS:
        raise HTTPException(404)
    media, written = FORMS[form]
    given = await pasted(request)
    try:
        body = await to_thread.run_sync(lambda: written(*given.analysed()))
    except PrtError:
        return await answered(request, given)
    return Response(
        body, media_type=media, headers={"Content-Disposition": f'attachment; filename="prt-analysis.{form}"'}
    )


def outcome(given: Pasted) -> dict[str, Any]:
    """What the templates are filled with: a report's parts, or why there is none."""
    try:
        _, report = given.analysed()
    except PrtError as error:
        return {"report": None, "refused": refused(error)}
    filled = {name: value for name, value in values(ReportView(report), STATIC).items() if name != "shell"}
    return {**filled, "report": report, "refused": None}


async def pasted(request: Request) -> Pasted:
    """What a form sends; a file, where one is given, stands for what is in the box."""
    async with request.form(max_files=1, max_fields=10, max_part_size=request.app.state.settings.upload_limit) as form:
        text, unread = await sent(form, "table")
        others = {name: typed(form, name) for name in ("baseline", *SIDES)}
    return Pasted(text, **settings(others), unread=unread)


async def sent(form: FormData, name: str) -> tuple[str, str]:
    """What is in a box, or in the file that stands for it; and why the file is no text, empty where it is."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return typed(form, name), ""
    try:
        return (await file.read()).decode("utf-8-sig"), ""
    except UnicodeDecodeError:
        return typed(form, name), NO_TEXT.format(quoted(file.filename))


def typed(form: FormData, name: str) -> str:
    """A field of a form; browsers send line ends as those of mail."""
    value = form.get(name)
    return value.replace("\r\n", "\n") if isinstance(value, str) else ""


def settings(typed_in: Mapping[str, str]) -> dict[str, str]:
    """The settings that are not left empty."""
    return {name: value for name, value in typed_in.items() if value.strip()}


ROUTES = [
    Route("/", show, methods=["GET"]),
    Route("/", submit, methods=["POST"]),
    Route("/api/analyse", analyse, methods=["POST"]),
    Route("/analysis/{form}", download, methods=["POST"]),
]
