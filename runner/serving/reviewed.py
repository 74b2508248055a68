"""How the review of a bundle is laid out: which variants are looked through, and one of them beside its original."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from ...perturbations.difference import Mark, marked_difference
from ...perturbations.variant import Review, Variant
from ..errors import UsageError
from ..flipped import prompt_of
from ..reports.text import one_line, visible
from ..reports.variants import heading
from ..reviewing import SAID
from .paging import Pages
from .reviews import Place, Reviewed, print_of

LISTED = 50
LONGEST = 20_000
"""Characters of a text that are shown unless all of them are asked for."""
LONGEST_PATTERN = 200
ID_WIDTH, TITLE_WIDTH = 60, 200
SHOW = {"unreviewed": "not reviewed yet", "rejected": "rejected", "accepted": "accepted", "all": "all"}
REVIEWS: Mapping[str, Review] = {"unreviewed": "", "rejected": "reject", "accepted": "accept"}


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
    def of(cls, query: Mapping[str, str]) -> "Filters":
        """As an address has them."""
        show = query.get("show", "")
        return cls(query.get("condition", "").strip()[:LONGEST_PATTERN], show if show in SHOW else "unreviewed")

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
    item: str
    said: str
    facts: str
    texts: Sequence[Text]
    has_original: bool
    print: str

    @property
    def is_cut(self) -> bool:
        """Whether some of it is not shown."""
        return any(any(text.cuts) for text in self.texts)


@dataclass(frozen=True, slots=True)
class Last:
    """The variant that was answered last; `before` is what had been said of it, in the words of forms."""

    number: int
    condition: str
    item: str
    review: Review
    before: str
    print: str

    @classmethod
    def of(cls, variant: Variant, number: int, before: Review) -> "Last":
        """As its page tells it."""
        item = one_line(variant.item_id, ID_WIDTH)
        return cls(number + 1, variant.condition, item, variant.review, before or "none", print_of(variant))


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
    before = 0 if at is None else min(bisect_left(numbers, at), max(len(numbers) - 1, 0))
    pages = Pages(before // LISTED + 1, len(numbers), LISTED)
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
    return {
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
        "last": Last.of(variants[last[0]], *last) if last is not None and bundle.has(last[0]) else None,
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
        one_line(variant.item_id, TITLE_WIDTH),
        SAID[variant.review],
        " · ".join(heading(variant).plain.removeprefix(visible(variant.condition)).split(" · ")[2:]),
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
