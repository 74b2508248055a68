"""Small worlds to run in: items with variants, a model and a grader made of functions, a clock that is set by hand."""

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import ClassVar, Self

from prt.perturbations.question import Gold, Layout, Question
from prt.perturbations.variant import Variant
from prt.runner.engine.budget import Purse
from prt.runner.engine.running import run_cells
from prt.runner.engine.stopping import Stop
from prt.runner.engine.summary import CellDone, RunSummary
from prt.runner.graders.base import Samples
from prt.runner.plan import count_cells, plan_cells
from prt.runner.records import AnswerKey, Cell, Grade, Item, Reply, Request
from prt.runner.store.database import Store, open_store
from prt.runner.store.processes import Process, Watch, began, place_here
from prt.runner.store.read import Result, load_run
from prt.runner.store.runs import RunRecord, RunSpec, open_run
from pydantic import JsonValue as Json

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
IDENTITY: dict[str, Json] = {"provider": "fake", "name": "m"}


@dataclass(slots=True)
class HandClock:
    """A clock that stands still until it is moved."""

    moment: datetime = NOON

    def __call__(self) -> datetime:
        return self.moment

    def seconds(self) -> float:
        return self.moment.timestamp()

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@contextmanager
def another_process() -> Iterator[str]:
    """The owner of a run that another process of this machine works on, as long as the block takes."""
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as other:
        yield str(Process("here", other.pid, place_here(), began(other.pid) or ""))
        other.communicate(b"\n")


def make_item(number: int, *, text: str = "") -> Item:
    return Item(
        id=f"q{number}",
        question=Question(text or f"What is {number}?"),
        gold=Gold(texts=(str(number),)),
        cluster="even" if number % 2 == 0 else "odd",
        row={"n": number},
    )


def make_variant(item: Item, condition: str, text: str) -> Variant:
    return Variant(
        item_id=item.id,
        condition=condition,
        generator=condition.partition(".")[0],
        version=1,
        parameters="{}",
        tier="checked",
        outcome="applied",
        reason="",
        question=Question(text),
        layout=Layout(),
    )


@dataclass(frozen=True, slots=True)
class World:
    """Items, each under the baseline and some more conditions."""

    items: Sequence[Item]
    variants: Mapping[str, Sequence[Variant]]
    repeats: int = 1

    @property
    def total(self) -> int:
        return count_cells(self.items, self.variants, repeats=self.repeats)

    def all_variants(self) -> list[Variant]:
        return [variant for item in self.items for variant in self.variants[item.id]]

    def cells(self) -> list[Cell]:
        return list(plan_cells(self.items, self.variants, identity=IDENTITY, repeats=self.repeats))


def make_world(items: int = 4, variants: int = 1, *, repeats: int = 1, same: bool = False) -> World:
    """A world of `items` × (1 + `variants`) × `repeats` cells; all prompts alike where `same`."""
    made = [make_item(number, text="Same?" if same else "") for number in range(items)]
    conditions = ["baseline", *(f"typo.{number}" for number in range(1, variants + 1))]
    return World(
        items=made,
        variants={
            item.id: [
                make_variant(item, name, item.question.text if same else f"{item.question.text} ({name})")
                for name in conditions
            ]
            for item in made
        },
        repeats=repeats,
    )


class FakeModel:
    """Answers by a function; remembers what it was asked."""

    name = "fake"
    concurrency = 4

    def __init__(self, answer: Callable[[Request], Awaitable[Reply]] | None = None) -> None:
        self.asked: list[Request] = []
        self._answer = answer or number_in

    def identity(self) -> dict[str, Json]:
        return IDENTITY

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return await self._answer(request)

    def asked_cells(self) -> list[tuple[str, str, int]]:
        return [(request.item_id, request.condition, request.repeat) for request in self.asked]


async def number_in(request: Request) -> Reply:
    """The number of the question under the baseline, nothing else under a variant."""
    await asyncio.sleep(0)
    right = request.condition == "baseline"
    return Reply(text=request.item_id[1:] if right else "?", model="m-1", prompt_tokens=5, completion_tokens=1)


