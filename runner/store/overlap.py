"""What two runs in stores have in common: the same suite, the same replies; and the texts of what they ask."""

from collections.abc import Iterator

from sqlalchemy import func, select

from .columns import ROWS
from .read import StoredRun
from .rows import cells
from .schema import items as items_table
from .schema import raw, restored, suites
from .suites import variants

items = raw(items_table)


def suite_digest(run: StoredRun) -> str:
    """The hash of a run's items and variants."""
    with run.store.reading() as connection:
        digest: str = connection.execute(select(suites.c.hash).where(suites.c.number == run.record.suite)).scalar_one()
    return digest


def shared_replies(before: StoredRun, after: StoredRun) -> int:
    """How many cells of one run have a reply that is also one of the other; none where they lie in different stores."""
    if before.store.place != after.store.place:
        return 0
    theirs = select(cells.c.reply_id).where(cells.c.run == before.record.number)
    shared = select(func.count()).where(cells.c.run == after.record.number, cells.c.reply_id.in_(theirs))
    with after.store.reading() as connection:
        return connection.execute(shared).scalar_one()


def item_payloads(run: StoredRun) -> Iterator[str]:
    """The JSON of each item of a run's suite, in the order of the dataset."""
    chosen = select(items.c.payload).where(items.c.suite == run.record.suite).order_by(items.c.position)
    with run.store.reading() as connection:
        yield from map(restored, connection.execution_options(yield_per=ROWS).scalars(chosen))


def variant_payloads(run: StoredRun) -> Iterator[str]:
    """The JSON of each variant of a run's suite, in the order of their positions."""
    chosen = select(variants.c.payload).where(variants.c.suite == run.record.suite).order_by(variants.c.position)
    with run.store.reading() as connection:
        yield from map(restored, connection.execution_options(yield_per=ROWS).scalars(chosen))
