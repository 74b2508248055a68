"""`prt judge calibrate` and `prt judge drift`: a judge beside people, and beside itself earlier."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..errors import UsageError
from ..graders.judges import judge_name
from ..judging.calibration import Calibrated, calibrated, judged_as_written, judged_elsewhere
from ..judging.calibration_file import read_calibration, refuse_to_overwrite, write_calibration
from ..judging.drift import anchored, drifted
from ..judging.labels import Labels, read_labels
from ..judging.sampling import drawn_places, write_sample
from ..judging.stored import judged_in_run
from ..problems import counted
from ..reports.calibrated import calibrated_json, print_calibration
from ..reports.drifted import drift_json, print_drift
from ..reports.flips import command_line
from ..reports.text import visible
from ..store import DEFAULT_STORE
from ..store.database import open_store
from ..store.read import load_run
from ..store.runs import refuse_without_texts
from .judge_asking import OpenedJudge, Wanted, ask, open_judge
from .printing import output_console
from .stdout import reserved_stdout

LEVEL = 0.95
SAME, DRIFTED = 0, 1


@dataclass(frozen=True, slots=True)
class Printed:
    """How a result is printed.

    Attributes:
        as_json: As JSON.
        shown: How many answers are shown; None for all.
        quiet: Show no progress.
    """

    as_json: bool
    shown: int | None
    quiet: bool

    def told(self) -> Console:
        """Where progress is shown."""
        return Console(stderr=True, highlight=False, quiet=self.quiet)


def calibrate_command(
    labels: Path,
    *,
    config: Path | None,
    run: str | None,
    threshold: float | None,
    out: Path | None,
    fresh: bool,
    store: str | None,
    printed: Printed,
) -> None:
    """Compare a judge with people, on the same answers.

    Args:
        labels: The file of labels.
        config: A config whose judge is asked; None where no call is to be made.
        run: A run whose grades are compared.
        threshold: The file's column `judge` holds scores, which pass from here on.
        out: Where to save the calibration.
        fresh: Use no stored reply of the judge.
        store: Results database.
        printed: How the result is printed.

    Raises:
        PrtError: What the user can act on.
    """
    if out is not None:
        refuse_to_overwrite(out)
    read = read_labels(labels, threshold=threshold)
    refuse_mixed(read, {"--config": config, "--run": run})
    with reserved_stdout() as stdout:
        if run is not None:
            found = calibrated_by_run(read, run, store=store)
        elif config is not None:
            wanted = Wanted(config, store, fresh=fresh, command=("calibrate", str(labels), *saving(out)))
            found = calibrated_by_asking(read, open_judge(wanted, printed.told()))
        else:
            found = calibrated(read, judged_elsewhere(read))
        if out is not None:
            write_calibration(out, found.calibration)
        if printed.as_json:
            stdout.write(calibrated_json(found, level=LEVEL) + "\n")
            return
        console = output_console(stdout)
        print_calibration(found, console, level=LEVEL, shown=printed.shown)
        if out is not None:
            name = visible(shlex.quote(str(out)))
            console.print(Text(f"\nSaved; a report corrects its rates by it: prt report RUN --calibration {name}"))


def sample_command(run: str, *, out: Path, n: int, seed: int, store: str) -> None:
    """Draw answers of a run for people to label, and write them to a table.

    Args:
        run: A run's id or its beginning, its name, or `latest`.
        out: The table.
        n: How many at most.
        seed: Decides which.
        store: Results database.

    Raises:
        PrtError: What the user can act on.
    """
    with open_store(store, may_create=False) as opened:
        stored = load_run(opened, run)
        refuse_without_texts(stored.record)
        places = drawn_places(stored, n=n, seed=seed)
        write_sample(out, stored, places)
    file = shlex.quote(str(out))
    then = command_line("judge", "calibrate", str(out), "--run", stored.record.id, store=store)
    told = f"{counted(len(places), 'answer')} in {file}. Fill in the column `label` with pass or fail, then:\n{then}"
    output_console().print(Text(visible(told)), soft_wrap=True)


def saving(out: Path | None) -> Sequence[str]:
    """The option that saves a calibration, as it was given."""
    return () if out is None else ("--out", str(out))


def refuse_mixed(labels: Labels, options: Mapping[str, object]) -> None:
    """Refuse verdicts from two sources, and from none.

    Args:
        labels: The file, which may have verdicts itself.
        options: What may give verdicts besides, by option; None where that is not given.

    Raises:
        UsageError: They do not come from exactly one.
    """
    given = [f"the column `judge` in {labels.name}"] if "judge" in labels.columns else []
    given += [option for option, value in options.items() if value is not None]
    if len(given) > 1:
        raise UsageError(f"{given[0]} and {given[1]} both give the judge's verdicts; leave one of them out")
    if not given:
        run = ", or --run and a run that it has graded" if "--run" in options else ""
        told = f"give --config and the config whose judge is to be asked{run}"
        raise UsageError(f"{labels.name} has no column `judge` with verdicts; {told}")


def calibrated_by_run(labels: Labels, wanted: str, *, store: str | None) -> Calibrated:
    """Compare the grades of a stored run."""
    with open_store(store or DEFAULT_STORE, may_create=False) as opened:
        run = load_run(opened, wanted)
        grader = run.record.grader
        return calibrated(
            labels,
            judged_in_run(labels, run),
            judge=grader,
            name=judge_name(grader) or str(grader.get("name", "")),
            run=run.record.id,
        )


def calibrated_by_asking(labels: Labels, opened: OpenedJudge) -> Calibrated:
    """Ask a judge about each labelled answer."""
    rows = [row for row in labels.rows if row.label is not None]
    said = ask(opened, labels, rows, owner=f"calibration {labels.sha256}")
    notes = opened.judge.refusals()
    return calibrated(labels, said, judge=opened.grader.identity(), name=opened.name, notes=notes)


def drift_command(
    anchors: Path,
    *,
    since: Path,
    config: Path | None,
    threshold: float | None,
    alpha: float,
    store: str | None,
    printed: Printed,
) -> int:
    """Compare a judge's verdicts now with those of an earlier calibration.

    Args:
        anchors: The file of fixed answers.
        since: The earlier calibration.
        config: A config whose judge is asked; None where the file has its verdicts.
        threshold: The file's column `judge` holds scores, which pass from here on.
        alpha: Significance level.
        store: Results database.
        printed: How the result is printed.

    Returns:
        The exit code: 1 where drift is found, else 0.

    Raises:
        PrtError: What the user can act on.
    """
    saved = read_calibration(since)
    labels = anchored(read_labels(anchors, needs_labels=False, threshold=threshold), saved)
    refuse_mixed(labels, {"--config": config})
    with reserved_stdout() as stdout:
        if config is None:
            drift = drifted(saved, labels, [*map(judged_as_written, labels.rows)], alpha=alpha)
        else:
            wanted = Wanted(config, store, fresh=True, command=("drift", str(anchors), "--since", str(since)))
            opened = open_judge(wanted, printed.told())
            known = {each.place for each in saved.calibration.kept}
            rows = [row for row in labels.rows if row.place in known]
            said = ask(opened, labels, rows, owner=f"drift since {saved.calibration.sha256}")
            identity = opened.grader.identity()
            notes = opened.judge.refusals()
            drift = drifted(saved, labels, said, judge=identity, name=opened.name, alpha=alpha, notes=notes)
        if printed.as_json:
            stdout.write(drift_json(drift) + "\n")
        else:
            print_drift(drift, output_console(stdout), shown=printed.shown)
    return DRIFTED if drift.is_found else SAME
