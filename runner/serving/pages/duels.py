"""Duels: those of the store, each judged again from what was kept, and comparisons that were made elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from urllib.parse import urlencode

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...duel.comparisons import Contestants, comparisons_of
from ...duel.elsewhere import duel_of
from ...duel.findings import Duel
from ...duel.rebuilding import Rebuilt, rebuilt
from ...duel.stored import StoredDuel, find_duel, stored_duels
from ...errors import PrtError, UsageError
from ...problems import listed
from ...reports.duel_json import duel_json
from ...reports.duel_markdown import duel_markdown
from ...reports.html.dueled import duel_page, values
from ...results.read import pasted
from ...store.runs import state_now
from ..paging import Pages, number_of
from ..reading import caches, query_of, reading, settings_of
from ..rendering import OWN, STATIC, page
from ..settings import Settings
from .analyser import Refused, fraction, refused, sent, typed
from .runs import why_empty

SIZE = 25
NAME = "pasted comparisons"
ALPHA, MARGIN = 0.05, 0.05
SIDES = {"alpha": (1e-6, 0.5), "margin": (1e-6, 0.499)}
"""What `prt duel --comparisons` takes."""
FORMS: dict[str, tuple[str, Callable[[Duel], str]]] = {
    "html": ("text/html", duel_page),
    "json": ("application/json", lambda duel: duel_json(duel) + "\n"),
    "md": ("text/markdown", duel_markdown),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A duel in the list."""

    name: str
    href: str
    compares: str
    dimensions: str
    started: str
    state: str


@dataclass(frozen=True, slots=True)
class Given:
    """Comparisons as a visitor gave them.

    Attributes:
        rows: The rows, in any form that `prt duel --comparisons` reads.
        candidate: Whom the verdicts are about.
        baseline: Its opponent.
        alpha: Significance level, as typed.
        margin: How far a win rate may lie from one half and still be tied, as typed.
        unread: Why a file that was sent could not be read; empty where it could.
    """

    rows: str
    candidate: str
    baseline: str
    alpha: str = f"{ALPHA:g}"
    margin: str = f"{MARGIN:g}"
    unread: str = ""

    def duel(self) -> Duel:
        """Analyse them.

        Raises:
            PrtError: They can't be used, or a setting is none.
        """
        if self.unread:
            raise UsageError(self.unread)
        if not self.candidate or not self.baseline:
            raise UsageError("name the candidate and the baseline: the two names in model_a and model_b")
        if self.candidate == self.baseline:
            raise UsageError("candidate and baseline name the same model; a duel has two")
        alpha, margin = (fraction(name, getattr(self, name), *sides) for name, sides in SIDES.items())
        comparisons = comparisons_of(pasted(self.rows, NAME), Contestants(self.candidate, self.baseline))
        return duel_of(comparisons, alpha=alpha, margin=margin)


@cache
def example() -> str:
    """A worked example: twelve queries, judged in both orders, in two dimensions."""
    return (files(OWN) / "data" / "comparisons.csv").read_text(encoding="utf-8")


def address(duel: StoredDuel, path: str = "/duels/stored") -> str:
    """The address of a stored duel."""
    return f"{path}?{urlencode({'baseline': duel.baseline.id, 'candidate': duel.candidate.id})}"


def rows_of(settings: Settings, number: int) -> tuple[Pages, list[Row]]:
    """A page of the list.

    Raises:
        StoreError: The store can't be read.
    """
    with reading(settings) as store:
        every = stored_duels(store)
        pages = Pages(number, len(every), SIZE)
        shown = every[pages.start : pages.start + SIZE]
        states = [[state_now(store, run) for run in (duel.baseline, duel.candidate)] for duel in shown]
    return pages, [row(duel, state) for duel, state in zip(shown, states, strict=True)]


def row(duel: StoredDuel, states: list[str]) -> Row:
    """A duel as the list shows it."""
    models = [str(run.environment.get("model", "")) for run in (duel.candidate, duel.baseline)]
    prompts = isinstance(duel.settings.get("prompts"), dict)
    return Row(
        name=duel.name,
        href=address(duel),
        compares=f"two prompts of {models[0]}" if prompts else " against ".join(models),
        dimensions=", ".join(duel.dimensions),
        started=f"{duel.candidate.started_at:%Y-%m-%d %H:%M} UTC",
        state=" and ".join(dict.fromkeys(states)),
    )


async def show(request: Request) -> Response:
    """The list of duels, and the box for comparisons that were made elsewhere."""
    return await listed_with(request, Given(example(), "new", "old"))


async def listed_with(request: Request, given: Given, problem: Refused | None = None) -> Response:
    """The list, and the box as it was filled."""
    settings, number = settings_of(request), number_of(query_of(request).get("page", ""))
    why = await to_thread.run_sync(why_empty, settings)
    pages, rows = (Pages(1, 0, SIZE), []) if why else await to_thread.run_sync(rows_of, settings, number)
    return page(
        request,
        "duels.html.j2",
        title="Duels",
        kicker="Two prompts or models head to head",
        styles=("duels.css",),
        status=422 if problem else 200,
        why=why,
        pages=pages,
        rows=rows,
        given=given,
        refused=problem,
    )


