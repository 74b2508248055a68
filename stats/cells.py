"""The cells of outcomes: how a result is coded, and the checks that keep anything else out."""

from array import array
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

PASS, FAIL, MISSING = 1, 0, -1
Cells = NDArray[np.int8]
Row = tuple[str, str, int, bool | None]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class ArrangedRows:
    """Long rows, arranged: items × conditions × repeats with the names of the first two axes."""

    cells: Cells
    items: tuple[str, ...]
    conditions: tuple[str, ...]


def arrange(rows: Iterable[Row], baseline: str) -> ArrangedRows:
    """Arrange long rows, one a cell, as `Outcomes.from_rows` describes.

    Args:
        rows: (item id, condition name, repeat number, passed).
        baseline: Name of the baseline condition.

    Returns:
        The cells and their names.

    Raises:
        ValueError: If a cell has two rows, `passed` is none of True, False and None, or no row is of the baseline.
    """
    items: dict[str, int] = {}
    conditions: dict[str, int] = {baseline: 0}
    repeats: dict[int, int] = {}
    places, codes = array("q"), array("b")
    for number, (item, condition, repeat, passed) in enumerate(rows, start=1):
        places.extend((_place(items, item), _place(conditions, condition), _place(repeats, repeat)))
        codes.append(_code(number, passed))
    at = np.frombuffer(places, dtype=np.int64).reshape(-1, 3)
    if not np.any(at[:, 1] == 0):
        found = listed(list(conditions)[1:])
        raise ValueError(f"no row is of the baseline {baseline!r}; conditions found: {found}; name the baseline")
    _check_one_row_a_cell(at, items, conditions, repeats)
    rank = np.argsort(np.argsort(list(repeats)))
    cells = np.full((len(items), len(conditions), len(repeats)), MISSING, dtype=np.int8)
    cells[at[:, 0], at[:, 1], rank[at[:, 2]]] = np.frombuffer(codes, dtype=np.int8)
    return ArrangedRows(cells, tuple(items), tuple(conditions))


def convert(given: NDArray[np.generic], items: tuple[str, ...], conditions: tuple[str, ...]) -> Cells:
    """Convert to a fresh int8 array, refusing what no cell may hold; the shape is already validated.

    Args:
        given: Items × conditions × repeats of numbers or booleans.
        items: Item ids, for the message.
        conditions: Condition names, for the message.

    Returns:
        1 pass, 0 fail, −1 missing.

    Raises:
        ValueError: If a cell holds anything else.
    """
    if given.dtype.kind not in "biuf":
        raise ValueError(f"cells must be numbers or booleans, got an array of {given.dtype}; code missing as -1 or NaN")
    if given.dtype.kind != "f" and (not given.size or (given.min() >= MISSING and given.max() <= PASS)):
        return given.astype(np.int8)
    missing = np.isnan(given) if given.dtype.kind == "f" else np.zeros((), dtype=bool)
    bad = ~(missing | (given == PASS) | (given == FAIL) | (given == MISSING))
    if bad.any():
        item, condition, repeat = (int(axis[0]) for axis in np.nonzero(bad))
        raise ValueError(
            f"item {items[item]!r} under {conditions[condition]!r} (repeat {repeat}) holds "
            f"{given[item, condition, repeat]}; a cell is 1 (pass), 0 (fail), or -1 or NaN (missing)"
        )
    return np.where(missing, MISSING, given).astype(np.int8)


def check_shape(shape: tuple[int, ...], items: int, conditions: int) -> None:
    """Refuse an array whose axes don't fit the names.

    Args:
        shape: Shape of the cells.
        items: Number of item ids.
        conditions: Number of condition names.

    Raises:
        ValueError: If the shape is not items × conditions × repeats.
    """
    check_dimensions(shape)
    if shape[:2] != (items, conditions):
        raise ValueError(
            f"cells hold {shape[0]} items × {shape[1]} conditions, but {items} item ids and "
            f"{conditions} condition names were given"
        )


def check_dimensions(shape: tuple[int, ...]) -> None:
    """Refuse an array that is not three-dimensional, or has no condition or no repeat.

    Args:
        shape: Shape of the cells.

    Raises:
        ValueError: If it is none of outcomes.
    """
    if len(shape) != 3:
        raise ValueError(f"cells must be items × conditions × repeats, got an array of shape {shape}")
    if shape[1] < 1 or shape[2] < 1:
        raise ValueError(f"cells need at least one condition (the baseline) and one repeat, got shape {shape}")


def check_unique(what: str, names: tuple[str, ...]) -> None:
    """Refuse a name that occurs twice.

    Args:
        what: What is named, for the message.
        names: The names.

    Raises:
        ValueError: If a name occurs twice.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"the {what} {name!r} occurs twice; each {what} needs a name of its own")
        seen.add(name)


def listed(names: Sequence[str]) -> str:
    """Names for a message; "none" where there are none."""
    return ", ".join(map(repr, names)) or "none"


def _place(places: dict[Key, int], key: Key) -> int:
    return places.setdefault(key, len(places))


def _code(number: int, result: object) -> int:
    if result not in (True, False, None):
        raise ValueError(f"row {number} holds {result!r}; passed is True, False or None (missing)")
    return MISSING if result is None else int(bool(result))


def _check_one_row_a_cell(
    at: NDArray[np.int64], items: dict[str, int], conditions: dict[str, int], repeats: dict[int, int]
) -> None:
    shape = (len(items), len(conditions), len(repeats))
    flat = np.ravel_multi_index((at[:, 0], at[:, 1], at[:, 2]), shape)
    _, first = np.unique(flat, return_index=True)
    if first.size == flat.size:
        return
    row = int(np.setdiff1d(np.arange(flat.size), first)[0])
    item, condition, repeat = at[row].tolist()
    raise ValueError(
        f"row {row + 1} gives item {list(items)[item]!r} under {list(conditions)[condition]!r} (repeat "
        f"{list(repeats)[repeat]}) a second result; a cell has one row"
    )
