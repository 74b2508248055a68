"""Asking whatever a run lacks, with progress, until it is done or stopped; and having it judged."""

import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import nullcontext
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from ..config.limits import completion_limit
from ..config.schema import Config
from ..engine.alive import kept_alive
from ..engine.budget import Budget, Purse
from ..engine.events import log_begun, log_ended
from ..engine.failures_told import FailuresTold
from ..engine.progress import show_progress
from ..engine.running import run_cells
from ..engine.stopping import Stop
from ..engine.summary import CellDone, RunSummary
from ..graders.base import Grader
from ..graders.judges import as_judge
from ..models.base import Model
from ..plan import plan_cells
from ..prepare import Prepared
from ..records import Cell
from ..reports.text import visible
from ..store.database import Store
from ..store.earlier import Settled, settled_cells
from ..store.runs import RunRecord
from .interrupting import interruptible

if TYPE_CHECKING:
    from ..judging.asking import Judge
    from ..models.batches import Batches

MOST_SPARE_WORKERS = 64

Ask = Callable[..., Awaitable[RunSummary]]
"""Settles the cells of a run: `run_cells` or `run_in_batches`, with what only one of them is given."""


async def ask_all(
    prepared: Prepared,
    store: Store,
    run: RunRecord,
    model: Model,
    budget: Budget,
    *,
    shown: Console,
    alarming: Console,
    judge: "Judge | None",
    fresh: bool,
    batches: "Batches | None" = None,
    cancel: bool = False,
) -> RunSummary:
    """Ask whatever is missing until it is done, the user interrupts, or it has to stop; then have it judged.

    Args:
        prepared: What is asked.
        store: Where results go.
        run: The run in it.
        model: The model, not entered yet.
        budget: What the command may spend.
        shown: Where progress is shown.
        alarming: Where errors are told of.
        judge: The judge of the answers; None where the grader reads them itself.
        fresh: Whether no verdict of an earlier run is taken.
        batches: The model as it is asked in batches; None where it is asked by calls.
        cancel: Whether batches under way are cancelled.
    """
    total = prepared.cells
    answered, reader = first_pass(run, prepared.grader)
    settled = settled_cells(store, answered, total=total)
    cells = partial(missing_cells, prepared, model, settled)
    way = by_calls(cells, model) if batches is None else in_batches(cells, batches, shown, cancels=cancel)
    ask = partial(
        way,
        model=model,
        grader=reader,
        store=store,
        run=answered,
        total=total,
        max_error_rate=prepared.config.limits.max_error_rate,
        give_up_after=patience(prepared.config),
        settled=settled.counts,
        purse=purse_of(prepared.config, budget),
    )
    failures = FailuresTold(lambda line: alarming.print(Text(line), soft_wrap=True))
    log_begun(run.id, model=model.name, cells=total, store=store.place)
    with kept_alive(store, run), interruptible(shown) as stop:
        # A model that has nothing to answer is not even started.
        async with model if len(settled) < total else nullcontext():
            summary = await with_progress(partial(ask, stop=stop), settled, total, shown=shown, failures=failures)
        failures.conclude()
        if judge is not None:
            summary = await judged(
                summary, prepared, store=store, run=run, judge=judge, budget=budget, stop=stop, shown=shown, fresh=fresh
            )
    log_ended(run.id, summary)
    return summary


def missing_cells(prepared: Prepared, model: Model, settled: Settled) -> Iterator[Cell]:
    """The cells of a run that may lack a result."""
    if len(settled) >= prepared.cells:
        return iter(())
    return plan_cells(
        prepared.items,
        prepared.variants,
        identity=model.identity(),
        repeats=prepared.config.repeats,
        by_place=prepared.config.model.provider == "replay",
        is_settled=settled.has,
    )


def by_calls(cells: Callable[[], Iterator[Cell]], model: Model) -> Ask:
    """Ask a run's cells one call each."""
    return partial(run_cells, cells(), concurrency=workers(model.concurrency))


def in_batches(cells: Callable[[], Iterator[Cell]], batches: "Batches", shown: Console, *, cancels: bool) -> Ask:
    """Ask a run's cells in batches, or cancel those that are under way."""
    from ..engine.batch_run import run_in_batches  # noqa: PLC0415 - calls need none of it

    def tell(line: str) -> None:
        shown.print(Text(visible(line)), soft_wrap=True)

    return partial(run_in_batches, cells, batches=batches, tell=tell, cancels=cancels)


async def with_progress(
    ask: Ask, settled: Settled, total: int, *, shown: Console, failures: FailuresTold
) -> RunSummary:
    """Ask with progress, and tell of failures."""
    with show_progress(shown, total=total, clock=time.monotonic) as progress:

        def note(done: CellDone) -> None:
            progress(done)
            failures.add(done)

        progress.found(settled.counts)
        return await ask(on_done=note)


async def judged(
    summary: RunSummary,
    prepared: Prepared,
    *,
    store: Store,
    run: RunRecord,
    judge: "Judge",
    budget: Budget,
    stop: Stop,
    shown: Console,
    fresh: bool,
) -> RunSummary:
    """Have the answers of a run judged; how asking for them ended is known, and how it all ended is given back."""
    from ..judging.asking import Session  # noqa: PLC0415 - most graders have no judge
    from .judged import judged_summary  # noqa: PLC0415 - as above

    grader, limits = as_judge(prepared.grader), prepared.config.limits
    if grader is None:
        return summary
    session = Session(
        store=store, stop=stop, console=shown, budget=budget, give_up_after=limits.give_up_after, fresh=fresh
    )
    return await judged_summary(summary, grader, judge, run=run, session=session, max_error_rate=limits.max_error_rate)


def first_pass(run: RunRecord, grader: Grader) -> tuple[RunRecord, Grader]:
    """The run and the reader of its replies while it is asked; a judge comes after that."""
    judge = as_judge(grader)
    if judge is None:
        return run, grader
    from ..judging.answers import AnswersGrader, as_answers  # noqa: PLC0415 - as above

    reader = AnswersGrader(judge)
    return as_answers(run, reader), reader


def workers(calls_in_flight: int) -> int:
    """How many cells are asked at once: some more than calls, since a cell that waits to be asked again makes none."""
    return calls_in_flight + min(calls_in_flight // 2, MOST_SPARE_WORKERS)


def patience(config: Config) -> int | None:
    """How many failures alike end a run; a file of replies is read through, since that costs nothing."""
    return None if config.model.provider == "replay" else config.limits.give_up_after


def purse_of(config: Config, budget: Budget) -> Purse:
    """What the calls of a run's model may spend."""
    return Purse(budget, completion_limit(getattr(config.model, "params", {})), config.price_list.price(config.model))
