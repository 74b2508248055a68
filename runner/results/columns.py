"""Which columns of a results table are what, by their names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import DatasetError, Problem
from ..problems import listed

ITEM = ("item", "item_id", "id", "question_id", "sample_id", "example_id", "task_id", "task")
CONDITION = ("condition", "variant", "system", "prompt", "model")
PASSED = ("passed", "pass", "correct", "is_correct", "score", "result")
REPEAT = ("repeat", "trial", "epoch")
SIDES = ("model", "output", "response", "answer", "system", "completion", "candidate", "assistant")
NEEDED = (
    "`prt analyze` takes a table with a row for each item and a column for each condition, or long rows with the"
    " columns item, condition, passed (and repeat)"
)


@dataclass(frozen=True, slots=True)
class LongColumns:
    """Positions of the columns of long rows; `repeat` is None where there is none."""

    item: int
    condition: int
    passed: int
    repeat: int | None

    def unused(self, columns: Sequence[str]) -> list[str]:
        """The other columns."""
        used = {self.item, self.condition, self.passed, self.repeat}
        return [column for at, column in enumerate(columns) if at not in used]


def long_columns(columns: Sequence[str], name: str) -> LongColumns | None:
    """Find the columns of long rows; None where the table is item × condition.

    Raises:
        DatasetError: If the rows compare pairs, or a column is missing.
    """
    names = [re.sub(r"[\s-]+", "_", column.strip().casefold()) for column in columns]
    _refuse_pairs(names, columns, name)
    condition, passed = _first(names, CONDITION), _first(names, PASSED)
    if condition is None or passed is None:
        if condition is not None and names[condition] == CONDITION[0]:
            text = f"there is a column `{columns[condition]}`, but none of {listed(PASSED)}; {NEEDED}"
            raise DatasetError(Problem(text, path=name, line=1))
        return None
    repeat = _first(names, REPEAT)
    item = _first(names, ITEM)
    if item is None:
        rest = [at for at in range(len(names)) if at not in {condition, passed, repeat}]
        if len(rest) != 1:
            text = f"none of the columns {listed(columns)} is named {listed(ITEM)}; {NEEDED}"
            raise DatasetError(Problem(text, path=name, line=1))
        item = rest[0]
    return LongColumns(item, condition, passed, repeat)


def item_column(columns: Sequence[str]) -> int:
    """The column that names the item in a table item × condition: by its name, else the first."""
    at = _first([column.casefold() for column in columns], ITEM)
    return 0 if at is None else at


def _first(names: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((names.index(name) for name in wanted if name in names), None)


def _refuse_pairs(names: Sequence[str], columns: Sequence[str], name: str) -> None:
    pair = next(((f"{side}_a", f"{side}_b") for side in SIDES if {f"{side}_a", f"{side}_b"} <= set(names)), None)
    if pair:
        sides = listed(columns[names.index(side)] for side in pair)
        text = f"each row compares two answers with each other ({sides}), which is no pass or fail of an item; {NEEDED}"
        raise DatasetError(Problem(text, path=name, line=1))
