"""How many cores may be used."""

import os
from pathlib import Path

import pytest
from prt.runner.models.cores import usable_cores


@pytest.mark.parametrize(
    ("limit", "usable"),
    [
        ("200000 100000", 2),
        ("250000 100000", 2),
        ("50000 100000", 1),
        ("max 100000", 8),
        ("6400000 100000", 8),
        ("odd", 8),
        (None, 8),
    ],
)
def test_a_container_s_limit_counts_where_it_is_below_what_the_scheduler_grants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str | None, usable: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    path = tmp_path / "cpu.max"
    if limit is not None:
        path.write_text(limit)
    assert usable_cores(path) == usable


def test_there_is_always_one() -> None:
    assert 1 <= usable_cores() <= (os.cpu_count() or 1)
