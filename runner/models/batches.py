"""A model of an OpenAI-compatible endpoint as it is asked in batches: its requests as lines, and its Batch API."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Self

from yarl import URL

from ..config.models import BatchConfig
from ..config.schema import OpenAIModel, RetryConfig
from ..errors import FatalReplyError
from ..records import Request
from .batch_interface import COMPLETIONS, BatchInterface
from .batch_lines import Outcome, read_outcome, request_line
from .discreet import Mask, model_secrets
from .failure import FailedAttempt
from .openai_settings import Settings, read_settings
from .pace import Pace
from .redaction import Redactor
from .status import Endpoint
from .throttle import Caps, Limits

AT_ONCE = 4
"""Calls of the interface in flight at most; there are few."""


class Batches:
    """One model, asked in batches; a context manager around what is asked.

    Attributes:
        config: How batches are made and waited for.
        retry: Which requests are asked again, and how often.
        interface: The endpoint's Batch API.
        pace: Time and chance.
    """

    def __init__(
        self, config: OpenAIModel, settings: Settings, mask: Mask, pace: Pace, tell: Callable[[str], None]
    ) -> None:
        self.config = config.batch or BatchConfig()
        self.retry: RetryConfig = config.retry
        self.pace = pace
        self._model, self._params, self._mask = config.name, config.params, mask
        redact = Redactor(settings.secrets)
        self._endpoint = Endpoint(url=settings.public_url, key=settings.key_variable, model=config.name, redact=redact)
        throttle = Limits(Caps(concurrency=AT_ONCE), pace=pace).throttle(
            settings.public_url, longest_pause_s=config.total_timeout_s, tell=tell
        )
        self.interface = BatchInterface(
            config,
            root=root_of(settings.url),
            headers=dict(settings.headers),
            endpoint=replace(self._endpoint, model=""),
            throttle=throttle,
            pace=pace,
        )

    async def __aenter__(self) -> Self:
        """There is nothing to do: connections open with the first calls."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self.interface.close()

    def line(self, key: str, request: Request) -> bytes:
        """A request as a line of a file.

        Args:
            key: The key of its cell.
            request: The conversation.

        Raises:
            FailedAttempt: The prompt can't be sent.
        """
        return request_line(key, request, model=self._model, params=self._params, path=COMPLETIONS)

    def read(self, line: bytes) -> Outcome | None:
        """What came of a request, without any secret; None where the line can't be read.

        Raises:
            FatalReplyError: No request can work.
        """
        try:
            outcome = read_outcome(line, self._endpoint, self._params, self.pace.now())
        except FatalReplyError as error:
            raise type(error)(self._mask.message(str(error))) from None
        if outcome is not None and outcome.reply is not None:
            return replace(outcome, reply=self._mask.reply(outcome.reply))
        if outcome is not None and outcome.failure is not None:
            said = outcome.failure.error
            outcome.failure.error = replace(said, message=self._mask.message(said.message))
        return outcome

    def is_asked_again(self, failure: FailedAttempt, attempts: int) -> bool:
        """Whether a request that failed is asked in a further batch.

        Args:
            failure: How it failed.
            attempts: How often it was asked.
        """
        return failure.again and failure.error.kind in self.retry.errors and attempts <= self.retry.retries


def open_batches(
    config: OpenAIModel, *, env: Mapping[str, str], progress: Callable[[str], None], pace: Pace | None = None
) -> Batches:
    """Get ready to ask a model in batches; nothing is called.

    Args:
        config: The `model` section.
        env: Environment variables, for keys.
        progress: Told in a sentence what takes long.
        pace: Time and chance; the real ones where not given.

    Raises:
        ModelError: A key or an address is missing, or can't be one.
    """
    return Batches(config, read_settings(config, env), Mask(model_secrets(config, env)), pace or Pace(), progress)


def root_of(completions: str) -> str:
    """The root of an endpoint, by the address of its completions."""
    url = URL(completions)
    return str(url.with_path(url.raw_path.removesuffix("/chat/completions"), encoded=True, keep_query=True))
