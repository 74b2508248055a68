"""Whether a store is whole: the database itself, what its rows refer to, and whether suites are what they were."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue as Json
from sqlalchemy import Connection, func, select, text

from ..encoding import read_item, read_variant
from ..errors import StoreError
from ..problems import counted
from .database import Store
from .rows import cells, replies
from .schema import metadata, nights, raw, restored, runs, suites
from .suites import items, variants

ROWS = 2_000
UNNAMED = """
SELECT runs.id, count(*) FROM {table} JOIN runs ON runs.number = {table}.run
LEFT JOIN variants ON variants.suite = runs.suite AND variants.position = {table}.variant
WHERE variants.position IS NULL GROUP BY runs.id ORDER BY runs.id
"""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check of a store found.

    Attributes:
        place: The store.
        rows: How many rows each table has.
        faults: What is wrong, a sentence each; nothing where the store is whole.
        unused_suites: Suites that no run is of.
        replies_without_cell: Replies that are no cell's current one: failed calls that were asked again, replies that
            came last before a run was cut off, and what `prt shrink` asked. They are no fault.
    """

    place: str
    rows: Mapping[str, int]
    faults: tuple[str, ...]
    unused_suites: int
    replies_without_cell: int


def checked(store: Store) -> Checked:
    """Check a store; nothing is changed.

    Args:
        store: The results database.

    Raises:
        StoreError: It can't be read at all.
    """
    damage = tuple(damaged(store))
    if damage:
        return Checked(store.place, {}, damage, 0, 0)
    with store.reading() as connection:
        rows = {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in metadata.sorted_tables
        }
        faults = (*dangling(connection), *unnamed(connection), *unreadable(connection), *garbled(connection))
        return Checked(store.place, rows, faults, unused_suites(connection), replies_without_cell(connection))


def unused_suites(connection: Connection) -> int:
    """How many suites there are that no run is of."""
    used = select(runs.c.suite)
    return connection.scalar(select(func.count()).select_from(suites).where(suites.c.number.not_in(used))) or 0


def replies_without_cell(connection: Connection) -> int:
    """How many replies are no cell's current one."""
    used = select(cells.c.reply_id).distinct().subquery()
    current = connection.scalar(select(func.count()).select_from(used)) or 0
    return (connection.scalar(select(func.count()).select_from(replies)) or 0) - current


def damaged(store: Store) -> Iterator[str]:
    """What the database says of its own pages and indexes; PostgreSQL checks pages by itself when it reads them."""
    try:
        with store.reading() as connection:
            if connection.dialect.name == "sqlite":
                found = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
                yield from (f"the file is damaged: {line}" for line in found if line != "ok")
    except StoreError as error:
        yield str(error).removeprefix(f"{store.place}: ")


def dangling(connection: Connection) -> Iterator[str]:
    """Rows that refer to what is not there."""
    for table in metadata.sorted_tables:
        for constraint in sorted(table.foreign_key_constraints, key=lambda each: list(each.column_keys)):
            other = constraint.referred_table.alias("there")
            match = [table.c[element.parent.name] == other.c[element.column.name] for element in constraint.elements]
            lost = select(func.count()).select_from(table).where(~select(other).where(*match).exists())
            if count := connection.scalar(lost):
                yield f"{table.name}: {counted(count, 'row')} of {constraint.referred_table.name} that are not there"


def unnamed(connection: Connection) -> Iterator[str]:
    """Cells, grades and verdicts of variants that the suite of their run does not have."""
    for table in ("cells", "grades", "verdicts"):
        for run, count in connection.execute(text(UNNAMED.format(table=table))):
            yield f"{table}: {counted(count, 'row')} of the run {run} with a variant that its suite does not have"


def unreadable(connection: Connection) -> Iterator[str]:
    """Items and variants whose JSON is none, or says something else than the columns beside it."""
    of_items = select(items.c.suite, items.c.position, items.c.payload, items.c.item_id)
    of_variants = select(
        variants.c.suite, variants.c.position, variants.c.payload, variants.c.item_id, variants.c.condition
    )
    for noun, chosen, names in (("item", of_items, item_names), ("variant", of_variants, variant_names)):
        with connection.execute(chosen, execution_options={"yield_per": ROWS}) as rows:
            for suite, position, payload, *known in rows:
                if not says(payload, names, [restored(name) for name in known]):
                    yield f"{noun}s: the {noun} at position {position} of the suite {suite} can't be read"


def garbled(connection: Connection) -> Iterator[str]:
    """Nights whose summary is no JSON."""
    bare = raw(nights)
    chosen = select(bare.c.series, bare.c.night, bare.c.summary).order_by(bare.c.series, bare.c.night)
    for series, night, summary in connection.execute(chosen):
        try:
            json.loads(restored(summary))
        except ValueError:
            yield f"nights: what night {night} of the series {restored(series)} decided can't be read"


def says(payload: str, names: Callable[[Json], list[str]], known: list[str]) -> bool:
    """Whether a payload can be read, and names what the columns beside it name."""
    try:
        return names(json.loads(restored(payload))) == known
    except (ValueError, TypeError, KeyError, AttributeError):
        return False


def item_names(value: Json) -> list[str]:
    """The id of an item as it is stored."""
    return [read_item(cast(Mapping[str, Json], value)).id]


def variant_names(value: Json) -> list[str]:
    """The id of a variant's item and its condition, as it is stored."""
    variant = read_variant(value)
    return [variant.item_id, variant.condition]
