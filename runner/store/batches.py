"""Batches under way in the store, so that a process that is killed leaves them to be found, and pays for none twice.

A batch is written down before its file is sent, with the keys that it asks for. A key is under way in one batch of a
run at most. Once the replies of a batch are stored, it is forgotten.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, insert, select, update

from .database import Store
from .runs import RunRecord
from .schema import batch_requests, stored_key
from .schema import batches as table
from .writing import put_rows


@dataclass(frozen=True, slots=True)
class BatchRecord:
    """A batch as the store knows it.

    Attributes:
        number: The row's number.
        token: What the endpoint is given to find it by.
        file_id: The endpoint's id of its file of requests; empty until that is sent.
        batch_id: The endpoint's id; empty until it is begun there.
        requests: How many it asks.
        created_at: When it was written down.
    """

    number: int
    token: str
    file_id: str
    batch_id: str
    requests: int
    created_at: datetime


COLUMNS = (table.c.number, table.c.token, table.c.file_id, table.c.batch_id, table.c.requests, table.c.created_at)
REQUEST_COLUMNS = ("run", "cell_key", "batch", "line")


def begin_batch(store: Store, run: RunRecord, token: str) -> BatchRecord:
    """Write down a batch that is about to be made."""
    row = {"run": run.number, "token": token, "file_id": "", "batch_id": "", "requests": 0, "created_at": store.now()}
    with store.writing() as connection:
        number = connection.execute(insert(table).values(**row).returning(table.c.number)).scalar_one()
        return BatchRecord(*connection.execute(select(*COLUMNS).where(table.c.number == number)).one())


def add_requests(store: Store, run: RunRecord, batch: BatchRecord, keys: Sequence[str], *, first_line: int) -> None:
    """Write down which keys a batch asks for.

    Args:
        store: The results database.
        run: The run.
        batch: The batch.
        keys: Keys that are not under way.
        first_line: The line of the first of them in the batch's file, from 1; the others follow.
    """
    rows = [(run.number, stored_key(key), batch.number, line) for line, key in enumerate(keys, first_line)]
    with store.writing() as connection:
        put_rows(connection, batch_requests.name, REQUEST_COLUMNS, rows)


def note_batch(
    store: Store, batch: BatchRecord, *, requests: int = 0, file_id: str = "", batch_id: str = ""
) -> BatchRecord:
    """Write down more of a batch: what is given, if anything, takes the place of what was there."""
    given = {"requests": requests, "file_id": file_id, "batch_id": batch_id}
    values = {name: value for name, value in given.items() if value}
    with store.writing() as connection:
        connection.execute(update(table).where(table.c.number == batch.number).values(**values))
        return BatchRecord(*connection.execute(select(*COLUMNS).where(table.c.number == batch.number)).one())


def batches_of(store: Store, run: RunRecord) -> list[BatchRecord]:
    """The batches of a run that are not collected, the oldest first."""
    with store.reading() as connection:
        chosen = select(*COLUMNS).where(table.c.run == run.number).order_by(table.c.number)
        return [BatchRecord(*row) for row in connection.execute(chosen)]


def keys_under_way(store: Store, run: RunRecord, keys: Collection[str]) -> set[str]:
    """Which of some keys a batch of the run asks for already; a few hundred at most."""
    if not keys:
        return set()
    wanted = {stored_key(key): key for key in keys}
    chosen = select(batch_requests.c.cell_key).where(
        batch_requests.c.run == run.number, batch_requests.c.cell_key.in_(list(wanted))
    )
    with store.reading() as connection:
        return {wanted[bytes(key)] for key in connection.scalars(chosen)}


def keys_of(store: Store, batch: BatchRecord) -> dict[bytes, int]:
    """The keys that a batch asks for, as `stored_key` gives them, each with its line."""
    chosen = select(batch_requests.c.cell_key, batch_requests.c.line).where(batch_requests.c.batch == batch.number)
    with store.reading() as connection:
        return {bytes(key): line for key, line in connection.execute(chosen)}


def forget_batch(store: Store, batch: BatchRecord) -> None:
    """Forget a batch; what it asked for and has no reply may be asked again."""
    with store.writing() as connection:
        connection.execute(delete(batch_requests).where(batch_requests.c.batch == batch.number))
        connection.execute(delete(table).where(table.c.number == batch.number))
