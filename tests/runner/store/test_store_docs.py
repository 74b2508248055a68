"""The description of the store: it names what is there, and its queries run."""

import re
from pathlib import Path

import pytest
from prt.runner.store.lease import LEASE_S
from prt.runner.store.schema import metadata
from sqlalchemy import Table, text

from ..run_fakes import Bench, FakeModel

DOCUMENT = (Path(__file__).parents[3] / "docs" / "store.md").read_text(encoding="utf-8")
QUERIES = re.findall(r"```sql\n(.*?)```", DOCUMENT, re.DOTALL)


@pytest.mark.parametrize("table", metadata.sorted_tables, ids=lambda table: table.name)
def test_each_table_is_described_with_all_its_columns(table: Table) -> None:
    row = next(line for line in DOCUMENT.splitlines() if line.startswith(f"| `{table.name}` |"))
    named = set(re.findall(r"`(\w+)`", row.split("|")[3])) - {"prt", "application", "schema_version"}
    assert named == {column.name for column in table.columns}


def test_each_query_gives_rows(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "prt.db")
    bench.run(FakeModel())
    assert len(QUERIES) == 3
    with bench.open() as store, store.reading() as connection:
        rates, replies, tokens = [connection.execute(text(query)).all() for query in QUERIES]
    assert [tuple(row) for row in rates] == [("baseline", 4, 1.0), ("typo.1", 4, 0.0)]
    assert [tuple(row) for row in replies] == [("baseline", 0, "1", None), ("typo.1", 0, "?", None)]
    assert [row[1:] for row in tokens] == [(40, 8)]


def test_the_time_after_which_a_run_can_be_taken_over_is_the_real_one() -> None:
    assert f"watched for up to {LEASE_S:.0f} seconds" in " ".join(DOCUMENT.split())
