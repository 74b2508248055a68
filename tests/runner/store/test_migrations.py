"""Migrations: an older store is brought along step by step, each whole or not at all; today's prt reads version 1."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from prt.perturbations.question import Gold, Layout, Question
from prt.perturbations.variant import Variant
from prt.runner.errors import StoreError
from prt.runner.records import Grade, Item, Reply
from prt.runner.store import database
from prt.runner.store.baselines import list_baselines, set_baseline
from prt.runner.store.columns import read_variants
from prt.runner.store.database import Store, open_store
from prt.runner.store.errors import Refused
from prt.runner.store.migrations import MIGRATIONS, Migration, migrate, version_of
from prt.runner.store.read import Result, StoredRun, load_run
from prt.runner.store.results import NewReply, add_results
from prt.runner.store.runs import COLUMNS, RunRecord
from prt.runner.store.schema import SCHEMA_VERSION, storable
from sqlalchemy import Connection, inspect, select, text

# A store as version 1 wrote it, with one run of one item under two conditions. It is frozen: what was once written
# must stay readable, so this text changes never, and a migration is what makes a newer prt read it.
VERSION_1 = """
CREATE TABLE meta ("key" VARCHAR(40) NOT NULL, value TEXT NOT NULL, PRIMARY KEY ("key"));
CREATE TABLE suites (number INTEGER NOT NULL, hash VARCHAR(64) NOT NULL, PRIMARY KEY (number), UNIQUE (hash));
CREATE TABLE items (
    suite INTEGER NOT NULL, position INTEGER NOT NULL, item_id TEXT NOT NULL, cluster TEXT NOT NULL,
    payload TEXT NOT NULL, PRIMARY KEY (suite, position), UNIQUE (suite, item_id),
    FOREIGN KEY(suite) REFERENCES suites (number)
);
CREATE TABLE variants (
    suite INTEGER NOT NULL, position INTEGER NOT NULL, item_id TEXT NOT NULL, condition TEXT NOT NULL,
    outcome VARCHAR(20) NOT NULL, reason TEXT NOT NULL, payload TEXT NOT NULL, PRIMARY KEY (suite, position),
    UNIQUE (suite, item_id, condition), FOREIGN KEY(suite, item_id) REFERENCES items (suite, item_id),
    FOREIGN KEY(suite) REFERENCES suites (number)
);
CREATE TABLE runs (
    number INTEGER NOT NULL, id VARCHAR(120) NOT NULL, name TEXT NOT NULL, fingerprint VARCHAR(64) NOT NULL,
    fresh BOOLEAN NOT NULL, state VARCHAR(12) NOT NULL, reason TEXT NOT NULL, started_at VARCHAR(32) NOT NULL,
    finished_at VARCHAR(32), suite INTEGER NOT NULL, repeats INTEGER NOT NULL, model TEXT NOT NULL,
    grader TEXT NOT NULL, grader_key VARCHAR(16) NOT NULL, config TEXT NOT NULL, dataset_sha256 VARCHAR(64) NOT NULL,
    bundle_hash VARCHAR(64) NOT NULL, prt_version TEXT NOT NULL, environment TEXT NOT NULL, owner TEXT NOT NULL,
    alive_at VARCHAR(32) NOT NULL, PRIMARY KEY (number), UNIQUE (id),
    FOREIGN KEY(suite) REFERENCES suites (number)
);
CREATE INDEX ix_runs_fingerprint ON runs (fingerprint);
CREATE TABLE replies (
    id INTEGER NOT NULL, run INTEGER NOT NULL, cell_key VARCHAR(64) NOT NULL, text TEXT NOT NULL,
    finish_reason TEXT NOT NULL, refusal TEXT NOT NULL, reasoning TEXT NOT NULL, model TEXT NOT NULL,
    prompt_tokens INTEGER, completion_tokens INTEGER, latency_s FLOAT NOT NULL, attempts INTEGER NOT NULL,
    error_kind VARCHAR(20), error_message TEXT, created_at VARCHAR(32) NOT NULL, PRIMARY KEY (id),
    FOREIGN KEY(run) REFERENCES runs (number)
);
CREATE INDEX ix_replies_cell_key ON replies (cell_key);
CREATE TABLE cells (
    run INTEGER NOT NULL, item_id TEXT NOT NULL, condition TEXT NOT NULL, repeat INTEGER NOT NULL,
    reply_id INTEGER NOT NULL, PRIMARY KEY (run, item_id, condition, repeat),
    FOREIGN KEY(run) REFERENCES runs (number), FOREIGN KEY(reply_id) REFERENCES replies (id)
) WITHOUT ROWID;
CREATE TABLE grades (
    run INTEGER NOT NULL, item_id TEXT NOT NULL, condition TEXT NOT NULL, repeat INTEGER NOT NULL,
    grader_key VARCHAR(16) NOT NULL, reply_id INTEGER NOT NULL, passed BOOLEAN, status VARCHAR(12) NOT NULL,
    extracted TEXT, answer TEXT, reason TEXT NOT NULL, span_start INTEGER, span_end INTEGER,
    PRIMARY KEY (run, item_id, condition, repeat, grader_key),
    FOREIGN KEY(run, item_id, condition, repeat) REFERENCES cells (run, item_id, condition, repeat),
    FOREIGN KEY(reply_id) REFERENCES replies (id)
) WITHOUT ROWID;
INSERT INTO meta VALUES ('application', 'prt'), ('schema_version', '1');
INSERT INTO suites VALUES (1, 'aa');
INSERT INTO items VALUES (1, 0, 'q1', 'even',
    '{"id":"q1","question":{"text":"2+2?"},"gold":{"texts":["4"]},"cluster":"even","row":{"b":1,"a":null}}');
