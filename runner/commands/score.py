"""`prt score`: the robustness score of rows, or of a stored run."""

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from ..config.generators import given_params
from ..config.limits import completion_limit
from ..config.models import ModelConfig
from ..config.score import ScoreConfig, timed
from ..config.score_loading import LoadedScore, load_score
from ..engine.budget import Purse
from ..errors import DatasetError, Problem, ScoringStoppedError, UsageError
from ..judging.prompts import PROMPT_VERSION as JUDGE_PROMPT_VERSION
from ..judging.structured import in_schema, takes_schema
from ..models.base import Model, open_model
from ..paraphrasing.sampling import Extra, nothing_else
from ..paraphrasing.writing import opened
from ..problems import counted
from ..reports.score import ScoreReport, print_score, report_values, row_json
from ..reports.text import visible
from ..scoring.asking import Desk, begin_desk
from ..scoring.manifest import manifest
from ..scoring.pooling import Pool
from ..scoring.prompts import PROMPT_VERSION
from ..scoring.result import RowParts, Scored
from ..scoring.rows import Read, ScoreRow, read_score_rows
from ..scoring.scorer import Desks, score_row
from ..scoring.stored import score_run
from ..scoring.stream import score_rows
from ..store import DEFAULT_STORE
from ..store.database import Store, open_store
from ..store.read import load_run
from ..store.runs import JUDGING
from .interrupting import interruptible, under_way
from .judged import which, with_room
from .opening import STORE_VARIABLE, Allowance
from .printing import output_console
from .stdout import reserved_stdout

