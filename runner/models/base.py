"""What every provider is to the rest of a run: something that turns a Request into a Reply."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self, TypeVar

from pydantic import JsonValue as Json

from ..config.schema import ModelConfig, ModelSection
from ..records import Reply, Request
from .pace import Pace
from .throttle import Limits

Progress = Callable[[str], None]


class Model(Protocol):
    """A model under test; opened once per run, asked by many workers at once.

    Attributes:
        name: What people are shown.
        concurrency: Calls that it can have in flight at most, by the limits it was opened with; more may be asked at
            once, and wait for their turn.
    """

    name: str
    concurrency: int

    def identity(self) -> dict[str, Json]:
        """All of the endpoint and model that decides a reply, without any secret; may be asked before entering."""
        ...

    async def __aenter__(self) -> Self:
        """Get ready to be asked.

        Raises:
            ModelError: Where that is not possible, with what to do about it.
        """
        ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Let go of connections and processes; never hangs."""
        ...

    async def ask(self, request: Request) -> Reply:
        """Ask, as often as the config's retries allow.

        Args:
            request: The messages. Its `params` are laid over those of the config.

        Returns:
            The reply. A call that failed in the end is a reply too, with `error` set.

        Raises:
            FatalReplyError: The endpoint refuses whatever is asked (bad key, no quota, unknown model).
        """
        ...


@dataclass(frozen=True, slots=True, repr=False)
class Surroundings:
    """What a provider may use besides its config.

    Attributes:
        base: The folder that relative paths in the config start from.
        env: Environment variables; the only place of secrets, so this has no repr.
        progress: Told in a sentence what takes long (a download, a model being loaded).
        pace: Time and chance of the retries.
        limits: How many calls each endpoint is given, shared by all models of a command.
    """

    base: Path
    env: Mapping[str, str]
    progress: Progress
    pace: Pace = field(default_factory=Pace)
    limits: Limits = field(default_factory=Limits)


M = TypeVar("M", bound=ModelSection)
_OPENERS: dict[str, Callable[..., Model]] = {}


def provider(section: type[M]) -> Callable[[Callable[[M, Surroundings], Model]], Callable[[M, Surroundings], Model]]:
    """Register what opens the models of one section of the config; its module is named as the provider."""
    name = str(section.model_fields["provider"].default)

    def register(opener: Callable[[M, Surroundings], Model]) -> Callable[[M, Surroundings], Model]:
        if name in _OPENERS:
            raise ValueError(f"the provider {name!r} is registered twice: {_OPENERS[name]!r} and {opener!r}")
        _OPENERS[name] = opener
        return opener

    return register


def open_model(
    config: ModelConfig,
    *,
    base: Path,
    env: Mapping[str, str],
    progress: Progress,
    pace: Pace | None = None,
    limits: Limits | None = None,
) -> Model:
    """Make the model that the config names; enter it (`async with`) before asking.

    Args:
        config: The `model` section.
        base: The folder that relative paths start from: the config file's.
        env: Environment variables, for keys.
        progress: Called with a sentence while something takes long.
        pace: Time and chance of the retries; the real ones where not given.
        limits: How many calls each endpoint is given: one object for all models of a command; without it no bound but
            what the endpoint bears.

    Returns:
        A model whose `identity()` is known; nothing was called, started or fetched yet.

    Raises:
        ModelError: Something it needs is missing (a key, a file, a function), with what to do about it.
    """
    if config.provider not in _OPENERS:
        importlib.import_module(f".{config.provider}", __package__)
    time = pace or Pace()
    surroundings = Surroundings(base=base, env=env, progress=progress, pace=time, limits=limits or Limits(pace=time))
    return _OPENERS[config.provider](config, surroundings)
