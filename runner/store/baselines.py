"""Baselines: names that people give to runs, so that later runs are compared with these."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, insert, select

from ..errors import UsageError
from ..problems import quoted
from ..suggest import meant_or_known
from .database import Store
from .runs import COLUMNS, RunRecord, record
from .schema import baselines as table
from .schema import runs

LATEST = "latest"
"""What a person calls the newest run; no baseline can be called so."""
LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class Baseline:
    """A name, and the run that it stands for.

    Attributes:
        name: What people call it.
        run: The run.
        set_at: When the run was given this name.
    """

    name: str
    run: RunRecord
    set_at: datetime


def set_baseline(store: Store, name: str, run: RunRecord) -> Baseline | None:
    """Give a run a name; one that another run has is taken from it.

    Args:
        store: The results database.
        name: The name.
        run: The run.

    Returns:
        The baseline that had this name before; None where there was none.

    Raises:
        UsageError: The name can't be one, or is the id of a run.
    """
    with store.writing() as connection:
        refuse_unfit(connection, name)
        earlier = _found(connection, name)
        connection.execute(delete(table).where(table.c.name == name))
        connection.execute(insert(table).values(name=name, run=run.number, set_at=store.now()))
    return earlier


def remove_baseline(store: Store, name: str) -> Baseline:
    """Take a name from a run; the run stays.

    Raises:
        UsageError: There is no baseline of this name.
    """
    with store.writing() as connection:
        earlier = _found(connection, name)
        if earlier is None:
            known = [each.name for each in _all(connection)]
            hint = meant_or_known(name, known) if known else "; `prt baseline set` makes one"
            raise UsageError(f"{store.place}: there is no baseline {quoted(name)}{hint}")
        connection.execute(delete(table).where(table.c.name == name))
    return earlier


def find_baseline(store: Store, name: str) -> Baseline | None:
    """The baseline of a name; None where there is none."""
    if not name.isprintable():  # no baseline is called so, and no database is asked for a lone surrogate
        return None
    with store.reading() as connection:
        return _found(connection, name)


def list_baselines(store: Store) -> list[Baseline]:
    """All baselines, by name."""
    with store.reading() as connection:
        return sorted(_all(connection), key=lambda each: each.name)


def refuse_unfit(connection: Connection, name: str) -> None:
    """Refuse a name that can't be one.

    Raises:
        UsageError: It is empty, too long, holds what can't be seen, or means something else already.
    """
    fault = unfit(name)
    if not fault and connection.scalar(select(runs.c.number).where(runs.c.id == name)) is not None:
        fault = "this is the id of a run"
    if fault:
        raise UsageError(f"a baseline can't be called {quoted(name)}: {fault}; choose another name")


def unfit(name: str) -> str:
    """Why a name can't be that of a baseline, whatever runs there are; empty where it can."""
    if not name or name != name.strip() or not name.isprintable():
        return "a name has no blanks at its ends, no line breaks and no control characters"
    if len(name) > LONGEST_NAME:
        return f"a name has at most {LONGEST_NAME} characters"
    if name == LATEST:
        return "this means the newest run"
    return "commands would take it for an option" if name.startswith("-") else ""


def _chosen() -> Select[*tuple[Any, ...]]:
    known = select(table.c.name.label("baseline"), table.c.set_at, *COLUMNS)
    return known.join_from(table, runs, runs.c.number == table.c.run)


def _found(connection: Connection, name: str) -> Baseline | None:
    row = connection.execute(_chosen().where(table.c.name == name)).mappings().one_or_none()
    return None if row is None else _baseline(row)


def _all(connection: Connection) -> Sequence[Baseline]:
    return [_baseline(row) for row in connection.execute(_chosen()).mappings()]


def _baseline(row: RowMapping) -> Baseline:
    return Baseline(row["baseline"], record(row), row["set_at"])