COMPLETE, INCOMPLETE = 0, 3
STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the command line asks for.

    Attributes:
        rows: The rows; None for a run, or for the description.
        config: The config file; None for the defaults.
        settings: Settings in its place, `KEY=VALUE` each.
        run: The stored run; None for rows.
        out: Where a line for each row goes; `-` is standard output, None nowhere.
        store: Results database, instead of the config's.
        fresh: Use no stored reply.
        as_json: Print the summary as JSON.
        quiet: Show no progress.
    """

    rows: Path | None
    config: Path | None
    settings: Sequence[str]
    run: str | None
    out: str | None
    store: str | None
    fresh: bool
    as_json: bool
    quiet: bool

    def resuming(self) -> str:
        """The command that goes on."""
        told = ["prt", "score", str(self.rows), "--config", str(self.config)]
        told += [part for setting in self.settings for part in ("--set", setting)]
        told += [] if self.out is None else ["--out", self.out]
        told += ["--store", self.store] if self.store and self.store != os.environ.get(STORE_VARIABLE) else []
        return shlex.join(told)


@dataclass(frozen=True, slots=True)
class Role:
    """One of the models, opened and not entered.

    Attributes:
        name: What it is to the score.
        model: The model.
        config: Its block.
        extra: Further parameters of its requests.
        asked: What decides its replies besides its identity and what it is sent.
    """

    name: str
    model: Model
    config: ModelConfig
    extra: Extra
    asked: tuple[str | int | float | bool, ...]


@dataclass(frozen=True, slots=True)
class Roles:
    """The models of a score."""

    sut: Role
    judge: Role
    generator: Role


def manifest_command(config: Path | None, settings: Sequence[str]) -> None:
    """Print a description of the score."""
    loaded = load_score(config, settings, env=os.environ)
    sys.stdout.write(json.dumps(manifest(loaded.config), indent=2, ensure_ascii=False) + "\n")


def score_command(wanted: Wanted) -> int:
    """Score rows, or a stored run, and print what they come to.

    Args:
        wanted: What the command line asks for.

    Returns:
        The exit code: 0 where every row has a score, 3 where some have none; of a run 0.

    Raises:
        PrtError: What the user can act on.
    """
    if (wanted.rows is None) == (wanted.run is None):
        raise UsageError(
            "name the rows to score (prt score rows.jsonl --config score.yaml), or a stored run (--run RUN); not both"
        )
    loaded = load_score(wanted.config, wanted.settings, env=os.environ)
    with reserved_stdout() as out:
        return _score_run(wanted, loaded, out) if wanted.rows is None else _score_rows(wanted, loaded, wanted.rows, out)


def _score_run(wanted: Wanted, loaded: LoadedScore, out: TextIO) -> int:
    """Score a stored run by its grades."""
    address, base = _place(wanted, loaded)
    pool = Pool()
    with open_store(address, base=base, may_create=False) as store:
        run = load_run(store, wanted.run or "")
        with _writing(wanted.out, loaded.config, out, beside=None) as write:
            for scored in score_run(run):
                pool.add(scored)
                write(scored)
    grader = str(run.record.grader.get("name", ""))
    report = ScoreReport(
        loaded.config,
        pool.summary(seed=loaded.config.seed),
        source=f"run {run.record.id}",
        judged_by=f"no judge: the pass/fail grades of the run ({grader})",
        facts={},
    )
    _print(report, wanted, out)
    return COMPLETE


def _score_rows(wanted: Wanted, loaded: LoadedScore, rows: Path, out: TextIO) -> int:
    """Score rows by asking models."""
    err = Console(stderr=True, highlight=False)
    told = Console(stderr=True, highlight=False, quiet=wanted.quiet)
    allowance = Allowance.of(loaded.config)
    roles = open_roles(loaded, allowance, told)
    reads = read_score_rows(rows)
    first = next(reads, None)
    if first is None:
        raise DatasetError(Problem("it has no rows", path=str(rows)))
    address, base = _place(wanted, loaded)
    pool = Pool()
    with ExitStack() as stack:
        store = stack.enter_context(open_store(address, base=base))
        write = stack.enter_context(_writing(wanted.out, loaded.config, out, beside=rows))
        stack.enter_context(under_way())
        note = stack.enter_context(_progress(told))

        def take(scored: Scored) -> None:
            pool.add(scored)
            write(scored)
            note(pool)

        asking = Asking(wanted, loaded, roles, allowance, store, told)
        reason, facts = asyncio.run(asking.through(chain([first], reads), take))
    report = ScoreReport(
        loaded.config,
        pool.summary(seed=loaded.config.seed),
        source=str(rows),
        judged_by=f"the model {roles.judge.model.name}",
        facts=facts,
        reason=reason,
    )
    _print(report, wanted, out)
    without = report.summary.rows - report.summary.scored
    if reason:
        text = f"\nstopped: {visible(reason)}\nResume with: {wanted.resuming()}"
        err.print(Text(text), soft_wrap=True)
    elif without:
        text = f"\nincomplete: {counted(without, 'row')} without a score, for the reasons above"
        err.print(Text(text), soft_wrap=True)
    return INCOMPLETE if without or reason else COMPLETE


def open_roles(loaded: LoadedScore, allowance: Allowance, told: Console) -> Roles:
    """Open the models of a config; nothing is called, started or fetched.

    Raises:
        UsageError: The config names no system under test or no judge, or both are the same model.
        PrtError: Something that a model needs is missing.
    """
    config = loaded.config
    if config.sut is None or config.judge is None or config.writer is None:
        lacking = "sut" if config.sut is None else "judge"
        where = loaded.path or "no config is given"
        raise UsageError(
            f"{where}: rows need `sut`, the system under test, and `judge`, a model that judges, and there is no "
            f"`{lacking}`; write both into a config: --config score.yaml"
        )

    def opening(block: ModelConfig, name: str) -> tuple[Model, ModelConfig]:
        within = timed(block, config.timeout_seconds)
        model = opened(
            within,
            lambda each: open_model(
                each,
                base=loaded.base,
                env=os.environ,
                progress=lambda line: told.print(Text(line)),
                limits=allowance.limits,
            ),
            name,
        )
        return model, within

    sut, sut_block = opening(config.sut, "sut")
    judge, judge_block = opening(with_room(config.judge), "judge")
    generator, generator_block = opening(with_room(config.writer), "generator" if config.generator else "judge")
    if which(judge.identity()) == which(sut.identity()) and not config.same_model:
        raise UsageError(
            f"judge: it is the system under test ({sut.name}), and models favour their own answers; name another, or "
            "say `same_model: true`"
        )
    structured = takes_schema(judge_block, str(judge.identity().get("base_url", "")))
    sut_params, generator_params = config.sut_params(), config.writer_params()
    return Roles(
        Role("sut", sut, sut_block, lambda _: sut_params, ("sut", *sut_params.values())),
        Role(
            "judge",
            judge,
            judge_block,
            in_schema if structured else nothing_else,
            (JUDGING, JUDGE_PROMPT_VERSION, structured),
        ),
        Role(
            "generator",
            generator,
            generator_block,
            lambda _: generator_params,
            ("generator", PROMPT_VERSION, *generator_params.values()),
        ),
    )


@dataclass(frozen=True, slots=True)
class Asking:
    """All that asking for the scores of rows needs."""

    wanted: Wanted
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
        config, stop = self.loaded.config, asyncio.Event()
        roles = self.roles.sut, self.roles.judge, self.roles.generator
        with interruptible(stop, self.told):
            async with AsyncExitStack() as stack:
                every = [await stack.enter_async_context(self._desk(role)) for role in roles]
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
        return reason, {"calls": calls}

    def _desk(self, role: Role) -> Desk:
        config = self.loaded.config
        run = begin_desk(
            self.store,
            role.model,
            role=role.name,
            name=config.name,
            owner=str(self.wanted.rows),
            config=self.loaded.public(),
            fresh=self.wanted.fresh,
            asked=role.asked,
        )
        return Desk(
            role.model,
            store=self.store,
            run=run,
            purse=Purse(self.allowance.budget, completion_limit(given_params(role.config))),
            extra=role.extra,
            place=role.asked,
            patience=config.limits.give_up_after,
        )


def _place(wanted: Wanted, loaded: LoadedScore) -> tuple[str, Path | None]:
    """The results database, and the folder that a relative file starts from."""
    if wanted.store is None and loaded.config.store is not None:
        return loaded.config.store, loaded.base
    return wanted.store or DEFAULT_STORE, None


@contextmanager
def _writing(
    target: str | None, config: ScoreConfig, out: TextIO, *, beside: Path | None
) -> Iterator[Callable[[Scored], None]]:
    """Write a line for each row as it comes; each is in the file before the next one is told of.

    Raises:
        UsageError: The file can't be written, or is the one that is read.
    """
    if target is None:
        yield lambda _: None
        return
    if target == STDOUT:
        yield lambda scored: _write_line(out, row_json(scored, config))
        return
    path = Path(target)
    if beside is not None and path.exists() and path.samefile(beside):
        raise UsageError(f"{target}: it is the file with the rows; write the scores to another one")
    try:
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{target}: can't be written: {(error.strerror or str(error)).lower()}") from error
    with file:
        yield lambda scored: _write_line(file, row_json(scored, config))


def _write_line(file: TextIO, line: str) -> None:
    try:
        file.write(line + "\n")
        file.flush()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ScoringStoppedError(f"the scores can't be written: {reason}; the replies that came are kept") from error


@contextmanager
def _progress(told: Console) -> Iterator[Callable[[Pool], None]]:
    """Show on a terminal how many rows are done."""
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with Progress(*columns, console=told, transient=True, disable=not told.is_terminal) as progress:
        task = progress.add_task("0 rows")

        def note(pool: Pool) -> None:
            scored = pool.rows - sum(pool.unscored.values())
            progress.update(task, description=f"{counted(pool.rows, 'row')}, {scored:,} with a score")

        yield note


def _print(report: ScoreReport, wanted: Wanted, out: TextIO) -> None:
    """Print the summary: to standard output, unless the rows go there."""
    to_rows = wanted.out == STDOUT
    if wanted.as_json:
        (sys.stderr if to_rows else out).write(json.dumps(report_values(report), indent=2, ensure_ascii=False) + "\n")
    else:
        print_score(report, Console(stderr=True, highlight=False) if to_rows else output_console(out))
