"""The judge of a config, asked about labelled answers by a command."""

import asyncio
import os
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from ..config.loading import load_config
from ..errors import JudgingStoppedError, UsageError
from ..graders.base import make_grader
from ..graders.judge import JudgeGrader
from ..graders.judges import judge_name
from ..judging.asking import Judge, Session
from ..judging.calibration import Judgement
from ..judging.labelled import calls_of, judge_rows
from ..judging.labels import Labelled, Labels
from ..store.database import open_store
from .interrupting import interruptible, under_way
from .judged import opened_judge
from .opening import STORE_VARIABLE, Allowance, StorePlace, place_of
from .printing import watching


@dataclass(frozen=True, slots=True)
class Wanted:
    """A judge that a command is to ask.

    Attributes:
        config: The config that names it.
        store: Results database, instead of the config's.
        fresh: Use no stored reply.
        command: The command without these, from its name on, to be told to those who resume it.
    """

    config: Path
    store: str | None
    fresh: bool
    command: Sequence[str]

    def resuming(self) -> str:
        """The command that goes on."""
        option = ["--store", self.store] if self.store and self.store != os.environ.get(STORE_VARIABLE) else []
        return shlex.join(["prt", "judge", *self.command, "--config", str(self.config), *option])


@dataclass(frozen=True, slots=True)
class OpenedJudge:
    """The judge of a config, before its first call.

    Attributes:
        grader: Its grader.
        judge: The judge.
        allowance: What the command may do.
        give_up_after: So many calls that fail alike are enough.
        place: The results database.
        wanted: How it is to be asked.
        told: Where progress is shown.
    """

    grader: JudgeGrader
    judge: Judge
    allowance: Allowance
    give_up_after: int | None
    place: StorePlace
    wanted: Wanted
    told: Console

    @property
    def name(self) -> str:
        """The judge, in words."""
        return judge_name(self.grader.identity())


def open_judge(wanted: Wanted, told: Console) -> OpenedJudge:
    """Open the judge of a config; nothing is called.

    Args:
        wanted: The config, and how its judge is to be asked.
        told: Where progress is shown.

    Raises:
        UsageError: The config's grader is no judge.
        PrtError: Something that the judge needs is missing.
    """
    loaded = load_config(wanted.config, env=os.environ)
    if loaded.config.grade is None or loaded.config.grade.grader != "judge":
        raise UsageError(
            f"{wanted.config}: its `grade` is no judge; it takes `grade: {{grader: judge, rubric: …, model: …}}`"
        )
    allowance = Allowance.of(loaded.config)
    grader, judge = opened_judge(
        make_grader(loaded.config.grade, base=loaded.base),
        base=loaded.base,
        told=told,
        allowance=allowance,
        under_test={},
    )
    if not isinstance(grader, JudgeGrader) or judge is None:
        raise TypeError("a grader named judge has a judge")
    patience = loaded.config.limits.give_up_after
    return OpenedJudge(grader, judge, allowance, patience, place_of(loaded, wanted.store), wanted, told)


def ask(opened: OpenedJudge, labels: Labels, rows: Sequence[Labelled], *, owner: str) -> list[Judgement]:
    """Ask a judge about rows, until it is done or the user interrupts.

    Args:
        opened: The judge.
        labels: The file.
        rows: The rows of it that are to be judged.
        owner: What the verdicts are for.

    Raises:
        DatasetError: Rows lack what the judge is to be shown; nothing was asked.
        JudgingStoppedError: Not all calls could be made; with the command that goes on.
    """
    calls_of(labels, rows, opened.grader)

    async def asked() -> list[Judgement]:
        with interruptible(opened.told) as stop:
            session = Session(
                store=store,
                stop=stop,
                console=opened.told,
                budget=opened.allowance.budget,
                give_up_after=opened.give_up_after,
                fresh=opened.wanted.fresh,
            )
            return await judge_rows(
                labels, rows, grader=opened.grader, judge=opened.judge, session=session, owner=owner
            )

    place, watch = opened.place, watching(opened.told)
    with open_store(place.address, base=place.base, watch=watch) as store, under_way():
        try:
            return asyncio.run(asked())
        except JudgingStoppedError as error:
            how = "Begin anew with" if opened.wanted.fresh else "Resume with"
            raise JudgingStoppedError(f"{error}\n{how}: {opened.wanted.resuming()}") from None
