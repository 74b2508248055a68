"""`prt grade`: the stored replies of a run, graded by another grader."""

import asyncio
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue as Json
from rich.console import Console
from rich.text import Text

from ..config.grade_text import beside_grade, parse_grade
from ..config.loading import LoadedConfig, load_config
from ..config.schema import Config, GradeConfig
from ..config.show import to_yaml
from ..config.yaml_files import read_text
from ..engine.spent import spent_apart
from ..engine.summary import verdict
from ..errors import UsageError
from ..graders.base import make_grader
from ..graders.judge import JudgeGrader
from ..judging.answers import is_unjudged, judge_run
from ..judging.asking import Judge, Session
from ..judging.unread import unread_verdicts
from ..prepare import grade_config
from ..problems import counted
from ..regrading import Regraded, regrade
from ..reports.regraded import grader_words, print_regraded, regraded_json
from ..reports.text import visible
from ..shrinking.setting import FOLDER
from ..store.database import open_store
from ..store.read import StoredRun, load_run
from ..store.regrades import use_grader
from ..store.runs import grader_key, refuse_without_texts
from .interrupting import interruptible, under_way
from .judged import judge_spender, opened_judge
from .opening import Allowance
from .printing import counting, output_console, watching
from .run import INCOMPLETE
from .stdout import reserved_stdout


def grade_command(
    run: str,
    *,
    grader: str | None,
    config: Path | None,
    use: bool,
    store: str,
    shown: int,
    as_json: bool,
    quiet: bool,
) -> int:
    """Grade a run's stored replies by another grader, and print what changes; a judge is asked first.

    Args:
        run: A run's id or its beginning, its name, or `latest`.
        grader: The grader, as a config's `grade:` takes it, or a YAML file with that; None for that of `config`.
        config: A config whose grader is taken; None, with no `grader` either, for the run's own, as it is now.
        use: Let the new grades count from now on.
        store: Results database.
        shown: How many changes are shown.
        as_json: Print JSON.
        quiet: Show no progress.

    Returns:
        The exit code: 0, or 3 where a judge could not be asked about all replies, or too many have no verdict.

    Raises:
        PrtError: What the user can act on; no grade that counts has changed.
    """
    told = Console(stderr=True, highlight=False, quiet=quiet)
    with reserved_stdout() as out, open_store(store, may_create=False, watch=watching(told)) as opened:
        stored = load_run(opened, run)
        refuse_without_texts(stored.record)
        loaded = wanted_grader(stored, grader, config)
        wanted = named(loaded.config, stored)
        allowance = Allowance.of(loaded.config)
        made, judge = opened_judge(
            make_grader(wanted, base=loaded.base),
            base=loaded.base,
            told=told,
            allowance=allowance,
            under_test=stored.record.model,
        )
        cells = stored.replied()
        if not cells:
            raise UsageError(f"{stored.record.id} has no replies yet, so there is nothing to grade.")
        halted, advice = "", ""
        if judge is not None and isinstance(made, JudgeGrader):
            with under_way():
                halted = asyncio.run(
                    asked_first(stored, made, judge, allowance=allowance, config=loaded.config, told=told)
                )
        with counting(told, "grading", cells) as on_done:
            regraded = regrade(stored, made, config=public_grade(loaded, wanted), on_done=on_done)
        if judge is not None and not halted:
            advice = incomplete(graded_by(stored, made.identity()), loaded.config.limits.max_error_rate)
        use = use and not halted
        if use:
            use_grader(opened, stored.record, made.identity(), public_grade(loaded, wanted))
        if as_json:
            out.write(regraded_json(regraded, used=use) + "\n")
        else:
            console = output_console(out)
            print_regraded(regraded, console, shown=shown)
            console.print(Text("\n" + what_counts(regraded, use=use)))
    if halted:
        Console(stderr=True, highlight=False).print(
            Text(f"\nstopped: the judge: {visible(halted)}\nThe same command asks for the rest."), soft_wrap=True
        )
    if advice:
        Console(stderr=True, highlight=False).print(Text(f"\n{advice}"), soft_wrap=True)
    return INCOMPLETE if halted or advice else 0


