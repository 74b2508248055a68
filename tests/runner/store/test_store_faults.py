"""Faults of disks, files and servers: one sentence each, nothing lost that was stored, and the same command goes on."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prt.runner.errors import StoreError
from prt.runner.store import database
from prt.runner.store.checking import checked
from prt.runner.store.database import Store, open_store, place_of
from prt.runner.store.errors import LOCKED, SENTENCES, SERVER_SENTENCES, sentence
from prt.runner.store.find import find_run
from prt.runner.store.runs import list_runs
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from ..run_fakes import Bench, FakeModel, make_world

ROOT = Path(__file__).parents[3]
WORLD = make_world(300, 2)
LIMITED = """
import resource, signal, sys
from pathlib import Path
from tests.runner.run_fakes import Bench, FakeModel, make_world
from prt.runner.errors import StoreError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    summary = Bench(Path(sys.argv[1]), world=make_world(300, 2)).run(FakeModel())
    print(summary.state, summary.reason)
except StoreError as error:
    print("refused", error)
"""


@pytest.mark.sqlite
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of a file's size")
@pytest.mark.parametrize("limit", [150_000, 400_000, 700_000])
def test_a_file_that_may_not_grow_stops_the_run_and_the_same_command_resumes_it(tmp_path: Path, limit: int) -> None:
    path = tmp_path / "prt.db"
    child = [sys.executable, "-c", LIMITED, str(path), str(limit)]
    ended = subprocess.run(child, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603 - our own script
    assert ended.returncode == 0, ended.stderr
    state, told = ended.stdout.split(" ", 1)
    assert state in {"stopped", "refused"}
    assert SENTENCES[10] in told or SENTENCES[13] in told
    assert told.count("\n") == 1
    with open_store(str(path)) as store:
        assert checked(store).faults == ()
        stored = checked(store).rows["replies"]
    bench = Bench(path, world=WORLD)
    model = FakeModel()
    assert bench.run(model).state == "complete"
    assert len(model.asked) == WORLD.total - stored
    assert len(bench.results()) == WORLD.total


@pytest.mark.sqlite
def test_a_store_of_as_many_pages_as_it_may_have_keeps_what_it_has(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db", world=make_world(4, 1))
    bench.run(FakeModel())
    before = bench.results()
    bench.world = WORLD
    with bench.open() as store:
        with store.writing() as connection:
            pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        with pytest.raises(StoreError, match="the disk is full, so no more is stored; free some space"):
            bench.begin(store, name="large")
        assert checked(store).faults == ()
    bench.world = make_world(4, 1)
    assert bench.results() == before


def test_two_processes_that_begin_the_same_run_at_once_get_one_run(tmp_path: Path) -> None:
    path = tmp_path / "prt.db"
    Bench(path).open().close()
    script = (
        "import sys; from pathlib import Path; from tests.runner.run_fakes import Bench\n"
        "from prt.runner.errors import StoreError\n"
        "bench = Bench(Path(sys.argv[1]))\n"
        "store = bench.open()\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "try:\n"
        "    bench.begin(store); print('begun', flush=True)\n"
        "except StoreError as error:\n"
        "    print('refused' if 'is being worked on by another process' in str(error) else error, flush=True)\n"
        "sys.stdin.readline()\n"
    )
    children = [
        subprocess.Popen(  # noqa: S603 - our own script
            [sys.executable, "-c", script, str(path)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        for _ in range(3)
    ]
    said = [list(told(child, 1)) for child in children]
    assert said == [["ready"]] * 3
    for child in children:
        assert child.stdin is not None
        child.stdin.write("\n")
    outcomes = sorted(line for child in children for line in told(child, 1))
    for child in children:
        child.communicate("\n")
    assert outcomes == ["begun", "refused", "refused"]
    with open_store(str(path)) as store:
        assert len(list_runs(store)) == 1


def told(child: "subprocess.Popen[str]", lines: int) -> Iterator[str]:
    """The next lines that a process prints."""
    assert child.stdout is not None
    for _ in range(lines):
        yield child.stdout.readline().strip()


@pytest.mark.postgresql
class TestPostgreSQL:
    """What a server refuses; the tests of SQLite's files have their counterparts elsewhere."""

    @pytest.fixture
    def bench(self, tmp_path: Path) -> Bench:
        return Bench(tmp_path / "prt.db")

    def test_a_server_that_is_not_there_is_named_without_the_password(self) -> None:
        with pytest.raises(StoreError) as caught:
            open_store("postgresql://me:hunter2@127.0.0.1:9/prt").close()
        said = str(caught.value)
        assert said.startswith("postgresql://me:***@127.0.0.1:9/prt: the database can't be reached")
        assert "hunter2" not in said
        assert "\n" not in said

    def test_a_database_that_is_not_there_is_said(self, bench: Bench) -> None:
        url = database.store_url(str(bench.path), base=Path()).set(database="nowhere")
        with pytest.raises(StoreError, match=r"/nowhere\?.*the database can't be reached.*nowhere.* does not exist"):
            open_store(url.render_as_string(hide_password=False)).close()

    def test_tables_of_another_program_are_left_alone(self, bench: Bench) -> None:
        engine = database.connect(database.store_url(str(bench.path), base=Path()), 5.0)
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE runs (id INTEGER)"))
        engine.dispose()
        with pytest.raises(StoreError, match="this is a database of another program, not a prt store"):
            bench.open()

    def test_a_store_shows_its_address_without_the_password(self, bench: Bench) -> None:
        url = database.store_url(str(bench.path), base=Path()).set(password="hunter2")  # noqa: S106 - made up
        assert place_of(url).startswith("postgresql://postgres:***@/postgres")

    def test_a_database_that_can_only_be_read_is_read_and_not_written(self, bench: Bench) -> None:
        bench.run(FakeModel())
        url = database.store_url(str(bench.path), base=Path())
        options = f"{url.query['options']} -cdefault_transaction_read_only=on"
        with open_store(url.update_query_dict({"options": options}).render_as_string()) as store:
            assert find_run(store, "latest").state == "complete"
            with pytest.raises(StoreError, match="the database can be read but not written; name another store"):
                bench.begin(store, name="other")

    def test_a_store_that_another_program_holds_is_a_sentence_after_the_timeout(self, bench: Bench) -> None:
        bench.run(FakeModel())
        with (
            bench.open() as holder,
            open_store(str(bench.path), busy_timeout_s=0.05) as store,
            holder.writing(alone=True),
            pytest.raises(StoreError, match="the store stayed locked by another program"),
        ):
            bench.begin(store)

    def test_a_connection_that_the_server_ends_is_a_sentence_and_the_next_one_works(self, bench: Bench) -> None:
        said = "the database server was stopped; run the same command again"
        with bench.open() as store, bench.open() as other, pytest.raises(StoreError, match=said):
            ended_inside(store, other)
        assert bench.run(FakeModel()).state == "complete"

    def test_commits_are_on_the_disk_and_readers_see_one_state(self, bench: Bench) -> None:
        with bench.open() as store, store.reading() as reader:
            assert reader.execute(text("SHOW synchronous_commit")).scalar_one() == "on"
            count = text("SELECT count(*) FROM runs")
            before = reader.execute(count).scalar_one()
            bench.begin(store)
            assert reader.execute(count).scalar_one() == before
            with store.reading() as later:
                assert later.execute(count).scalar_one() == before + 1

    @pytest.mark.parametrize(
        ("name", "says"),
        [
            ("DiskFull", "the disk is full, so no more is stored"),
            ("TooManyConnections", "short of memory or connections"),
            ("OutOfMemory", "short of memory or connections"),
            ("LockNotAvailable", LOCKED),
            ("DeadlockDetected", "locked by two programs at once"),
            ("InsufficientPrivilege", "may not do that there"),
            ("AdminShutdown", "the database server was stopped"),
            ("InvalidPassword", "refuses this user or password"),
            ("DataCorrupted", "the store is damaged"),
        ],
    )
    def test_each_kind_of_refusal_has_its_sentence(self, name: str, says: str) -> None:
        from psycopg import errors  # noqa: PLC0415 - not on every platform

        cause: BaseException = getattr(errors, name)("details")
        assert says in sentence(DBAPIError("SELECT 1", None, cause))


def ended_inside(store: Store, other: Store) -> None:
    """Let a server end the connection of a transaction that is under way."""
    with store.writing() as connection:
        number = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
        with other.reading() as killing:
            killing.execute(text("SELECT pg_terminate_backend(:number, 5000)"), {"number": number})
        connection.execute(text("SELECT 1"))


def test_more_particular_sentences_come_first() -> None:
    begins = list(SERVER_SENTENCES)
    for at, one in enumerate(begins):
        assert not any(one.startswith(earlier) for earlier in begins[:at]), one
