"""Asking a judge about labelled answers: each row of a file of labels, as if it were an answer in a run."""

from collections.abc import Sequence
from dataclasses import replace

from rich.text import Text

from ...perturbations.question import Gold, Question
from ..engine.spent import Spender, spent_apart
from ..errors import DatasetError, JudgingStoppedError, Problem
from ..graders.base import UnusableKeyError
from ..graders.judge import JudgeGrader
from ..problems import listed, raise_problems
from ..records import AnswerKey, Item, Reply
from ..reports.text import visible
from .asking import Judge, JudgeCall, Judged, Session, ask_judge
from .calibration import Judgement
from .labels import Labelled, Labels

ANSWERED = "stop"
CONTEXT = "context"
"""The column that holds what `grade.context` names in a dataset."""


def calls_of(
    labels: Labels, rows: Sequence[Labelled], grader: JudgeGrader
) -> tuple[list[JudgeCall], dict[str, Judgement]]:
    """What a judge has to be asked about each row.

    Args:
        labels: The file.
        rows: The rows of it that are to be judged.
        grader: The judge's grader.

    Returns:
        The calls, known by the number of their row; and by that number the judgement on rows that hold no answer, which
        no judge is asked about.

    Raises:
        DatasetError: There is no column with questions or answers; or rows lack what the judge is to be shown.
    """
    missing = [name for name in ("question", "answer") if name not in labels.columns]
    if missing:
        text = f"there is no column {listed(missing)}, which the judge is to be asked about"
        raise DatasetError(Problem(f"{text}; a column `judge` would hold verdicts made elsewhere", path=labels.name))
    has_context = grader.context is not None and CONTEXT in labels.columns
    asking = replace(grader, context=CONTEXT) if has_context else grader
    calls: list[JudgeCall] = []
    settled: dict[str, Judgement] = {}
    problems: list[Problem] = []
    for row in rows:
        reply = Reply(text=row.texts.get("answer", ""), finish_reason=ANSWERED)
        grade, name = grader.without_judge(reply), str(row.number)
        if grade is not None:
            settled[name] = Judgement(row, None, grade.status, grade.reason)
            continue
        try:
            prompt = asking.prompt(reply, _key(row))
        except UnusableKeyError as error:
            problems.append(labels.problem(row, str(error)))
            continue
        calls.append(JudgeCall(id=name, prompt=prompt, item=row.place.item, condition=row.place.condition))
    raise_problems(problems, "rows that can't be judged; nothing was asked")
    return calls, settled


def _key(row: Labelled) -> AnswerKey:
    """What the judge's grader may know of a row."""
    references = (row.texts["reference"],) if "reference" in row.texts else ()
    question = Question(row.texts.get("question", ""))
    context = {CONTEXT: row.texts[CONTEXT]} if CONTEXT in row.texts else {}
    cells = {**row.row, **context}
    return AnswerKey(Item(row.place.item, question, Gold(texts=references), row=cells, number=row.number))


async def judge_rows(
    labels: Labels, rows: Sequence[Labelled], *, grader: JudgeGrader, judge: Judge, session: Session, owner: str
) -> list[Judgement]:
    """Have rows judged.

    Args:
        labels: The file.
        rows: The rows of it that are to be judged.
        grader: The judge's grader, with its judge opened.
        judge: The judge.
        session: What all judging of the command shares.
        owner: What the verdicts are for; those for another end can be got at the same time.

    Returns:
        One judgement a row, in their order.

    Raises:
        DatasetError: As `calls_of`.
        JudgingStoppedError: Not all calls could be made; what came is kept.
        StoreError: The store refuses.
    """
    calls, found = calls_of(labels, rows, grader)
    by_number = {str(row.number): row for row in rows}

    def note(judged: Judged) -> None:
        row, grade = by_number[judged.call.id], grader.grade_of(judged.verdict)
        found[judged.call.id] = Judgement(row, grade.passed, grade.status, grade.reason, row.texts["answer"])

    if calls:
        summary = await ask_judge(
            calls,
            judge=judge,
            session=session,
            total=len(calls),
            name=f"{labels.name}: judge",
            owner=owner,
            on_judged=note,
            rated=bool(grader.form.labels),
        )
        for line in spent_apart([Spender(f"judge, {visible(judge.model.name)}", summary, judge.prices)]):
            session.console.print(Text(line), soft_wrap=True)
        if summary.state == "stopped":
            given = sum(judgement.verdict is not None for judgement in found.values())
            raise JudgingStoppedError(f"the judge has given {given} of {len(calls)} verdicts: {summary.reason}")
    return [found[str(row.number)] for row in rows]
