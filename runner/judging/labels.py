"""Labels: what people said of answers, read strictly from a table; one row that can't be used rejects the file."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_hash
from ..datasets.files import opened
from ..datasets.paths import kind_of
from ..datasets.texts import is_blank, text_of
from ..errors import DatasetError, Problem
from ..plan import BASELINE
from ..problems import did_you_mean, listed, quoted, raise_problems
from ..results.read import FAIL, MISSING, PASS, decoded
from ..results.result import Given
from ..results.tables import Line, Table, read_table

COLUMNS: dict[str, tuple[str, ...]] = {
    "item": ("item", "item_id", "id"),
    "condition": ("condition",),
    "repeat": ("repeat",),
    "question": ("question", "prompt", "input"),
    "answer": ("reply", "response", "answer", "output"),
    "reference": ("reference", "reference_answer", "right"),
    "context": ("context", "groundtruth_context"),
    "label": ("label", "human"),
    "judge": ("judge",),
}
"""What is read, with the names that its column may have; the first that is there is taken."""
TEXTS = ("question", "answer", "reference", "context")
RIGHT = PASS | {"p", "right", "correct"}
WRONG = FAIL | {"f", "wrong", "incorrect"}
UNREADABLE = MISSING | {"judge_error", "error", "unreadable", "none"}
"""What stands in a column `judge` where the judge gave no verdict."""
LABELS = "pass/fail, p/f, right/wrong, correct/incorrect, yes/no, true/false and 1/0 are allowed"
DIGITS = 32


class Place(NamedTuple):
    """Which answer of which item a label is of; the repeat counts from 0, as `prt store export` writes it."""

    item: str
    condition: str = BASELINE
    repeat: int = 0

    def words(self) -> str:
        """`q7`, `q7 under typo.1`, `q7 under typo.1, repeat 2`."""
        under = "" if self.condition == BASELINE else f" under {self.condition}"
        return self.item + under + (f", repeat {self.repeat}" if self.repeat else "")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One row.

    Attributes:
        number: The line or row that it stands in.
        place: Which answer it is of.
        label: What a person said of it; None where the cell is empty.
        verdict: What the judge said of it elsewhere; None where it gave no verdict, or where none is in the file.
        texts: `question`, `answer`, `reference` and `context`, as far as the file has them.
        row: All cells by the file's own column names, for a judge's `context`.
    """

    number: int
    place: Place
    label: bool | None
    verdict: bool | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    row: Mapping[str, Json] = field(default_factory=dict)

    @property
    def content(self) -> str:
        """A hash of its texts, by which a later look tells that they are the same; empty where there are none."""
        texts = [self.texts.get(name) for name in TEXTS]
        return canonical_hash("prt.labelled", texts).hex()[:DIGITS] if any(texts) else ""


@dataclass(frozen=True, slots=True)
class Labels:
    """A file of labels.

    Attributes:
        name: The file, as the user named it.
        sha256: Of its bytes, in hexadecimal.
        rows: Its rows.
        columns: Which of `COLUMNS` it has.
        unit: What `Labelled.number` counts, lines of the file or rows of a JSON list.
        notes: What the user should read.
    """

    name: str
    sha256: str
    rows: tuple[Labelled, ...]
    columns: frozenset[str]
    unit: str
    notes: tuple[str, ...] = ()

    def problem(self, row: Labelled, message: str) -> Problem:
        """A problem of one row."""
        if self.unit == "line":
            return Problem(message, path=self.name, line=row.number)
        return Problem(message, path=self.name, row=row.number)


def read_labels(path: Path, *, needs_labels: bool = True, threshold: float | None = None) -> Labels:
    """Read a file of labels.

    Args:
        path: CSV, JSONL or another form of table, plain or gzipped, with the columns of `COLUMNS`.
        needs_labels: Whether there must be a column `label` with at least one label in it.
        threshold: The column `judge` holds scores from 0 to 1, which pass from this one on; None: it holds verdicts.

    Raises:
        DatasetError: For rows that can't be used, each named with its line and what is wrong.
    """
    with opened(path, str(path)) as source:
        given = decoded(source)
    return labels_of(given, needs_labels=needs_labels, threshold=threshold)


def labels_of(given: Given, *, needs_labels: bool = True, threshold: float | None = None) -> Labels:
    """Read labels from a text.

    Raises:
        DatasetError: As `read_labels`.
    """
    table = read_table(given.text, given.name)
    columns = columns_of(table, ["label"] if needs_labels else [])
    rows, bad = _rows(table, columns, threshold)
    bad += _repeated(rows)
    told = [table.problem(number, message) for number, message in sorted([*table.bad, *bad])]
    raise_problems(told, "rows that can't be used; nothing was read")
    if not rows:
        raise DatasetError(Problem("it has a header and no rows", path=table.name))
    if needs_labels and all(row.label is None for row in rows):
        raise DatasetError(Problem(f"no row has a label; fill in the column: {LABELS}", path=table.name))
    unread = [name for at, name in enumerate(table.columns) if at not in columns.values()]
    notes = (f"columns that were not read, unless `grade.context` names one: {listed(unread)}",) if unread else ()
    return Labels(given.name, given.sha256, tuple(rows), frozenset(columns), table.unit, notes)


