"""The journal: what it says is on the disk is there, and nothing that it was given is lost."""

import asyncio
import hashlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from prt.runner.engine.jobs import Job
from prt.runner.engine.journal import Journal, Written
from prt.runner.errors import StoreError
from prt.runner.records import Reply
from prt.runner.store.database import Store
from prt.runner.store.find import find_run
from prt.runner.store.runs import RunRecord
from sqlalchemy import event, text

from ..run_fakes import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


@pytest.fixture
def store(bench: Bench) -> Iterator[Store]:
    with bench.open() as store:
        yield store


@dataclass(slots=True)
class Told:
    """Remembers what a journal says; `news` is set whenever it says something."""

    batches: list[Written] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def journal(self, store: Store, run: RunRecord, *, enough: int = 500) -> Journal:
        return Journal(store, run, written=self.written, failed=self.failed, enough=enough)

    def written(self, batch: Written) -> None:
        self.batches.append(batch)
        self.news.set()

    def failed(self, failure: Exception) -> None:
        self.failures.append(failure)
        self.news.set()

    @property
    def texts(self) -> list[str]:
        return [stored.reply.text for batch in self.batches for _, stored in batch.replies]


def put(journal: Journal, *texts: str) -> None:
    for one in texts:
        journal.add_reply(Job(key_of(one), []), Reply(text=one))


def key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def stored_texts(bench: Bench) -> list[str]:
    """What another reader finds on the disk."""
    with bench.open() as reader, reader.reading() as connection:
        return [str(value) for value in connection.execute(text("SELECT text FROM replies ORDER BY id")).scalars()]


def test_a_reply_is_on_the_disk_when_that_is_said(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        told = Told()
        async with told.journal(store, bench.begin(store)) as journal:
            put(journal, "first")
            await told.news.wait()
            assert stored_texts(bench) == told.texts == ["first"]
            ((job, stored),) = told.batches[0].replies
            assert (job.key, stored.reply) == (key_of("first"), Reply(text="first"))

    asyncio.run(scenario())


def test_what_comes_within_a_moment_shares_a_transaction(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        told = Told()
        async with told.journal(store, bench.begin(store)) as journal:
            put(journal, *"abc")
        assert [len(batch.replies) for batch in told.batches] == [3]

    asyncio.run(scenario())


@pytest.mark.sqlite
def test_what_comes_during_one_transaction_shares_the_next(bench: Bench, store: Store) -> None:
    numbers = [str(number) for number in range(400)]

    async def scenario() -> None:
        told = Told()
        run = bench.begin(store)
        holder = sqlite3.connect(bench.path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        async with told.journal(store, run, enough=10) as journal:
            put(journal, *numbers)
            await asyncio.sleep(0)
            holder.close()
        assert len(told.batches) <= 2
        assert told.texts == numbers
        assert len({stored.id for batch in told.batches for _, stored in batch.replies}) == 400

    asyncio.run(scenario())
    assert stored_texts(bench) == numbers


def test_leaving_waits_for_all_that_was_handed_over(bench: Bench, store: Store) -> None:
    async def leaves_by_an_error() -> None:
        async with Told().journal(store, bench.begin(store)) as journal:
            put(journal, *"abcdefghij")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(leaves_by_an_error())
    assert stored_texts(bench) == [*"abcdefghij"]


def test_a_cancellation_does_not_keep_it_from_writing(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        async with Told().journal(store, bench.begin(store)) as journal:
            put(journal, *"abc")
            await asyncio.Event().wait()

    async def cancelled() -> None:
        task = asyncio.create_task(scenario())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])

    asyncio.run(cancelled())
    assert stored_texts(bench) == [*"abc"]


@pytest.mark.sqlite
def test_a_store_that_fails_is_told_once_and_nothing_more_is_tried(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        told = Told()
        run = bench.begin(store)
        with store.writing() as connection:
            connection.execute(text("DROP TABLE replies"))
        async with told.journal(store, run, enough=1) as journal:
            put(journal, "a")
            await told.news.wait()
            put(journal, "b", "c")
        (failure,) = told.failures
        assert isinstance(failure, StoreError)
        assert "no such table: replies" in str(failure)
        assert told.batches == []

    asyncio.run(scenario())


@pytest.mark.sqlite
def test_of_a_batch_that_finds_no_room_whatever_has_room_is_kept(bench: Bench) -> None:
    with bench.open() as store:
        bench.begin(store)
        with store.reading() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 20

    async def scenario(store: Store) -> None:
        told = Told()
        async with told.journal(store, bench.begin(store)) as journal:
            put(journal, *(letter * 20_000 for letter in "abcdefghij"))
        assert [str(failure).partition(": ")[2] for failure in told.failures] == [
            "the disk is full, so no more is stored; free some space and run the same command again."
        ]
        assert 1 <= len(told.texts) < 10
        assert told.texts == stored_texts(bench)

    with bench.open() as store:
        store.close()
        event.listen(store._engine, "connect", lambda opened, _: opened.execute(f"PRAGMA max_page_count={pages}"))
        asyncio.run(scenario(store))


def test_an_idle_journal_gives_signs_of_life(bench: Bench, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.engine.journal.SIGN_OF_LIFE_S", 0.001)
    given = threading.Event()

    async def scenario() -> None:
        run = bench.begin(store)
        bench.clock.advance(60)
        async with Told().journal(store, run):
            event.listen(store._engine, "commit", lambda _: given.set())
            assert await asyncio.to_thread(given.wait, 5)

    asyncio.run(scenario())
    assert find_run(store, "latest").alive_at == bench.clock()
