"""Asking the runs of a night: that of the config, and that of a reference which is asked beside it."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from rich.console import Console

from ..config.schema import ModelConfig
from ..engine.summary import RunSummary
from ..models.base import Model
from ..prepare import Prepared
from ..store.database import Store
from ..store.nights import run_name, undecided_run
from ..store.runs import RunRecord, run_fingerprint
from .batching import opened_batches, refuse_under_way
from .interrupting import under_way
from .judged import opened_judge
from .opening import Allowance, opened_model
from .run import begin, spec_of
from .run_asking import ask_all

if TYPE_CHECKING:
    from ..judging.asking import Judge
    from ..models.batches import Batches


@dataclass(frozen=True, slots=True)
class Desk:
    """What the runs of a night are asked with.

    Attributes:
        store: The results database.
        told: Where progress is shown.
        alarming: Where errors are told of.
        allowance: What the command may spend.
        decided: Numbers of the runs of nights that are decided; those are never gone on with.
    """

    store: Store
    told: Console
    alarming: Console
    allowance: Allowance
    decided: Collection[int]


@dataclass(frozen=True, slots=True)
class Ready:
    """A run that can be asked: all that it needs is there, and nothing was called.

    Attributes:
        prepared: The run, under its own name and with its judge opened.
        model: Its model.
        judge: The judge of its answers; None where the grader reads them itself.
        batches: The model as it is asked in batches; None where it is asked by calls.
    """

    prepared: Prepared
    model: Model
    judge: "Judge | None"
    batches: "Batches | None"


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


def ready(prepared: Prepared, what: str, desk: Desk, model: ModelConfig | None = None) -> Ready:
    """Open all that a run needs, without a call.

    Args:
        prepared: The config's run, its judge not opened yet.
        what: `night` or `reference`.
        desk: What it is asked with.
        model: The model that is asked; the config's where not given.

    Raises:
        PrtError: Something is missing, with what to do about it.
    """
    named = of_night(prepared, what, model)
    opened = opened_model(named, desk.told, desk.allowance)
    grader, judge = opened_judge(
        prepared.grader,
        base=prepared.loaded.base,
        told=desk.told,
        allowance=desk.allowance,
        under_test=opened.identity(),
    )
    return Ready(replace(named, grader=grader), opened, judge, opened_batches(named, desk.told))


def ask_run(asked: Ready, desk: Desk, *, since: datetime) -> Asked:
    """Ask a run afresh, or go on with the one that was cut off.

    Args:
        asked: The run.
        desk: What it is asked with.
        since: The earliest beginning of a run that is gone on with.

    Raises:
        PrtError: It can't be asked, with what to do about it.
    """
    prepared, store = asked.prepared, desk.store
    fingerprint = run_fingerprint(spec_of(prepared, asked.model), prepared.suite_hash)
    fresh = undecided_run(store, fingerprint, since=since, decided=desk.decided) is None
    run = begin(prepared, store, asked.model, fresh=fresh)
    if asked.batches is None:
        refuse_under_way(store, run)
    with under_way():
        summary = asyncio.run(
            ask_all(
                prepared,
                store,
                run,
                asked.model,
                desk.allowance.budget,
                shown=desk.told,
                alarming=desk.alarming,
                judge=asked.judge,
                fresh=fresh,
                batches=asked.batches,
            )
        )
    return Asked(run, summary, resumed=not fresh)
