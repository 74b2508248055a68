"""Suites in the store: the items of a run and all their variants, kept once however many runs ask them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Insert, Select, insert, select

from ...perturbations.variant import Variant
from ..encoding import item_texts, read_item, read_variant, variant_texts
from ..records import Item
from .schema import items as items_table
from .schema import raw, restored, storable, suites
from .schema import variants as variants_table

items, variants = map(raw, (items_table, variants_table))

ROWS = 2_000
"""Rows that are written or read at a time."""


def put_suite(connection: Connection, digest: str, item_rows: Iterable[Item], variant_rows: Iterable[Variant]) -> int:
    """Store a suite unless it is there.

    Args:
        connection: In a writing transaction.
        digest: The suite's `suite_hash`.
        item_rows: The items, in the order of the dataset.
        variant_rows: The variants of all items, grouped by item.

    Returns:
        The suite's number.
    """
    known: int | None = connection.scalar(select(suites.c.number).where(suites.c.hash == digest))
    if known is not None:
        return known
    number: int = connection.execute(insert(suites).values(hash=digest).returning(suites.c.number)).scalar_one()
    insert_all(connection, insert(items), (item_row(number, *each) for each in enumerate(item_texts(item_rows))))
    made = (variant_row(number, *each) for each in enumerate(variant_texts(variant_rows)))
    insert_all(connection, insert(variants), made)
    return number


def insert_all(connection: Connection, adding: Insert, rows: Iterable[dict[str, Any]]) -> None:
    """Insert rows, so many at a time."""
    some: list[dict[str, Any]] = []
    for row in rows:
        some.append(row)
        if len(some) == ROWS:
            connection.execute(adding, some)
            some = []
    if some:
        connection.execute(adding, some)


def item_row(suite: int, position: int, text: str) -> dict[str, Any]:
    """An item, given as its JSON text, as a row of its table."""
    item = json.loads(text)
    return {
        "suite": suite,
        "position": position,
        "item_id": storable(item["id"]),
        "cluster": storable(item["cluster"]),
        "payload": storable(text),
    }


def variant_row(suite: int, position: int, text: str) -> dict[str, Any]:
    """A variant, given as its JSON text, as a row of its table."""
    variant = json.loads(text)
    return {
        "suite": suite,
        "position": position,
        "item_id": storable(variant["item_id"]),
        "condition": storable(variant["condition"]),
        "outcome": variant["outcome"],
        "reason": storable(variant["reason"]),
        "payload": storable(text),
        "severity": variant["severity"],
    }


def read_items(connection: Connection, suite: int, item_id: str | None = None) -> Iterator[Item]:
    """Read a suite's items, in the order of the dataset; the one whose id is given."""
    chosen = select(items.c.payload).where(items.c.suite == suite)
    if item_id is not None:
        chosen = chosen.where(items.c.item_id == storable(item_id))
    return map(read_item, payloads(connection, chosen, items.c.position))


def read_variants(connection: Connection, suite: int, item_id: str | None = None) -> Iterator[Variant]:
    """Read a suite's variants, grouped by item; those of one item where its id is given."""
    chosen = select(variants.c.payload).where(variants.c.suite == suite)
    if item_id is not None:
        chosen = chosen.where(variants.c.position.in_(positions_of(connection, suite, item_id)))
    return map(read_variant, payloads(connection, chosen, variants.c.position))


def positions_of(connection: Connection, suite: int, item_id: str) -> Sequence[int]:
    """The positions of an item's variants, in no order.

    They are found by the index of items, which a query that also asks for an order by position would not use.
    """
    of_item = variants.c.suite == suite, variants.c.item_id == storable(item_id)
    return connection.scalars(select(variants.c.position).where(*of_item)).all()


def payloads(connection: Connection, chosen: Select[Any], position: ColumnElement[int]) -> Iterator[Any]:
    """Read JSON values in their order, so many rows at a time."""
    with connection.execute(chosen.order_by(position), execution_options={"yield_per": ROWS}) as rows:
        for payload in rows.scalars():
            yield json.loads(restored(payload))
