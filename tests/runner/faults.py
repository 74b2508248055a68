"""What the fault table shares: an endpoint that fails and is mended, time that passes at once, and the whole check.

A fault strikes a run that has begun well. What must hold then is the same for every fault: `struck_and_mended` says it.
"""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from prt.runner.models.pace import Pace
from prt.runner.records import Reply
from prt.runner.store.database import open_store
from prt.runner.store.read import load_run
from prt.runner.store.rows import replies
from sqlalchemy import func, select

from .command_line import CommandLine, Ended
from .fault_server import Behaviour, Call, FaultServer
from .test_cli import knows_capitals

ITEMS = 4
CONCURRENCY = 4
ANSWERED_FIRST = 4
LONGEST_LINE = 700
"""Characters of a line that a person still reads; an endpoint's own words are cut to 300."""


class PassingTime:
    """A clock that moves only where someone sleeps, and then at once.

    Attributes:
        seconds: The time, for all that wait.
        wall_s: Seconds since 1970, as this machine's clock says; a test may set it wrong.
        sleepers: No time passes before so many have begun to sleep.
    """

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.wall_s: Callable[[], float] = time.time
        self.sleepers = 1
        self._begun = 0
        self._enough = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        due = self.seconds + seconds
        self._begun += 1
        if self._begun >= self.sleepers:
            self._enough.set()
        await asyncio.wait_for(self._enough.wait(), 30)
        await asyncio.sleep(0)
        self.seconds = max(self.seconds, due)

    def pace(self) -> Pace:
        return Pace(clock=lambda: self.seconds, now=self.wall_s, sleep=self.sleep, rng=random.Random(1))  # noqa: S311  jitter

    def passes_in(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let retries and pauses of whole commands go by this clock."""
        for module in ("base", "throttle"):
            monkeypatch.setattr(f"prt.runner.models.{module}.Pace", self.pace)


@dataclass(slots=True)
class Struck:
    """An endpoint that answers the first calls and then fails, until it is mended.

    Attributes:
        fault: What it does instead of answering.
        first: Calls that it answers before.
        mended: Whether it answers again.
        answered: The bodies of the calls that were answered, in order.
    """

    fault: Behaviour
    first: int = ANSWERED_FIRST
    mended: bool = False
    answered: list[bytes] = field(default_factory=list)

    def __call__(self, call: Call) -> Behaviour:
        if not self.mended and call.number > self.first:
            return self.fault
        self.answered.append(call.body)
        return knows_capitals(call)


def stored(path: Path) -> dict[tuple[str, str, int], Reply]:
    """The current reply of each cell of the newest run; a cell that stood there twice would fail here."""
    with open_store(str(path)) as store:
        rows = list(load_run(store, "latest").results())
    by_cell = {(row.item_id, row.condition, row.repeat): row.reply for row in rows}
    assert len(by_cell) == len(rows)
    return by_cell


def answers_on_disk(path: Path) -> int:
    """Replies without an error in the whole store; each is of another prompt, or a call was made and paid for twice."""
    without_error = replies.c.error_kind.is_(None)
    with open_store(str(path)) as store, store.reading() as connection:
        keys = list(connection.execute(select(replies.c.cell_key).where(without_error)).scalars())
        counted = connection.execute(select(func.count()).where(without_error)).scalar_one()
    assert counted == len(set(keys)), Counter(keys).most_common(1)
    return len(keys)


def told_once(ended: Ended, cause: str) -> None:
    """The cause of an end stands in one readable line of standard error, and nothing there is a page long."""
    lines = ended.err.splitlines()
    verdicts = [line for line in lines if line.startswith(("stopped: ", "incomplete: "))]
    assert len(verdicts) == 1, ended.err
    assert any(cause in line for line in lines), ended.err
    assert max(map(len, lines)) <= LONGEST_LINE
    assert lines[-1] == "Resume with: prt run prt.yaml"


def check_end(prt: CommandLine, ended: Ended, *, cause: str, answered: int, code: int = 3) -> None:
    """A run that was struck has ended as documented, and all that was answered is in the store."""
    assert ended.code == code, ended.err
    told_once(ended, cause)
    assert answers_on_disk(prt.folder / "prt.db") == answered


def check_rest(prt: CommandLine, config: str, server: FaultServer, *, total: int, answered: Sequence[bytes]) -> None:
    """The same command asks exactly what is missing; at the end each cell has a result, and one only."""
    before, had = len(server.calls), set(answered)
    assert len(had) == len(answered), "a call that had been answered was made again"
    rest = prt("run", config)
    asked = [call.body for call in server.calls[before:]]
    assert rest.code == 0, rest.err
    assert len(asked) == len(set(asked)) == total - len(had)
    assert not had & set(asked)
    results = stored(prt.folder / "prt.db")
    assert len(results) == answers_on_disk(prt.folder / "prt.db") == total
    assert all(reply.error is None for reply in results.values())
