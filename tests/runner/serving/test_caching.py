"""What is kept for pages: worked out once, however many ask; never more than allowed; no failure."""

import asyncio

import pytest
from prt.runner.serving.caching import Kept


class Work:
    """Counts how often it is done, and waits until it is let go."""

    def __init__(self, *, fails: bool = False) -> None:
        self.done = 0
        self.fails = fails
        self.go = asyncio.Event()

    async def __call__(self) -> int:
        self.done += 1
        await self.go.wait()
        if self.fails:
            raise ValueError("no")
        return self.done


def test_many_who_ask_at_once_share_one_result() -> None:
    async def run() -> None:
        kept: Kept[int] = Kept(2)
        work = Work()
        asking = [asyncio.create_task(kept.get("a", work)) for _ in range(50)]
        await asyncio.sleep(0)
        asking[0].cancel()
        work.go.set()
        assert await asyncio.gather(*asking[1:]) == [1] * 49
        assert await kept.get("a", work) == 1

    asyncio.run(run())


def test_the_one_that_was_asked_for_last_stays() -> None:
    async def run() -> None:
        kept: Kept[int] = Kept(2)
        work = Work()
        work.go.set()
        for key in ("a", "b", "a", "c"):
            await kept.get(key, work)
        assert (work.done, len(kept)) == (3, 2)
        await kept.get("a", work)
        assert work.done == 3
        await kept.get("b", work)
        assert work.done == 4

    asyncio.run(run())


def test_a_failure_is_told_to_all_and_not_kept() -> None:
    async def run() -> None:
        kept: Kept[int] = Kept(2)
        work = Work(fails=True)
        asking = [asyncio.create_task(kept.get("a", work)) for _ in range(3)]
        await asyncio.sleep(0)
        work.go.set()
        found = await asyncio.gather(*asking, return_exceptions=True)
        assert [type(each) for each in found] == [ValueError] * 3
        assert (work.done, len(kept)) == (1, 0)
        with pytest.raises(ValueError, match="no"):
            await kept.get("a", work)
        assert work.done == 2

    asyncio.run(run())


def test_what_was_found_on_the_way_is_kept() -> None:
    async def run() -> None:
        kept: Kept[int] = Kept(1)
        kept.put("a", 7)
        kept.put("a", 8)
        assert await kept.get("a", Work()) == 7

    asyncio.run(run())
