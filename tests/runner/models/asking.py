"""What the tests of all providers share: time that passes at once, and short ways to open and ask."""

import asyncio
import random
from collections.abc import Callable, Mapping
from pathlib import Path

from prt.perturbations.question import Message
from prt.runner.config.schema import ModelConfig, OpenAIModel, RetryConfig
from prt.runner.models.base import Model, open_model
from prt.runner.models.pace import Pace
from prt.runner.models.throttle import Limits
from prt.runner.records import Reply, Request

KEY = "sk-canary-0123456789"


class FakeTime:
    """A clock that moves only by sleeping.

    Attributes:
        slept: Every wait so far, in seconds.
    """

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.slept: list[float] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.seconds += seconds

    def pace(self, *, now: float = 0.0) -> Pace:
        return Pace(clock=lambda: self.seconds, now=lambda: now, sleep=self.sleep, rng=random.Random(1))  # noqa: S311  jitter


def request(text: str = "Which one?", *, system: str = "", item_id: str = "1", condition: str = "baseline") -> Request:
    """One user message, after a system message where there is one."""
    first = (Message("system", system),) if system else ()
    return Request((*first, Message("user", text)), item_id=item_id, condition=condition)


def opened(
    config: ModelConfig,
    *,
    time: FakeTime | None = None,
    base: Path | None = None,
    limits: Limits | None = None,
    told: list[str] | None = None,
) -> Model:
    """Open a model in an environment that holds the key and nothing else."""
    env: Mapping[str, str] = {"OPENAI_API_KEY": KEY}
    pace = (time or FakeTime()).pace()
    progress = (told if told is not None else []).append
    return open_model(config, base=base or Path(), env=env, progress=progress, pace=pace, limits=limits)


def replies(model: Model, *requests: Request) -> list[Reply]:
    """Ask one request after the other."""

    async def run() -> list[Reply]:
        async with model:
            return [await model.ask(each) for each in requests]

    return asyncio.run(run())


def reply(model: Model, asked: Request | None = None) -> Reply:
    """Ask once."""
    return replies(model, asked or request())[0]


def chat(base_url: str, **settings: object) -> OpenAIModel:
    """The config of an endpoint under test; two attempts."""
    return OpenAIModel.model_validate(
        {"name": "asked-model", "base_url": base_url, "retry": RetryConfig(retries=1), **settings}
    )


async def until(condition: Callable[[], object]) -> None:
    """Wait until another process or thread has got somewhere."""
    async with asyncio.timeout(20):
        while not condition():  # noqa: ASYNC110  nobody over there could set an event
            await asyncio.sleep(0.01)
