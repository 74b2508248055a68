"""A run's pass rates corrected by a calibration of its judge."""

from collections.abc import Iterator

from ...stats import Outcomes, corrected_rates
from ..errors import UsageError
from ..findings import Correction
from ..problems import counted, listed
from ..store.read import StoredRun
from ..store.runs import RunRecord
from .calibration import Calibration, Saved


def refuse_other_judge(saved: Saved, run: RunRecord) -> None:
    """Refuse a calibration of another judge than the one that graded a run.

    Args:
        saved: The calibration.
        run: The run.

    Raises:
        UsageError: It is of another judge, or of the same one set up otherwise.
    """
    judge, grader = saved.calibration.judge, run.grader
    if judge is None or judge == grader:
        return
    differing = [key for key in {**judge, **grader} if judge.get(key) != grader.get(key)]
    raise UsageError(
        f"{saved.place} calibrates another grader than the one that graded {run.id}: they differ in "
        f"{listed(differing)}; calibrate that one: prt judge calibrate LABELS --run {run.id}"
    )


def correction_of(saved: Saved, run: StoredRun, judged: Outcomes, *, level: float) -> Correction:
    """Correct the pass rates of a run.

    Args:
        saved: The calibration.
        run: The run.
        judged: Its results that are a judge's verdicts, the baseline first.
        level: Confidence level.

    Raises:
        UsageError: The calibration is of another judge.
    """
    refuse_other_judge(saved, run.record)
    calibration = saved.calibration
    figures = calibration.figures(level=level)
    return Correction(
        file=saved.place,
        judge=calibration.name,
        sensitivity=figures.sensitivity,
        specificity=figures.specificity,
        rates=corrected_rates(
            judged, calibration.table, level=level, labels_worth=calibration.judged.worth_by_side(level=level)
        ),
        is_clustered=judged.repeats > 1 or judged.codes is not None,
        notes=tuple(_notes(calibration, run.record)),
    )


def _notes(calibration: Calibration, run: RunRecord) -> Iterator[str]:
    if calibration.judge is None:
        yield (
            "The calibration does not say which judge it is of, since its verdicts were made elsewhere; it must be the "
            "judge of this run, set up alike."
        )
    table = calibration.table
    sides = {"pass": table.both_pass + table.human_only, "fail": table.both_fail + table.judge_only}
    for said, n in sides.items():
        if not n:
            yield f"No labelled answer is one that people {said}, so no rate can be corrected; label some."
    if all(sides.values()) and not calibration.figures().is_better_than_chance:
        yield "On these labels the judge is no better than chance, so no rate can be corrected by it."
    if calibration.unreadable:
        yield f"{counted(calibration.unreadable, 'labelled answer')} without a verdict of the judge count nowhere."
    if calibration.items < table.n:
        yield (
            f"The {table.n} labels are of {counted(calibration.items, 'item')}, and count as the independent labels "
            "that they are worth."
        )
    if calibration.run and calibration.run != run.id:
        yield f"The labels are of answers in another run, {calibration.run}; the judge may err otherwise on these."
