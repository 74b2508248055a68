"""`prt run`: prepare, ask, store, report."""

import asyncio
import os
import platform
import secrets
import shlex
import time
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.text import Text

from ..analysis import analyse_run, read_results_of
from ..config.limits import completion_limit
from ..config.schema import Config
from ..engine.budget import Budget, Purse
from ..engine.events import log_begun, log_ended
from ..engine.failures_told import FailuresTold
from ..engine.progress import show_progress
from ..engine.running import run_cells
from ..engine.spent import spent, spent_apart
from ..engine.summary import CellDone, RunSummary
from ..findings import Report
from ..graders.base import Grader
from ..graders.judges import as_judge
from ..idle import idle_notes, refuse_idle
from ..models.base import Model
from ..plan import plan_cells
from ..prepare import Prepared
from ..records import Cell
from ..reports.text import visible
from ..shrinking.setting import FOLDER
from ..store.database import Store, open_store
from ..store.earlier import settled_cells
from ..store.read import load_run
from ..store.runs import RunRecord, RunSpec, open_run
from .batching import opened_batches, refuse_cancelling, refuse_under_way
from .freezing import frozen_first
from .gates import exit_code, refuse_unknown_gates, refuse_unknown_runs, tell_failed
from .interrupting import interruptible, under_way
from .opening import STORE_VARIABLE, Allowance, opened_model, store_place
from .preparing import note_recipe, prepared_or_known
from .printing import print_notes, print_report_as
from .report_page import get_ready, place_of_page, write_page_of_run
from .stdout import reserved_stdout

if TYPE_CHECKING:
    from ..comparing.versions import Named
    from ..judging.asking import Judge
    from ..judging.unread import Unread
    from ..models.batches import Batches
    from ..store.read import StoredRun
    from .against import Against, Held

__all__ = ["interruptible", "run_command", "under_way"]

COMPLETE, INCOMPLETE = 0, 3
MOST_SPARE_WORKERS = 64


def run_command(
    config: Path,
    *,
    fresh: bool,
    store: str | None,
    as_json: bool,
    quiet: bool,
    cancel: bool = False,
    html: bool | None = None,
    against: "Against | None" = None,
) -> int:
    """Run a config and print its report.

    Args:
        config: The config file.
        fresh: Use no stored reply.
        store: Results database, instead of the config's.
        as_json: Print the report as JSON.
        quiet: Show no progress.
        cancel: Cancel the batches that are under way instead of asking; what they answered is kept.
        html: Whether to write the report as a page, too; None leaves it to the config.
        against: The run that it is compared with at the end.

    Returns:
        The exit code: 0 complete, 1 complete but a gate fails or it is proven worse where that is to fail, 2 not
        compared though that was asked for, 3 stopped or incomplete.

    Raises:
        PrtError: What the user can act on.
    """
    err = Console(stderr=True, highlight=False)
    told = Console(stderr=True, highlight=False, quiet=quiet)
    with reserved_stdout() as out:
        prepared = prepared_or_known(config, store=store)
        refuse_unknown_gates(prepared)
        print_notes(prepared.notes, prepared.skipped, told)
        allowance = Allowance.of(prepared.config)
        model = opened_model(prepared, told, allowance)
        batches = opened_batches(prepared, told)
        refuse_cancelling(cancel, batches, config)
        grader, judge = with_judge(prepared, told, allowance, model)
        refuse_idle(prepared, config)
        prepared = frozen_first(prepared, told, store=store, fresh=fresh, allowance=allowance)
        refuse_idle(prepared, config)
        prepared = replace(prepared, grader=grader)
        print_notes(idle_notes(prepared.counts.conditions), (), told)
        place = store_place(prepared, store)
        with open_store(place.address, base=place.base) as opened:
            refuse_unknown_runs(prepared, opened)
            before = None if against is None else against.find(opened)
            run = begin(prepared, opened, model, fresh=fresh)
            if batches is None:
                refuse_under_way(opened, run)
            told.print(Text(f"{run.id}: {model.name}, results in {opened.place}"))
            page = place_of_page(
                prepared.config.report, asked=html, base=prepared.loaded.base, store=opened.place, run_id=run.id
            )
            get_ready(page)
            with under_way():
                summary = asyncio.run(
                    ask_all(
                        prepared,
                        opened,
                        run,
                        model,
                        allowance.budget,
                        shown=told,
                        alarming=err if quiet else told,
                        judge=judge,
                        fresh=fresh,
                        batches=batches,
                        cancel=cancel,
                    )
                )
                for line in taken(summary, prepared, model, judge):
                    told.print(Text(line), soft_wrap=True)
                stored = load_run(opened, run.id)
                results = read_results_of(stored)
                report = analyse_run(stored, results=results, compared=None if before is None else before.run)
                unread = None if judge is None or summary.complete else unread_of(stored)
            held = compared(before, stored, report, as_json=as_json, out=out, err=err)
            write_page_of_run(stored, report, results, page, told=told, err=err)
    if not summary.complete:
        advice = going_on(summary, prepared.grader, resuming(config, store))
        if unread is not None and unread.n:
            again = unread.n < summary.missing or summary.state == "stopped"
            advice = unread.advice() + (f"\n{advice}" if again else "")
        err.print(Text(f"\n{summary.state}: {visible(summary.reason)}\n{advice}"), soft_wrap=True)
    tell_failed(report.gates, err)
    code = exit_code(report.gates, COMPLETE if summary.complete else INCOMPLETE)
    if against is None or held is None:
        return code
    from .against import code_of  # noqa: PLC0415 - most runs are compared with none

    return code_of(held, against, code)


