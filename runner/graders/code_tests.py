"""The grader `code`: whether the code of a reply passes its row's tests. It runs what a model wrote, where allowed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..datasets.paths import PathError, resolve
from ..errors import GraderError
from ..problems import listed
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .code_blocks import code_blocks
from .sandbox import PROTECTIONS, Job, SandboxError, protections, run_job
from .status import Reading, grade_reply, judge_error

_NO_BODY = "def {name}(*args, **kwargs):\n    pass\n"


@dataclass(frozen=True, slots=True)
class CodeGrader:
    """Passes a reply whose code runs through the tests of its row; the code is run in a process of its own.

    `Grade.answer` is `passed`, the name of what was raised, `time limit` or `ended`; the reason tells more.

    Attributes:
        tests: The paths of the tests in a row: texts, or lists of them.
        entry_point: The path of the name that the code must define; a row without it takes any code.
        stub: The path of the code that replies go on from; a row without it has none.
        solutions: Whether right answers are code that passes, to be tried before anything is asked.
        time_limit_s: Seconds that the code of a reply may run.
        memory_limit_mb: Memory that it may take, in MiB.
        count_as_fail: The statuses that count as fail.
    """

    tests: tuple[str, ...]
    entry_point: str
    stub: str
    solutions: bool
    time_limit_s: float
    memory_limit_mb: int
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "code"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(
            self,
            self.count_as_fail,
            tests=[*self.tests],
            entry_point=self.entry_point,
            stub=self.stub,
            time_limit_s=self.time_limit_s,
            memory_limit_mb=self.memory_limit_mb,
        )

    def samples(self, key: AnswerKey) -> Samples:
        """The row's solutions, and a function without a body."""
        job = self._job(key)
        wrong = _NO_BODY.format(name=job.entry_point) if job.entry_point else "pass\n"
        right = [f"```python\n{text}\n```" for text in key.item.gold.texts] if self.solutions else []
        return Samples(tuple(right), (f"```python\n{wrong}```",))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        job = self._job(key)
        try:
            return grade_reply(reply, lambda text: _read(text, job), count_as_fail=self.count_as_fail)
        except SandboxError as error:
            return judge_error(str(error))

    def _job(self, key: AnswerKey) -> Job:
        """What is run of a row, without the code of a reply.

        Raises:
            UnusableKeyError: The row has no tests.
        """
        row = dict(key.item.row)
        tests = tuple(test for path in self.tests for test in _texts(row, path))
        if not tests:
            raise UnusableKeyError(f"the row has no tests in {listed(self.tests)}; name their field in grade.tests")
        return Job(
            blocks=(),
            fenced=True,
            stub="\n".join(_texts(row, self.stub)),
            entry_point="".join(_texts(row, self.entry_point)[:1]).strip(),
            tests=tests,
            time_limit_s=self.time_limit_s,
            memory_limit_mb=self.memory_limit_mb,
        )


def _texts(row: dict[str, Json], path: str) -> Sequence[str]:
    """The texts at a path of a row; none where there is nothing."""
    try:
        value = resolve(row, path)
    except PathError:
        return ()
    parts = value if isinstance(value, list) else [value]
    return [part for part in parts if isinstance(part, str) and part.strip()]


def _read(text: str, job: Job) -> Reading:
    code = code_blocks(text)
    if not code.texts:
        return Reading(None, found=False, reason="there is no Python code in the reply")
    ran = run_job(replace(job, blocks=code.texts, fenced=code.fenced))
    if ran.block is None:
        return Reading(None, found=code.fenced, reason=ran.error)
    span = code.spans[ran.block]
    passed = not ran.error
    return Reading(passed, final=passed, extracted=text[slice(*span)], answer=ran.kind, reason=ran.error, span=span)


@register("code")
def make_code(config: GradeConfig, base: Path) -> CodeGrader:
    """The grader of a `grade: {grader: code, allow_execution: true}`.

    Raises:
        GraderError: Execution is not allowed, or this machine can't keep the code from what it should be kept from.
    """
    del base
    _refuse_unless_kept(config.allow_execution)
    return CodeGrader(
        tests=(config.tests,) if isinstance(config.tests, str) else tuple(config.tests),
        entry_point=config.entry_point,
        stub=config.stub,
        solutions=config.solutions,
        time_limit_s=config.time_limit_s,
        memory_limit_mb=config.memory_limit_mb,
        count_as_fail=tuple(config.count_as_fail),
    )


def _refuse_unless_kept(allowed: Literal["unprotected"] | bool) -> None:  # noqa: FBT001 - the key's own type
    if not allowed:
        raise GraderError(
            "the grader 'code' runs code that a model wrote on this machine; if you want that, write "
            "grade.allow_execution: true (docs/grading.md says what it is kept from)"
        )
    missing = [words for name, words in PROTECTIONS.items() if name not in protections()]
    if missing and allowed != "unprotected":
        raise GraderError(
            f"this machine can't keep the code of replies from {', '.join(missing)}; run prt in a container on Linux, "
            "or write grade.allow_execution: unprotected"
        )
