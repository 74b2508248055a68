"""The review of bundles: one variant after the other beside its original, accepted or rejected by button or key.

Only the bundles that the server was given at its start are shown, by their number among them; no path comes from a
request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ....perturbations.difference import Mark, marked_difference
from ....perturbations.variant import Review, Variant
from ...errors import PrtError, UsageError
from ...flipped import prompt_of
from ...masking import masked
from ...reports.text import one_line
from ...reports.variants import heading
from ...reviewing import SAID
from ..paging import DIGITS, Pages
from ..rendering import page
from ..reviews import Desk, Place, Reviewed, Said, Tallies, print_of

LISTED = 50
LONGEST = 20_000
"""Characters of a text that are shown unless all of them are asked for."""
ID_WIDTH = 60
SHOW = {"unreviewed": "not reviewed yet", "rejected": "rejected", "accepted": "accepted", "all": "all"}
REVIEWS: Mapping[str, Review] = {"unreviewed": "", "rejected": "reject", "accepted": "accept"}
NO_WRITES = "This server only reads. Start it as `prt serve --bundle FILE --allow-writes`, and reviews are written."
FIELDS = 8
LONGEST_PATTERN = 200


@dataclass(frozen=True, slots=True)
class Filters:
    """Which variants are looked through.

    Attributes:
        condition: Pattern of their conditions; empty for those in other words.
        show: A key of `SHOW`.
    """

    condition: str = ""
    show: str = "unreviewed"

    @classmethod
    def of(cls, request: Request) -> "Filters":
        """As an address has them."""
        show = request.query_params.get("show", "")
        return cls(
            request.query_params.get("condition", "").strip()[:LONGEST_PATTERN], show if show in SHOW else "unreviewed"
        )

    def address(self, number: int, **more: object) -> str:
        """The address of a bundle's page; `number` is its place among the bundles, from 0."""
        given = {name: value for name, value in (("condition", self.condition), ("show", self.show)) if value}
        return f"/review/{number + 1}?{urlencode({**given, **more})}"

    def through(self, bundle: Reviewed, meant: Sequence[int]) -> Sequence[int]:
        """Those of the variants that are meant of which was said what is asked for."""
        if self.show == "all":
            return meant
        wanted = REVIEWS[self.show]
        return [at for at in meant if bundle.file.variants[at].review == wanted]


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a variant beside the original's.

    Attributes:
        name: What it is, where it is not the prompt.
        original: The runs of the original's text; what the variant leaves out is a `delete`.
        variant: The runs of the variant's; what it puts in is an `insert`.
        cuts: How many characters of each are not shown.
    """

    name: str
    original: Sequence[tuple[Mark, str]]
    variant: Sequence[tuple[Mark, str]]
    cuts: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Shown:
    """A variant as a page shows it."""

    number: int
    variant: Variant
    said: str
    facts: str
    texts: Sequence[Text]
    has_original: bool
    print: str

    @property
    def is_cut(self) -> bool:
        """Whether some of it is not shown."""
        return any(any(text.cuts) for text in self.texts)


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
    return await answered(request, number, Filters.of(request), wanted=variant_of(request.query_params.get("at", "")))


async def submit(request: Request) -> Response:
    """Write down what a reviewer says, and lead on to the next variant."""
    number, filters = number_of(request), Filters.of(request)
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


def following(bundle: Reviewed, filters: Filters, number: int) -> int:
    """The variant that comes after one that was answered: the next, else the first, else the same."""
    try:
        meant = bundle.meant(filters.condition)
    except UsageError:  # a pattern that fits nothing: the answer is saved all the same
        return number
    place = Place(filters.through(bundle, meant), number)
    if place.next is not None:
        return place.next
    return number if filters.show == "all" or not place.numbers else place.numbers[0]


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

    def look() -> dict[str, object]:
        return looked(at.look(number), filters, number, wanted, undoable(request), whole=whole)

    try:
        found = await at.run(look)
    except PrtError as error:
        found = {"bundle": None, "unread": masked(str(error))}
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


def looked(
    bundle: Reviewed,
    filters: Filters,
    number: int,
    wanted: int | None,
    last: tuple[int, Review] | None,
    *,
    whole: bool,
) -> dict[str, object]:
    """What the page of a bundle is filled with."""
    meant = bundle.meant(filters.condition)
    numbers = filters.through(bundle, meant)
    at = wanted if wanted is not None and bundle.has(wanted) else numbers[0] if numbers else None
    place = Place(numbers, at)
    variants = bundle.file.variants
    first = (max((place.position or 1) - 1, 0)) // LISTED
    pages = Pages(first + 1, len(numbers), LISTED)
    address = filters.address

    def to(found: int | None) -> str:
        return "" if found is None else f"{address(number, at=found + 1)}#variant"

    rows = [
        (
            to(found),
            one_line(variants[found].item_id, ID_WIDTH),
            variants[found].condition,
            variants[found].review,
            found == at,
        )
        for found in numbers[pages.start : pages.start + LISTED]
    ]
    answered_last = None
    if last is not None and bundle.has(last[0]):
        done = variants[last[0]]
        answered_last = (last[0] + 1, done, print_of(done), last[1] or "none", to(last[0]))
    return {
        "bundle": bundle,
        "unread": "",
        "tally": bundle.tally(meant),
        "place": place,
        "pages": pages,
        "rows": rows,
        "previous": to(place.previous),
        "next": to(place.next),
        "page_before": to(numbers[pages.start - LISTED]) if pages.start else "",
        "page_after": to(numbers[pages.start + LISTED]) if pages.next else "",
        "shown": None if at is None else shown(bundle, at, whole=whole),
        "whole": "" if at is None else f"{address(number, at=at + 1, whole=1)}#variant",
        "last": answered_last,
    }


def shown(bundle: Reviewed, number: int, *, whole: bool) -> Shown:
    """Lay out a variant."""
    variant = bundle.file.variants[number]
    original = bundle.originals.get(variant.item_id)
    most = None if whole else LONGEST
    pairs = [("", prompt_of(original) if original else "", prompt_of(variant))]
    systems = (original.question.system if original else "", variant.question.system)
    if any(systems):
        pairs.insert(0, ("System message", *systems))
    return Shown(
        number + 1,
        variant,
        SAID[variant.review],
        heading(variant).plain.partition(" · ")[2],
        [text(*pair, most) for pair in pairs],
        original is not None,
        print_of(variant),
    )


def text(name: str, original: str, variant: str, most: int | None) -> Text:
    """Lay out a text beside the original's, so many characters of each."""
    before, after = original[:most], variant[:most]
    marks = marked_difference(before, after)
    return Text(
        name,
        [mark for mark in marks if mark[0] != "insert"],
        [mark for mark in marks if mark[0] != "delete"],
        (len(original) - len(before), len(variant) - len(after)),
    )


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
