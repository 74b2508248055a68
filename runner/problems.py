"""Many problems of one file, shown in a bearable number; and how messages quote what they found."""

from collections.abc import Iterable, Sequence

from .errors import DatasetError, Problem
from .suggest import did_you_mean

__all__ = ["QUOTED", "SHOWN", "RowError", "counted", "did_you_mean", "listed", "quoted", "raise_problems"]

SHOWN = 20
QUOTED = 60


class RowError(Exception):
    """This row can't become an item; the others may.

    Attributes:
        key: Path of the field at fault.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def raise_problems(problems: Sequence[Problem], kind: str) -> None:
    """Raise a `DatasetError` if there are problems: the first twenty, and how many more of that kind there are."""
    if not problems:
        return
    rest = len(problems) - SHOWN
    more = [Problem(f"and {rest} more {kind} ({len(problems)} in all)", path=problems[0].path)] if rest > 0 else []
    raise DatasetError(*problems[:SHOWN], *more)


def quoted(value: object) -> str:
    """A value as messages show it: on one line, cut to a bearable length, always encodable."""
    text = value if isinstance(value, str) else repr(value)
    shown = text if len(text) <= QUOTED else text[: QUOTED - 1] + "…"
    return '"' + "".join(char if char.isprintable() else ascii(char)[1:-1] for char in shown) + '"'


def counted(count: int, noun: str) -> str:
    """A number with its noun: `1 item`, `2 items`."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def listed(names: Iterable[str]) -> str:
    """Names in back-ticks, the first twenty of them."""
    every = list(names)
    tail = f" and {len(every) - SHOWN} more" if len(every) > SHOWN else ""
    return ", ".join(f"`{name}`" for name in every[:SHOWN]) + tail
