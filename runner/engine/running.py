"""Running a run: settle all of its cells, or as many as can be, and write down how it ended."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from ..errors import StoreError
from ..graders.base import Grader
from ..models.base import Model, adaptations_of
from ..records import Cell
from ..store.database import Store
from ..store.earlier import Kind
from ..store.runs import RunRecord, finish_run, keep_adaptations
from .budget import Purse
from .collected import Collected
from .giving_up import Failures
from .stopping import Stop
from .summary import CellDone, RunSummary, Tally, summarise
from .work import INTERRUPTED, Work


async def run_cells(
    cells: Iterable[Cell],
    *,
    model: Model,
    grader: Grader,
    store: Store,
    run: RunRecord,
    total: int,
    concurrency: int,
    stop: Stop,
    max_error_rate: float | None = None,
    give_up_after: int | None = None,
    purse: Purse | None = None,
    settled: Mapping[Kind, int] | None = None,
    collected: Collected | None = None,
    on_done: Callable[[CellDone], None] = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
) -> RunSummary:
    """Ask, store and grade what is missing of a run, and write down how it ended.

    Args:
        cells: The cells, made as needed; without those that are known to be settled.
        model: The model, entered already.
        grader: The grader; called for one reply at a time, in a thread other than the event loop's.
        store: The results database.
        run: The run, as `open_run` gave it.
        total: How many cells there are.
        concurrency: Calls in flight at most.
        stop: Set it to stop: no further call is made, calls in flight come to their end until it drops them, and what
            came is stored.
        max_error_rate: Share of cells that may stay without a result for the run to be complete; once more have none,
            it stops. None for none, which does not stop it.
        give_up_after: So many calls that fail alike while none is answered stop the run, unless `max_error_rate` allows
            them; None for never.
        purse: What calls may spend; without it nothing bounds them.
        settled: How many cells of each kind had a result before, and are not among these.
        collected: What batches brought, where the cells were asked in these: it says which stored replies count as
            asked now, and why the run is stopped where it is. No failure stops the grading of the others then.
        on_done: Told of each cell whose result is on the disk.
        clock: Tells seconds that pass.

    Returns:
        How it ended and what it took. A model, grader or store that can't go on raises nothing: its sentence is the
        reason why the run is `stopped`.
    """
    began = clock()
    collected = collected or Collected()
    failures = (
        Failures(None)
        if collected.by_batches
        else Failures(give_up_after, concurrency=concurrency, max_error_rate=max_error_rate, total=total)
    )
    tally = Tally()
    for kind, count in (settled or {}).items():
        tally.add_found(kind.status, count)
    work = Work(
        model=model,
        grader=grader,
        store=store,
        run=run,
        concurrency=concurrency,
        failures=failures,
        on_done=on_done,
        purse=purse,
        tally=tally,
        is_asked=collected.is_asked,
    )
    try:
        await work.through(iter(cells), stop=stop)
    except asyncio.CancelledError:
        finish_run(store, run, "stopped", INTERRUPTED)
        raise
    # A stop that comes after the last cell stops nothing.
    halted = work.halted if work.tally.done < total else None
    if work.tally.with_result < total:
        halted = collected.halted or halted
    summary = summarise(
        work.tally, total=total, halted=halted, max_error_rate=max_error_rate, elapsed_s=clock() - began
    )
    if not collected.by_batches:
        summary = replace(summary, calls=work.calls, unanswered=work.calls - work.answers)
    return await asyncio.to_thread(concluded, store, run, summary, adaptations_of(model))


def concluded(store: Store, run: RunRecord, summary: RunSummary, adaptations: Sequence[str]) -> RunSummary:
    """Write down how a run ended; a store that refuses even that is the reason, unless there is one already."""
    try:
        if adaptations:
            keep_adaptations(store, run, adaptations)
        finish_run(store, run, summary.state, summary.reason)
    except StoreError as error:
        return replace(summary, state="stopped", reason=summary.reason or str(error))
    return summary