def compared(
    before: "Named | None", run: "StoredRun", report: Report, *, as_json: bool, out: TextIO, err: Console
) -> "Held | None":
    """Print the report, and behind it how the run compares with another one where it is held against one."""
    if before is None:
        print_report_as(report, as_json=as_json, out=out)
        return None
    from .against import held_against, print_both  # noqa: PLC0415 - as above

    held = held_against(before, run)
    print_both(report, held, as_json=as_json, out=out, err=err)
    return held


def with_judge(prepared: Prepared, told: Console, allowance: Allowance, model: Model) -> "tuple[Grader, Judge | None]":
    """The grader of a run with its judge opened, and the judge; None where the grader has none."""
    if as_judge(prepared.grader) is None:
        return prepared.grader, None
    from .judged import opened_judge  # noqa: PLC0415 - most graders have no judge

    return opened_judge(
        prepared.grader, base=prepared.loaded.base, told=told, allowance=allowance, under_test=model.identity()
    )


def taken(summary: RunSummary, prepared: Prepared, model: Model, judge: "Judge | None") -> list[str]:
    """What a run took, this time: in a line, or where a judge was asked in one for each model and one for both."""
    if judge is None or summary.judging is None:
        return [*filter(None, [spent(summary, prepared.config.asked_prices)])]
    from .judged import spenders_of  # noqa: PLC0415 - most graders have no judge

    return spent_apart(spenders_of(summary, model.name, prepared.config.asked_prices, judge))


def unread_of(run: "StoredRun") -> "Unread":
    """The verdicts of a run's judge that can't be read."""
    from ..judging.unread import unread_verdicts  # noqa: PLC0415 - as above

    return unread_verdicts(run)


def going_on(summary: RunSummary, grader: Grader, command: str) -> str:
    """Say what to do about a run that is not complete; where a grader of the user's raised, asking again is no help."""
    raised = summary.by_status.get("judge_error", 0)
    if not raised or as_judge(grader) is not None:
        return f"Resume with: {command}"
    return (
        f"The grader could not judge {raised} of {summary.done} replies; `prt show` tells why. Mend it, and the same "
        f"command grades the stored replies again and asks only what is missing: {command}"
    )


def begin(prepared: Prepared, store: Store, model: Model, *, fresh: bool) -> RunRecord:
    """Begin the run, or resume it."""
    run = open_run(
        store,
        spec_of(prepared, model),
        items=prepared.items,
        variants=prepared.all_variants(),
        token=secrets.token_hex(2),
        fresh=fresh,
        digest=prepared.suite_hash,
    )
    note_recipe(prepared, store, run)
    return run


