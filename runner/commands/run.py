"""`prt run`: prepare, ask, store, report."""

import asyncio
import os
import platform
import secrets
import shlex
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.text import Text

from ..analysis import analyse_run, read_results_of
from ..engine.spent import spent, spent_apart
from ..engine.summary import RunSummary
from ..findings import Report
from ..graders.base import Grader
from ..graders.judges import as_judge
from ..idle import idle_notes, refuse_idle
from ..models.base import Model
from ..prepare import Prepared
from ..reports.text import visible
from ..shrinking.setting import FOLDER
from ..store.database import Store, open_store
from ..store.read import StoredRun, load_run
from ..store.runs import RunRecord, RunSpec, open_run
from .batching import opened_batches, refuse_cancelling, refuse_under_way
from .freezing import frozen_first
from .gates import exit_code, refuse_unknown_gates, refuse_unknown_runs, tell_failed
from .interrupting import under_way
from .opening import STORE_VARIABLE, Allowance, opened_model, store_place
from .preparing import note_recipe, prepared_or_known
from .printing import print_notes, print_report_as, watching
from .report_page import get_ready, place_of_page, write_page_of_run
from .run_asking import ask_all
from .stdout import reserved_stdout

if TYPE_CHECKING:
    from ..comparing.versions import Named
    from ..judging.asking import Judge
    from ..models.batches import Batches
    from .against import Against, Held

COMPLETE, INCOMPLETE = 0, 3


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
        ready = ready_to_ask(config, told, store=store, fresh=fresh, cancel=cancel)
        place = store_place(ready.prepared, store)
        with open_store(place.address, base=place.base, watch=watching(told)) as opened:
            refuse_unknown_runs(ready.prepared, opened)
            before = None if against is None else against.find(opened)
            run = begun(ready, opened, told, fresh=fresh)
            page = page_of(ready, opened, run, asked=html)
            with under_way():
                summary = asked(
                    ready, opened, run, told=told, alarming=err if quiet else told, fresh=fresh, cancel=cancel
                )
                stored = load_run(opened, run.id)
                results = read_results_of(stored)
                report = analyse_run(stored, results=results, compared=None if before is None else before.run)
                advice = "" if summary.complete else advice_on(summary, ready, stored, resuming(config, store))
            held = compared(before, stored, report, as_json=as_json, out=out, err=err)
            write_page_of_run(stored, report, results, page, told=told, err=err)
    if advice:
        err.print(Text(f"\n{summary.state}: {visible(summary.reason)}\n{advice}"), soft_wrap=True)
    tell_failed(report.gates, err)
    code = exit_code(report.gates, COMPLETE if summary.complete else INCOMPLETE)
    if against is None or held is None:
        return code
    from .against import code_of  # noqa: PLC0415 - most runs are compared with none

    return code_of(held, against, code)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """All that a run needs, before it is begun; nothing was called but to write its paraphrases.

    Attributes:
        prepared: What is asked, with its judge opened.
        model: The model, not entered yet.
        judge: The judge of the answers; None where the grader reads them itself.
        batches: The model as it is asked in batches; None where it is asked by calls.
        allowance: What the command may do.
    """

    prepared: Prepared
    model: Model
    judge: "Judge | None"
    batches: "Batches | None"
    allowance: Allowance


def ready_to_ask(config: Path, told: Console, *, store: str | None, fresh: bool, cancel: bool) -> Ready:
    """Prepare a run, open its models and have its paraphrases written, and say what should be known before.

    Args:
        config: The config file.
        told: Where that is said.
        store: Results database, instead of the config's.
        fresh: Whether paraphrases are asked for anew.
        cancel: Whether batches under way are to be cancelled.

    Raises:
        PrtError: Something is missing, with what to do about it.
    """
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
    return Ready(prepared=prepared, model=model, judge=judge, batches=batches, allowance=allowance)


def begun(ready: Ready, store: Store, told: Console, *, fresh: bool) -> RunRecord:
    """Begin or resume the run, and say which it is.

    Raises:
        PrtError: Another process works on it, or batches of it are under way and it is to be asked by calls.
    """
    run = begin(ready.prepared, store, ready.model, fresh=fresh)
    if ready.batches is None:
        refuse_under_way(store, run)
    told.print(Text(f"{run.id}: {ready.model.name}, results in {store.place}"))
    return run


def asked(
    ready: Ready, store: Store, run: RunRecord, *, told: Console, alarming: Console, fresh: bool, cancel: bool
) -> RunSummary:
    """Ask whatever the run lacks, and say what that took.

    Args:
        ready: What it is asked with.
        store: Where results go.
        run: The run in it.
        told: Where progress is shown.
        alarming: Where errors are told of.
        fresh: Whether no verdict of an earlier run is taken.
        cancel: Whether batches under way are cancelled.
    """
    asking = ask_all(
        ready.prepared,
        store,
        run,
        ready.model,
        ready.allowance.budget,
        shown=told,
        alarming=alarming,
        judge=ready.judge,
        fresh=fresh,
        batches=ready.batches,
        cancel=cancel,
    )
    summary = asyncio.run(asking)
    for line in taken(summary, ready):
        told.print(Text(line), soft_wrap=True)
    return summary


def page_of(ready: Ready, store: Store, run: RunRecord, *, asked: bool | None) -> Path | None:
    """Where the report is written as a page, for which it is got ready; None for nowhere."""
    loaded = ready.prepared.loaded
    page = place_of_page(loaded.config.report, asked=asked, base=loaded.base, store=store.place, run_id=run.id)
    get_ready(page)
    return page


def compared(
    before: "Named | None", run: StoredRun, report: Report, *, as_json: bool, out: TextIO, err: Console
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


def taken(summary: RunSummary, ready: Ready) -> list[str]:
    """What a run took, this time: in a line, or where a judge was asked in one for each model and one for both."""
    prices = ready.prepared.config.asked_prices
    if ready.judge is None or summary.judging is None:
        return [*filter(None, [spent(summary, prices)])]
    from .judged import spenders_of  # noqa: PLC0415 - most graders have no judge

    return spent_apart(spenders_of(summary, ready.model.name, prices, ready.judge))


def advice_on(summary: RunSummary, ready: Ready, run: StoredRun, command: str) -> str:
    """Say what to do about a run that is not complete, and about verdicts of its judge that can't be read."""
    advice = going_on(summary, ready.prepared.grader, command)
    if ready.judge is None:
        return advice
    from ..judging.unread import unread_verdicts  # noqa: PLC0415 - as above

    unread = unread_verdicts(run)
    if not unread.n:
        return advice
    again = unread.n < summary.missing or summary.state == "stopped"
    return unread.advice() + (f"\n{advice}" if again else "")


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


def resuming(config: Path, store: str | None) -> str:
    """The command that resumes the run."""
    option = ["--store", store] if store and store != os.environ.get(STORE_VARIABLE) else []
    return shlex.join(["prt", "run", str(config), *option])
