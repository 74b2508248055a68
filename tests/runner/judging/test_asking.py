"""Calls of a judge are kept, found again, and paid for once."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Self

import pytest
from prt.runner.engine.budget import Budget
from prt.runner.engine.stopping import Stop
from prt.runner.engine.summary import RunSummary
from prt.runner.judging.asking import PLACES, Judge, JudgeCall, Judged, Session, ask_judge
from prt.runner.judging.prompts import Matter, pass_fail, scored
from prt.runner.records import Reply, ReplyError, Request
from prt.runner.store.database import Store, open_store
from prt.runner.store.runs import list_runs
from rich.console import Console

from ..run_fakes import FakeModel

Answer = Callable[[Request], Awaitable[Reply]]


async def passes(_: Request) -> Reply:
    return Reply(text='{"reason": "so it is", "verdict": "pass"}')


def call(number: int, answer: str = "", *, sample: int = 0) -> JudgeCall:
    prompt = pass_fail("Right?", answer or f"answer {number}", Matter("Q?"))
    return JudgeCall(id=f"c{number}", prompt=prompt, item=f"q{number}", sample=sample)


class Asking:
    """A store, and calls of a judge through it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.judged: list[Judged] = []
        self.stop: Stop

    def ask(
        self,
        model: FakeModel,
        calls: list[JudgeCall],
        *,
        total: int | None = None,
        owner: str = "r",
        fresh: bool = False,
    ) -> RunSummary:
        with open_store(str(self.path)) as store:
            return asyncio.run(self._ask(store, model, calls, total=total or len(calls), owner=owner, fresh=fresh))

    async def _ask(
        self, store: Store, model: FakeModel, calls: list[JudgeCall], *, total: int, owner: str, fresh: bool
    ) -> RunSummary:
        self.judged, self.stop = [], Stop()
        session = Session(
            store=store,
            stop=self.stop,
            console=Console(file=io.StringIO()),
            budget=Budget(),
            give_up_after=3,
            fresh=fresh,
        )
        return await ask_judge(
            calls,
            judge=Judge(model=model),
            session=session,
            total=total,
            name="judge",
            owner=owner,
            on_judged=self.judged.append,
        )


@pytest.fixture
def asking(tmp_path: Path) -> Asking:
    return Asking(tmp_path / "prt.db")


def test_each_call_has_its_verdict(asking: Asking) -> None:
    summary = asking.ask(FakeModel(passes), [call(number) for number in range(5)])
    assert summary.complete
    assert sorted((each.call.id, each.verdict.label, each.asked) for each in asking.judged) == [
        (f"c{number}", "pass", True) for number in range(5)
    ]


def test_equal_prompts_are_asked_once_and_samples_are_told_apart(asking: Asking) -> None:
    model = FakeModel(passes)
    asking.ask(model, [call(1, "same"), call(2, "same"), call(3, "same", sample=1)])
    assert len(model.asked) == 2
    assert len(asking.judged) == 3


def test_what_was_asked_is_found_again_in_any_order_and_by_others(asking: Asking) -> None:
    model = FakeModel(passes)
    calls = [call(number) for number in range(4)]
    asking.ask(model, calls)
    asking.ask(model, calls[::-1])
    asking.ask(model, calls, owner="another")
    assert len(model.asked) == 4
    assert not any(each.asked for each in asking.judged)
    asking.ask(model, calls, fresh=True)
    assert len(model.asked) == 8


def test_a_judge_whose_replies_are_all_there_is_not_even_started(asking: Asking) -> None:
    asking.ask(FakeModel(passes), [call(1)])

    class Unstartable(FakeModel):
        async def __aenter__(self) -> Self:
            raise AssertionError("nothing is to be asked")

    assert asking.ask(Unstartable(passes), [call(1)]).complete


def test_unreadable_verdicts_are_told_and_not_asked_again_and_failed_calls_are(asking: Asking) -> None:
    async def odd(request: Request) -> Reply:
        return (
            Reply(text="hm") if "answer 1" in request.messages[-1].content else Reply(error=ReplyError("server", "500"))
        )

    model = FakeModel(odd)
    asking.ask(model, [call(1), call(2)])
    problems = {each.call.id: each.verdict.problem for each in asking.judged}
    assert problems == {
        "c1": "there is no verdict in the judge's reply",
        "c2": "the judge did not answer: server: 500",
    }
    asking.ask(model, [call(1), call(2)])
    assert len(model.asked) == 3


def test_more_calls_than_one_variant_has_places_for(asking: Asking) -> None:
    model = FakeModel(passes)
    calls = [call(number) for number in range(2 * PLACES + 1)]
    assert asking.ask(model, calls).done == len(calls)
    assert len({each.call.id for each in asking.judged}) == len(calls)


def test_more_calls_than_announced_are_a_mistake_of_ours(asking: Asking) -> None:
    with pytest.raises(ExceptionGroup) as raised:
        asking.ask(FakeModel(passes), [call(1), call(2)], total=1)
    (error,) = raised.value.exceptions
    assert "more calls of a judge than the 1 that were announced" in str(error)


def test_a_stop_keeps_what_came_and_says_so(asking: Asking) -> None:
    async def stopping(request: Request) -> Reply:
        asking.stop.set()
        await asyncio.sleep(0)
        return await passes(request)

    summary = asking.ask(FakeModel(stopping), [call(number) for number in range(50)])
    assert (summary.state, summary.reason) == ("stopped", "it was interrupted")
    came = len(asking.judged)
    assert came < 50
    model = FakeModel(passes)
    asking.ask(model, [call(number) for number in range(50)])
    assert len(model.asked) <= 50 - came


def test_scores_come_back_as_they_were_given(asking: Asking) -> None:
    async def third(_: Request) -> Reply:
        return Reply(text='{"score": 0.3333333333333333}')

    calls = [JudgeCall(id="s", prompt=scored("Right?", "x", Matter()), item="q")]
    for _ in range(2):
        asking.ask(FakeModel(third), calls)
        assert [each.verdict.score for each in asking.judged] == [0.3333333333333333]


def test_its_runs_are_not_among_those_that_answer_items(asking: Asking) -> None:
    asking.ask(FakeModel(passes), [call(1)])
    with open_store(str(asking.path)) as store:
        assert list_runs(store) == []
