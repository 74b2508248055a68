"""The process that the crash test kills: whole runs against an OpenAI-compatible endpoint, by the public functions.

It imports once, then forks for each line of its input, `STORE BASE_URL TOKEN`. It prints the number of the forked
process, and how that ended.
"""

import asyncio
import os
import sys
import traceback
from pathlib import Path

import aiohttp  # noqa: F401 - imported before the fork, so that each run starts at once
import prt.runner.models.openai  # noqa: F401 - as above
from prt.runner.config.models import OpenAIModel
from prt.runner.engine.running import run_cells
from prt.runner.engine.stopping import Stop
from prt.runner.models.base import open_model
from prt.runner.plan import count_cells, plan_cells
from prt.runner.store.database import open_store
from prt.runner.store.runs import RunSpec, open_run

from ..run_fakes import FakeGrader, World, make_world

CONCURRENCY = 8


def crash_world() -> World:
    """120 cells of prompts that all differ."""
    return make_world(30, 3)


async def run_to_the_end(path: str, base_url: str, token: str) -> bool:
    """Begin or resume the run in this store, settle what is missing, and say whether it is complete."""
    config = OpenAIModel(name="m", base_url=base_url, api_key_env=None)
    world, grader = crash_world(), FakeGrader()
    async with open_model(config, base=Path(), env={}, progress=lambda _line: None) as model:
        with open_store(path) as store:
            spec = RunSpec(name="crash", model=model.identity(), grader=grader.identity())
            run = open_run(store, spec, items=world.items, variants=world.all_variants(), token=token)
            summary = await run_cells(
                plan_cells(world.items, world.variants, identity=model.identity()),
                model=model,
                grader=grader,
                store=store,
                run=run,
                total=count_cells(world.items, world.variants),
                concurrency=CONCURRENCY,
                give_up_after=None,
                stop=Stop(),
            )
    return summary.complete


def forked(path: str, base_url: str, token: str) -> int:
    """Run in a process of its own, whose number this gives; it ends with 0 if the run is complete."""
    number = os.fork()
    if number:
        return number
    code = 1
    try:
        code = 0 if asyncio.run(run_to_the_end(path, base_url, token)) else 2
    except BaseException:  # noqa: BLE001 - a forked process must end here, whatever happened
        traceback.print_exc()
    os._exit(code)


if __name__ == "__main__":
    for line in sys.stdin:
        child = forked(*line.split())
        print(child, flush=True)  # noqa: T201 - the answer to the test
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)  # noqa: T201 - as above
