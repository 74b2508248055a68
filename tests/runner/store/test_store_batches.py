"""Batches in the store: what is under way is found again, and no key is under way twice."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from prt.runner.errors import StoreError
from prt.runner.store.batches import (
    BatchRecord,
    add_requests,
    batches_of,
    begin_batch,
    forget_batch,
    keys_of,
    keys_under_way,
    note_batch,
)
from prt.runner.store.database import Store
from prt.runner.store.runs import RunRecord
from prt.runner.store.schema import stored_key

from ..run_fakes import Bench, make_world


@dataclass(frozen=True, slots=True)
class Desk:
    """An open store with a run in it, and the keys of its cells."""

    bench: Bench
    store: Store
    run: RunRecord
    keys: list[str]

    def begun(self, token: str, keys: list[str], *, first_line: int = 1) -> BatchRecord:
        batch = begin_batch(self.store, self.run, token)
        add_requests(self.store, self.run, batch, keys, first_line=first_line)
        return batch


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    bench = Bench(tmp_path / "prt.db", world=make_world(3))
    with bench.open() as store:
        yield Desk(bench, store, bench.begin(store), [cell.key for cell in bench.world.cells()])


def test_a_batch_is_found_again_with_all_that_is_known_of_it(desk: Desk) -> None:
    batch = desk.begun("t1", desk.keys[:2])
    note_batch(desk.store, batch, requests=2, file_id="file-1")
    noted = note_batch(desk.store, batch, batch_id="batch_1")
    with desk.bench.open() as other:
        (found,) = batches_of(other, desk.run)
    assert found == noted == BatchRecord(batch.number, "t1", "file-1", "batch_1", 2, desk.store.now())


def test_the_keys_of_a_batch_have_the_lines_they_were_given(desk: Desk) -> None:
    batch = desk.begun("t1", desk.keys[:2])
    add_requests(desk.store, desk.run, batch, desk.keys[2:3], first_line=3)
    desk.begun("t2", desk.keys[3:4])
    assert keys_of(desk.store, batch) == {stored_key(key): line for line, key in enumerate(desk.keys[:3], 1)}


def test_a_key_is_under_way_until_its_batch_is_forgotten(desk: Desk) -> None:
    batch, other = desk.begun("t1", desk.keys[:2]), desk.begun("t2", desk.keys[2:3])
    assert keys_under_way(desk.store, desk.run, desk.keys) == set(desk.keys[:3])
    forget_batch(desk.store, batch)
    assert keys_under_way(desk.store, desk.run, desk.keys) == {desk.keys[2]}
    assert batches_of(desk.store, desk.run) == [other]


def test_a_key_under_way_can_not_get_into_another_batch_of_the_run(desk: Desk) -> None:
    desk.begun("t1", desk.keys[:1])
    with pytest.raises(StoreError):
        desk.begun("t2", desk.keys[:1])


def test_batches_are_those_of_their_run(desk: Desk) -> None:
    desk.begun("t1", desk.keys[:1])
    other = desk.bench.begin(desk.store, name="other")
    assert batches_of(desk.store, other) == []
    assert keys_under_way(desk.store, other, desk.keys) == set()
