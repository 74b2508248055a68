"""The journal: what was handed over is on the disk when it says so, and nothing is lost or left waiting."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from prt.runner.engine.journal import Journal
from prt.runner.errors import StoreError
from prt.runner.records import Reply
from prt.runner.store.database import Store
from prt.runner.store.find import find_run
from sqlalchemy import event, text

from ..run_fakes import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "prt.db")


@pytest.fixture
def store(bench: Bench) -> Iterator[Store]:
    with bench.open() as store:
        yield store


def stored_texts(bench: Bench) -> list[str]:
    """What another reader finds on the disk."""
    with bench.open() as reader, reader.reading() as connection:
        return [str(value) for value in connection.execute(text("SELECT text FROM replies ORDER BY id")).scalars()]


def test_a_reply_is_on_the_disk_when_its_number_is_given(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        async with Journal(store, bench.begin(store)) as journal:
            stored = await journal.add_reply("key", Reply(text="first"))
            assert stored.reply == Reply(text="first")
            assert stored_texts(bench) == ["first"]

    asyncio.run(scenario())


def test_what_comes_during_one_transaction_shares_the_next(bench: Bench, store: Store) -> None:
    commits = 0

    def count_commit(_connection: object) -> None:
        nonlocal commits
        commits += 1

    async def scenario() -> None:
        run = bench.begin(store)
        event.listen(store._engine, "commit", count_commit)
        holder = sqlite3.connect(bench.path, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        async with Journal(store, run) as journal:
            adding = [asyncio.create_task(journal.add_reply(str(n), Reply(text=str(n)))) for n in range(400)]
            await asyncio.sleep(0)
            holder.close()
            assert len({stored.id for stored in await asyncio.gather(*adding)}) == 400

    asyncio.run(scenario())
    assert commits <= 2
    assert sorted(stored_texts(bench), key=int) == [str(number) for number in range(400)]


def test_leaving_waits_for_all_that_was_handed_over_even_by_those_who_gave_up(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        async with Journal(store, bench.begin(store)) as journal:
            given_up = [asyncio.create_task(journal.add_reply("key", Reply(text=f"{n}"))) for n in range(20)]
            await asyncio.sleep(0)
            for task in given_up:
                task.cancel()

    asyncio.run(scenario())
    assert len(stored_texts(bench)) == 20


def test_a_store_that_fails_is_told_to_all_who_wait_and_to_all_who_come(bench: Bench, store: Store) -> None:
    async def scenario() -> None:
        run = bench.begin(store)
        with store.writing() as connection:
            connection.execute(text("DROP TABLE replies"))
        async with Journal(store, run) as journal:
            answers = await asyncio.gather(
                *(journal.add_reply(str(n), Reply()) for n in range(5)), return_exceptions=True
            )
            assert [type(answer) for answer in answers] == [StoreError] * 5
            with pytest.raises(StoreError, match="no such table: replies"):
                await journal.add_reply("later", Reply())

    asyncio.run(scenario())


def test_an_idle_journal_gives_signs_of_life(bench: Bench, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.runner.engine.journal.SIGN_OF_LIFE", timedelta(milliseconds=1))
    given = threading.Event()

    async def scenario() -> None:
        run = bench.begin(store)
        bench.clock.advance(60)
        async with Journal(store, run):
            event.listen(store._engine, "commit", lambda _: given.set())
            assert await asyncio.to_thread(given.wait, 5)

    asyncio.run(scenario())
    assert find_run(store, "latest").alive_at == bench.clock()
