"""Scoring rows by asking models: each model at a desk of its own, all rows through them."""

from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from ..config.generators import given_params
from ..config.limits import completion_limit
from ..config.score_loading import LoadedScore
from ..engine.budget import Purse
from ..engine.spent import Spender, spent_apart
from ..engine.stopping import Stop
from ..reports.text import visible
from ..scoring.asking import Desk, begin_desk
from ..scoring.result import RowParts, Scored
from ..scoring.rows import Read, ScoreRow
from ..scoring.scorer import Desks, score_row
from ..scoring.stream import score_rows
from ..store.database import Store
from .interrupting import interruptible
from .opening import Allowance
from .score_opening import Role, Roles


@dataclass(frozen=True, slots=True)
class Asking:
    """All that asking for the scores of rows needs.

    Attributes:
        rows: The file with the rows.
        fresh: Use no stored reply.
        loaded: The config.
        roles: The models, opened.
        allowance: What the command may do.
        store: The results database.
        told: Where an interrupt is told of.
    """

    rows: Path
    fresh: bool
    loaded: LoadedScore
    roles: Roles
    allowance: Allowance
    store: Store
    told: Console

    async def through(self, reads: Iterator[Read], take: Callable[[Scored], None]) -> tuple[str, dict[str, str]]:
        """Score all rows.

        Args:
            reads: The rows.
            take: Told of each in order.

        Returns:
            Why it ended early, empty where it did not; and facts for the report.
        """
        config = self.loaded.config
        roles = self.roles.sut, self.roles.judge, self.roles.generator
        with interruptible(self.told) as stop:
            async with AsyncExitStack() as stack:
                every = [await stack.enter_async_context(self._desk(role, stop)) for role in roles]
                desks = Desks(*every)

                async def score(row: ScoreRow) -> RowParts:
                    return await score_row(row, config, desks)

                reason = await score_rows(
                    reads,
                    score,
                    on_scored=take,
                    stop=stop,
                    rows_at_once=config.rows_at_once,
                    batch_rows=config.batch_rows,
                    total_seconds=config.total_seconds,
                )
        for desk in every:
            desk.conclude(reason)
        calls = ", ".join(
            f"{role.name} {role.model.name} {desk.made:,} ({desk.found:,} stored)"
            for role, desk in zip(roles, every, strict=True)
        )
        prices = self.loaded.config.price_list
        spenders = [
            Spender(f"{role.name} {visible(role.model.name)}", desk.took, prices.price(role.config))
            for role, desk in zip(roles, every, strict=True)
        ]
        took = "; ".join(spent_apart(spenders))
        refused = dict.fromkeys(each for desk in every for each in desk.adaptations)
        facts = {"calls": calls, **({"took, this time": took} if took else {})}
        return reason, {**facts, **({"by `adapt`": "; ".join(refused)} if refused else {})}

    def _desk(self, role: Role, stop: Stop) -> Desk:
        config = self.loaded.config
        run = begin_desk(
            self.store,
            role.model,
            role=role.name,
            name=config.name,
            owner=str(self.rows),
            config=self.loaded.public(),
            fresh=self.fresh,
            asked=role.asked,
        )
        return Desk(
            role.model,
            store=self.store,
            run=run,
            purse=Purse(
                self.allowance.budget, completion_limit(given_params(role.config)), config.price_list.price(role.config)
            ),
            extra=role.extra,
            place=role.asked,
            patience=config.limits.give_up_after,
            stop=stop,
        )
