"""Asking a judge: many prompts through engine and store, as a run that is listed nowhere.

Each call is a cell, kept under the key of all that decides its reply. So equal prompts are asked once, interrupted work
goes on where it stopped, and what was asked once is never paid for again.
"""

import platform
import secrets
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import ClassVar

from pydantic import JsonValue as Json
from rich.console import Console
from rich.text import Text

from ...perturbations.question import Gold, Layout, Question
from ...perturbations.variant import Variant
from ..config.limits import PricesConfig
from ..engine.budget import Budget, Purse
from ..engine.failures_told import FailuresTold
from ..engine.progress import show_progress
from ..engine.running import run_cells
from ..engine.stopping import Stop
from ..engine.summary import CellDone, RunSummary
from ..graders.base import Samples
from ..models.base import Model, adaptations_of
from ..paraphrasing.sampling import LateModel, nothing_else
from ..plan import cell_key
from ..records import AnswerKey, Cell, Grade, Item, Reply
from ..store.database import Store
from ..store.judge_replies import ABOUT, OWNER
from ..store.runs import JUDGING, RunRecord, RunSpec, open_run
from .prompts import PROMPT_VERSION, JudgePrompt
from .structured import in_schema
from .verdict import PASS_FAIL, READER_VERSION, Form, Verdict

PLACES = 256
"""Calls that share one variant of the hidden run's suite, as its repeats; so a suite is small and a look-up quick."""
CONDITION = "judge"


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What all judging of one command shares.

    Attributes:
        store: The results database, where replies are kept and found.
        stop: Set to stop asking.
        console: Where progress is shown.
        budget: What all calls may spend together.
        give_up_after: So many calls that fail alike before any is answered are enough; None for never.
        fresh: Use no reply of an earlier run.
        clock: Tells seconds that pass.
    """

    store: Store
    stop: Stop
    console: Console
    budget: Budget
    give_up_after: int | None = None
    fresh: bool = False
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """A model as a judge.

    Attributes:
        model: The model, opened and not entered; it is entered when it is first asked.
        structured: Whether the endpoint is asked for JSON of a schema.
        completion_limit: The most tokens of a reply, by its parameters; None where they set no limit.
        prices: What its tokens cost; None where that is not known.
    """

    model: Model
    structured: bool = False
    completion_limit: int | None = None
    prices: PricesConfig | None = None

    def identity(self) -> dict[str, Json]:
        """All that decides a verdict beside the prompt."""
        read: dict[str, Json] = {"prompts": PROMPT_VERSION, "reader": READER_VERSION, "structured": self.structured}
        return {"model": self.model.identity(), **read}

    def refusals(self) -> list[str]:
        """Which parameters it refused so far and what was done, a sentence each."""
        return [f"the judge {sentence}" for sentence in adaptations_of(self.model)]


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeCall:
    """One verdict that is wanted.

    Attributes:
        id: What the caller knows it by.
        prompt: What is asked.
        item: The item that it is about; prompts that an endpoint refuses are counted by it.
        condition: What it counts under where progress is shown.
        sample: Which of several replies to the same prompt is meant.
        place: Where its reply is kept in the hidden run, if not by its number among the calls: so that what is asked
            later on puts none out of its place.
    """

    id: str
    prompt: JudgePrompt
    item: str
    condition: str = CONDITION
    sample: int = 0
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict that is on the disk.

    Attributes:
        call: What was wanted.
        verdict: The verdict, or why there is none.
        asked: Whether the judge was asked for it now; False where the store had the reply, or an equal call got it.
    """

    call: JudgeCall
    verdict: Verdict
    asked: bool


async def ask_judge(
    calls: Iterable[JudgeCall],
    *,
    judge: Judge,
    session: Session,
    total: int,
    name: str,
    owner: str,
    on_judged: Callable[[Judged], None],
    places: int | None = None,
    about: str = "",
    rated: bool = True,
) -> RunSummary:
    """Get the verdict of each call, from the store or from the judge.

    Args:
        calls: The calls, made as needed; taken from a thread.
        judge: The judge.
        session: What all judging of the command shares.
        total: How many calls there are at most.
        name: The name of the hidden run, for logs and for those who look into the database.
        owner: What the verdicts belong to, such as a run's id; others of the same judge can be got at the same time.
        on_judged: Told, in the event loop, of each verdict once its reply is on the disk.
        places: How many places for replies there are, where calls say theirs; as many as calls where not given.
        about: What the judge is shown beside them, where the same owner may have it asked otherwise, too.
        rated: Whether each verdict is one that passes or fails, so that their rate is shown.

    Returns:
        How it ended; `stopped` with the reason where not all calls were made. Verdicts that could not be read, and
        calls that failed, are among its missing cells.

    Raises:
        ExceptionGroup: With a ValueError in it, where there are more calls than `total`.
        StoreError: The store refuses.
    """
    owned = {OWNER: owner, **({ABOUT: about} if about else {})}
    run = _hidden_run(judge, session, total=places or total, name=name, owned=owned)
    failures = FailuresTold(lambda line: session.console.print(Text(line), soft_wrap=True))
    with show_progress(session.console, total=total, clock=session.clock, rated=rated) as progress:

        def note(done: CellDone) -> None:
            progress(done)
            failures.add(done)
            key = done.cell.answer_key
            if not isinstance(key, _CallKey):
                raise TypeError("a cell of a judge carries its call")
            on_judged(Judged(key.call, verdict_of(done.grade, key.call.prompt.form), asked=done.reply is not None))

        async with LateModel(judge.model, in_schema if judge.structured else nothing_else) as model:
            summary = await run_cells(
                _cells(calls, judge, total),
                model=model,
                grader=VerdictReader(),
                store=session.store,
                run=run,
                total=total,
                concurrency=judge.model.concurrency,
                stop=session.stop,
                give_up_after=session.give_up_after,
                purse=Purse(session.budget, judge.completion_limit, judge.prices),
                on_done=note,
                clock=session.clock,
            )
    failures.conclude()
    return summary


