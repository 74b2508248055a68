"""`prt score`: the robustness score of rows, or of a stored run."""

import asyncio
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from ..config.score_loading import LoadedScore, load_score
from ..errors import DatasetError, Problem, UsageError
from ..problems import counted
from ..reports.score import ScoreReport, print_score, report_values
from ..reports.text import visible
from ..scoring.manifest import manifest
from ..scoring.pooling import Pool
from ..scoring.result import Scored
from ..scoring.rows import read_score_rows
from ..scoring.stored import score_run
from ..store.database import open_store
from ..store.read import load_run
from .interrupting import under_way
from .opening import STORE_VARIABLE, Allowance, place_of
from .printing import output_console, watching
from .score_opening import open_roles
from .score_rows import Asking
from .score_writing import STDOUT, writing
from .stdout import reserved_stdout

COMPLETE, INCOMPLETE = 0, 3


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
    place = place_of(loaded, wanted.store)
    pool = Pool()
    with open_store(place.address, base=place.base, may_create=False) as store:
        run = load_run(store, wanted.run or "")
        with writing(wanted.out, loaded.config, out, beside=None) as write:
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
    place = place_of(loaded, wanted.store)
    pool = Pool()
    with ExitStack() as stack:
        store = stack.enter_context(open_store(place.address, base=place.base, watch=watching(told)))
        write = stack.enter_context(writing(wanted.out, loaded.config, out, beside=rows))
        stack.enter_context(under_way())
        note = stack.enter_context(_progress(told))

        def take(scored: Scored) -> None:
            pool.add(scored)
            write(scored)
            note(pool)

        asking = Asking(rows, wanted.fresh, loaded, roles, allowance, store, told)
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
