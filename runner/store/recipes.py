"""Recipes in the store: which suite came of what, so that it need not be made again."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import JsonValue as Json
from sqlalchemy import Connection, delete, insert, select

from ...perturbations.variant import Variant
from ..encoding import item_spool, variant_groups
from ..frozen import grouped
from ..records import Item
from ..spool import Groups
from .database import Store, open_store
from .schema import recipes, suites
from .suites import read_items, read_variants


@dataclass(frozen=True, slots=True)
class KnownSuite:
    """The suite that came of a recipe.

    Attributes:
        number: Its number.
        hash: Its `suite_hash`.
        summary: What was said when it was made.
    """

    number: int
    hash: str
    summary: Mapping[str, Any]


def put_recipe(store: Store, recipe: str, suite: int, summary: Mapping[str, Json]) -> None:
    """Note which suite came of a recipe.

    Args:
        store: The results database.
        recipe: The recipe's hash.
        suite: The suite's number.
        summary: What is to be said again where it is used.
    """
    with store.writing() as connection:
        connection.execute(delete(recipes).where(recipes.c.hash == recipe))
        connection.execute(insert(recipes).values(hash=recipe, suite=suite, summary=dict(summary)))


def find_recipe(store: Store, recipe: str) -> KnownSuite | None:
    """Find the suite that came of a recipe; None where none is known."""
    chosen = (
        select(recipes.c.suite, suites.c.hash, recipes.c.summary)
        .join(suites, suites.c.number == recipes.c.suite)
        .where(recipes.c.hash == recipe)
    )
    with store.reading() as connection:
        row = connection.execute(chosen).one_or_none()
    return None if row is None else KnownSuite(*row)


class StoredSuite:
    """The items and variants of a suite, read from the store when they are first asked for."""

    def __init__(self, address: str, base: Path | None, suite: int) -> None:
        """Note where it is; nothing is opened.

        Args:
            address: The store, as `open_store` takes it.
            base: Likewise.
            suite: The suite's number.
        """
        self._address, self._base, self._suite = address, base, suite

    @cached_property
    def items(self) -> Sequence[Item]:
        """The items, in the order of the dataset."""
        with self._reading() as connection:
            return item_spool(read_items(connection, self._suite))

    @cached_property
    def groups(self) -> Groups[Variant]:
        """The variants by item."""
        groups = variant_groups()
        with self._reading() as connection:
            for item_id, variants in grouped(read_variants(connection, self._suite)):
                groups.append(item_id, variants)
        return groups

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with open_store(self._address, base=self._base, may_create=False) as store, store.reading() as connection:
            yield connection
