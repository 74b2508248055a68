"""What can be shrunk: only conditions that can are named as those that flip an item."""

import asyncio
from pathlib import Path

import pytest
from prt.runner.errors import UsageError
from prt.runner.records import Reply, Request
from prt.runner.shrinking.case import flipped_case
from prt.runner.store.read import load_run

from ..run_fakes import Bench, FakeModel
from ..test_analysis import world_of


@pytest.mark.parametrize(
    ("wrong", "said"),
    [({"rerun.1", "typo.1"}, '"q1" flips under `typo.1`.'), ({"rerun.1"}, '"q1" flips under no condition to shrink.')],
)
def test_a_refusal_names_no_condition_that_would_be_refused_too(tmp_path: Path, wrong: set[str], said: str) -> None:
    async def answer(request: Request) -> Reply:
        await asyncio.sleep(0)
        return Reply(text="wrong" if request.condition in wrong else request.item_id[1:])

    bench = Bench(tmp_path / "prt.db", world_of({"typo.1": [], "rerun.1": []}, items=2))
    bench.run(FakeModel(answer), max_error_rate=1.0)
    with bench.open() as store, pytest.raises(UsageError) as refused:
        flipped_case(load_run(store, "latest"), "q1", "rerun.1")
    assert str(refused.value).endswith(said)