class VerdictReader:
    """Reads a judge's replies, in the form of a grader: so they are kept and looked up again as those of a run are."""

    name: ClassVar[str] = JUDGING
    version: ClassVar[int] = READER_VERSION

    def identity(self) -> dict[str, Json]:
        """The reader's name and version; what is to be read stands in the prompt."""
        return {"name": self.name, "version": self.version}

    def samples(self, key: AnswerKey) -> Samples:  # noqa: ARG002 - a grader's own interface
        """None: no reply is known beforehand."""
        return Samples()

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """Read one reply; what can't be read is a `judge_error`, and a call that failed an `error`.

        Raises:
            TypeError: The key is none of a judge's call.
        """
        if not isinstance(key, _CallKey):
            raise TypeError("a cell of a judge carries its call")
        prompt = key.call.prompt
        verdict = prompt.read(reply)
        if verdict.problem:
            return Grade(None, "judge_error" if reply.error is None else "error", reason=verdict.problem)
        said = verdict.label if verdict.score is None else repr(verdict.score)
        passed = verdict.label != PASS_FAIL.labels[1] or prompt.form != PASS_FAIL
        return Grade(passed, "graded", said, said, reason=verdict.reason)


def verdict_of(grade: Grade, form: Form) -> Verdict:
    """The verdict that a grade by `VerdictReader` holds."""
    if grade.answer is None:
        return Verdict(problem=grade.reason)
    if form.labels:
        return Verdict(label=grade.answer, reason=grade.reason)
    return Verdict(score=float(grade.answer), reason=grade.reason)


@dataclass(frozen=True, slots=True)
class _CallKey(AnswerKey):
    """What the reader knows of a cell: its call."""

    call: JudgeCall = field(kw_only=True)


def _cells(calls: Iterable[JudgeCall], judge: Judge, total: int) -> Iterator[Cell]:
    """The calls as cells of the hidden run."""
    identity = judge.model.identity()
    for number, call in enumerate(calls):
        if number >= total:
            raise ValueError(f"there are more calls of a judge than the {total} that were announced")
        messages = call.prompt.messages
        place = number if call.place is None else call.place
        yield Cell(
            key=key_of(identity, call, structured=judge.structured),
            variant=place // PLACES,
            item_id=call.item,
            condition=call.condition,
            repeat=place % PLACES,
            sample=call.sample,
            messages=messages,
            answer_key=_CallKey(_ITEM, call=call),
        )


def key_of(identity: Mapping[str, Json], call: JudgeCall, *, structured: bool) -> str:
    """The key of the cell of a call: the hash of all that decides the reply.

    Args:
        identity: The model's identity.
        call: The call.
        structured: Whether the endpoint is asked for JSON of a schema.
    """
    return cell_key(identity, call.prompt.messages, call.sample, [JUDGING, PROMPT_VERSION, structured])


_ITEM = Item(CONDITION, Question("what a judge was asked"), Gold())


def _places(total: int) -> Iterator[Variant]:
    """Room for so many calls or more, in few sizes, so that few suites are stored."""
    for number in range(1 << (max(total - 1, 0) // PLACES).bit_length()):
        yield Variant(
            item_id=_ITEM.id,
            condition=f"{CONDITION}.{number}",
            generator=JUDGING,
            version=1,
            parameters="{}",
            tier="checked",
            outcome="applied",
            reason="",
            question=_ITEM.question,
            layout=Layout(),
        )


def _hidden_run(judge: Judge, session: Session, *, total: int, name: str, owned: Mapping[str, Json]) -> RunRecord:
    """Begin the run that the calls belong to, or resume it."""
    spec = RunSpec(
        name=name,
        model={**judge.identity(), **owned},
        grader=VerdictReader().identity(),
        repeats=PLACES,
        prt_version=version("prompt-robustness"),
        environment={"model": judge.model.name, "python": platform.python_version(), "platform": platform.platform()},
    )
    return open_run(
        session.store,
        spec,
        items=[_ITEM],
        variants=[*_places(total)],
        token=secrets.token_hex(2),
        fresh=session.fresh,
    )
