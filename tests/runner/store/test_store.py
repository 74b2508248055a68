"""Opening the store: what becomes one, what is refused in a sentence, and that nothing else is touched."""

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from prt.runner.errors import StoreError
from prt.runner.store import database
from prt.runner.store.database import Store, open_store, place_of
from prt.runner.store.find import find_run
from prt.runner.store.runs import list_runs
from prt.runner.store.schema import SCHEMA_VERSION, metadata
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateTable

from ..run_fakes import Bench, FakeModel


def pragma(store: Store, name: str) -> object:
    with store.reading() as connection:
        value: object = connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()
        return value


def shown(path: Path) -> str:
    """What people are shown of the store of a path, whatever database keeps it."""
    return place_of(database.store_url(str(path), base=Path()))


def refusal(address: str | Path, *, may_create: bool = True, busy_timeout_s: float = 30.0) -> str:
    with pytest.raises(StoreError) as caught:
        open_store(str(address), may_create=may_create, busy_timeout_s=busy_timeout_s).close()
    assert caught.value.exit_code == 2
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.mark.sqlite
def test_a_new_file_becomes_a_store_with_nothing_in_it(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as store:
        assert list_runs(store) == []
    assert (tmp_path / "prt.db").is_file()


@pytest.mark.sqlite
def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    (tmp_path / "prt.db").touch()
    with open_store(str(tmp_path / "prt.db")) as store:
        assert list_runs(store) == []


@pytest.mark.sqlite
def test_commits_are_on_the_disk_readers_never_wait_and_references_are_checked(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as store:
        assert pragma(store, "journal_mode") == "wal"
        assert pragma(store, "synchronous") == 2
        assert pragma(store, "foreign_keys") == 1


@pytest.mark.sqlite
def test_a_closed_store_is_one_file(tmp_path: Path) -> None:
    Bench(tmp_path / "prt.db").run(FakeModel())
    assert [path.name for path in tmp_path.iterdir()] == ["prt.db"]


def write_the_same_suite_twice(store: Store) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql("INSERT INTO suites (number, hash) VALUES (1, 'x')")
        connection.exec_driver_sql("INSERT INTO suites (number, hash) VALUES (1, 'y')")


@pytest.mark.sqlite
def test_what_a_large_transaction_took_beside_the_file_is_given_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "WAL_KEPT", 1 << 20)
    log = tmp_path / "prt.db-wal"
    with open_store(str(tmp_path / "prt.db")) as store:
        with store.writing() as connection:
            connection.exec_driver_sql("CREATE TABLE large (content BLOB)")
            connection.exec_driver_sql("INSERT INTO large VALUES (zeroblob(20000000))")
        assert log.stat().st_size > 20_000_000
        for written in ("first", "second"):
            with store.writing() as connection:
                connection.exec_driver_sql("UPDATE large SET content = ?", (written,))
        assert log.stat().st_size <= 1 << 20


def test_a_failed_transaction_leaves_nothing_behind(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as store:
        with pytest.raises(StoreError, match=r"refused: .*(UNIQUE constraint failed|violates unique constraint)"):
            write_the_same_suite_twice(store)
        with store.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM suites").scalar_one() == 0


def make_text(path: Path) -> None:
    path.write_text("item,condition,passed\nq1,baseline,1\n" * 20, encoding="utf-8")


def make_foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.commit()
    connection.close()


def make_foreign_with_a_meta_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE meta (key TEXT, value TEXT)")
    connection.execute("INSERT INTO meta VALUES ('schema_version', '1')")
    connection.commit()
    connection.close()


def make_foreign_with_another_meta_table(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE meta (id INTEGER, note TEXT)")
    connection.commit()
    connection.close()


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (make_text, "this file is not a prt store; name another file as `store`."),
        (make_foreign, "this is a database of another program, not a prt store; name another one as `store`."),
        (make_foreign_with_a_meta_table, "this is a database of another program"),
        (make_foreign_with_another_meta_table, "this is a database of another program"),
    ],
)
def test_a_file_of_another_kind_is_refused_and_left_as_it_was(
    tmp_path: Path, make: Callable[[Path], None], says: str
) -> None:
    path = tmp_path / "other.db"
    make(path)
    before = path.read_bytes()
    assert refusal(path).startswith(f"{path}: {says}")
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["other.db"]


@pytest.mark.sqlite
def test_a_folder_is_refused_with_a_name_that_would_do(tmp_path: Path) -> None:
    assert (
        refusal(tmp_path) == f"{tmp_path}: this is a folder; name a file in it as `store`, such as {tmp_path}/prt.db."
    )


@pytest.mark.sqlite
def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    path = tmp_path / "nowhere" / "prt.db"
    assert refusal(path) == f"{path}: the folder {path.parent} does not exist; make it, or name another store."


@pytest.mark.sqlite
def test_reading_makes_no_store_where_there_is_none(tmp_path: Path) -> None:
    path = tmp_path / "prt.db"
    assert refusal(path, may_create=False) == f"{path}: there is no such store; `prt run` makes one."
    assert not path.exists()
    path.touch()
    assert refusal(path, may_create=False) == f"{path}: there are no results in it yet; `prt run` fills it."
    assert path.read_bytes() == b""


def test_a_newer_store_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "prt.db"
    with open_store(str(path)) as store, store.writing() as connection:
        connection.exec_driver_sql("UPDATE meta SET value = '99' WHERE key = 'schema_version'")
    assert refusal(path) == (
        f"{shown(path)}: the store was written by a newer prt (schema 99; this prt knows up to {SCHEMA_VERSION}); "
        "upgrade prt, or name another store."
    )


@pytest.mark.sqlite
@pytest.mark.parametrize("at", [100, 4096, 20_000])
def test_a_damaged_store_is_a_sentence_whenever_that_is_noticed(tmp_path: Path, at: int) -> None:
    path = tmp_path / "prt.db"
    bench = Bench(path)
    bench.run(FakeModel())
    content = path.read_bytes()
    path.write_bytes(content[:at] + b"\xff" * (len(content) - at))
    with pytest.raises(StoreError, match=r"the store is damaged; take it from a backup, or name another store\.$"):
        bench.results()


@pytest.mark.sqlite
def test_a_store_that_can_only_be_read_is_read_and_not_written(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    bench.run(FakeModel())
    address = f"sqlite:///file:{bench.path}?mode=ro&uri=true"
    with open_store(address) as store:
        assert find_run(store, "latest").state == "complete"
        with pytest.raises(StoreError, match="the store can be read but not written; change its permissions"):
            bench.begin(store)


@pytest.mark.sqlite
def test_a_store_that_another_program_holds_is_a_sentence_after_the_timeout(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    with bench.open():
        pass
    holder = sqlite3.connect(bench.path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        with (
            open_store(str(bench.path), busy_timeout_s=0.05) as store,
            pytest.raises(StoreError, match="the store stayed locked by another program; wait until that has finished"),
        ):
            bench.begin(store)
    finally:
        holder.close()


@pytest.mark.sqlite
def test_a_writer_waits_for_its_turn(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    with bench.open():
        pass
    holder = sqlite3.connect(bench.path, isolation_level=None, check_same_thread=False)
    holder.execute("BEGIN IMMEDIATE")
    release = threading.Timer(0.05, holder.close)
    release.start()
    assert bench.run(FakeModel()).state == "complete"
    release.join()


def test_processes_that_make_the_same_store_at_once_agree(tmp_path: Path) -> None:
    failures: list[BaseException] = []

    def make() -> None:
        try:
            open_store(str(tmp_path / "prt.db")).close()
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    with open_store(str(tmp_path / "prt.db")) as store, store.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM meta").scalar_one() == 2


@pytest.mark.sqlite
def test_relative_files_start_from_the_base_given(tmp_path: Path) -> None:
    for address in ("results.db", "sqlite:///results.db"):
        assert database.store_url(address, base=tmp_path).database == str(tmp_path / "results.db")
    for address in (str(tmp_path / "own.db"), f"sqlite:///{tmp_path}/own.db"):
        assert database.store_url(address, base=Path("/elsewhere")).database == str(tmp_path / "own.db")


@pytest.mark.parametrize("address", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_in_memory_is_refused_since_it_would_lose_the_results(address: str) -> None:
    assert "a database in memory would lose the results; name a file" in refusal(address)


def test_a_database_of_another_kind_is_refused() -> None:
    assert refusal("mysql://u:p@h/d") == "store: prt keeps results in SQLite or PostgreSQL, not in mysql."


@pytest.mark.parametrize(
    "address",
    [
        "postgres://user:hunter2@127.0.0.1:9/prt",
        "postgresql://user:hunter2@127.0.0.1:x/prt",
        "oracle://user:hunter2@127.0.0.1/prt",
        "user:hunter2://",
    ],
)
def test_no_password_is_shown(address: str) -> None:
    assert "hunter2" not in refusal(address)


@pytest.mark.sqlite
def test_a_store_shows_its_place_and_no_more(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "prt.db")) as store:
        assert repr(store) == f"Store('{tmp_path}/prt.db')"


def test_the_tables_have_no_type_that_postgresql_lacks() -> None:
    dialect = postgresql.dialect()  # type: ignore[no-untyped-call]  # SQLAlchemy leaves its constructor untyped
    for table in metadata.sorted_tables:
        assert f"CREATE TABLE {table.name}" in str(CreateTable(table).compile(dialect=dialect))
