"""Running a run in batches: have its cells answered, then graded, and write down how it ended."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from ..graders.base import Grader
from ..models.base import Model
from ..models.batches import Batches
from ..records import Cell
from ..store.database import Store
from ..store.earlier import Kind
from ..store.runs import RunRecord
from .batching import BatchPass
from .budget import Purse
from .collected import AnsweredCells
from .running import run_cells
from .stopping import Stop
from .summary import CellDone, RunSummary


async def run_in_batches(
    cells: Callable[[], Iterator[Cell]],
    *,
    batches: Batches,
    model: Model,
    grader: Grader,
    store: Store,
    run: RunRecord,
    total: int,
    stop: Stop,
    tell: Callable[[str], None],
    max_error_rate: float | None = None,
    give_up_after: int | None = None,
    purse: Purse | None = None,
    settled: Mapping[Kind, int] | None = None,
    on_done: Callable[[CellDone], None] = lambda _: None,
    cancels: bool = False,
    clock: Callable[[], float] = time.monotonic,
) -> RunSummary:
    """Ask what is missing of a run in batches, grade it, and write down how it ended.

    Args:
        cells: Gives the cells that may lack a result, each time from the first.
        batches: The model, as it is asked in batches; not entered yet.
        model: The same model, for what it is called and known by.
        grader: The grader, as `run_cells` takes it.
        store: The results database.
        run: The run, as `open_run` gave it.
        total: How many cells there are, with those that are settled.
        stop: Set it to stop: batches under way stay so, and what came is stored and graded.
        tell: Told in a sentence how batches are getting on.
        max_error_rate: Share of cells that may stay without a result for the run to be complete; None for none.
        give_up_after: So many requests that fail before any is answered are not asked again, unless `max_error_rate`
            allows them; None for no such bound.
        purse: What requests may spend; without it nothing bounds them.
        settled: How many cells of each kind had a result before.
        on_done: Told of each cell whose result is on the disk.
        cancels: Whether batches under way are cancelled, and none is sent.
        clock: Tells seconds that pass.

    Returns:
        How it ended and what it took, as `run_cells` says.
    """
    began = clock()
    async with batches:
        collected = await BatchPass(
            cells,
            batches=batches,
            store=store,
            run=run,
            stop=stop,
            purse=purse or Purse(),
            tell=tell,
            give_up_after=give_up_after,
            tolerated=(max_error_rate or 0.0) * total,
            cancels=cancels,
        ).through()
    answered = AnsweredCells(cells(), collected, model=model, store=store, run=run)
    summary = await run_cells(
        answered,
        model=answered,
        grader=grader,
        store=store,
        run=run,
        total=total,
        concurrency=answered.concurrency,
        # What was paid for is graded even where the user has no more patience with the batches; a second interrupt ends
        # that, too.
        stop=stop.later() if stop.is_set() else stop,
        max_error_rate=max_error_rate,
        settled=settled,
        collected=collected,
        on_done=on_done,
        clock=clock,
    )
    return replace(summary, elapsed_s=clock() - began)
