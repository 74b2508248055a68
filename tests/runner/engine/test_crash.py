"""Crashes: a run killed at random moments and resumed ends as if nothing had happened, and asks nothing twice."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest
from prt.runner.engine.work import UNSAVED_AT_MOST
from prt.runner.plan import plan_cells
from prt.runner.records import Grade
from prt.runner.store.database import open_store
from prt.runner.store.read import load_run
from prt.runner.store.runs import list_runs
from prt.runner.store.schema import stored_key
from sqlalchemy import text

from ..fault_server import Behaviour, Call, FaultServer, answers, waits
from .crash_child import CONCURRENCY, crash_world

ROOT = Path(__file__).parents[3]
WORLD = crash_world()
KILLS = {"sqlite": 100, "postgresql": 25}
"""How often a run is killed; a server outlives its clients by itself, and each begins and ends more slowly there."""
Stored = dict[tuple[str, str, int], tuple[str, str, str, int | None, Grade | None]]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the killed process is forked")


@dataclass(slots=True)
class Endpoint:
    """Answers each prompt by its number, and says when as many calls have come as were waited for."""

    asked: list[str] = field(default_factory=list)
    due: int = sys.maxsize
    reached: threading.Event = field(default_factory=threading.Event)

    def __call__(self, call: Call) -> Behaviour:
        self.asked.append(call.prompt)
        if len(self.asked) >= self.due:
            self.reached.set()
        number = call.prompt.removeprefix("What is ").partition("?")[0]
        return waits(0.002, answers(number))

    def expect(self, calls: int) -> None:
        self.due = len(self.asked) + calls
        self.reached.clear()
        if not calls:  # all replies are on the disk, and what is killed is the grading of the last ones
            self.reached.set()


@dataclass(slots=True)
class Child:
    """The process that forks the runs."""

    process: subprocess.Popen[str]

    def start(self, path: Path, base_url: str, token: str) -> int:
        assert self.process.stdin
        self.process.stdin.write(f"{path} {base_url} {token}\n")
        self.process.stdin.flush()
        return self._number()

    def ended(self) -> int:
        """Wait for the end of the run that was started; its exit code, negative for a signal."""
        return self._number()

    def _number(self) -> int:
        assert self.process.stdout
        return int(self.process.stdout.readline())


@pytest.fixture
def child() -> Iterator[Child]:
    path = os.pathsep.join([str(ROOT), *sys.path])
    with subprocess.Popen(
        [sys.executable, "-m", "tests.runner.engine.crash_child"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Child(process)
        assert process.stdin
        process.stdin.close()


def stored(path: Path) -> Stored:
    """What a store holds, but for what no two runs share: times and numbers."""
    with open_store(str(path)) as store:
        rows = list(load_run(store, "latest").results())
    results = {
        (row.item_id, row.condition, row.repeat): (
            row.reply.text,
            row.reply.finish_reason,
            row.reply.model,
            row.reply.completion_tokens,
            row.grade,
        )
        for row in rows
    }
    assert len(results) == len(rows)
    return results


def prompts_on_disk(path: Path) -> list[str]:
    """The prompts whose replies are on the disk, as often as there is one."""
    with open_store(str(path)) as store, store.reading() as connection:
        keys = list(connection.execute(text("SELECT cell_key FROM replies")).scalars())
        identity = json.dumps(load_run(store, "latest").record.model) if keys else ""
    return [prompts(identity)[key] for key in keys]


@cache
def prompts(identity: str) -> dict[bytes, str]:
    """The prompt of each key, for a model of this identity."""
    cells = plan_cells(WORLD.items, WORLD.variants, identity=json.loads(identity))
    return {stored_key(cell.key): cell.messages[-1].content for cell in cells}


def killed(child: Child, server: FaultServer, endpoint: Endpoint, path: Path, rng: random.Random) -> bool:
    """Start the run, and kill it at a moment of chance; False where it had ended before that."""
    began, on_disk = len(endpoint.asked), prompts_on_disk(path)
    endpoint.expect(min(rng.randint(1, 12), WORLD.total - len(on_disk)))
    process = child.start(path, server.base_url, f"{began:04x}")
    if rng.random() < 0.8:
        assert endpoint.reached.wait(60), "no further call came"
    time.sleep(rng.uniform(0, 0.02))
    with suppress(ProcessLookupError):
        os.kill(process, signal.SIGKILL)
    code = child.ended()
    assert code in {0, -signal.SIGKILL}
    assert not set(on_disk) & set(endpoint.asked[began:]), "what was on the disk was asked again"
    return code != 0


def check_complete(path: Path, alone: Stored) -> None:
    """A run that was killed is as one that was not, and holds no reply twice."""
    assert stored(path) == alone
    assert sorted(prompts_on_disk(path)) == sorted(cell.messages[-1].content for cell in WORLD.cells())
    with open_store(str(path)) as store:
        assert [run.state for run in list_runs(store)] == ["complete"]
        with store.reading() as connection:
            if connection.dialect.name == "sqlite":
                assert connection.execute(text("PRAGMA integrity_check")).scalar_one() == "ok"


def test_runs_killed_again_and_again_end_as_one_that_was_left_alone(
    tmp_path: Path, child: Child, database: str
) -> None:
    wanted = KILLS[database]
    rng = random.Random(20260301)  # noqa: S311 - moments to kill at, not secrets
    endpoint, kills = Endpoint(), 0
    with FaultServer(by=endpoint) as server:
        child.start(tmp_path / "alone.db", server.base_url, "ffff")
        assert child.ended() == 0
        alone = stored(tmp_path / "alone.db")
        assert len(alone) == WORLD.total
        for number in range(wanted):
            if kills == wanted:
                break
            path, kills_before = tmp_path / f"killed-{number}.db", kills
            endpoint.asked.clear()
            while kills < wanted and killed(child, server, endpoint, path, rng):
                kills += 1
            child.start(path, server.base_url, "ffff")
            assert child.ended() == 0
            check_complete(path, alone)
            most_lost = (kills - kills_before) * (CONCURRENCY + UNSAVED_AT_MOST)
            assert len(endpoint.asked) - WORLD.total <= most_lost, "only calls in flight, and as yet unsaved replies"
    assert kills == wanted
