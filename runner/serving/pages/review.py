"""The review of bundles: one variant after the other beside its original, accepted or rejected by button or key.

Only the bundles that the server was given at its start are shown, by their number among them; no path comes from a
request.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ....perturbations.variant import Review
from ...errors import PrtError
from ...masking import masked
from ...reviewing import SAID
from ..paging import DIGITS
from ..rendering import page
from ..reviewed import SHOW, Filters, following, looked
from ..reviews import Desk, Said, Tallies

NO_WRITES = "This server only reads. Start it as `prt serve --bundle FILE --allow-writes`, and reviews are written."
FIELDS = 8


def desk(request: Request) -> Desk:
    """The bundles of a server."""
    state = request.app.state
    if not hasattr(state, "desk"):
        state.desk = Desk(state.settings.bundles)
    found: Desk = state.desk
    return found


async def bundles(request: Request) -> Response:
    """The bundles, and how far their reviews are."""
    at = desk(request)

    def counted_each() -> list[tuple[int, Path, Tallies | None, str]]:
        rows: list[tuple[int, Path, Tallies | None, str]] = []
        for number, path in enumerate(at.paths):
            try:
                rows.append((number + 1, path, at.tallies(number), ""))
            except PrtError as error:
                rows.append((number + 1, path, None, masked(str(error))))
        return rows

    rows = await at.run(counted_each)
    return page(
        request,
        "reviews.html.j2",
        title="Bundles to review",
        kicker="Review",
        styles=("review.css",),
        rows=rows,
        writable=request.app.state.settings.writable,
    )


async def show(request: Request) -> Response:
    """A variant of a bundle."""
    number = number_of(request)
    return await answered(
        request, number, Filters.of(request.query_params), wanted=variant_of(request.query_params.get("at", ""))
    )


async def submit(request: Request) -> Response:
    """Write down what a reviewer says, and lead on to the next variant."""
    number, filters = number_of(request), Filters.of(request.query_params)
    if not request.app.state.settings.writable:
        return page(request, "error.html.j2", title="Reviews are not written here", status=403, said=NO_WRITES)
    async with request.form(max_files=0, max_fields=FIELDS) as form:
        sent = {name: value for name, value in form.items() if isinstance(value, str)}
    said = said_by(sent)
    if said is None:
        return page(
            request,
            "error.html.j2",
            title="This is no answer",
            status=422,
            said="The form names no variant, or says neither accept nor reject nor clear. Nothing was saved.",
        )
    at = desk(request)
    try:
        await at.run(lambda: at.answer(number, said))
    except PrtError as error:
        return await answered(request, number, filters, wanted=said.number, problem=masked(str(error)), status=409)
    if sent.get("then") == "stay":
        to = filters.address(number, at=said.number + 1)
    else:
        after = await at.run(lambda: following(at.look(number), filters, said.number))
        was = said.before or "none"
        to = filters.address(number, at=after + 1, said=said.number + 1, was=was)
    return RedirectResponse(f"{to}#variant", status_code=303)


def said_by(sent: Mapping[str, str]) -> Said | None:
    """What a form says; None where it says nothing."""
    number, before, review = variant_of(sent.get("variant", "")), review_of(sent.get("was")), review_of(sent.get("say"))
    if number is None or before is None or review is None:
        return None
    return Said(number, sent.get("shown", ""), before, review)


def review_of(word: str | None) -> Review | None:
    """A review as forms and addresses have it, where `none` stands for no review; None where it is none of these."""
    return next((review for review in get_args(Review) if (review or "none") == word), None)


async def answered(
    request: Request, number: int, filters: Filters, *, wanted: int | None, problem: str = "", status: int = 200
) -> Response:
    """The page of a bundle, with a variant or with why there is none.

    Args:
        request: The request.
        number: The bundle's place among the bundles, from 0.
        filters: Which variants are looked through.
        wanted: The number of the variant in the file; None for the first.
        problem: Why an answer was not saved.
        status: The answer's status.
    """
    at = desk(request)
    whole = request.query_params.get("whole") == "1"
    found: dict[str, object] = {"bundle": None, "shown": None, "unread": ""}

    def look() -> None:
        found["bundle"] = bundle = at.look(number)
        found.update(looked(bundle, filters, number, wanted, undoable(request), whole=whole))

    try:
        await at.run(look)
    except PrtError as error:
        found["unread"] = masked(str(error))
    return page(
        request,
        "review.html.j2",
        title=at.paths[number].name,
        kicker="Review",
        styles=("review.css",),
        scripts=("review.js",),
        status=status,
        number=number + 1,
        filters=filters,
        shows=SHOW,
        words=SAID,
        problem=problem,
        writable=request.app.state.settings.writable,
        action=filters.address(number),
        **found,
    )


def undoable(request: Request) -> tuple[int, Review] | None:
    """The variant that was answered last, by its number in the file, and what had been said of it before."""
    number, was = variant_of(request.query_params.get("said", "")), review_of(request.query_params.get("was"))
    return None if number is None or was is None else (number, was)


def number_of(request: Request) -> int:
    """The bundle of a path by its place among the bundles, from 0.

    Raises:
        HTTPException: 404: there is no such bundle.
    """
    found = variant_of(request.path_params["bundle"])
    if found is None or found >= len(desk(request).paths):
        raise HTTPException(404, "This server was given no such bundle; /review lists those that it was given.")
    return found


def variant_of(given: str) -> int | None:
    """A number from 1, as addresses have it, as one from 0; None where it is none."""
    number = int(given) if given.isascii() and given.isdecimal() and len(given) <= DIGITS else 0
    return number - 1 if number else None


ROUTES = [
    Route("/review", bundles, methods=["GET"]),
    Route("/review/{bundle}", show, methods=["GET"]),
    Route("/review/{bundle}", submit, methods=["POST"]),
]
