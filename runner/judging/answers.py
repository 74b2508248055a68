"""Judging the answers of a run: the second pass over it, once its answers are stored.

In the first pass answers are stored under a grader of their own, `AnswersGrader`, which only tells those that a judge
can be asked about from those that hold nothing. The second pass has each judged that has no verdict yet, and stores the
grades under the judge's key. It works on any stored run, whatever graded it before.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from threading import Lock
from types import TracebackType
from typing import ClassVar, Self

from pydantic import JsonValue as Json
from rich.text import Text

from ..engine.summary import RunSummary
from ..graders.base import Prover, Samples
from ..graders.judge import NOT_ASKED, JudgeGrader
from ..graders.status import judge_error
from ..plan import answer_key
from ..problems import counted
from ..records import AnswerKey, Grade, Reply
from ..reports.text import visible
from ..store.database import Store
from ..store.judge_replies import judging_name, places_of_answers, shown_by
from ..store.read import GradedCell, StoredRun
from ..store.regrades import Regradable, add_grades, regradable
from ..store.results import NewResult
from ..store.runs import RunRecord, grader_key, keep_adaptations
from .asking import Judge, JudgeCall, Session, ask_judge

AT_ONCE = 100
"""Grades that are stored in one transaction."""
SIGN_EVERY_S = 2.0
"""Seconds after which fewer are stored too, as a sign of life."""


class AnswersGrader:
    """Grades of the first pass: an answer that is to be judged is `graded` and neither passed nor failed."""

    name: ClassVar[str] = "answers"
    version: ClassVar[int] = 1

    def __init__(self, judge: JudgeGrader) -> None:
        self._judge = judge

    def identity(self) -> dict[str, Json]:
        """Its name and version: the same whatever judge is asked afterwards."""
        return {"name": self.name, "version": self.version, "judge": self._judge.version}

    def samples(self, key: AnswerKey) -> Samples:
        """As those of the judge."""
        return self._judge.samples(key)

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """Read one reply."""
        del key
        return self._judge.without_judge(reply) or Grade(None, "graded")


def as_answers(run: RunRecord, grader: AnswersGrader) -> RunRecord:
    """A run as its first pass sees it: graded by what tells answers alone."""
    identity = grader.identity()
    return replace(run, grader=identity, grader_key=grader_key(identity))


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """What came of judging a run.

    Attributes:
        summary: How asking the judge ended; None where nothing was left to be judged.
        unjudged: Cells of the run with a reply and without a verdict: calls of the judge that failed, verdicts that
            can't be read, and what was not reached.
    """

    summary: RunSummary | None
    unjudged: int


async def judge_run(run: StoredRun, grader: JudgeGrader, *, judge: Judge, session: Session, alive: bool) -> JudgedRun:
    """Have all answers of a run judged that have no verdict of this judge yet, and store the grades.

    Args:
        run: The run; its store must be open.
        grader: The grader, with its judge opened.
        judge: The judge.
        session: What all judging of the command shares.
        alive: Whether this process works on the run, so that its grades are a sign of life of it.

    Returns:
        What came of it; grades are on the disk.

    Raises:
        StoreError: The store can't be read or written.
    """
    identity = grader.identity()
    record = replace(run.record, grader=identity, grader_key=grader_key(identity))
    view, summary = StoredRun(run.store, record), None
    with Desk(run.store, record, session.clock, alive) as desk:
        answers = Answers(view, grader, desk)
        total = await asyncio.to_thread(answers.settle)
        if total:
            told = f"{counted(total, 'answer')} to be judged by {visible(judge.model.name)}"
            session.console.print(Text(told), soft_wrap=True)
            summary = await ask_judge(
                answers.calls(),
                judge=judge,
                session=session,
                total=total,
                name=judging_name(record.name),
                places=await asyncio.to_thread(places_of_answers, view),
                about=shown_by(identity),
                owner=record.id,
                on_judged=lambda judged: desk.take(judged.call.id, grader.grade_of(judged.verdict)),
                rated=bool(grader.form.labels),
            )
            await asyncio.to_thread(keep_adaptations, run.store, record, judge.refusals())
    return JudgedRun(summary, sum(is_unjudged(cell) and cell.error_kind is None for cell in view.graded_cells()))


def is_unjudged(cell: GradedCell | Regradable) -> bool:
    """Whether a cell of a run has no verdict of its judge; a `judge_error` is none."""
    return cell.grade is None or cell.grade.status == "judge_error"


@dataclass(slots=True)
class Answers:
    """The answers of a run that have no verdict yet, read an item at a time.

    Attributes:
        run: The run, with the judge as its grader.
        grader: The grader.
        desk: Where grades go.
        items: The items with answers for the judge, once `settle` has found them.
    """

    run: StoredRun
    grader: JudgeGrader
    desk: "Desk"
    items: list[str] = field(default_factory=list)

    def settle(self) -> int:
        """Grade what holds no answer, and count what is left for the judge."""
        total = 0
        for item_id in dict.fromkeys(cell.item_id for cell in self.run.graded_cells() if is_unjudged(cell)):
            before = total
            for cell, _, grade in self._unjudged(item_id):
                if grade is None:
                    total += 1
                else:
                    self.desk.put(result_of(cell, grade))
            if total > before:
                self.items.append(item_id)
        return total

    def calls(self) -> Iterator[JudgeCall]:
        """One call for each answer that is left for the judge."""
        record = self.run.record
        for item_id in self.items:
            for cell, key, grade in self._unjudged(item_id):
                if grade is None:
                    name = self.desk.expect(result_of(cell, judge_error(NOT_ASKED)))
                    prompt = self.grader.prompt(cell.reply, key)
                    place = cell.variant * record.repeats + cell.repeat
                    yield JudgeCall(id=name, prompt=prompt, item=item_id, condition=cell.condition, place=place)

    def _unjudged(self, item_id: str) -> Iterator[tuple[Regradable, AnswerKey, Grade | None]]:
        """The cells of an item without a verdict, each with the grade that it has without a judge, if it has one."""
        record, item = self.run.record, self.run.item(item_id)
        variants = {variant.condition: variant for variant in self.run.variants(item_id)}
        prover = Prover(self.grader, item)
        for cell in [*regradable(self.run.store, record, record.grader_key, item_id)]:
            if is_unjudged(cell):
                variant = variants[cell.condition]
                key = answer_key(item, variant)
                grade = self.grader.without_judge(cell.reply)
                if grade is None and (reason := prover.reason(key, changed=variant.gold is not None)):
                    grade = judge_error(f"this grader can't be trusted here: {reason}")
                yield cell, key, grade


def result_of(cell: Regradable, grade: Grade) -> NewResult:
    """A grade of a cell's reply, as it is stored."""
    return NewResult(cell.variant, cell.repeat, cell.reply_id, grade)


