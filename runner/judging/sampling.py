"""A random sample of a run's answers for people to label, without what the judge said of them."""

import csv
from collections.abc import Iterator
from pathlib import Path

from ...perturbations.canonical import canonical_hash
from ..audit_file import spreadsheet_cell
from ..errors import UsageError
from ..graders.judge import question_in, right_answers, texts_at
from ..plan import answer_key
from ..store.read import GradedCell, StoredRun
from .labels import Place

COLUMNS = ("item", "condition", "repeat", "label", "question", "reply", "reference", "context")


def drawn_places(run: StoredRun, *, n: int, seed: int) -> list[Place]:
    """Draw answers at random: one an item at most, so that labels are independent, whatever its condition and repeat.

    A larger sample by the same seed holds each smaller one.

    Args:
        run: The run.
        n: How many at most.
        seed: Decides which.

    Raises:
        UsageError: The run has no answer yet that its grader could judge.
    """
    places: dict[str, Place] = {}
    for cell in run.graded_cells():
        place = Place(cell.item_id, cell.condition, cell.repeat)
        if is_judged(cell) and _rank(place, seed) <= _rank(places.get(cell.item_id, place), seed):
            places[cell.item_id] = place
    if not places:
        raise UsageError(f"{run.record.id} has no graded answers yet, so there are none to label")
    return sorted(places.values(), key=lambda place: _rank(Place(place.item), seed))[:n]


def is_judged(cell: GradedCell) -> bool:
    """Whether a cell has an answer that its grader was asked about."""
    return cell.grade is not None and cell.grade.status in {"graded", "judge_error"}


def _rank(place: Place, seed: int) -> bytes:
    return canonical_hash("prt.labels", [seed, *place])


def write_sample(path: Path, run: StoredRun, places: list[Place]) -> None:
    """Write answers to a new CSV file, with a column for the labels.

    Args:
        path: The file.
        run: The run.
        places: Which answers.

    Raises:
        UsageError: The file is there already, or can't be written.
    """
    try:
        with path.open("x", encoding="utf-8-sig", newline="") as file:
            table = csv.writer(file)
            table.writerow(COLUMNS)
            table.writerows(_rows(run, places))
    except FileExistsError:
        raise UsageError(f"{path} is there already, and may hold labels; name another file") from None
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from None


def _rows(run: StoredRun, places: list[Place]) -> Iterator[list[str]]:
    path = run.record.grader.get("context")
    for place in places:
        variant = next(each for each in run.variants(place.item) if each.condition == place.condition)
        key = answer_key(run.item(place.item), variant)
        replies = {Place(each.item_id, each.condition, each.repeat): each.reply for each in run.results(place.item)}
        context = "\n\n".join(texts_at(key.item.row, path)) if isinstance(path, str) else ""
        texts = (question_in(key), replies[place].text, " | ".join(right_answers(key)), context)
        yield [
            spreadsheet_cell(place.item),
            spreadsheet_cell(place.condition),
            str(place.repeat),
            "",
            *map(spreadsheet_cell, texts),
        ]
