"""What the judge of a run's answers took is known by its replies, however early the version that kept them."""

import asyncio
import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from prt.runner.engine.budget import Budget
from prt.runner.engine.stopping import Stop
from prt.runner.judging.asking import Judge, JudgeCall, Session, ask_judge
from prt.runner.judging.prompts import Matter, pass_fail
from prt.runner.records import Reply, ReplyError, Request
from prt.runner.store.database import Store
from prt.runner.store.judge_replies import judging_name, read_judge_replies, shown_by
from prt.runner.store.read import StoredRun
from prt.runner.store.runs import list_runs
from rich.console import Console

from ..run_fakes import Bench, FakeModel, HandClock, make_world


async def passes(request: Request) -> Reply:
    tokens = int(request.item_id[1:])
    return Reply(text='{"reason": "so", "verdict": "pass"}', prompt_tokens=tokens, completion_tokens=0)


async def fails(_: Request) -> Reply:
    return Reply(error=ReplyError("server", "down"))


class Judged:
    """A run whose answers a judge is asked about, by a hidden run as early or as late as a test wants it."""

    def __init__(self, store: Store, bench: Bench) -> None:
        bench.run(FakeModel())
        (record,) = list_runs(store)
        self.store = store
        self.judge = Judge(model=FakeModel(passes))
        self.run = StoredRun(store, replace(record, grader={**self.judge.identity(), "rubric": "Right?"}))

    def ask(self, answers: Sequence[int], *, early: bool, owner: str = "", model: FakeModel | None = None) -> None:
        """Have the judge asked about answers, each of which takes as many tokens as its number."""
        calls = [
            JudgeCall(
                id=str(each),
                prompt=pass_fail("Right?", str(each), Matter("Q?")),
                item=f"q{each}",
                place=None if early else each,
            )
            for each in answers
        ]
        asking = ask_judge(
            calls,
            judge=self.judge if model is None else Judge(model=model),
            session=Session(store=self.store, stop=Stop(), console=Console(file=io.StringIO()), budget=Budget()),
            total=len(calls),
            name=judging_name(self.run.record.name),
            owner=owner or self.run.record.id,
            on_judged=lambda _: None,
            places=len(calls) if early else 100,
            about="" if early else shown_by(self.run.record.grader),
        )
        asyncio.run(asking)

    def tokens(self) -> list[int]:
        """The tokens of the replies that count."""
        return sorted(each for read in read_judge_replies(self.run) for each in read.prompt_tokens.tolist())


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db", make_world(3, 1), HandClock())


def test_each_answer_keeps_its_place_when_others_are_judged_later(bench: Bench) -> None:
    with bench.open() as store:
        judged = Judged(store, bench)
        judged.ask([1, 2], early=False)
        judged.ask([3, 4], early=False)
        assert judged.tokens() == [1, 2, 3, 4]


def test_verdicts_that_lost_their_place_in_an_early_store_count_all_the_same(bench: Bench) -> None:
    with bench.open() as store:
        judged = Judged(store, bench)
        judged.ask([1, 2], early=True)
        judged.ask([3, 4], early=True)
        judged.ask([5], early=False)
        assert judged.tokens() == [1, 2, 3, 4, 5]


def test_a_call_that_failed_in_an_early_store_and_was_made_again_counts_once(bench: Bench) -> None:
    with bench.open() as store:
        judged = Judged(store, bench)
        judged.ask([7, 8], early=True, model=FakeModel(fails))
        judged.ask([7, 8], early=True)
        assert judged.tokens() == [7, 8]


def test_what_the_judge_said_of_other_runs_does_not_count(bench: Bench) -> None:
    with bench.open() as store:
        judged = Judged(store, bench)
        judged.ask([1], early=True, owner="another")
        judged.ask([2], early=False, owner="another")
        assert judged.tokens() == []