def columns_of(table: Table, needed: Sequence[str]) -> dict[str, int]:
    """Where the table has the columns that are read.

    Raises:
        DatasetError: One that is needed is missing.
    """
    names = [re.sub(r"[\s-]+", "_", column.casefold()) for column in table.columns]
    called = {meaning: next((name for name in each if name in names), None) for meaning, each in COLUMNS.items()}
    found = {meaning: names.index(name) for meaning, name in called.items() if name is not None}
    missing = [name for name in needed if name not in found]
    if missing:
        near = next(filter(None, (did_you_mean(name, names) for name in missing)), "")
        text = f"there is no column {listed(missing)}, found {listed(table.columns) or 'none'}{near}"
        raise DatasetError(Problem(text, path=table.name, line=1 if table.unit == "line" else None))
    return found


def _rows(
    table: Table, columns: Mapping[str, int], threshold: float | None
) -> tuple[list[Labelled], list[tuple[int, str]]]:
    """The rows that can be read, and what is wrong with the others."""
    rows: list[Labelled] = []
    bad: list[tuple[int, str]] = []
    for at, line in enumerate(table.lines, 1):
        try:
            rows.append(_row(line, table, columns, at, threshold))
        except ValueError as error:
            bad.append((line.number, str(error)))
    return rows, bad


def _row(line: Line, table: Table, columns: Mapping[str, int], at: int, threshold: float | None) -> Labelled:
    cells = {meaning: line.cells[place] for meaning, place in columns.items()}
    judged = verdict_of if threshold is None else _scored(threshold)
    return Labelled(
        number=line.number,
        place=_place(cells, at),
        label=_label(cells["label"]) if "label" in cells else None,
        verdict=judged(cells["judge"]) if "judge" in cells else None,
        texts={name: _text(cells[name], name) for name in TEXTS if name in cells and not is_blank(cells[name])},
        row=dict(zip(table.columns, line.cells, strict=True)),
    )


def _place(cells: Mapping[str, Json], at: int) -> Place:
    item, condition, repeat = (
        "" if is_blank(cells.get(name)) else _text(cells[name], name) for name in ("item", "condition", "repeat")
    )
    if "item" in cells and not item:
        raise ValueError("`item` is empty")
    if repeat and not re.fullmatch(r"[0-9]{1,9}", repeat):
        raise ValueError(f"`repeat` is {quoted(repeat)}; a whole number is needed, the first repeat is 0")
    return Place(item or str(at), condition or BASELINE, int(repeat or 0))


def _text(value: Json, column: str) -> str:
    if column == "context" and isinstance(value, list):
        return "\n\n".join(_text(each, column) for each in value)
    try:
        return text_of(value)
    except ValueError as error:
        raise ValueError(f"`{column}` is {error}") from None


def _word(value: Json, column: str) -> str:
    """A cell as a word; 1, 1.0 and true as their words."""
    return "" if value is None else _text(value, column).strip().lower()


def _label(value: Json) -> bool | None:
    word = _word(value, "label")
    if word in RIGHT or word in WRONG:
        return word in RIGHT
    if word in MISSING:
        return None
    raise ValueError(f"`label` is {quoted(value)}; {LABELS}, and nothing where there is no label")


def verdict_of(value: Json) -> bool | None:
    """A judge's verdict; None where it gave none.

    Raises:
        ValueError: It is no verdict.
    """
    word = _word(value, "judge")
    if word in RIGHT or word in WRONG:
        return word in RIGHT
    if word in UNREADABLE:
        return None
    hint = "; for scores from 0 to 1 say from which one on they pass: --threshold" if _is_number(word) else ""
    raise ValueError(f"`judge` is {quoted(value)}; {LABELS}, and judge_error or nothing where it gave no verdict{hint}")


def _is_number(word: str) -> bool:
    try:
        return isfinite(float(word))
    except ValueError:
        return False


def _scored(threshold: float) -> Callable[[Json], bool | None]:
    """Reads a score, which passes from the threshold on."""

    def verdict(value: Json) -> bool | None:
        if isinstance(value, bool | list | dict):
            raise ValueError(f"`judge` is {kind_of(value)}; with --threshold it is a score from 0 to 1")  # noqa: TRY004  one kind of error for a bad row
        word = _word(value, "judge")
        if word in UNREADABLE:
            return None
        if not _is_number(word) or not 0.0 <= float(word) <= 1.0:
            raise ValueError(f"`judge` is {quoted(value)}; with --threshold it is a score from 0 to 1")
        return float(word) >= threshold

    return verdict


def _repeated(rows: Sequence[Labelled]) -> Iterator[tuple[int, str]]:
    seen: dict[Place, int] = {}
    for row in rows:
        earlier = seen.setdefault(row.place, row.number)
        if earlier != row.number:
            what = quoted(row.place.words())
            yield row.number, f"{what} has a row already, {earlier}; keep one, or tell the answers apart by `condition`"
