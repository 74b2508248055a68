"""Labels of a run's answers beside the grades that the run has."""

from collections.abc import Iterator
from dataclasses import replace

from ..errors import Problem
from ..problems import counted, did_you_mean, quoted, raise_problems
from ..reports.text import visible
from ..store.read import Result, StoredRun
from .calibration import Judgement
from .labels import Labelled, Labels, Place


def judged_in_run(labels: Labels, run: StoredRun) -> list[Judgement]:
    """What a run's grader made of the answers that are labelled.

    Args:
        labels: The labels; each is of the answer to an item, under the baseline unless `condition` says otherwise.
        run: The run.

    Returns:
        One judgement for each row that has a label, in the order of the file.

    Raises:
        DatasetError: Rows name no answer of the run, or another text than its answer; or the run has several repeats
            and the file does not tell which.
    """
    rows = [row for row in labels.rows if row.label is not None]
    results = _results(run, {name for row in rows for name in (row.place.item, _unescaped(row.place.item))})
    rows = [_as_in(results, row) for row in rows]
    raise_problems([*_problems(labels, rows, results, run)], "rows that can't be used; nothing was compared")
    return [_judgement(row, results[row.place]) for row in rows]


def _as_in(results: dict[Place, Result], row: Labelled) -> Labelled:
    """A row whose item is known by the name that it has in the run."""
    other = row.place._replace(item=_unescaped(row.place.item))
    return replace(row, place=other) if row.place not in results and other in results else row


def _unescaped(name: str) -> str:
    """A name without the apostrophe that keeps a spreadsheet from taking it for a formula."""
    return name.removeprefix("'")


def _results(run: StoredRun, wanted: set[str]) -> dict[Place, Result]:
    """The results of some items."""
    every = (result for result in run.results() if result.item_id in wanted)
    return {Place(result.item_id, result.condition, result.repeat): result for result in every}


def _problems(labels: Labels, rows: list[Labelled], results: dict[Place, Result], run: StoredRun) -> Iterator[Problem]:
    repeats = run.record.repeats
    if repeats > 1 and "repeat" not in labels.columns:
        text = f"the run has {counted(repeats, 'repeat')}; a column `repeat` must say, from 0, which one a label is of"
        yield Problem(text, path=labels.name)
        return
    for row in rows:
        result = results.get(row.place)
        if result is None:
            yield labels.problem(row, _unknown(row.place, results, run))
        elif (answer := row.texts.get("answer")) is not None and _plain(answer) != _plain(result.reply.text):
            place = quoted(row.place.words())
            yield labels.problem(row, f"the answer to {place} is not the one in {run.record.id}; label that one")


def _unknown(place: Place, results: dict[Place, Result], run: StoredRun) -> str:
    """Say that there is no such answer, and what is near."""
    of_item = [other for other in results if other.item == place.item]
    if not of_item:
        ids = [item.id for item in run.items()]
        if place.item in ids:
            return f"{run.record.id} has no answer to item {quoted(place.item)} yet"
        return f"there is no item {quoted(place.item)} in {run.record.id}{did_you_mean(place.item, ids)}"
    near = did_you_mean(place.condition, {other.condition for other in of_item})
    return f"there is no answer to {quoted(place.words())} in {run.record.id}{near}"


def _plain(text: str) -> str:
    """A text as it is compared: what spreadsheets and tables do to it does not count."""
    shown = visible(text.replace("\r\n", "\n"), keep="\n\t").strip()
    return _unescaped(shown)


def _judgement(row: Labelled, result: Result) -> Judgement:
    grade, answer = result.grade, result.reply.text
    if grade is None:
        return Judgement(row, None, "not_graded", answer=answer)
    if grade.status != "graded" or grade.passed is None:
        status = grade.status if grade.status != "graded" else "not_graded"
        return Judgement(row, None, status, grade.reason, answer)
    return Judgement(row, grade.passed, reason=grade.reason, answer=answer)
