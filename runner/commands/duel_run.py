"""`prt duel CONFIG`: both sides asked, judged in every dimension, and compared."""

import asyncio
import os
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..duel.answering import ask_side, begin_side, pairs_of
from ..duel.asking import ModelJudge
from ..duel.facts import facts_of, refusals_of
from ..duel.findings import NO_WIN, Duel, compared
from ..duel.judging import Judged, Pair, failures_of, judge_all, judging_notes
from ..duel.prompts import prompt_changes
from ..duel.sides import SIDES, Side, SideName, refuse_other_models
from ..engine.failures_told import FailuresTold
from ..engine.progress import show_progress
from ..engine.spent import Spender, spent_apart
from ..engine.stopping import Stop
from ..engine.summary import CellDone, RunSummary
from ..errors import JudgingStoppedError
from ..judging.asking import Session
from ..models.base import adaptations_of
from ..problems import counted
from ..reports.text import visible
from ..store.database import Store, open_store
from ..store.read import StoredRun
from ..store.runs import RunRecord, keep_adaptations
from .duel import Bars, Form, print_duel_as, unusable_ends_with_1
from .duel_opening import Prepared, prepare
from .interrupting import interruptible, under_way
from .judged import judge_spender
from .opening import STORE_VARIABLE, place_of
from .printing import watching
from .run_asking import workers
from .stdout import reserved_stdout

INCOMPLETE = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """A side that was asked.

    Attributes:
        run: Its run.
        summary: How that ended.
    """

    run: RunRecord
    summary: RunSummary

    @property
    def is_of_use(self) -> bool:
        """Whether there is anything to compare: it was not stopped, and some item has an answer."""
        return self.summary.state != "stopped" and self.summary.missing < self.summary.total


def duel_command(config: Path, *, fresh: bool, store: str | None, bars: Bars, form: Form, quiet: bool) -> int:
    """Ask both sides of a duel, judge and compare them, and print what it comes to.

    Args:
        config: The config file.
        fresh: Use no stored reply.
        store: Results database, instead of the config's.
        bars: What decides a verdict, instead of the config's.
        form: What is printed.
        quiet: Show no progress.

    Returns:
        The exit code: 0 where some dimension is BETTER and none WORSE; 2 otherwise; 3 stopped or incomplete.

    Raises:
        DuelError: What is given can't be used.
        PrtError: The models, the judge or the store can't go on.
    """
    err = Console(stderr=True, highlight=False)
    with reserved_stdout() as out:
        with unusable_ends_with_1():
            prepared = prepare(config, told=Console(stderr=True, highlight=False, quiet=quiet), alarming=err)
            place = place_of(prepared.loaded, store)
            opened = open_store(place.address, base=place.base, watch=watching(prepared.told))
        with opened, under_way():
            asked = asyncio.run(ask_both(prepared, opened, fresh=fresh))
            missing = [
                f"{side}, {each.summary.state}: {each.summary.reason}"
                for side, each in asked.items()
                if not each.summary.complete
            ]
            code = NO_WIN
            if all(each.is_of_use for each in asked.values()):
                with unusable_ends_with_1(), told_how_to_resume(config, store):
                    duel, failed = concluded(prepared, opened, asked, bars, fresh=fresh)
                code = duel.exit_code
                missing += [f"judge, incomplete: {counted(failed, 'call')} failed"] if failed else []
                print_duel_as(duel, form, out)
            else:
                tell_spent(prepared, asked, None)
    if missing:
        told = [*map(visible, missing), f"Resume with: {resuming(config, store)}"]
        err.print(Text("\n" + "\n".join(told)), soft_wrap=True)
    return INCOMPLETE if missing else code


async def ask_both(prepared: Prepared, store: Store, *, fresh: bool) -> dict[SideName, Asked]:
    """Ask the baseline, then the candidate; the candidate is not asked where the baseline was stopped or has no answer.

    Args:
        prepared: The duel.
        store: The results database.
        fresh: Use no stored reply.
    """
    asked: dict[SideName, Asked] = {}
    failures = FailuresTold(lambda line: prepared.alarming.print(Text(line), soft_wrap=True))
    with interruptible(prepared.told) as stop:
        async with AsyncExitStack() as entered:
            for model in {id(model): model for model in prepared.models.values()}.values():
                await entered.enter_async_context(model)
            for side in prepared.sides:
                asked[side.name] = await ask_one(prepared, side, store, stop, failures, fresh=fresh)
                if not asked[side.name].is_of_use:
                    break
    failures.conclude()
    return asked


async def ask_one(
    prepared: Prepared, side: Side, store: Store, stop: Stop, failures: FailuresTold, *, fresh: bool
) -> Asked:
    """Ask one side, with progress."""
    model, told = prepared.models[side.name], prepared.told
    run = begin_side(prepared.loaded, side, store, model, fresh=fresh)
    told.print(Text(f"{side.name}: {run.id}, {model.name}, results in {store.place}"), soft_wrap=True)

    def note(done: CellDone) -> None:
        progress(done)
        failures.add(done)

    with show_progress(told, total=len(side.items), clock=time.monotonic, rated=False) as progress:
        summary = await ask_side(
            prepared.loaded.config,
            side,
            store=store,
            run=run,
            model=model,
            budget=prepared.allowance.budget,
            stop=stop,
            concurrency=workers(model.concurrency),
            on_done=note,
        )
    return Asked(run, summary)