async def found_duel(request: Request) -> tuple[StoredDuel, Rebuilt, str]:
    """The duel that a request names, what the store knows of it, and the states of its runs.

    Raises:
        HTTPException: 404: there is no such duel.
        PrtError: There is no verdict on it, or the store can't be read.
    """
    settings, query = settings_of(request), query_of(request)

    def work() -> tuple[StoredDuel, Rebuilt, str]:
        with reading(settings) as store:
            try:
                duel = find_duel(store, query.get("baseline", ""), query.get("candidate", ""))
            except UsageError as error:
                raise HTTPException(404, str(error)) from None
            states = [state_now(store, run) for run in (duel.baseline, duel.candidate)]
            unfinished = [
                f"{run.id} is {state}"
                for run, state in zip((duel.baseline, duel.candidate), states, strict=True)
                if state != "complete"
            ]
            return duel, rebuilt(store, duel), ", ".join(unfinished)

    return await caches(request).run(work)


async def stored(request: Request) -> Response:
    """A duel of the store."""
    duel, found, unfinished = await found_duel(request)
    parts = {} if found.duel is None else values(found.duel, STATIC)
    made = parts.get("shell")
    return await to_thread.run_sync(
        lambda: page(
            request,
            "duel_stored.html.j2",
            title=duel.name,
            kicker="Duel",
            contents=getattr(made, "contents", ()),
            styles=("duels.css",),
            status=200,
            found=found,
            unfinished=unfinished,
            downloads=[(form, address(duel, f"/duels/stored/{form}")) for form in FORMS] if found.duel else [],
            **{name: value for name, value in parts.items() if name != "shell"},
        )
    )


async def stored_download(request: Request) -> Response:
    """A duel of the store as a file."""
    form = form_of(request)
    _, found, _ = await found_duel(request)
    if found.duel is None:
        raise UsageError("this duel can't be judged again from the store, so there is nothing to be saved")
    whole = found.duel
    if found.lacking:
        names = listed([name for name, _ in found.lacking])
        note = f"not judged again, since the store lacks something: {names}; p-values are adjusted without them"
        whole = replace(whole, notes=(note, *whole.notes))
    return await as_file(whole, form)


async def submit(request: Request) -> Response:
    """Analyse the comparisons that were sent; works without scripts, and nothing is stored."""
    given = await given_of(request)
    try:
        duel = await to_thread.run_sync(given.duel)
    except PrtError as error:
        return await listed_with(request, given, refused(error))
    parts = await to_thread.run_sync(lambda: values(duel, STATIC))
    made = parts["shell"]
    return await to_thread.run_sync(
        lambda: page(
            request,
            "duel_pasted.html.j2",
            title=getattr(made, "title", ""),
            kicker="Duel",
            contents=getattr(made, "contents", ()),
            styles=("duels.css",),
            status=200,
            given=given,
            **{name: value for name, value in parts.items() if name != "shell"},
        )
    )


async def download(request: Request) -> Response:
    """The analysis of the comparisons that were sent, as a file."""
    form, given = form_of(request), await given_of(request)
    try:
        duel = await to_thread.run_sync(given.duel)
    except PrtError as error:
        return await listed_with(request, given, refused(error))
    return await as_file(duel, form)


def form_of(request: Request) -> str:
    """The form of a file that a request names.

    Raises:
        HTTPException: 404: there is no such form.
    """
    form: str = request.path_params["form"]
    if form not in FORMS:
        raise HTTPException(404, f"There is no duel as {form}; there is one as {', '.join(FORMS)}")
    return form


async def as_file(duel: Duel, form: str) -> Response:
    """A duel as a file."""
    media, written = FORMS[form]
    body = await to_thread.run_sync(lambda: written(duel).encode("utf-8", "backslashreplace"))
    return Response(body, media_type=media, headers={"Content-Disposition": f'attachment; filename="prt-duel.{form}"'})


async def given_of(request: Request) -> Given:
    """What a form sends; a file, where one is given, stands for what is in the box."""
    async with request.form(max_files=1, max_fields=10, max_part_size=settings_of(request).upload_limit) as form:
        rows, unread = await sent(form, "rows")
        others = {name: typed(form, name).strip() for name in ("candidate", "baseline", *SIDES)}
    bars = {name: others[name] for name in SIDES if others[name]}
    return Given(rows, others["candidate"], others["baseline"], **bars, unread=unread)


ROUTES = [
    Route("/duels", show, methods=["GET"]),
    Route("/duels/stored", stored, methods=["GET"]),
    Route("/duels/stored/{form}", stored_download, methods=["GET"]),
    Route("/duels/comparisons", show, methods=["GET"]),
    Route("/duels/comparisons", submit, methods=["POST"]),
    Route("/duels/comparisons/{form}", download, methods=["POST"]),
]