def graded_by(run: StoredRun, identity: Mapping[str, Json]) -> StoredRun:
    """A run as another grader sees it."""
    return StoredRun(run.store, replace(run.record, grader=identity, grader_key=grader_key(identity)))


def incomplete(run: StoredRun, max_error_rate: float | None) -> str:
    """Why too many replies have no verdict, and what to do; empty where there are not too many."""
    cells = [*run.graded_cells()]
    missing = sum(cell.error_kind is not None or is_unjudged(cell) for cell in cells)
    state, reason = verdict(missing, total=len(cells), halted=None, max_error_rate=max_error_rate or 0.0)
    if state == "complete":
        return ""
    unread = unread_verdicts(run)
    failed = sum(cell.error_kind is None and is_unjudged(cell) for cell in cells) - unread.n
    told = [f"incomplete: {visible(reason)}"]
    told += [unread.advice()] if unread.n else []
    told += [f"{counted(failed, 'call')} of the judge failed; the same command makes them again."] if failed else []
    return "\n".join(told)


async def asked_first(
    run: StoredRun, grader: JudgeGrader, judge: Judge, *, allowance: Allowance, config: Config, told: Console
) -> str:
    """Have a run's replies judged that have no verdict yet; what is returned says why it was stopped, if it was."""
    with interruptible(told) as stop:
        session = Session(
            store=run.store,
            stop=stop,
            console=told,
            budget=allowance.budget,
            give_up_after=config.limits.give_up_after,
        )
        judged = await judge_run(run, grader, judge=judge, session=session, alive=False)
    if judged.summary is None:
        return ""
    for line in spent_apart([judge_spender(judge, judged.summary)]):
        told.print(Text(line), soft_wrap=True)
    return judged.summary.reason if judged.summary.state == "stopped" else ""


def public_grade(loaded: LoadedConfig, wanted: GradeConfig) -> Mapping[str, Json]:
    """The `grade` block as it may be stored: `${VAR}` where the environment was asked."""
    public = loaded.public()["grade"]
    return public if isinstance(public, dict) else wanted.model_dump()


def wanted_grader(run: StoredRun, grader: str | None, config: Path | None) -> LoadedConfig:
    """A config with the grader that is asked for; relative paths start from its folder.

    What a judge may spend, and what the model under test costs, is what the run's own config says, where no other is
    given.

    Raises:
        UsageError: Both are given, or what is given is no grader.
    """
    if grader is not None and config is not None:
        raise UsageError("--grader and --config both name a grader; give one of them")
    if config is not None:
        return load_config(config, env=os.environ)
    record = run.record
    beside = beside_grade(record.config, os.environ)
    if grader is not None:
        text, place, base = grader_text(grader)
        return parse_grade(text, place, env=os.environ, base=base, beside=beside)
    folder = Path(str(record.environment.get(FOLDER, "")))
    stored = record.config.get("grade") or "choice"
    base = folder if folder.is_dir() else Path()
    return parse_grade(to_yaml(stored), f"the config of {record.id}", env=os.environ, base=base, beside=beside)


def grader_text(given: str) -> tuple[str, str, Path]:
    """The YAML of a grader, what messages call it, and the folder that its paths start from.

    Raises:
        UsageError: It names a file that can't be read.
    """
    if not given.endswith((".yaml", ".yml")) or len(given.split()) > 1:
        return given, "--grader", Path()
    file = Path(given).expanduser()
    return read_text(file), given, file.parent


def named(config: Config, run: StoredRun) -> GradeConfig:
    """The grader of a config; where it names none, `choice`, if the run's items have options."""
    return grade_config(config, list(run.items()))


def what_counts(regraded: Regraded, *, use: bool) -> str:
    """Say whose grades count now, and how to change that."""
    if regraded.other == regraded.grader:
        return "These are the grades that count."
    after = visible(grader_words(regraded.other, regraded.grader))
    before = visible(grader_words(regraded.grader, regraded.other))
    if use:
        return (
            f"From now on the grades by {after} count in this run. The others are kept, and `prt run` with the run's "
            "config goes back to them unless its `grade` is changed too."
        )
    return f"The grades by {before} still count; `--use` lets the new ones count. Both are kept."
