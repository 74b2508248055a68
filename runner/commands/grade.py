"""`prt grade`: the stored replies of a run, graded by another grader."""

import os
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.grade_text import parse_grade
from ..config.loading import load_config
from ..config.schema import Config, GradeConfig
from ..config.show import to_yaml
from ..errors import UsageError
from ..graders.base import make_grader
from ..prepare import grade_config
from ..regrading import Regraded, regrade
from ..reports.regraded import grader_words, print_regraded, regraded_json
from ..reports.text import visible
from ..shrinking.setting import FOLDER
from ..store.database import open_store
from ..store.read import StoredRun, load_run
from ..store.regrades import use_grader
from .printing import counting, output_console
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
) -> None:
    """Grade a run's stored replies by another grader, and print what changes.

    Args:
        run: A run's id or its beginning, its name, or `latest`.
        grader: The grader, as a config's `grade:` takes it; None for that of `config`.
        config: A config whose grader is taken; None, with no `grader` either, for the run's own, as it is now.
        use: Let the new grades count from now on.
        store: Results database.
        shown: How many changes are shown.
        as_json: Print JSON.
        quiet: Show no progress.

    Raises:
        PrtError: What the user can act on; no grade that counts has changed.
    """
    told = Console(stderr=True, highlight=False, quiet=quiet)
    with reserved_stdout() as out, open_store(store, may_create=False) as opened:
        stored = load_run(opened, run)
        wanted, base = wanted_grader(stored, grader, config)
        made = make_grader(wanted, base=base)
        cells = stored.replied()
        if not cells:
            raise UsageError(f"{stored.record.id} has no replies yet, so there is nothing to grade.")
        with counting(told, "grading", cells) as on_done:
            regraded = regrade(stored, made, on_done=on_done)
        if use:
            use_grader(opened, stored.record, made.identity(), wanted.model_dump())
        if as_json:
            out.write(regraded_json(regraded, used=use) + "\n")
            return
        console = output_console(out)
        print_regraded(regraded, console, shown=shown)
        console.print(Text("\n" + what_counts(regraded, use=use)))


def wanted_grader(run: StoredRun, grader: str | None, config: Path | None) -> tuple[GradeConfig, Path]:
    """The grader that is asked for, and the folder that its relative paths start from.

    Raises:
        UsageError: Both are given, or what is given is no grader.
    """
    if grader is not None and config is not None:
        raise UsageError("--grader and --config both name a grader; give one of them")
    if grader is not None:
        return parse_grade(grader, "--grader", env=os.environ), Path()
    if config is not None:
        loaded = load_config(config, env=os.environ)
        return named(loaded.config, run), loaded.base
    record = run.record
    folder = Path(str(record.environment.get(FOLDER, "")))
    stored = record.config.get("grade") or "choice"
    place = f"the config of {record.id}"
    return parse_grade(to_yaml(stored), place, env=os.environ), folder if folder.is_dir() else Path()


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
