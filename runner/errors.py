"""The errors of prt, named by the boundary that failed.

    PrtError                    everything that prt raises on purpose; its text is one clear sentence for the user
    +-- UsageError              exit 2: nothing was called
    |   +-- ConfigError         the config file: file, line, column, key
    |   +-- DatasetError        a dataset or results file: file, row
    |   +-- BundleError         a bundle of frozen variants
    +-- StoreError              the results database can't be used
    |   +-- StoreFailedError    exit 3: it failed while a run was under way
    |       +-- TakenOverError  exit 3: another process works on the run now
    +-- ModelError              the model cannot be set up at all (no key, no model file); a failed call is a Reply
    |   +-- FatalReplyError     the endpoint said what no retry can mend (bad key, no quota): stop, keep, resume later
    +-- BudgetSpentError        exit 3: no further call is allowed; the same command goes on
    +-- ParaphrasingError       exit 3: the paraphrases are not all written; the same command goes on
    +-- JudgingStoppedError     exit 3: a judge has not given all verdicts; the same command goes on
    +-- ScoringStoppedError     exit 3: rows are left without a score; the same command goes on
    +-- GraderError             a grader that cannot work (a bad pattern, a callable that raises)
    +-- DuelError               exit 1: what a duel is given can't be used, since 2 says there: not better

A failed call is data: it becomes a `Reply` with an `error`, never an exception that ends a run.
"""

from collections.abc import Iterable
from dataclasses import dataclass

NUMBERS_SHOWN = 3
"""Rows that are named where more than one beyond these have the same problem."""


class PrtError(Exception):
    """Something the user can act on; `str(error)` says what was found, what is allowed and what to do."""

    exit_code = 2


class UsageError(PrtError):
    """The command, the config or a file it names can't be used; nothing was called."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong in a config or data file.

    Attributes:
        message: One sentence: what was found, what is allowed, what to do.
        path: The file, as the user named it.
        line: 1-based line, or None.
        column: 1-based column, or None.
        key: Dotted config key or field path, empty where none applies.
        row: 1-based row of a data file, or None.
        also: The further rows with the same problem; lines, where `row` is None.
    """

    message: str
    path: str = ""
    line: int | None = None
    column: int | None = None
    key: str = ""
    row: int | None = None
    also: tuple[int, ...] = ()

    def __str__(self) -> str:
        """`file:line:column: key: row 3: message`, leaving out what is not known; else `file: rows 3 and 4: …`."""
        if self.also:
            return ": ".join(part for part in (self.path, self._numbers(), self.key, self.message) if part)
        place = ":".join(str(part) for part in (self.path, self.line, self.column) if part not in ("", None))
        row = "" if self.row is None else f"row {self.row}"
        return ": ".join(part for part in (place, self.key, row, self.message) if part)

    def _numbers(self) -> str:
        unit, first = ("lines", self.line) if self.row is None else ("rows", self.row)
        numbers = [str(number) for number in (first, *self.also)]
        if len(numbers) > NUMBERS_SHOWN + 1:
            numbers = [*numbers[:NUMBERS_SHOWN], f"{len(numbers) - NUMBERS_SHOWN} more"]
        return f"{unit} {', '.join(numbers[:-1])} and {numbers[-1]}"


class ProblemsError(UsageError):
    """One or more problems found together in one file, one line each.

    Attributes:
        problems: The lines of the message; many problems alike share one.
        every: Each problem by itself.
    """

    def __init__(self, *problems: Problem, every: tuple[Problem, ...] = ()) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = problems
        self.every = every or problems


class ConfigError(ProblemsError):
    """The config file has mistakes, each with its place and what is allowed there."""


class DatasetError(ProblemsError):
    """A dataset or results file has rows that can't be used, each named."""


class BundleError(ProblemsError):
    """A bundle of frozen variants is damaged or does not belong to this config."""


class StoreError(PrtError):
    """The results database can't be opened, read or written."""


class StoreFailedError(StoreError):
    """The results database failed while a run was under way; what was stored before is kept."""

    exit_code = 3


class TakenOverError(StoreFailedError):
    """Another process works on the run now.

    Attributes:
        stored: Numbers of the replies that were stored all the same.
    """

    def __init__(self, reason: str, stored: Iterable[int] = ()) -> None:
        super().__init__(reason)
        self.stored = tuple(stored)


class ModelError(PrtError):
    """The model can't be reached at all: no key, no model file, no server."""


class FatalReplyError(ModelError):
    """The endpoint refused in a way that no retry mends, such as a bad key or an exhausted quota."""

    exit_code = 3


class BudgetSpentError(PrtError):
    """Another call would exceed what this command may spend; what came is kept, and the same command goes on."""

    exit_code = 3


class ParaphrasingError(PrtError):
    """Paraphrases could not all be written; what came is kept, and the same command asks for the rest."""

    exit_code = 3


class JudgingStoppedError(PrtError):
    """A judge has not given all its verdicts; what came is kept, and the same command asks for the rest."""

    exit_code = 3


class ScoringStoppedError(PrtError):
    """Not all rows could be scored; the replies that came are kept, and the same command asks for the rest."""

    exit_code = 3


class GraderError(UsageError):
    """A grader that can't work: a pattern that doesn't compile, a callable that raises or returns the wrong thing."""


class DuelError(PrtError):
    """What a duel is given can't be used; nothing was called or decided."""

    exit_code = 1