INSERT INTO variants VALUES
    (1, 0, 'q1', 'baseline', 'applied', '',
     '{"item_id":"q1","condition":"baseline","generator":"baseline","version":1,"parameters":"{}","tier":"guaranteed",
       "outcome":"applied","reason":"","question":{"text":"2+2?"},"layout":{}}'),
    (1, 1, 'q1', 'typo.1', 'not_applicable', 'escaped:no word\\u0000',
     '{"item_id":"q1","condition":"typo.1","generator":"typo","version":1,"parameters":"{}","tier":"checked",
       "outcome":"not_applicable","reason":"no word","question":{"text":"2+2?"},"layout":{"labels":"i"}}');
INSERT INTO runs VALUES (1, 'old-20260101-000000-0000', 'old', 'ff', FALSE, 'complete', '',
    '2026-01-01T00:00:00.000+00:00',
    '2026-01-01T00:01:00.500+00:00', 1, 2, '{"name":"m"}', '{"name":"g"}', 'abcdef0123456789', '{"seed":0}', 'd', 'b',
    '0.1.0', '{}', 'host:1', '2026-01-01T00:01:00.500+00:00');
INSERT INTO replies VALUES
    (1, 1, '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        '', '', '', '', '', NULL, NULL, 0.0, 5, 'server', '503', '2026-01-01T00:00:30.000+00:00'),
    (2, 1, '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        '4', 'stop', '', 'two and two', 'm-1', 9, 1, 0.25, 1, NULL, NULL, '2026-01-01T00:00:31.000+00:00'),
    (3, 1, 'fedcba9876543210fedcba9876543210fedcba9876543210fedcba9876543210',
        'escaped:\\ud800', '', '', '', '', NULL, NULL, 0.5, 1, NULL, NULL, '2026-01-01T00:00:32.000+00:00');
INSERT INTO cells VALUES (1, 'q1', 'baseline', 0, 2), (1, 'q1', 'baseline', 1, 3);
INSERT INTO grades VALUES
    (1, 'q1', 'baseline', 0, 'abcdef0123456789', 2, TRUE, 'graded', '4', '4', '', 0, 1),
    (1, 'q1', 'baseline', 0, '0000000000000000', 2, FALSE, 'graded', '4', '4', '', 0, 1),
    (1, 'q1', 'baseline', 1, 'abcdef0123456789', 1, NULL, 'error', NULL, NULL, '503', NULL, NULL);
"""

# What version 2 added: verdicts of people. Besides, a run that asks a model for paraphrases of the same item, whose
# cells had no row among the variants, and an item with characters that no database holds.
VERSION_2 = """
CREATE TABLE verdicts (run INTEGER NOT NULL, item_id TEXT NOT NULL, condition TEXT NOT NULL, repeat INTEGER NOT NULL,
    grader_key VARCHAR(16) NOT NULL, reply_id INTEGER NOT NULL, verdict VARCHAR(6) NOT NULL,
    judged_at VARCHAR(32) NOT NULL, PRIMARY KEY (run, item_id, condition, repeat, grader_key, reply_id),
    FOREIGN KEY(run) REFERENCES runs (number), FOREIGN KEY(reply_id) REFERENCES replies (id)) WITHOUT ROWID;
UPDATE meta SET value = '2' WHERE "key" = 'schema_version';
INSERT INTO verdicts VALUES
    (1, 'q1', 'baseline', 0, 'abcdef0123456789', 2, 'pass', '2026-01-02T00:00:00.000+00:00'),
    (1, 'q1', 'baseline', 0, 'abcdef0123456789', 1, 'none', '2026-01-02T00:00:01.000+00:00');
INSERT INTO suites VALUES (2, 'bb');
INSERT INTO items VALUES
    (2, 0, 'q1', '', '{"id":"q1","question":{"text":"2+2?"},"gold":{"texts":["4"]},"cluster":"","row":{}}'),
    (2, 1, 'escaped:\\u0000', '', 'escaped:{"id":"\\u005cu0000","question":{"text":"3\\ud800?"},"gold":{},"row":{}}');
INSERT INTO variants VALUES
    (2, 0, 'q1', 'baseline', 'applied', '',
     '{"item_id":"q1","condition":"baseline","generator":"baseline","version":1,"parameters":"{}","tier":"guaranteed",
       "outcome":"applied","reason":"","question":{"text":"2+2?"},"layout":{}}'),
    (2, 1, 'escaped:\\u0000', 'baseline', 'applied', '',
     '{"item_id":"\\u0000","condition":"baseline","generator":"baseline","version":1,"parameters":"{}",
       "tier":"guaranteed","outcome":"applied","reason":"","question":{"text":"3"},"layout":{}}');
INSERT INTO runs VALUES (2, 'old-20260103-000000-0000', 'old: paraphrase', 'ee', FALSE, 'complete', '',
    '2026-01-03T00:00:00.000+00:00', NULL, 2, 1, '{"name":"w"}', '{"name":"paraphrase"}', '1111111111111111', '{}', '',
    '', '0.1.0', '{}', 'host:1', '2026-01-03T00:00:00.000+00:00');
INSERT INTO replies VALUES (9, 2, '00000000000000000000000000000000000000000000000000000000000000ff', 'Two and two?',
    'stop', '', '', 'w', NULL, NULL, 0.125, 1, NULL, NULL, '2026-01-03T00:00:00.001+00:00');
INSERT INTO cells VALUES (2, 'escaped:\\u0000', 'paraphrase.1', 1, 9), (2, 'q1', 'paraphrase.2', 0, 9);
INSERT INTO grades VALUES
    (2, 'q1', 'paraphrase.2', 0, '1111111111111111', 9, TRUE, 'graded', NULL, 'Two and two?', '', NULL, NULL);
"""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.db"
    fill(path, VERSION_1)
    return path


@contextmanager
def written(path: Path) -> Iterator[Connection]:
    """A connection to the database that keeps the store of a path, as an older prt would have one."""
    engine = database.connect(database.store_url(str(path), base=Path()), 5.0)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def fill(path: Path, script: str) -> None:
    """Execute statements as an older prt would have."""
    with written(path) as connection:
        if connection.dialect.name == "postgresql":
            script = script.replace(" WITHOUT ROWID", "")
            for number in ("number", "id"):
                script = script.replace(f"\n    {number} INTEGER NOT NULL", f"\n    {number} SERIAL NOT NULL")
        for statement in script.strip().removesuffix(";").split(";\n"):
            connection.exec_driver_sql(statement)


def test_a_version_1_store_is_read_as_it_was_written(old: Path) -> None:
    with open_store(str(old)) as store:
        run = load_run(store, "old")
        item = Item("q1", Question("2+2?"), Gold(texts=("4",)), cluster="even", row={"b": 1, "a": None})
        baseline = Variant(
            "q1", "baseline", "baseline", 1, "{}", "guaranteed", "applied", "", Question("2+2?"), Layout()
        )
        assert (run.record.id, run.record.state, run.record.repeats) == ("old-20260101-000000-0000", "complete", 2)
        assert list(run.items()) == [item]
        assert next(run.variants()) == baseline
        assert [variant.outcome for variant in run.variants()] == ["applied", "not_applicable"]
        answered = Reply("4", "stop", "", "two and two", "m-1", 9, 1, 0.25)
        assert list(run.results()) == [
            Result("q1", "baseline", 0, answered, Grade(True, "graded", "4", "4", span=(0, 1))),  # noqa: FBT003 - a record in its own order
            Result("q1", "baseline", 1, Reply("\ud800", latency_s=0.5), None),
        ]


@pytest.fixture
def older(old: Path) -> Path:
    """A store of version 2."""
    fill(old, VERSION_2)
    return old


def test_a_version_2_store_names_its_cells_by_numbers(older: Path) -> None:
    with open_store(str(older)) as store, store.reading() as connection:

        def rows(wanted: str) -> list[tuple[object, ...]]:
            return [tuple(row) for row in connection.exec_driver_sql(wanted)]

        assert rows("SELECT run, variant, repeat, reply_id FROM cells ORDER BY run, variant, repeat") == [
            (1, 0, 0, 2),
            (1, 0, 1, 3),
            (2, 2, 0, 9),
            (2, 3, 1, 9),
        ]
        assert rows(
            "SELECT run, variant, repeat, grader_key, reply_id, status FROM grades ORDER BY run, variant, repeat, 4"
        ) == [
            (1, 0, 0, "0000000000000000", 2, "graded"),
            (1, 0, 0, "abcdef0123456789", 2, "graded"),
            (1, 0, 1, "abcdef0123456789", 1, "error"),
            (2, 2, 0, "1111111111111111", 9, "graded"),
        ]
        assert rows("SELECT id, cell_key, created_at FROM replies WHERE id IN (2, 9) ORDER BY id") == [
            (2, bytes.fromhex("0123456789abcdef" * 2), 1767225631000),
            (9, bytes(16), 1767398400001),
        ]
        assert rows("SELECT variant, reply_id, verdict FROM verdicts ORDER BY reply_id") == [
            (0, 1, "none"),
            (0, 2, "pass"),
        ]


def test_what_a_model_was_asked_to_write_gets_a_row_among_the_variants(older: Path) -> None:
    with open_store(str(older)) as store:
        run = StoredRun(store, every_run(store)["old-20260103-000000-0000"])
        made = list(run.variants())
        assert [(each.item_id, each.condition, each.outcome, each.question.text) for each in made[2:]] == [
            ("q1", "paraphrase.2", "not_applicable", "2+2?"),
            ("\0", "paraphrase.1", "not_applicable", "3\ud800?"),
        ]
        assert [(row.item_id, row.condition, row.repeat) for row in run.results()] == [
            ("q1", "paraphrase.2", 0),
            ("\0", "paraphrase.1", 1),
        ]


def every_run(store: Store) -> dict[str, RunRecord]:
    """All runs, those that write paraphrases too, by their ids."""
    with store.reading() as connection:
        return {row["id"]: RunRecord(**row) for row in connection.execute(select(*COLUMNS)).mappings()}


def test_replies_of_an_older_store_have_no_fingerprint_and_take_one_now(older: Path) -> None:
    with open_store(str(older)) as store, store.reading() as connection:
        run = load_run(store, "old")
        assert {result.reply.fingerprint for result in run.results()} == {""}
        assert list_baselines(store) == []
        assert connection.exec_driver_sql("SELECT count(*) FROM nights").scalar_one() == 0
    with open_store(str(older)) as store:
        run = load_run(store, "old")
        store.owner = run.record.owner
        add_results(store, run.record, [NewReply("ab" * 32, Reply("5", fingerprint="fp_1"))], [])
        set_baseline(store, "main", run.record)
        with store.reading() as connection:
            assert connection.exec_driver_sql("SELECT max(fingerprint) FROM replies").scalar_one() == "fp_1"
        assert [each.run.id for each in list_baselines(store)] == ["old-20260101-000000-0000"]


def test_severities_get_a_column_of_their_own(old: Path) -> None:
    variant = {"item_id": "q1", "condition": "typo.2", "severity": 0.25, "question": {"text": "2+\ud800"}}
    payload = storable(json.dumps(variant, ensure_ascii=False))
    assert payload.startswith("escaped:")
    with written(old) as connection:
        adding = "INSERT INTO variants VALUES (1, 2, 'q1', 'typo.2', 'applied', '', :payload)"
        connection.execute(text(adding), {"payload": payload})
    with open_store(str(old)) as store:
        read = read_variants(load_run(store, "latest"))
    assert dict(zip(read.conditions, read.severities, strict=True)) == {
        "baseline": None,
        "typo.1": None,
        "typo.2": 0.25,
    }


def test_an_upgraded_store_has_the_columns_and_keys_of_a_new_one(old: Path, tmp_path: Path) -> None:
    with open_store(str(old)) as upgraded, open_store(str(tmp_path / "new.db")) as new:
        assert shape(upgraded) == shape(new)


def shape(store: Store) -> dict[str, object]:
    """Columns with their types, primary keys and references of each table."""
    with store.reading() as connection:
        inspector = inspect(connection)
        return {
            table: (
                [(column["name"], str(column["type"]), column["nullable"]) for column in inspector.get_columns(table)],
                inspector.get_pk_constraint(table)["constrained_columns"],
                sorted((key["referred_table"], key["referred_columns"]) for key in inspector.get_foreign_keys(table)),
                sorted(str(index["column_names"]) for index in inspector.get_indexes(table)),
                sorted(str(unique["column_names"]) for unique in inspector.get_unique_constraints(table)),
            )
            for table in inspector.get_table_names()
        }


def test_the_released_steps_lead_to_the_current_version_without_a_gap() -> None:
    assert [step.version for step in MIGRATIONS] == list(range(2, SCHEMA_VERSION + 1))


def step(version: int, name: str, *statements: str) -> Migration:
    def apply(connection: Connection) -> None:
        for statement in statements:
            connection.exec_driver_sql(statement)

    return Migration(version, name, apply)


NEXT = SCHEMA_VERSION + 1
ADD = step(NEXT, "add", "ALTER TABLE runs ADD COLUMN note TEXT")
FILL = step(NEXT + 1, "fill", "UPDATE runs SET note = 'from ' || name")
HALF_DONE = step(
    NEXT + 1,
    "half done",
    "UPDATE runs SET note = 'lost'",
    "ALTER TABLE runs ADD COLUMN half TEXT",
    "UPDATE nowhere SET x = 1",
)


def test_steps_are_taken_in_order_from_the_stores_own_version(old: Path) -> None:
    with open_store(str(old)) as store:
        migrate(store.writing, SCHEMA_VERSION, migrations=[ADD, FILL], target=NEXT + 1)
        with store.reading() as connection:
            assert version_of(connection) == NEXT + 1
            assert connection.exec_driver_sql("SELECT note FROM runs").scalar_one() == "from old"
        migrate(store.writing, NEXT + 1, migrations=[ADD, FILL], target=NEXT + 1)


def test_a_step_that_fails_is_undone_and_those_before_it_stay(old: Path) -> None:
    with open_store(str(old)) as store:
        told = rf"schema {NEXT + 1} \(half done\) failed and was undone: .*nowhere"
        with pytest.raises(StoreError, match=told):
            migrate(store.writing, SCHEMA_VERSION, migrations=[ADD, HALF_DONE], target=NEXT + 1)
        with store.reading() as connection:
            assert version_of(connection) == NEXT
            assert connection.exec_driver_sql("SELECT note FROM runs").scalar_one() is None


def test_a_step_that_another_process_took_meanwhile_is_not_taken_again(old: Path) -> None:
    with open_store(str(old)) as store:
        migrate(store.writing, SCHEMA_VERSION, migrations=[ADD], target=NEXT)
        migrate(store.writing, SCHEMA_VERSION, migrations=[ADD, FILL], target=NEXT + 1)
        with store.reading() as connection:
            assert version_of(connection) == NEXT + 1


def test_a_newer_store_is_refused_before_anything_is_done(old: Path) -> None:
    with (
        open_store(str(old)) as store,
        pytest.raises(Refused, match=rf"written by a newer prt \(schema {NEXT + 2}; this prt knows"),
    ):
        migrate(store.writing, NEXT + 2, migrations=[ADD, FILL], target=NEXT + 1)


def test_a_version_1_store_gets_a_place_for_what_people_say_of_grades(old: Path) -> None:
    with open_store(str(old)) as store, store.reading() as connection:
        assert version_of(connection) == SCHEMA_VERSION
        assert connection.exec_driver_sql("SELECT count(*) FROM verdicts").scalar_one() == 0
        assert connection.exec_driver_sql("SELECT count(*) FROM grades").scalar_one() == 3