class FakeGrader:
    """Passes what equals the gold text."""

    name: ClassVar[str] = "fake"
    version: ClassVar[int] = 1

    def __init__(self, judge: Callable[[Reply, AnswerKey], Grade] | None = None, *, note: str = "") -> None:
        self._judge = judge or equals_gold
        self._note = note

    def identity(self) -> dict[str, Json]:
        return {"grader": "fake", "note": self._note}

    def samples(self, key: AnswerKey) -> Samples:
        return Samples(right=key.item.gold.texts)

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        return self._judge(reply, key)


def equals_gold(reply: Reply, key: AnswerKey) -> Grade:
    if reply.error is not None:
        return Grade(None, "error", reason=reply.error.message)
    return graded(reply.text, passed=reply.text in key.item.gold.texts)


def graded(text: str, *, passed: bool) -> Grade:
    return Grade(passed, "graded", text, text, span=(0, len(text)))


@dataclass(slots=True)
class Bench:
    """A store on disk and everything needed to run a world in it, again and again."""

    path: Path
    world: World = field(default_factory=make_world)
    clock: HandClock = field(default_factory=HandClock)
    done: list[CellDone] = field(default_factory=list)
    tokens: Iterator[int] = field(default_factory=count)
    on_done: Callable[[], None] = lambda: None
    on_wait: Callable[[], None] = lambda: None
    told: list[str] = field(default_factory=list)

    def open(self) -> Store:
        """The store; whoever waits for the signs of life of other processes lets the clock go on."""
        watch = Watch(clock=self.clock.seconds, sleep=self.wait, tell=self.told.append)
        return open_store(str(self.path), now=self.clock, watch=watch)

    def wait(self, seconds: float) -> None:
        self.clock.advance(seconds)
        self.on_wait()

    def note(self, done: CellDone) -> None:
        self.done.append(done)
        self.on_done()

    def begin(
        self,
        store: Store,
        *,
        grader: FakeGrader | None = None,
        fresh: bool = False,
        name: str = "bench",
        config: Mapping[str, Json] | None = None,
        prt_version: str = "",
    ) -> RunRecord:
        spec = RunSpec(
            name=name,
            model=IDENTITY,
            grader=(grader or FakeGrader()).identity(),
            repeats=self.world.repeats,
            config={"name": name, **(config or {})},
            prt_version=prt_version,
        )
        return open_run(
            store,
            spec,
            items=self.world.items,
            variants=self.world.all_variants(),
            token=f"{next(self.tokens):04x}",
            fresh=fresh,
        )

    async def settle(
        self,
        store: Store,
        model: FakeModel,
        *,
        grader: FakeGrader | None = None,
        fresh: bool = False,
        name: str = "bench",
        concurrency: int = 4,
        stop: Stop | None = None,
        max_error_rate: float | None = None,
        give_up_after: int | None = None,
        purse: Purse | None = None,
    ) -> RunSummary:
        """Begin or resume the run, and settle its cells."""
        grader = grader or FakeGrader()
        return await run_cells(
            self.world.cells(),
            model=model,
            grader=grader,
            store=store,
            run=self.begin(store, grader=grader, fresh=fresh, name=name),
            total=self.world.total,
            concurrency=concurrency,
            stop=stop or Stop(),
            max_error_rate=max_error_rate,
            give_up_after=give_up_after,
            purse=purse,
            on_done=self.note,
        )

    def run(
        self,
        model: FakeModel,
        *,
        grader: FakeGrader | None = None,
        fresh: bool = False,
        name: str = "bench",
        concurrency: int = 4,
        max_error_rate: float | None = None,
        give_up_after: int | None = None,
        purse: Purse | None = None,
    ) -> RunSummary:
        """The same, with a store that is opened and closed for it."""
        with self.open() as store:
            return asyncio.run(
                self.settle(
                    store,
                    model,
                    grader=grader,
                    fresh=fresh,
                    name=name,
                    concurrency=concurrency,
                    max_error_rate=max_error_rate,
                    give_up_after=give_up_after,
                    purse=purse,
                )
            )

    def results(self, wanted: str = "latest") -> dict[tuple[str, str, int], Result]:
        """What is stored of a run, by cell; a cell that stood there twice would fail here."""
        with self.open() as store:
            rows = list(load_run(store, wanted).results())
        by_cell = {(row.item_id, row.condition, row.repeat): row for row in rows}
        assert len(by_cell) == len(rows)
        return by_cell
