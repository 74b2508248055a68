"""Many problems of one file, shown in a bearable number; and how messages quote what they found."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from .errors import DatasetError, Problem
from .suggest import did_you_mean

__all__ = [
    "QUOTED",
    "SHOWN",
    "RowError",
    "counted",
    "did_you_mean",
    "grouped",
    "listed",
    "of_kinds",
    "quoted",
    "raise_problems",
]

SHOWN = 20
ALIKE = 3
"""Problems that are shown of those that differ in their values alone."""
LEFT_OUT = "…"
VALUE = re.compile(r'"[^"]*"|(?<!\w)\'[^\']*\'(?!\w)|\d[\d.,]*(?<=\d)')
"""What messages quote, and numbers."""
MARKED = re.compile(r'".*"|(?<!\w)\'.*\'(?!\w)|\d[\d.,]*(?<=\d)')
"""The same for telling kinds apart: a value that is quoted may hold quotes itself."""
QUOTED = 60


class RowError(Exception):
    """This row can't become an item; the others may.

    Attributes:
        key: Path of the field at fault.
    """

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


def raise_problems(problems: Sequence[Problem], kind: str, *, advice: str = "") -> None:
    """Raise a `DatasetError` if there are problems: the first twenty different ones, and how many more there are.

    Of those that differ in their values alone three are shown, and the places of the others. Advice that all of them
    end with is said once, at the end.

    Args:
        problems: The problems of one file.
        kind: What they are, in the plural.
        advice: What can be done about all of them; it ends the last line.
    """
    if not problems:
        return
    groups = grouped(problems)
    common = _common_advice([group.message for group in groups])
    groups = of_kinds([replace(group, message=group.message.removesuffix(common)) for group in groups])
    shown, others = groups[:SHOWN], groups[SHOWN:]
    rest = sum(1 + len(group.also) for group in others)
    more = [Problem(f"and {rest} more {kind} ({len(problems)} in all)", path=problems[0].path)] if rest else []
    *lines, last = (*shown, *more)
    told = replace(last, message="; ".join(filter(None, (last.message + common, advice))))
    raise DatasetError(*lines, told, every=tuple(problems))


def of_kinds(problems: Sequence[Problem]) -> list[Problem]:
    """The problems kind by kind, where those of one kind differ in their values alone: a few, and the others in one."""
    kinds: dict[tuple[object, ...], list[Problem]] = {}
    for problem in problems:
        kind = (problem.path, problem.key, MARKED.sub(LEFT_OUT, problem.message), problem.row is None)
        kinds.setdefault(kind, []).append(problem)
    return [each for alike in kinds.values() for each in (*alike[:ALIKE], *_others(alike[ALIKE:]))]


def _others(alike: Sequence[Problem]) -> Sequence[Problem]:
    """Problems of one kind as one, where there are several and all have their places."""
    if len(alike) < 2 or any((each.row, each.line) == (None, None) for each in alike):
        return alike
    first, *numbers = [number for each in alike for number in (_number(each), *each.also)]
    place = {"line": first} if alike[0].row is None else {"row": first}
    return [
        Problem(VALUE.sub(LEFT_OUT, alike[0].message), alike[0].path, key=alike[0].key, also=tuple(numbers), **place)
    ]


def _common_advice(messages: Sequence[str]) -> str:
    """The clauses that several different messages all end with, from their semicolon on; else nothing."""
    if len(messages) == 1:
        return ""
    backwards = zip(*map(reversed, messages), strict=False)
    length = sum(1 for _ in takewhile(lambda characters: len(set(characters)) == 1, backwards))
    _, semicolon, advice = messages[0][len(messages[0]) - length :].partition("; ")
    return semicolon + advice


def grouped(problems: Iterable[Problem]) -> list[Problem]:
    """Make one problem of those of several rows, or lines, that say the same; in the order of the first of each."""
    groups: dict[tuple[object, ...], list[Problem]] = {}
    for number, problem in enumerate(problems):
        placed = (problem.row, problem.line) != (None, None)
        same = (problem.path, problem.key, problem.message, problem.row is None) if placed else (number,)
        groups.setdefault(same, []).append(problem)
    return [replace(first, also=tuple(map(_number, others))) for first, *others in groups.values()]


def _number(problem: Problem) -> int:
    return (problem.line or 0) if problem.row is None else problem.row


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
