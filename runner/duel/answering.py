"""Asking one side of a duel: a run of its own in the store, whose replies are kept, resumed and used again."""

import platform
import secrets
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.duel import DuelConfig
from ..config.duel_loading import LoadedDuel
from ..config.limits import completion_limit
from ..engine.budget import Budget, Purse
from ..engine.running import run_cells
from ..engine.stopping import Stop
from ..engine.summary import CellDone, RunSummary
from ..graders.base import Samples
from ..graders.status import Reading, grade_reply
from ..models.base import Model
from ..plan import plan_cells
from ..records import AnswerKey, Grade, Reply
from ..store.database import Store
from ..store.read import StoredRun
from ..store.runs import DUEL, RunRecord, RunSpec, open_run
from .judging import Pair, answer_of
from .sides import Side, SideName, shared_items


class AnswerReader:
    """Passes every reply that answers: it is compared with another, and right or wrong by itself is not asked here."""

    name: ClassVar[str] = DUEL
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """The reader's name and version."""
        return {"name": self.name, "version": self.version}

    def samples(self, key: AnswerKey) -> Samples:  # noqa: ARG002 - a grader's own interface
        """None: any reply will do."""
        return Samples()

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:  # noqa: ARG002 - a grader's own interface
        """See whether there is an answer."""
        return grade_reply(reply, lambda _: Reading(passed=True, final=False), count_as_fail=())


def begin_side(loaded: LoadedDuel, side: Side, store: Store, model: Model, *, fresh: bool) -> RunRecord:
    """Begin the run of a side, or resume it.

    Args:
        loaded: The config.
        side: The side.
        store: The results database.
        model: Its model.
        fresh: Begin a new run that uses no stored reply.

    Raises:
        StoreError: The store refuses, or another process works on this run right now.
    """
    spec = RunSpec(
        name=f"{loaded.config.name} {side.name}",
        model=model.identity(),
        grader=AnswerReader().identity(),
        config=loaded.public(),
        dataset_sha256=side.dataset_sha256,
        prt_version=version("prompt-robustness"),
        environment={"model": model.name, "python": platform.python_version(), "platform": platform.platform()},
    )
    variants = side.variants.in_order
    return open_run(store, spec, items=side.items, variants=variants, token=secrets.token_hex(2), fresh=fresh)


async def ask_side(
    config: DuelConfig,
    side: Side,
    *,
    store: Store,
    run: RunRecord,
    model: Model,
    budget: Budget,
    stop: Stop,
    concurrency: int,
    on_done: Callable[[CellDone], None],
) -> RunSummary:
    """Ask what is missing of a side.

    Args:
        config: The duel.
        side: The side.
        store: The results database.
        run: Its run there.
        model: Its model, entered already.
        budget: What the command may spend.
        stop: Set it to stop.
        concurrency: Cells that are worked on at once.
        on_done: Told of each answer that is on the disk.

    Returns:
        How it ended.
    """
    recorded = side.model.provider == "replay"
    return await run_cells(
        plan_cells(side.items, side.variants, identity=model.identity(), by_place=recorded),
        model=model,
        grader=AnswerReader(),
        store=store,
        run=run,
        total=len(side.items),
        concurrency=concurrency,
        stop=stop,
        max_error_rate=config.limits.max_error_rate,
        give_up_after=None if recorded else config.limits.give_up_after,
        purse=Purse(budget, completion_limit(getattr(side.model, "params", {})), config.price_list.price(side.model)),
        on_done=on_done,
    )


def pairs_of(sides: tuple[Side, Side], runs: Mapping[SideName, StoredRun]) -> list[Pair]:
    """The two answers to each item that both sides were asked."""
    replies = {side: {result.item_id: result.reply for result in run.results()} for side, run in runs.items()}
    return [
        Pair(item, *(answer_of(replies[side].get(item.id)) for side in ("candidate", "baseline")))
        for item in shared_items(sides)
    ]