def tell_spent(prepared: Prepared, asked: Mapping[SideName, Asked], judging: RunSummary | None) -> None:
    """Say what the sides and the judge took, this time, apart and together."""
    prices = prepared.allowance.prices
    spenders = [
        Spender(f"{side.name}, {visible(prepared.models[side.name].name)}", asked[side.name].summary, price)
        for side in prepared.sides
        if side.name in asked
        for price in [prices.price(side.model)]
    ]
    if judging is not None and prepared.judge is not None:
        spenders.append(judge_spender(prepared.judge, judging))
    for line in spent_apart(spenders):
        prepared.told.print(Text(line), soft_wrap=True)


def concluded(
    prepared: Prepared, store: Store, asked: Mapping[SideName, Asked], bars: Bars, *, fresh: bool
) -> tuple[Duel, int]:
    """Judge the answers of both sides, and compare them in each dimension.

    Returns:
        The duel, and how many calls of the judge failed.

    Raises:
        UsageError: Prompts are compared, and the answers are not of one model.
        JudgingStoppedError: The judge could not be asked for all verdicts.
    """
    config = prepared.loaded.config
    runs = {side: StoredRun(store, asked[side].run) for side in SIDES}
    refuse_other_models(config, {side: run.resolved_models() for side, run in runs.items()})
    pairs = pairs_of(prepared.sides, runs)
    judged, failed = asyncio.run(judged_by(prepared, store, asked, pairs, fresh=fresh))
    alpha = config.alpha if bars.alpha is None else bars.alpha
    margin = config.margin if bars.margin is None else bars.margin
    prompts = config.prompts
    duel = Duel(
        source=str(prepared.loaded.path),
        candidate="candidate",
        baseline="baseline",
        dimensions=compared(
            {each.asked: each.pairs for each in judged},
            alpha=alpha,
            margin=margin,
            failures={each.asked.id: failures_of(each, pairs, config.failures) for each in judged},
        ),
        alpha=alpha,
        margin=margin,
        notes=(*judging_notes(judged, pairs), *refusals(prepared, runs)),
        changes=() if prompts is None else prompt_changes(prompts.baseline, prompts.candidate),
        facts=tuple(facts(prepared, runs)),
    )
    return duel, failed


def facts(prepared: Prepared, runs: Mapping[SideName, StoredRun]) -> Sequence[tuple[str, str]]:
    """What is known of how a duel was made."""
    return facts_of(
        runs,
        {side: model.name for side, model in prepared.models.items()},
        prompts=prepared.loaded.config.models is None,
        items=len(prepared.sides[0].items),
        judge="" if prepared.judge is None else prepared.judge.model.name,
    )


def refusals(prepared: Prepared, runs: Mapping[SideName, StoredRun]) -> Iterator[str]:
    """Say which parameters a model refused, and what was done about it."""
    told = [each for model in prepared.models.values() for each in adaptations_of(model)]
    told += [] if prepared.judge is None else prepared.judge.refusals()
    yield from refusals_of(runs.values(), told)


@contextmanager
def told_how_to_resume(config: Path, store: str | None) -> Iterator[None]:
    """Where the judge is stopped, say how to go on."""
    try:
        yield
    except JudgingStoppedError as error:
        raise JudgingStoppedError(f"{error}\nResume with: {resuming(config, store)}") from None


def resuming(config: Path, store: str | None) -> str:
    """The command that goes on with a duel."""
    option = ["--store", store] if store and store != os.environ.get(STORE_VARIABLE) else []
    return shlex.join(["prt", "duel", str(config), *option])


async def judged_by(
    prepared: Prepared, store: Store, asked: Mapping[SideName, Asked], pairs: Sequence[Pair], *, fresh: bool
) -> tuple[list[Judged], int]:
    """Judge the answers in every dimension, until it is done or the user interrupts.

    Returns:
        The dimensions, and how many calls of the judge failed.
    """
    config = prepared.loaded.config
    with interruptible(prepared.told) as stop:
        session = Session(
            store=store,
            stop=stop,
            console=prepared.told,
            budget=prepared.allowance.budget,
            give_up_after=config.limits.give_up_after,
            fresh=fresh,
        )
        owner = " ".join(each.run.id for each in asked.values())
        if prepared.judge is not None:
            prepared.told.print(Text(f"judge: {prepared.judge.model.name}"), soft_wrap=True)
        judge = None if prepared.judge is None else ModelJudge(prepared.judge, session, config.name, owner)
        try:
            judged = await judge_all(config.dimensions, pairs, prepared.rules, judge)
        finally:
            tell_spent(prepared, asked, None if judge is None else judge.summary)
    if prepared.judge is not None:
        keep_adaptations(store, asked["candidate"].run, prepared.judge.refusals())
    return judged, judge.failed if judge else 0