def spec_of(prepared: Prepared, model: Model) -> RunSpec:
    """What is to be run, as the store knows it."""
    return RunSpec(
        name=prepared.config.name,
        model=model.identity(),
        grader=prepared.grader.identity(),
        repeats=prepared.config.repeats,
        config=prepared.loaded.public(),
        dataset_sha256=prepared.dataset_sha256,
        bundle_hash=prepared.bundle_hash,
        prt_version=version("prompt-robustness"),
        environment={
            "model": model.name,
            "python": platform.python_version(),
            "platform": platform.platform(),
            FOLDER: str(prepared.loaded.base.resolve()),
        },
    )


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
    config = prepared.config
    identity = model.identity()
    total = prepared.cells
    answered, reader = first_pass(run, prepared.grader)
    settled = settled_cells(store, answered, total=total)

    def cells() -> Iterator[Cell]:
        return plan_cells(
            prepared.items,
            prepared.variants,
            identity=identity,
            repeats=config.repeats,
            by_place=config.model.provider == "replay",
            is_settled=settled.has,
        )

    failures = FailuresTold(lambda line: alarming.print(Text(line), soft_wrap=True))

    def note(done: CellDone) -> None:
        progress(done)
        failures.add(done)

    log_begun(run.id, model=model.name, cells=total, store=store.place)
    with interruptible(shown) as stop:
        # A model that has nothing to answer is not even started.
        async with model if len(settled) < total else nullcontext():
            with show_progress(shown, total=total, clock=time.monotonic) as progress:
                progress.found(settled.counts)
                asking = partial(
                    run_cells,
                    cells() if len(settled) < total else (),
                    concurrency=workers(model.concurrency),
                )
                if batches is not None:
                    from ..engine.batch_run import run_in_batches  # noqa: PLC0415 - calls need none of it

                    asking = partial(
                        run_in_batches,
                        cells,
                        batches=batches,
                        tell=lambda line: shown.print(Text(visible(line)), soft_wrap=True),
                        cancels=cancel,
                    )
                summary = await asking(
                    model=model,
                    grader=reader,
                    store=store,
                    run=answered,
                    total=total,
                    stop=stop,
                    max_error_rate=config.limits.max_error_rate,
                    give_up_after=patience(config),
                    settled=settled.counts,
                    purse=Purse(
                        budget,
                        completion_limit(getattr(config.model, "params", {})),
                        config.price_list.price(config.model),
                    ),
                    on_done=note,
                )
        failures.conclude()
        grader = as_judge(prepared.grader)
        if judge is not None and grader is not None:
            from ..judging.asking import Session  # noqa: PLC0415 - as above
            from .judged import judged_summary  # noqa: PLC0415 - as above

            summary = await judged_summary(
                summary,
                grader,
                judge,
                run=run,
                session=Session(
                    store=store,
                    stop=stop,
                    console=shown,
                    budget=budget,
                    give_up_after=config.limits.give_up_after,
                    fresh=fresh,
                ),
                max_error_rate=config.limits.max_error_rate,
            )
    log_ended(run.id, summary)
    return summary


def first_pass(run: RunRecord, grader: Grader) -> tuple[RunRecord, Grader]:
    """The run and the reader of its replies while it is asked; a judge comes after that."""
    judged = as_judge(grader)
    if judged is None:
        return run, grader
    from ..judging.answers import AnswersGrader, as_answers  # noqa: PLC0415 - as above

    reader = AnswersGrader(judged)
    return as_answers(run, reader), reader


def workers(calls_in_flight: int) -> int:
    """How many cells are asked at once: some more than calls, since a cell that waits to be asked again makes none."""
    return calls_in_flight + min(calls_in_flight // 2, MOST_SPARE_WORKERS)


def patience(config: Config) -> int | None:
    """How many failures alike end a run; a file of replies is read through, since that costs nothing."""
    return None if config.model.provider == "replay" else config.limits.give_up_after


def resuming(config: Path, store: str | None) -> str:
    """The command that resumes the run."""
    option = ["--store", store] if store and store != os.environ.get(STORE_VARIABLE) else []
    return shlex.join(["prt", "run", str(config), *option])
