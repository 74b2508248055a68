"""What the batches of a run brought: replies that are in the store by now, and requests that failed."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ..models.base import Model
from ..records import Cell, Reply, ReplyError, Request
from ..store.database import Store
from ..store.results import cell_id, look_up
from ..store.runs import RunRecord
from ..store.schema import stored_key
from .chunks import next_chunk


@dataclass(frozen=True, slots=True)
class FailedRequest:
    """A request without an answer.

    Attributes:
        error: Why.
        attempts: How often it was asked.
        again: Whether it is asked in a further batch.
    """

    error: ReplyError
    attempts: int
    again: bool


@dataclass(slots=True)
class Collected:
    """What came, in some ten bytes a reply.

    Attributes:
        by_batches: Whether batches were asked at all.
        halted: Why no more is asked; None where all was.
        failed: Requests without an answer, by their keys as `stored_key` gives them.
    """

    by_batches: bool = False
    halted: str | None = None
    failed: dict[bytes, FailedRequest] = field(default_factory=dict)
    _numbers: "array[int]" = field(default_factory=lambda: array("q"))
    _taken: bytearray = field(default_factory=bytearray)

    def add(self, numbers: Iterable[int]) -> None:
        """Note replies by their numbers in the store, which only grow."""
        self._numbers.extend(numbers)
        self._taken = bytearray(len(self._numbers))

    def is_asked(self, number: int) -> bool:
        """Whether a reply came now; True once, for the first cell that it serves."""
        at = bisect_left(self._numbers, number)
        if at == len(self._numbers) or self._numbers[at] != number or self._taken[at]:
            return False
        self._taken[at] = True
        return True


class AnsweredCells:
    """The cells of a run that batches have settled, and the model that says why some of them have no answer.

    Iterate over the cells, and ask the model about those without a reply.
    """

    concurrency = 1

    def __init__(
        self, cells: Iterator[Cell], collected: Collected, *, model: Model, store: Store, run: RunRecord
    ) -> None:
        """Begin; nothing is looked up.

        Args:
            cells: All cells that may lack a result.
            collected: What came.
            model: Who was asked.
            store: The results database.
            run: The run.
        """
        self.name = model.name
        self._cells, self._collected, self._model = cells, collected, model
        self._store, self._run = store, run
        self._errors: dict[tuple[str, str, int], FailedRequest] = {}

    def __iter__(self) -> Iterator[Cell]:
        """The cells with a grade, a reply or a failure."""
        while chunk := next_chunk(self._cells):
            known = look_up(self._store, self._run, chunk)
            for cell in chunk:
                if cell_id(cell) in known.graded or cell.key in known.replies:
                    yield cell
                elif failed := self._collected.failed.get(stored_key(cell.key)):
                    self._errors[cell.item_id, cell.condition, cell.repeat] = failed
                    yield cell

    def identity(self) -> dict[str, Json]:
        """The model's own."""
        return self._model.identity()

    async def __aenter__(self) -> Self:
        """There is nothing to do."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to do."""

    async def ask(self, request: Request) -> Reply:
        """Say why a request has no answer."""
        failed = self._errors.pop((request.item_id, request.condition, request.repeat))
        return Reply(error=failed.error, attempts=failed.attempts)
