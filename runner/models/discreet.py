"""A model whose replies hold none of its secrets, whatever the endpoint sends back.

An endpoint, or what stands in between, may repeat the key that it was sent: in an error, a header, the name of the
model, or the answer itself. What is asked of a model is stored, reported and logged, so it is masked here, at the one
place that all replies come through.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ..config.schema import ModelConfig
from ..errors import FatalReplyError
from ..records import Reply, Request
from .model import Model
from .redaction import Redactor, body_secrets, custom_headers, header_secrets, is_no_word, lets_in, url_secrets

OPENAI_VARIABLES = ("OPENAI_", "AZURE_OPENAI_")
"""What the names of the variables begin with by which the `openai` package is set up."""


class Mask:
    """Hides secrets in what an endpoint says; has no repr that could show them."""

    def __init__(self, secrets: Iterable[str]) -> None:
        known = set(filter(None, secrets))
        self._in_messages = Redactor(known)
        self._in_answers = Redactor(filter(is_no_word, known))

    def message(self, text: str) -> str:
        """The text of an error without any secret."""
        return self._in_messages(text)

    def reply(self, reply: Reply) -> Reply:
        """The reply without any secret; what may be a word of an answer stays there."""
        if reply.error is not None:
            return replace(reply, error=replace(reply.error, message=self.message(reply.error.message)))
        redact = self._in_answers
        said = (
            reply.text,
            reply.reasoning,
            reply.refusal,
            reply.model,
            reply.finish_reason,
            reply.fingerprint,
        )
        if not any(map(redact.finds, said)):
            return reply
        return replace(
            reply,
            text=redact(reply.text),
            reasoning=redact(reply.reasoning),
            refusal=redact(reply.refusal),
            model=redact(reply.model),
            finish_reason=redact(reply.finish_reason),
            fingerprint=redact(reply.fingerprint),
        )


class Discreet:
    """A model, and what it must not say."""

    def __init__(self, model: Model, secrets: Iterable[str]) -> None:
        self.name = model.name
        self.concurrency = model.concurrency
        self._model = model
        self._mask = Mask(secrets)

    def __getattr__(self, name: str) -> object:
        """All else is the model's own."""
        return getattr(self._model, name)

    def identity(self) -> dict[str, Json]:
        """The model's own."""
        return self._model.identity()

    async def __aenter__(self) -> Self:
        """Get ready to be asked, as `Model` says."""
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of connections and processes."""
        await self._model.__aexit__(kind, error, trace)

    async def ask(self, request: Request) -> Reply:
        """Ask, as `Model.ask` says."""
        try:
            reply = await self._model.ask(request)
        except FatalReplyError as error:
            raise type(error)(self._mask.message(str(error))) from None
        return self._mask.reply(reply)


def model_secrets(config: ModelConfig, env: Mapping[str, str]) -> Iterator[str]:
    """What lets a caller in to a model: its key, and what its address, headers and body carry.

    Args:
        config: The model's section, `${VAR}` filled in.
        env: Environment variables.
    """
    key = getattr(config, "api_key_env", None)
    if key:
        yield env.get(key, "")
    if config.provider == "openai":
        yield from environment_secrets(env)
    for address in ("base_url", "url"):
        yield from url_secrets(getattr(config, address, None) or "")
    headers: Mapping[str, str] = getattr(config, "headers", {})
    yield from header_secrets({name: value for name, value in headers.items() if lets_in(name)})
    for block in ("params", "body"):
        yield from body_secrets(getattr(config, block, {}))


def environment_secrets(env: Mapping[str, str]) -> Iterator[str]:
    """What the variables of the `openai` package may carry: keys, a login, headers that let a caller in."""
    yield from (value for name, value in env.items() if name.startswith(OPENAI_VARIABLES) and lets_in(name))
    for name in ("OPENAI_BASE_URL", "AZURE_OPENAI_ENDPOINT"):
        yield from url_secrets(env.get(name, ""))
    headers = custom_headers(env)
    yield from header_secrets({name: value for name, value in headers.items() if lets_in(name)})
