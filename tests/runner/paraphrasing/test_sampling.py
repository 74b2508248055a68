"""A paraphraser is entered only when it is asked, and each sample of it is another draw that can be made again."""

import asyncio
from types import TracebackType
from typing import Self

import pytest
from prt.runner.config.schema import LocalModel, ModelConfig, OpenAIModel, PythonModel
from prt.runner.errors import ModelError
from prt.runner.paraphrasing.prompts import paraphrase_messages
from prt.runner.paraphrasing.sampling import LateModel, nothing_else, sampling
from prt.runner.records import Reply, Request

from ..run_fakes import FakeModel


class Doors(FakeModel):
    """Counts how often it is entered and left."""

    def __init__(self, *, locked: bool = False) -> None:
        super().__init__(self.yes)
        self.entered = self.left = 0
        self.locked = locked

    @staticmethod
    async def yes(_: Request) -> Reply:
        return Reply(text="yes")

    async def __aenter__(self) -> Self:
        await asyncio.sleep(0)
        if self.locked:
            raise ModelError("there is no model file")
        self.entered += 1
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.left += 1


def request(text: str = "Why?", *, number: int = 1, attempt: int = 0) -> Request:
    messages = paraphrase_messages(text, formality="kept", seed=0)
    return Request(messages, item_id="q", condition=f"paraphrase.{number}", repeat=attempt)


async def ask(model: Doors, times: int) -> None:
    async with LateModel(model, nothing_else) as late:
        await asyncio.gather(*(late.ask(request()) for _ in range(times)))


@pytest.mark.parametrize(("times", "entered"), [(0, 0), (1, 1), (5, 1)])
def test_a_model_is_entered_once_when_it_is_first_asked_and_left_if_it_was(times: int, entered: int) -> None:
    model = Doors()
    asyncio.run(ask(model, times))
    assert (model.entered, model.left, len(model.asked)) == (entered, entered, times)


def test_a_model_that_can_not_be_entered_says_so_when_asked() -> None:
    model = Doors(locked=True)
    with pytest.raises(ModelError, match="no model file"):
        asyncio.run(ask(model, 1))
    assert model.left == 0


def test_it_is_known_by_the_name_and_identity_of_the_model() -> None:
    model = Doors()
    late = LateModel(model, nothing_else)
    assert (late.name, late.concurrency, late.identity()) == (model.name, model.concurrency, model.identity())


def seeds(config: ModelConfig) -> list[object]:
    extra = sampling(config)
    asked = [request(), request(attempt=1), request(number=2), request("Who?")]
    return [extra(each).get("seed") for each in asked]


@pytest.mark.parametrize("config", [LocalModel(), OpenAIModel(name="m", params={"seed": 3})])
def test_each_sample_has_a_seed_of_its_own_and_the_same_again(config: ModelConfig) -> None:
    assert len(set(seeds(config))) == 4
    assert seeds(config) == seeds(config)
    assert all(isinstance(seed, int) and 0 <= seed < 2**31 for seed in seeds(config))


def test_another_seed_in_the_config_makes_other_samples() -> None:
    first, second = (seeds(OpenAIModel(name="m", params={"seed": seed})) for seed in (3, 4))
    assert not set(first) & set(second)


@pytest.mark.parametrize("config", [OpenAIModel(name="m"), PythonModel(callable="a:b")])
def test_an_endpoint_is_sent_no_seed_that_the_config_does_not_give(config: ModelConfig) -> None:
    assert sampling(config)(request()) == {}


def test_a_local_model_may_not_ramble_unless_the_config_lets_it() -> None:
    short, long = (sampling(LocalModel())(request(text))["max_tokens"] for text in ("Why?", "Why? " * 100))
    assert isinstance(short, int)
    assert isinstance(long, int)
    assert 96 < short < 110
    assert 96 + 250 <= long < 96 + 260
    assert sampling(LocalModel(params={"max_tokens": 7}))(request())["max_tokens"] == 7
