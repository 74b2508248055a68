"""A stored run as the report reads it: items, variants, and graded replies, each as rows that are read as needed."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select

from ...perturbations.variant import Variant
from ..records import ErrorKind, Grade, Item, Reply
from .database import Store
from .find import find_run
from .rows import (
    CURRENT_GRADE,
    GRADE_COLUMNS,
    REPLY_COLUMNS,
    cells,
    grade_of,
    grades,
    of_suite,
    replies,
    reply_of,
    variants,
)
from .runs import RunRecord
from .schema import moment_of, restored
from .suites import positions_of, read_items, read_variants

CHUNK = 1000


@dataclass(frozen=True, slots=True)
class GradedCell:
    """What a cell's current reply was graded as, without its text.

    Attributes:
        item_id: The item.
        condition: The condition.
        repeat: The repeat, from 0.
        grade: The grade by the run's grader; None where it has not graded this reply yet.
        error_kind: Why there is no answer; None where there is one.
        prompt_tokens: Tokens in, None where unsaid.
        completion_tokens: Tokens out, None where unsaid.
    """

    item_id: str
    condition: str
    repeat: int
    grade: Grade | None
    error_kind: ErrorKind | None
    prompt_tokens: int | None
    completion_tokens: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """A cell's current reply with its grade; None where the run's grader has not graded this reply yet."""

    item_id: str
    condition: str
    repeat: int
    reply: Reply
    grade: Grade | None


@dataclass(frozen=True, slots=True)
class Machinery:
    """What endpoints said of what answered: one pair of model name and fingerprint.

    Attributes:
        model: The model name that the endpoint resolved; empty where it said none.
        fingerprint: Its `system_fingerprint`; empty where it gave none.
        replies: How many of the run's current replies have this pair.
        first: When the first of them came.
        last: When the last of them came.
    """

    model: str
    fingerprint: str
    replies: int
    first: datetime
    last: datetime


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run in the store. Each method reads anew, so it sees what has come since.

    Attributes:
        store: The results database; must stay open.
        record: The run.
    """

    store: Store
    record: RunRecord

    def items(self) -> Iterator[Item]:
        """The items, in the order of the dataset."""
        with self.store.reading() as connection:
            yield from read_items(connection, self.record.suite)

    def item(self, item_id: str) -> Item:
        """One item.

        Raises:
            KeyError: The run has none of this id.
        """
        with self.store.reading() as connection:
            for item in read_items(connection, self.record.suite, item_id):
                return item
        raise KeyError(item_id)

    def variants(self, item_id: str | None = None) -> Iterator[Variant]:
        """All variants, whatever their outcome, grouped by item; or those of one item."""
        with self.store.reading() as connection:
            yield from read_variants(connection, self.record.suite, item_id)

    def places(self) -> dict[tuple[str, str], int]:
        """The position of each variant in the run's suite, by item and condition."""
        columns = variants.c.item_id, variants.c.condition, variants.c.position
        with self.store.reading() as connection:
            rows = connection.execute(select(*columns).where(variants.c.suite == self.record.suite))
            return {(restored(item_id), restored(condition)): position for item_id, condition, position in rows}

    def replied(self) -> int:
        """How many cells have a reply."""
        count = select(func.count()).select_from(cells).where(cells.c.run == self.record.number)
        with self.store.reading() as connection:
            return connection.execute(count).scalar_one()

    def graded_cells(self) -> Iterator[GradedCell]:
        """One row for each cell that has a reply, in the order of the dataset; cells without one have no row."""
        of_reply = replies.c.error_kind, replies.c.prompt_tokens, replies.c.completion_tokens
        for (item_id, condition, repeat, *known), grade in self._rows(*of_reply):
            yield GradedCell(item_id, condition, repeat, grade, *known)

    def results(self, item_id: str | None = None) -> Iterator[Result]:
        """The same rows with the whole replies; or those of one item."""
        for (of_item, condition, repeat, *known), grade in self._rows(*REPLY_COLUMNS, item_id=item_id):
            yield Result(of_item, condition, repeat, reply_of(known), grade)

    def results_at(self, positions: Collection[int]) -> Iterator[Result]:
        """The same rows of the variants at some positions of the run's suite; some hundreds at most."""
        for (of_item, condition, repeat, *known), grade in self._rows(*REPLY_COLUMNS, positions=positions):
            yield Result(of_item, condition, repeat, reply_of(known), grade)

    def resolved_models(self) -> tuple[str, ...]:
        """The model names that the endpoint gave back in the run's current replies, sorted."""
        chosen = (
            select(replies.c.model)
            .distinct()
            .join(cells, cells.c.reply_id == replies.c.id)
            .where(cells.c.run == self.record.number, replies.c.error_kind.is_(None))
        )
        with self.store.reading() as connection:
            return tuple(sorted(restored(name) for name in connection.scalars(chosen) if name))

    def machinery(self) -> tuple[Machinery, ...]:
        """What answered the run's current replies, as the endpoint called it, in the order in which it first came."""
        came = replies.c.created_at
        chosen = (
            select(replies.c.model, replies.c.fingerprint, func.count(), func.min(came), func.max(came))
            .join(cells, cells.c.reply_id == replies.c.id)
            .where(cells.c.run == self.record.number, replies.c.error_kind.is_(None))
            .group_by(replies.c.model, replies.c.fingerprint)
            .order_by(func.min(came), replies.c.model, replies.c.fingerprint)
        )
        with self.store.reading() as connection:
            return tuple(
                Machinery(restored(model), restored(fingerprint), count, moment_of(first), moment_of(last))
                for model, fingerprint, count, first, last in connection.execute(chosen)
            )

    def _rows(
        self,
        *of_reply: ColumnElement[Any],
        item_id: str | None = None,
        positions: Collection[int] | None = None,
    ) -> Iterator[tuple[list[Any], Grade | None]]:
        """Each cell's item, condition and repeat, with columns of its current reply; and its grade by the grader."""
        run = self.record
        graded = and_(CURRENT_GRADE, grades.c.grader_key == run.grader_key)
        chosen = (
            select(variants.c.item_id, variants.c.condition, cells.c.repeat, *of_reply, *GRADE_COLUMNS)
            .select_from(cells)
            .join(replies, replies.c.id == cells.c.reply_id)
            .join(variants, of_suite(run.suite))
            .outerjoin(grades, graded)
            .where(cells.c.run == run.number)
            .order_by(cells.c.variant, cells.c.repeat)
        )
        known = 3 + len(of_reply)
        with self.store.reading() as connection:
            if item_id is not None:
                positions = positions_of(connection, run.suite, item_id)
            if positions is not None:
                chosen = chosen.where(cells.c.variant.in_(positions))
            with connection.execution_options(yield_per=CHUNK).execute(chosen) as rows:
                for row in rows:
                    place = restored(row[0]), restored(row[1])
                    yield [*place, *row[2:known]], grade_of(row[known:])


def load_run(store: Store, wanted: str) -> StoredRun:
    """Find a run by what a person says: `latest`, an id or its beginning, or a name.

    Raises:
        UsageError: No run, or more than one, fits.
    """
    return StoredRun(store, find_run(store, wanted))
