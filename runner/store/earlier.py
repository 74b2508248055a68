"""What a store holds of a run before it goes on: whether anything is of use, and which cells need nothing more."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import and_, exists, select

from ..records import Status
from .database import Store
from .rows import CURRENT_GRADE, of_suite
from .rows import cells as cells_raw
from .rows import grades as grades_raw
from .rows import variants as variants_raw
from .runs import RunRecord
from .schema import replies, restored

ROWS = 10_000


def has_replies_for(store: Store, run: RunRecord) -> bool:
    """Whether any reply could serve a run: one of its own, or of another run where it is not fresh.

    Args:
        store: The results database.
        run: The run.
    """
    usable = exists().where(replies.c.run == run.number) if run.fresh else exists(select(replies.c.id))
    with store.reading() as connection:
        return bool(connection.execute(select(usable)).scalar_one())


@dataclass(frozen=True, slots=True)
class Kind:
    """What cells have in common that count as one: their condition, and how they were graded."""

    condition: str
    status: Status
    passed: bool | None


class Settled:
    """The cells of a run that have a result and need nothing more, a bit each.

    Attributes:
        counts: How many there are of each kind.
    """

    def __init__(self, repeats: int) -> None:
        """Begin without any.

        Args:
            repeats: How often each variant of the run is asked.
        """
        self._repeats = repeats
        self._bits = bytearray()
        self._counts: Counter[tuple[str, Status, bool | None]] = Counter()

    def add(self, condition: str, variant: int, repeat: int, *, status: Status, passed: bool | None) -> None:
        """Add one."""
        place, bit = divmod(variant * self._repeats + repeat, 8)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits)))
        self._bits[place] |= 1 << bit
        self._counts[condition, status, passed] += 1

    @property
    def counts(self) -> Mapping[Kind, int]:
        """How many there are of each kind."""
        return {Kind(*kind): count for kind, count in self._counts.items()}

    def has(self, variant: int, repeat: int) -> bool:
        """Whether a cell needs nothing more."""
        place, bit = divmod(variant * self._repeats + repeat, 8)
        return place < len(self._bits) and bool(self._bits[place] & (1 << bit))

    def __len__(self) -> int:
        return self._counts.total()


def settled_cells(store: Store, run: RunRecord) -> Settled:
    """Find the cells of a run that have a result by its grader.

    Args:
        store: The results database.
        run: The run. Where its cells' keys may not be what they would be now, each cell has to be looked up instead,
            and none is found.
    """
    found = Settled(run.repeats)
    if not run.keys_hold:
        return found
    unsettled = ["judge_error"] if "error" in run.reuse else ["judge_error", "error"]
    chosen = (
        select(
            variants_raw.c.condition, cells_raw.c.variant, cells_raw.c.repeat, grades_raw.c.status, grades_raw.c.passed
        )
        .select_from(cells_raw)
        .join(grades_raw, and_(CURRENT_GRADE, grades_raw.c.grader_key == run.grader_key))
        .join(variants_raw, of_suite(run.suite))
        .where(cells_raw.c.run == run.number, grades_raw.c.status.not_in(unsettled))
    )
    with store.reading() as connection:
        for condition, variant, repeat, status, passed in connection.execution_options(yield_per=ROWS).execute(chosen):
            verdict = None if passed is None else bool(passed)
            found.add(restored(condition), variant, repeat, status=status, passed=verdict)
    return found
