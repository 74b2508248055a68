"""Runs held against one another: the form that chooses them, and the comparison."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...comparing.fairness import UnfairError
from ...comparing.findings import Comparison, VersionsComparison
from ...comparing.versions import Settings as How
from ...errors import PrtError, UsageError
from ...reports.compared_json import comparison_json
from ...reports.compared_markdown import comparison_markdown
from ...reports.html.compared import comparison_page
from ...store.baselines import list_baselines
from ...store.listing import page_of_runs
from ...store.runs import PRUNED, RunRecord
from ..comparisons import LATER, MOST_VERSIONS, Wanted, compared, compared_parts
from ..reading import query_of, reading, settings_of
from ..rendering import page
from ..settings import Settings
from .analyser import SIDES, fraction
from .runs import why_empty

LISTED = 300
"""Runs that can be chosen from the lists, the newest."""
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


ROUTES = [
    Route("/compare", show, methods=["GET"]),
    Route("/compare/download/{form}", download, methods=["GET"]),
]
