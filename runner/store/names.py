"""The names in a results database, read quickly for a shell that completes words: no engine is loaded, nothing is made.

A database is read as it lies there, whatever the version of prt that made it: it is not upgraded, and where it can't be
read by these questions, the driver's error is raised.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

BUSY_S = 0.3
"""Seconds that a locked file is waited for."""
CONNECT_S = 2
"""Seconds that a server is waited for."""
NOT_LISTED = frozenset({"paraphrase", "paraphrase judge", "judging", "scoring", "duel"})
"""Graders of runs that are listed nowhere: `OTHERS` of `runs`, which takes the engine to load."""
PRUNED, LATEST = "pruned", "latest"
RUNS = "SELECT id, name, state, started_at, suite, grader FROM runs ORDER BY number DESC"
BASELINES = """SELECT baselines.name, runs.id FROM baselines JOIN runs ON runs.number = baselines.run
    ORDER BY baselines.set_at DESC"""
SERIES = "SELECT series, COUNT(*) FROM nights GROUP BY series ORDER BY series"
CONDITIONS = """SELECT condition FROM variants WHERE suite = ? AND item_id = (
    SELECT item_id FROM items WHERE suite = ? ORDER BY position LIMIT 1) ORDER BY position"""
ITEMS = "SELECT item_id FROM items WHERE suite = ? ORDER BY position LIMIT 20000"


class RunName(NamedTuple):
    """A run as it is offered.

    Attributes:
        id: Its id.
        name: Its name.
        state: Its state, as its row says.
        started: When it was begun, in ISO 8601.
        suite: The number of its items and variants.
    """

    id: str
    name: str
    state: str
    started: str
    suite: int


class Connection(Protocol):
    """What both drivers have."""

    def execute(self, query: str, values: Sequence[Any] = ..., /) -> Any: ...  # noqa: D102 - as both drivers say


@dataclass(frozen=True, slots=True)
class Names:
    """The names in an open database.

    Attributes:
        connection: A connection that only reads.
        mark: What stands for a value in a question.
    """

    connection: Connection
    mark: str = "?"

    def runs(self) -> list[RunName]:
        """The runs that answer items and have results, the newest first."""
        return [RunName(*row[:5]) for row in self._rows(RUNS) if row[2] != PRUNED and _grader(row[5]) not in NOT_LISTED]

    def baselines(self) -> dict[str, str]:
        """The names of baselines, with the ids of their runs; the last one set is the first."""
        return dict(self._rows(BASELINES))

    def series(self) -> list[tuple[str, int]]:
        """The series of nights, each with how many nights it has."""
        return [*self._rows(SERIES)]

    def run(self, wanted: str) -> RunName | None:
        """The run that a person means, as `find_run`; None where it is none, or not one alone."""
        every = self.runs()
        if wanted == LATEST:
            return next(iter(every), None)
        pinned = self.baselines().get(wanted)
        for fitting in (
            [run for run in every if run.id == wanted],
            [run for run in every if run.id == pinned],
            [run for run in every if run.name == wanted],
        ):
            if fitting:
                return fitting[0]
        begun = [run for run in every if wanted and run.id.startswith(wanted)]
        return begun[0] if len(begun) == 1 else None

    def conditions(self, run: RunName) -> list[str]:
        """The conditions of a run, those of its first item, in their order."""
        return [name for (name,) in self._rows(CONDITIONS, run.suite, run.suite)]

    def items(self, run: RunName) -> list[str]:
        """The ids of a run's items in their order; of very many the first ones."""
        return [name for (name,) in self._rows(ITEMS, run.suite)]

    def _rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        yield from self.connection.execute(query.replace("?", self.mark), values)


def _grader(stored: str) -> str:
    """The name of a grader by its identity as it is stored."""
    try:
        return str(json.loads(stored).get("name", ""))
    except (ValueError, AttributeError):
        return ""


@contextmanager
def open_names(address: str, *, base: Path | None = None) -> Iterator[Names | None]:
    """Open a results database to read its names.

    Args:
        address: As for `open_store`.
        base: The folder that a relative file starts from; the working directory where not given.

    Yields:
        The names; None where there is no such file, or the address is of neither kind.

    Raises:
        sqlite3.Error: The file can't be read.
        psycopg.Error: The server can't be reached, or asked.
        ImportError: The driver of PostgreSQL is not installed.
    """
    scheme, colon, rest = address.partition("://")
    kind = scheme.partition("+")[0] if colon else "sqlite"
    if kind in {"postgres", "postgresql"}:
        import psycopg  # noqa: PLC0415 - files need none of it

        place, mark, query = rest.partition("?")
        # The server's own library knows `%20` for a space, where other readers of addresses know `+`, too.
        given = f"postgresql://{place}{mark}{query.replace('+', '%20')}"
        with psycopg.connect(given, connect_timeout=CONNECT_S) as server:
            server.read_only = True
            yield Names(server, "%s")
        return
    path = rest.removeprefix("/").partition("?")[0] if colon else address
    file = (base or Path()) / Path(path).expanduser()
    if kind != "sqlite" or not file.is_file():
        yield None
        return
    import sqlite3  # noqa: PLC0415 - the options of all commands come by here, and few words are completed

    # `mode=rw` makes no file; and unlike `ro` it can read one in WAL mode that nobody has open.
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True, timeout=BUSY_S)) as connection:
        connection.execute("PRAGMA query_only=ON")
        yield Names(connection)
