"""Any OpenAI-compatible chat endpoint."""

from collections.abc import Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ..config.schema import OpenAIModel
from ..errors import ModelError
from ..records import Reply, Request
from .adaptation import ADAPTABLE, Adaptation
from .base import Surroundings, provider
from .chat import ChatClient, weight
from .failure import FailedAttempt
from .openai_settings import Settings, read_settings
from .redaction import Redactor, public_params
from .retry import Retrier
from .status import Endpoint


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint."""

    def __init__(self, config: OpenAIModel, settings: Settings, around: Surroundings) -> None:
        self.name = config.name
        self._config = config
        self._public_url = settings.public_url
        self._adaptation = Adaptation(config.name, around.progress)
        endpoint = Endpoint(
            url=settings.public_url,
            key=settings.key_variable,
            model=config.name,
            adaptable=frozenset() if config.adapt else ADAPTABLE,
            redact=Redactor(settings.secrets),
        )
        throttle = around.limits.throttle(
            settings.public_url, longest_pause_s=config.total_timeout_s, tell=around.progress
        )
        self.concurrency = throttle.most
        self._retrier = Retrier(config, around.pace, throttle)
        self._client = ChatClient(settings.url, endpoint, throttle, around.pace, headers=settings.headers)

    @property
    def adaptations(self) -> tuple[str, ...]:
        """The parameters that the model refused and that are changed therefore, a sentence each."""
        return self._adaptation.notes

    def identity(self) -> dict[str, Json]:
        """Endpoint, model and parameters."""
        return {
            "provider": "openai",
            "base_url": self._public_url,
            "name": self._config.name,
            "params": public_params(self._config.params),
        }

    async def __aenter__(self) -> Self:
        """There is nothing to do: connections open with the first calls."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._client.close()

    async def ask(self, request: Request) -> Reply:
        """Ask for a chat completion, as `Model.ask` says."""
        params = {**self._config.params, **request.params} if request.params else self._config.params
        sent: Mapping[str, Json] = params
        self._client.open()

        async def attempt() -> Reply:
            nonlocal sent
            sent = self._adaptation.applied(params)
            return await self._attempt(request, sent)

        asked = 0
        while True:
            reply = await self._retrier.ask(attempt, lambda: weight(request.messages, sent))
            if not self._is_worth_another(reply) or self._adaptation.applied(params) == sent:
                return replace(reply, attempts=reply.attempts + asked) if asked else reply
            asked += reply.attempts

    def _is_worth_another(self, reply: Reply) -> bool:
        return self._config.adapt and reply.error is not None and reply.error.kind == "bad_request"

    async def _attempt(self, request: Request, sent: Mapping[str, Json]) -> Reply:
        try:
            return await self._client.complete(self.name, request.messages, sent)
        except FailedAttempt as failure:
            if self._config.adapt:
                self._adaptation.learn(failure.refuses)
            raise


@provider(OpenAIModel)
def open_openai(config: OpenAIModel, surroundings: Surroundings) -> OpenAIChat:
    """Check the key, the address and the parameters.

    Raises:
        ModelError: The key is missing or can't be one, the address is none, or a parameter asks for several answers.
    """
    refuse_several_answers(config.params)
    return OpenAIChat(config, read_settings(config, surroundings.env), surroundings)


def refuse_several_answers(params: Mapping[str, Json]) -> None:
    """Refuse `n`, since only one answer of a call is read.

    Raises:
        ModelError: It asks for another number than one.
    """
    if params.get("n", 1) != 1:
        raise ModelError(
            f"model.params.n is {params['n']!r}, but one answer is read from each call; leave it out, and ask for "
            "further samples by the perturbation `rerun`."
        )
