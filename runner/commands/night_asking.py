"""Asking the runs of a night: that of the config, and that of a reference which is asked beside it."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import timedelta

from rich.console import Console

from ..config.schema import ModelConfig
from ..engine.summary import RunSummary
from ..graders.base import Grader
from ..prepare import Prepared
from ..store.database import Store
from ..store.nights import run_name, undecided_run
from ..store.runs import RunRecord, run_fingerprint
from .batching import opened_batches, refuse_under_way
from .interrupting import under_way
from .judged import opened_judge
from .opening import Allowance, opened_model
from .run import ask_all, begin, spec_of


@dataclass(frozen=True, slots=True)
class Desk:
    """What the runs of a night are asked with.

    Attributes:
        store: The results database.
        told: Where progress is shown.
        alarming: Where errors are told of.
        allowance: What the command may spend.
        decided: Numbers of the runs of nights that are decided; those are never gone on with.
        resume: How long ago a run may have begun to be gone on with.
    """

    store: Store
    told: Console
    alarming: Console
    allowance: Allowance
    decided: Collection[int]
    resume: timedelta


@dataclass(frozen=True, slots=True)
class Asked:
    """A run that was asked.

    Attributes:
        run: The run.
        summary: How it ended.
        resumed: Whether it had begun before.
    """

    run: RunRecord
    summary: RunSummary
    resumed: bool


def of_night(prepared: Prepared, what: str, model: ModelConfig | None = None) -> Prepared:
    """A run under the name of the nights of its series, and by another model where one is given."""
    config = prepared.config
    changed: dict[str, object] = {"name": run_name(config.name, what)}
    if model is not None:
        changed["model"] = model
    return replace(prepared, loaded=replace(prepared.loaded, config=config.model_copy(update=changed)))


def ask_run(prepared: Prepared, grader: Grader, desk: Desk) -> Asked:
    """Ask a run afresh, or go on with the one that was cut off.

    Args:
        prepared: The run, under the name that it is to have.
        grader: Its grader, a judge not opened yet.
        desk: What it is asked with.

    Raises:
        PrtError: It can't be asked, with what to do about it.
    """
    model = opened_model(prepared, desk.told, desk.allowance)
    batches = opened_batches(prepared, desk.told)
    opened, judge = opened_judge(
        grader,
        base=prepared.loaded.base,
        told=desk.told,
        allowance=desk.allowance,
        under_test=model.identity(),
    )
    prepared = replace(prepared, grader=opened)
    store = desk.store
    fingerprint = run_fingerprint(spec_of(prepared, model), prepared.suite_hash)
    since = store.now() - desk.resume
    fresh = undecided_run(store, fingerprint, since=since, decided=desk.decided) is None
    run = begin(prepared, store, model, fresh=fresh)
    if batches is None:
        refuse_under_way(store, run)
    with under_way():
        summary = asyncio.run(
            ask_all(
                prepared,
                store,
                run,
                model,
                desk.allowance.budget,
                shown=desk.told,
                alarming=desk.alarming,
                judge=judge,
                fresh=fresh,
                batches=batches,
            )
        )
    return Asked(run, summary, resumed=not fresh)
