"""Suites in the store: the items of a run and all their variants, kept once however many runs ask them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import JsonValue as Json
from pydantic import TypeAdapter
from sqlalchemy import Connection, insert, select

from ...perturbations.canonical import canonical_hash
from ...perturbations.variant import Variant
from ..records import Item
from .schema import items, suites, variants

# Dumped as Python values, since pydantic's JSON mode replaces lone surrogates in the keys of a row.
ITEM = TypeAdapter(Item)
VARIANT = TypeAdapter(Variant)


def suite_hash(item_rows: Sequence[Item], variant_rows: Sequence[Variant]) -> str:
    """Hash all that a suite holds, in order: what may be asked, what counts as right, and what was left out why.

    Where the dataset's file lies is no part of it, so that the same command resumes from another folder.
    """
    placeless = [replace(item, number=0, file="") for item in item_rows]
    item_hashes = [canonical_hash("prt.item", ITEM.dump_python(item)).hex() for item in placeless]
    variant_hashes = [canonical_hash("prt.variant", VARIANT.dump_python(variant)).hex() for variant in variant_rows]
    return canonical_hash("prt.suite", [item_hashes, variant_hashes]).hex()


def put_suite(connection: Connection, digest: str, item_rows: Sequence[Item], variant_rows: Sequence[Variant]) -> int:
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
    if item_rows:
        connection.execute(insert(items), [item_row(number, position, item) for position, item in enumerate(item_rows)])
    if variant_rows:
        connection.execute(
            insert(variants), [variant_row(number, position, variant) for position, variant in enumerate(variant_rows)]
        )
    return number


def item_row(suite: int, position: int, item: Item) -> dict[str, Json]:
    """An item as a row of its table."""
    return {
        "suite": suite,
        "position": position,
        "item_id": item.id,
        "cluster": item.cluster,
        "payload": ITEM.dump_python(item),
    }


def variant_row(suite: int, position: int, variant: Variant) -> dict[str, Json]:
    """A variant as a row of its table."""
    return {
        "suite": suite,
        "position": position,
        "item_id": variant.item_id,
        "condition": variant.condition,
        "outcome": variant.outcome,
        "reason": variant.reason,
        "payload": VARIANT.dump_python(variant),
    }


def read_items(connection: Connection, suite: int) -> Iterator[Item]:
    """Read a suite's items, in the order of the dataset."""
    chosen = select(items.c.payload).where(items.c.suite == suite).order_by(items.c.position)
    for payload in connection.scalars(chosen):
        yield ITEM.validate_python(payload)


def read_variants(connection: Connection, suite: int, item_id: str | None = None) -> Iterator[Variant]:
    """Read a suite's variants, grouped by item; those of one item where its id is given."""
    chosen = select(variants.c.payload).where(variants.c.suite == suite).order_by(variants.c.position)
    if item_id is not None:
        chosen = chosen.where(variants.c.item_id == item_id)
    for payload in connection.scalars(chosen):
        yield VARIANT.validate_python(payload)
