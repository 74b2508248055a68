"""A model as it is asked for paraphrases: entered when it is first asked, and each sample drawn anew."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_hash
from ..config.generators import given_params
from ..config.schema import LocalModel, ModelConfig
from ..models.base import Model, adaptations_of
from ..records import Reply, Request

SEED_BYTES = 4
BYTES_PER_TOKEN = 2
LEAST_TOKENS = 96
"""Room for the JSON around a paraphrase and for what a small model says besides."""

Extra = Callable[[Request], Mapping[str, Json]]


class LateModel:
    """A model that is not started, fetched or connected to before it is asked: replies may all be there already.

    Attributes:
        name: The model's.
        concurrency: The model's.
    """

    def __init__(self, model: Model, extra: Extra) -> None:
        """Wrap a model that is not entered yet.

        Args:
            model: The model.
            extra: Gives further parameters of a request.
        """
        self.name = model.name
        self.concurrency = model.concurrency
        self._model = model
        self._extra = extra
        self._entering = asyncio.Lock()
        self._is_entered = False

    @property
    def adaptations(self) -> tuple[str, ...]:
        """Parameters that the model did not take, and what was done, a sentence each."""
        return adaptations_of(self._model)

    def identity(self) -> dict[str, Json]:
        """The model's."""
        return self._model.identity()

    async def __aenter__(self) -> Self:
        """There is nothing to do yet."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the model, if it was entered."""
        if self._is_entered:
            await self._model.__aexit__(kind, error, trace)

    async def ask(self, request: Request) -> Reply:
        """Ask the model, as `Model.ask` says; also raises what entering it raises."""
        async with self._entering:
            if not self._is_entered:
                await self._model.__aenter__()
                self._is_entered = True
        return await self._model.ask(replace(request, params={**request.params, **self._extra(request)}))


def nothing_else(_: Request) -> Mapping[str, Json]:
    """No further parameters."""
    return {}


def sampling(config: ModelConfig) -> Extra:
    """What makes each sample another one, and the same again where the model allows it.

    A fixed `seed` would give one paraphrase again and again, so it is only where each call's own seed starts from. A
    local model always has one, so its paraphrases can be made again; and as it may ramble, its reply is cut off where
    it is far longer than the question.

    Args:
        config: The paraphraser's config.
    """
    params = given_params(config)
    seed = params.get("seed", 0)

    def extra(request: Request) -> Mapping[str, Json]:
        prompt = [[message.role, message.content] for message in request.messages]
        drawn = canonical_hash("prt.sample", [seed, prompt, request.condition, request.repeat])
        own: dict[str, Json] = {"seed": int.from_bytes(drawn[:SEED_BYTES]) >> 1}
        if isinstance(config, LocalModel):
            return {"max_tokens": longest_reply(request), **params, **own}
        return own if "seed" in params else {}

    return extra


def longest_reply(request: Request) -> int:
    """Tokens that suffice for a paraphrase of what is quoted in a request.

    One for two bytes: in English twice as long as the question, which is as long as may be, and in scripts of three
    bytes a letter half as long again.
    """
    quoted = max((line for line in request.messages[-1].content.split("\n") if line.startswith('"')), key=len)
    return LEAST_TOKENS + len(quoted.encode()) // BYTES_PER_TOKEN
