"""Some items of a run with all of their variants, in a few queries however many they are."""

from collections.abc import Collection, Iterator

from sqlalchemy import select

from ...perturbations.variant import Variant
from ..encoding import read_item, read_variant
from ..records import Item
from .read import StoredRun
from .schema import storable
from .suites import items, payloads, variants


def items_of(run: StoredRun, ids: Collection[str]) -> Iterator[Item]:
    """Some items of a run, in the order of the dataset.

    Args:
        run: The run; its store must be open.
        ids: Their ids; some hundreds at most.
    """
    wanted = select(items.c.payload).where(
        items.c.suite == run.record.suite, items.c.item_id.in_([storable(each) for each in ids])
    )
    with run.store.reading() as connection:
        yield from map(read_item, payloads(connection, wanted, items.c.position))


def variants_at(run: StoredRun, positions: Collection[int]) -> Iterator[Variant]:
    """The variants at some positions of a run's suite, in order.

    Args:
        run: The run; its store must be open.
        positions: The positions; some hundreds at most.
    """
    wanted = select(variants.c.payload).where(
        variants.c.suite == run.record.suite, variants.c.position.in_(list(positions))
    )
    with run.store.reading() as connection:
        yield from map(read_variant, payloads(connection, wanted, variants.c.position))
