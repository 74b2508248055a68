"""The rounds of asking, on a model made of a function: what is asked when, what is kept, and how it stops."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path

import pytest
from prt.perturbations.generators.paraphrase_llm import Paraphrasing, Written
from prt.perturbations.question import Gold, Question
from prt.runner.config.schema import OpenAIModel
from prt.runner.engine.budget import Budget, Purse
from prt.runner.engine.giving_up import Failures
from prt.runner.engine.stopping import Stop
from prt.runner.errors import ParaphrasingError
from prt.runner.models.base import Model
from prt.runner.paraphrasing.asking import Asked, Asking, Office, to_be_written
from prt.runner.paraphrasing.paraphrasers import Paraphraser, Use
from prt.runner.paraphrasing.reading import ProposalReader, VerdictReader
from prt.runner.records import Item, Reply, ReplyError, Request
from prt.runner.store.database import Store, open_store
from prt.runner.store.read import StoredRun
from prt.runner.store.runs import RunSpec, open_run
from rich.console import Console
from sqlalchemy import text as sql

from ..run_fakes import FakeModel, make_variant
from .scripts import quoted_texts

Answer = Callable[[Request], Awaitable[Reply]]
TEXT = "How many eggs do {} hens lay?"
GOOD = "What number of eggs do {} hens lay?"


def items(count: int) -> list[Item]:
    return [Item(f"q{n}", Question(TEXT.format(n)), Gold(texts=("7",))) for n in range(2, 2 + count)]


def number_in(request: Request) -> int:
    return int(request.item_id.removeprefix("q"))


async def good(request: Request) -> Reply:
    await asyncio.sleep(0)
    return Reply(text=GOOD.format(number_in(request)))


@dataclass
class Bench:
    """A store on disk, a writer and perhaps a judge."""

    path: Path
    writer: FakeModel
    judge: FakeModel | None = None
    attempts: int = 4
    variants: int = 1
    stop: Stop = field(default_factory=Stop)

    def asked(self, store: Store, model: Model, reader: ProposalReader | VerdictReader) -> Asked:
        spec = RunSpec(name=reader.name, model=model.identity(), grader=reader.identity())
        every = items(9)
        baselines = [make_variant(item, "baseline", item.question.text) for item in every]
        variants = [each for baseline in baselines for each in to_be_written(baseline, self.variants)]
        run = open_run(store, spec, items=every, variants=variants, token="0000")  # noqa: S106  no password
        return Asked(model, run, Failures(3), Purse(), StoredRun(store, run).places())

    def write(self, count: int = 3, asked: Sequence[Item] = ()) -> Written:
        """Open everything, ask, close everything."""
        with open_store(str(self.path)) as store:
            office = Office(
                store=store,
                stop=self.stop,
                console=Console(file=StringIO()),
                budget=Budget(),
                give_up_after=3,
                seed=0,
                protect=(),
            )
            paraphraser = Paraphraser(
                key="w",
                model=OpenAIModel(name="w"),
                judge=None,
                asked=Paraphrasing(model={"name": "w"}, attempts=self.attempts),
                is_under_test=False,
                uses=(Use(0, self.variants, composed=False),),
            )
            writer = self.asked(store, self.writer, ProposalReader(()))
            judge = None if self.judge is None else self.asked(store, self.judge, VerdictReader())
            return asyncio.run(Asking(office, paraphraser, writer, judge).write(asked or items(count)))

    def states(self) -> list[tuple[str, str]]:
        """How each run in the store ended."""
        with open_store(str(self.path)) as store, store.reading() as connection:
            rows = connection.execute(sql("SELECT state, reason FROM runs ORDER BY number"))
            return [(row.state, row.reason) for row in rows]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "prt.db"


def test_every_item_gets_its_paraphrase_and_nothing_is_asked_twice(path: Path) -> None:
    bench = Bench(path, FakeModel(good))
    written = bench.write()
    texts = {item: [[one.text for one in number] for number in numbers] for item, numbers in written.proposals.items()}
    assert texts == {f"q{n}": [[GOOD.format(n)]] for n in (2, 3, 4)}
    again = Bench(path, FakeModel(good))
    assert again.write() == written
    assert again.writer.asked == []
    assert bench.states() == [("complete", "")]


def test_an_interrupt_keeps_what_came_and_the_same_again_asks_for_the_rest(path: Path) -> None:
    bench = Bench(path, FakeModel())

    async def then_stops(request: Request) -> Reply:
        if number_in(request) == 4:
            bench.stop.drop()
            await asyncio.sleep(3600)
        return await good(request)

    bench.writer = FakeModel(then_stops)
    with pytest.raises(ParaphrasingError, match="it was interrupted"):
        bench.write(count=5)
    assert bench.states() == [("stopped", "it was interrupted")]
    again = Bench(path, FakeModel(good))
    assert len(again.write(count=5).proposals) == 5
    assert {request.item_id for request in again.writer.asked}.isdisjoint({"q2", "q3"})


async def refused(_: Request) -> Reply:
    return Reply(error=ReplyError("connection", "no connection."))


def test_an_endpoint_that_is_down_is_given_up(path: Path) -> None:
    bench = Bench(path, FakeModel(refused))
    with pytest.raises(ParaphrasingError, match=r"the first \d calls failed: no connection;"):
        bench.write(count=9)
    assert len(bench.writer.asked) < 9
    ((state, reason),) = bench.states()
    assert state == "stopped"
    assert "no connection" in reason


@pytest.mark.parametrize("kind", ["connection", "timeout", "rate_limit", "server"])
def test_a_single_outage_stops_and_is_asked_again_later(path: Path, kind: str) -> None:
    async def once_out(request: Request) -> Reply:
        return Reply(error=ReplyError(kind, "out.")) if number_in(request) == 3 else await good(request)  # type: ignore[arg-type]  # a kind

    with pytest.raises(ParaphrasingError, match="1 of 3 calls failed: out"):
        Bench(path, FakeModel(once_out)).write()
    again = Bench(path, FakeModel(good))
    assert len(again.write().proposals) == 3
    assert [request.item_id for request in again.writer.asked] == ["q3"]


@pytest.mark.parametrize("kind", ["bad_request", "bad_response", "callable"])
def test_a_failure_that_the_text_may_cause_is_a_rejected_proposal(path: Path, kind: str) -> None:
    async def never(request: Request) -> Reply:
        return Reply(error=ReplyError(kind, "too long")) if number_in(request) == 3 else await good(request)  # type: ignore[arg-type]  # a kind

    bench = Bench(path, FakeModel(never), attempts=2)
    (proposals,) = bench.write().proposals["q3"]
    assert [one.objection and one.objection.validator for one in proposals] == ["answered", "answered"]
    assert [one.objection and one.objection.reason for one in proposals] == [f"{kind}: too long"] * 2
    assert len(bench.writer.asked) == 4


async def says_same(_: Request) -> Reply:
    return Reply(text='{"same": true}')


def test_a_proposal_that_takes_the_place_of_a_refused_one_is_judged_too(path: Path) -> None:
    """Two variants propose the same; once the judge refuses the first, the second is none that may pass unseen."""
    wordings = [GOOD, GOOD, TEXT.replace("How many eggs do {} hens lay", "{} hens lay how many eggs"), GOOD]
    came: list[str] = []

    async def write(request: Request) -> Reply:
        came.append(wordings[len(came)].format(number_in(request)))
        return Reply(text=came[-1])

    judged: list[str] = []

    async def judge(request: Request) -> Reply:
        _, proposed = quoted_texts(request.messages[-1].content)
        judged.append(proposed)
        return Reply(text='{"same": false}' if proposed == GOOD.format(2) else '{"same": true}')

    bench = Bench(path, FakeModel(write), FakeModel(judge), attempts=2, variants=2)
    first, second = bench.write(count=1).proposals["q2"]
    for proposals in (first, second):
        for one in proposals:
            if one.text == GOOD.format(2):
                assert one.objection is not None
                assert one.objection.validator == "same question"
    assert judged == [GOOD.format(2), "2 hens lay how many eggs?"]


def test_the_judge_is_not_asked_about_what_the_validators_reject(path: Path) -> None:
    async def bad(_: Request) -> Reply:
        return Reply(text="How many eggs do 99 hens lay?")

    bench = Bench(path, FakeModel(bad), FakeModel(says_same), attempts=2)
    bench.write()
    assert bench.judge is not None
    assert bench.judge.asked == []
    assert len(bench.writer.asked) == 6


def test_equal_texts_are_asked_once(path: Path) -> None:
    bench = Bench(path, FakeModel(good))
    written = bench.write(asked=[replace(item, question=Question(TEXT.format(2))) for item in items(4)])
    assert len(bench.writer.asked) == 1
    assert {proposals[0][0].text for proposals in written.proposals.values()} == {GOOD.format(2)}
