"""The models of a score as they are asked: what is in flight when the user stops."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from prt.perturbations.question import Message
from prt.runner.engine.budget import Purse
from prt.runner.engine.stopping import Stop
from prt.runner.paraphrasing.sampling import nothing_else
from prt.runner.records import Reply, Request
from prt.runner.scoring.asking import Desk, begin_desk
from prt.runner.store.database import Store

from ..run_fakes import Bench, FakeModel

CALLS = 3


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


def prompt(number: int) -> tuple[Message, ...]:
    return (Message("user", f"What is {number}?"),)


def desk_of(store: Store, model: FakeModel, stop: Stop) -> Desk:
    run = begin_desk(store, model, role="sut", name="score", owner="rows", config={}, fresh=False, asked=[])
    return Desk(model, store=store, run=run, purse=Purse(), extra=nothing_else, place=[], patience=None, stop=stop)


async def asked(bench: Bench, model: FakeModel, stop: Stop, interrupted: Callable[[], Awaitable[None]]) -> Desk:
    """Ask some prompts at once, and let go of those that are not answered by the time of the interrupt."""
    with bench.open() as store:
        desk = desk_of(store, model, stop)
        async with desk:
            tasks = [
                asyncio.create_task(desk.ask(prompt(number), item="row", condition="x")) for number in range(CALLS)
            ]
            await interrupted()
            for task in tasks:
                task.cancel()
        desk.conclude("it was interrupted")
    return desk


async def asked_again(bench: Bench) -> int:
    """How many of these prompts the same command has to ask again."""
    model = FakeModel(lambda _: asyncio.sleep(0, Reply("again")))
    with bench.open() as store:
        desk = desk_of(store, model, Stop())
        async with desk:
            await asyncio.gather(*(desk.ask(prompt(number), item="row", condition="x") for number in range(CALLS)))
        assert (desk.made, desk.found) == (len(model.asked), CALLS - len(model.asked))
    return len(model.asked)


@pytest.mark.parametrize(("dropped", "kept"), [(False, CALLS), (True, 0)], ids=["once", "twice"])
def test_an_interrupt_waits_for_calls_in_flight_and_stores_their_replies(
    bench: Bench, *, dropped: bool, kept: int
) -> None:
    async def scenario() -> None:
        stop, begun = Stop(), asyncio.Event()

        async def late(_: Request) -> Reply:
            if len(model.asked) == CALLS:
                begun.set()
            await (asyncio.Event() if dropped else stop).wait()
            await asyncio.sleep(0.01)
            return Reply("late")

        async def interrupted() -> None:
            await begun.wait()
            assert stop.in_flight == CALLS
            stop.gently(60)
            if dropped:
                stop.drop()

        model = FakeModel(late)
        desk = await asked(bench, model, stop, interrupted)
        assert (desk.made, len(model.asked)) == (kept, CALLS)

    asyncio.run(scenario())
    assert asyncio.run(asked_again(bench)) == CALLS - kept