@dataclass(slots=True)
class Desk:
    """Where grades are gathered and stored, by a thread of its own so that neither event loop nor reader waits.

    Attributes:
        store: The results database.
        run: The run, with the grader that the grades belong to.
        clock: Tells when a sign of life is due.
        alive: Whether grades are a sign of life of the run.
    """

    store: Store
    run: RunRecord
    clock: Callable[[], float]
    alive: bool
    _expected: dict[str, NewResult] = field(default_factory=dict)
    _gathered: list[NewResult] = field(default_factory=list)
    _handed_at: float = 0.0
    _lock: Lock = field(default_factory=Lock)
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "prt-judged"))
    _written: list[Future[None]] = field(default_factory=list)

    def __enter__(self) -> Self:
        """Begin."""
        self._handed_at = self.clock()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until all is on the disk; raises what kept it from there, unless something else is raised already."""
        with self._lock:
            self._hand_over()
        self._thread.shutdown()
        for written in self._written if error is None else ():
            written.result()

    def expect(self, result: NewResult) -> str:
        """Note a cell whose verdict is to come; what is returned names it."""
        name = f"{result.variant}.{result.repeat}"
        self._expected[name] = result
        return name

    def take(self, name: str, grade: Grade) -> None:
        """Take the grade of a cell that was expected."""
        self.put(replace(self._expected.pop(name), grade=grade))

    def put(self, result: NewResult) -> None:
        """Take a grade."""
        with self._lock:
            self._gathered.append(result)
            if len(self._gathered) >= AT_ONCE or self.clock() - self._handed_at >= SIGN_EVERY_S:
                self._hand_over()

    def _hand_over(self) -> None:
        gathered, self._gathered, self._handed_at = self._gathered, [], self.clock()
        self._written.append(self._thread.submit(self._store, gathered))

    def _store(self, gathered: Sequence[NewResult]) -> None:
        add_grades(self.store, self.run, self.run.grader_key, gathered, alive=self.alive)
