"""The grader `python`: a function of the user's decides."""

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..callables import load_callable, source_digest
from ..config.schema import GradeConfig
from ..errors import GraderError
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .status import Reading, grade_reply, judge_error

_KEY = "grade.callable"
_WHATEVER = (
    "for an answer and for an empty reply alike; mend the function: it must return True or False for any reply, and "
    "False for one that it can't read"
)


class _CallableError(Exception):
    """The user's function raised; the text says what."""


@dataclass(frozen=True, slots=True)
class PythonGrader:
    """Passes a reply for which the function returns True; a function that raises makes a `judge_error`.

    The function is given the reply's text as it came, reasoning included, and the item's row. Its True stands for a
    reply that was cut off; its False does not, since the rest is unknown: `truncated`.
    """

    spec: str
    function: Callable[..., object]
    digest: str
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "python"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`; the function's file is part of it, so that an edited function grades anew."""
        return identity(self, self.count_as_fail, callable=self.spec, source=self.digest)

    def samples(self, key: AnswerKey) -> Samples:
        """None: what the function holds right is known to it alone. It is called to see that it can say yes and no.

        Raises:
            GraderError: The function returns something other than True or False.
            UnusableKeyError: It returns True for an empty reply, or raises for an answer and for an empty reply alike.
        """
        row = key.item.row
        raised = self._raised(_answer(key), row)
        if raised and self._raised("", row):
            raise UnusableKeyError(f"{raised} on this row, {_WHATEVER}")
        if self._passes_nothing(row):
            raise UnusableKeyError(f"{self.spec} returns True for an empty reply, as `reply in answer` would")
        return Samples()

    def _passes_nothing(self, row: Mapping[str, Json]) -> bool:
        try:
            return self._read("", row).passed is True
        except _CallableError:
            return False

    def _raised(self, text: str, row: Mapping[str, Json]) -> str:
        """What the function raises for a reply; empty where it raises nothing."""
        try:
            self._read(text, row)
        except _CallableError as error:
            return str(error)
        return ""

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        try:
            return grade_reply(reply, lambda text: self._read(text, key.item.row), count_as_fail=self.count_as_fail)
        except _CallableError as error:
            return judge_error(str(error))

    def _read(self, text: str, row: Mapping[str, Json]) -> Reading:
        try:
            verdict = self.function(text, dict(row))
        except (Exception, SystemExit) as error:
            raise _CallableError(f"{self.spec} raised {type(error).__name__}: {error}") from error
        if not isinstance(verdict, bool):
            raise GraderError(
                f"{_KEY} {self.spec} returned {type(verdict).__name__}; it must return True or False for each reply"
            )
        return Reading(verdict, final=verdict)


def _answer(key: AnswerKey) -> str:
    """A reply that says something: a right answer where it is a text, else a label or a number."""
    return (*key.item.gold.texts, *key.labels, "1")[0]


@register("python")
def make_python(config: GradeConfig, base: Path) -> PythonGrader:
    """The grader of a `grade: {grader: python, callable: ...}`.

    Raises:
        GraderError: There is no callable, or it is async.
        ConfigError: It can't be imported.
    """
    if config.callable is None:
        raise GraderError("the grader 'python' needs grade.callable, such as 'graders.py:check'")
    function = load_callable(config.callable, base=base, key=_KEY, given=("reply", "row"))
    if inspect.iscoroutinefunction(function):
        raise GraderError(f"{_KEY} {config.callable} is async; a grader is a plain function")
    return PythonGrader(config.callable, function, source_digest(function), tuple(config.count_as_fail))
