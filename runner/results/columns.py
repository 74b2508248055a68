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
CLUSTER = ("cluster", "cluster_id", "document", "document_id", "group", "group_id")
"""What items are drawn together by. A topic, a category or a task is a kind of item more often than a draw of several,
and is left to `--clusters` or to a column of one of these names."""
SIDES = ("model", "output", "response", "answer", "system", "completion", "candidate", "assistant")
NEEDED = (
    "`prt analyze` takes a table with a row for each item and a column for each condition, or long rows with the"
    " columns item, condition, passed (and repeat)"
)


@dataclass(frozen=True, slots=True)
class LongColumns:
    """Positions of the columns of long rows; `repeat` and `cluster` are None where there is none."""

    item: int
    condition: int
    passed: int
    repeat: int | None
    cluster: int | None = None

    def unused(self, columns: Sequence[str]) -> list[str]:
        """The other columns."""
        used = {self.item, self.condition, self.passed, self.repeat, self.cluster}
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
    repeat, cluster = _first(names, REPEAT), _first(names, CLUSTER)
    item = _first(names, ITEM)
    if item is None:
        rest = [at for at in range(len(names)) if at not in {condition, passed, repeat, cluster}]
        if len(rest) != 1:
            text = f"none of the columns {listed(columns)} is named {listed(ITEM)}; {NEEDED}"
            raise DatasetError(Problem(text, path=name, line=1))
        item = rest[0]
    return LongColumns(item, condition, passed, repeat, cluster)


@dataclass(frozen=True, slots=True)
class WideColumns:
    """Positions of the columns of a table item × condition; `cluster` is None where there is none."""

    item: int
    conditions: tuple[int, ...]
    cluster: int | None


def wide_columns(columns: Sequence[str]) -> WideColumns:
    """Find the columns of a table item × condition: the item by its name, else the first; the cluster as `cluster`."""
    names = [column.casefold() for column in columns]
    cluster = _first(names, CLUSTER[:1])
    named = _first(names, ITEM)
    item = named if named is not None else next((at for at in range(len(names)) if at != cluster), 0)
    return WideColumns(item, tuple(at for at in range(len(names)) if at not in {item, cluster}), cluster)


def _first(names: Sequence[str], wanted: Sequence[str]) -> int | None:
    return next((names.index(name) for name in wanted if name in names), None)


def _refuse_pairs(names: Sequence[str], columns: Sequence[str], name: str) -> None:
    pair = next(((f"{side}_a", f"{side}_b") for side in SIDES if {f"{side}_a", f"{side}_b"} <= set(names)), None)
    if pair:
        sides = listed(columns[names.index(side)] for side in pair)
        text = f"each row compares two answers with each other ({sides}), which is no pass or fail of an item; {NEEDED}"
        raise DatasetError(Problem(text, path=name, line=1))
