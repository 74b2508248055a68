"""Comparisons as pages need them: what is asked for by an address, compared once, and kept for a while."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self
from urllib.parse import urlencode

from anyio import to_thread
from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..comparing.changed import ItemChange
from ..comparing.findings import Comparison, VersionsComparison
from ..comparing.gated import pair_gates
from ..comparing.listing import changed_between
from ..comparing.versions import Named, Settings, compare_pair, compare_versions
from ..errors import UsageError
from ..reports.html.compared import values
from ..store.read import StoredRun
from .caching import Kept
from .reading import Found, caches, find, reading, settings_of
from .rendering import STATIC

MOST_VERSIONS = 8
LATER = ("b", *(f"b{number}" for number in range(2, MOST_VERSIONS + 1)))
"""Names of the later runs in an address."""
MOST_FOUND, MOST_LISTS = 16, 8
"""How many comparisons, and lists of items that changed, are kept."""

Result = Comparison | VersionsComparison


@dataclass(frozen=True, slots=True)
class Wanted:
    """A comparison that is asked for.

    Attributes:
        a: What the reference is called: an id, a name, a baseline; empty where none is chosen yet.
        others: The later runs likewise.
        allow: Whether what is unfair is compared all the same.
        alpha: Significance level as typed; empty for the later run's.
        margin: The largest drop that would not matter, likewise.
    """

    a: str = ""
    others: tuple[str, ...] = ()
    allow: bool = False
    alpha: str = ""
    margin: str = ""

    @classmethod
    def of(cls, query: Mapping[str, str]) -> Self:
        """Read it from the parameters of an address."""
        others = tuple(name for key in LATER if (name := query.get(key, "").strip()))
        typed = {name: query.get(name, "").strip() for name in ("alpha", "margin")}
        return cls(query.get("a", "").strip(), others, bool(query.get("allow")), **typed)

    @property
    def is_whole(self) -> bool:
        """Whether both a reference and a later run are chosen."""
        return bool(self.a and self.others)

    def address(self, path: str, **more: str | int) -> str:
        """An address with these parameters, those that are empty left out; `more` come last."""
        named = {"a": self.a, **dict(zip(LATER, self.others, strict=False))}
        given = {**named, "allow": "1" if self.allow else "", "alpha": self.alpha, "margin": self.margin}
        kept = {name: value for name, value in given.items() if value}
        return f"{path}?{urlencode({**kept, **more}, errors='surrogatepass')}"

    def items(self, run: str) -> str:
        """The address of all items that changed from the reference to a run."""
        return replace(self, others=(run,)).address("/compare/items")

    def item(self, run: str, item_id: str, condition: str) -> str:
        """The address of one of them."""
        return replace(self, others=(run,)).address("/compare/item", item=item_id, condition=condition)


@dataclass(slots=True)
class Caches:
    """What was compared for the pages of a server."""

    found: Kept[Result]
    parts: Kept[dict[str, object]]
    lists: Kept[list[ItemChange]]


def kept(request: Request) -> Caches:
    """The comparisons that a server keeps."""
    state = request.app.state
    if not hasattr(state, "comparisons"):
        state.comparisons = Caches(Kept(MOST_FOUND), Kept(MOST_FOUND), Kept(MOST_LISTS))
    here: Caches = state.comparisons
    return here


async def found_runs(request: Request, wanted: Wanted) -> list[Found]:
    """The runs that are asked for, the reference first.

    Raises:
        UsageError: One of them is not there.
        StoreError: The store can't be read.
    """
    settings = settings_of(request)

    def work() -> list[Found]:
        try:
            return [find(settings, name) for name in (wanted.a, *wanted.others)]
        except HTTPException as error:
            raise UsageError(error.detail) from None

    return await to_thread.run_sync(work)


async def compared(request: Request, wanted: Wanted, how: Settings) -> Result:
    """Compare the runs that are asked for.

    Args:
        request: The request.
        wanted: Which runs.
        how: How.

    Raises:
        PrtError: They can't be compared, or should not be.
    """
    return await _compared(request, wanted, how, await found_runs(request, wanted))


async def compared_parts(request: Request, wanted: Wanted, how: Settings) -> dict[str, object]:
    """What the page of a comparison is filled with.

    Raises:
        PrtError: As `compared`.
    """
    runs = await found_runs(request, wanted)

    async def make() -> dict[str, object]:
        found = await _compared(request, wanted, how, runs)
        return await caches(request).run(lambda: values(found, STATIC, wanted))

    return await kept(request).parts.get(_key(wanted, runs), make)


async def _compared(request: Request, wanted: Wanted, how: Settings, runs: Sequence[Found]) -> Result:
    def work() -> Result:
        with reading(settings_of(request)) as store:
            given = (wanted.a, *wanted.others)
            reference, *later = (
                Named(name, StoredRun(store, run.record)) for name, run in zip(given, runs, strict=True)
            )
            if len(later) > 1:
                return compare_versions(reference, later, how)
            pair = compare_pair(reference, later[0], how)
            return replace(pair, gates=pair_gates(reference.run, later[0].run))

    async def make() -> Result:
        return await caches(request).run(work)

    return await kept(request).found.get(_key(wanted, runs), make)


def _key(wanted: Wanted, runs: Sequence[Found]) -> tuple[object, ...]:
    """What decides a comparison."""
    return (wanted, *(run.key for run in runs))


async def changed(request: Request, wanted: Wanted) -> tuple[list[Found], list[ItemChange]]:
    """The two runs that are asked for, and the items that changed.

    Raises:
        PrtError: One of them is not there, or can't be read.
    """
    runs = await found_runs(request, replace(wanted, others=wanted.others[:1]))

    def work() -> list[ItemChange]:
        with reading(settings_of(request)) as store:
            before, after = (StoredRun(store, run.record) for run in runs)
            return changed_between(before, after)

    async def make() -> list[ItemChange]:
        return await caches(request).run(work)

    return runs, await kept(request).lists.get(tuple(run.key for run in runs), make)
