"""Opening the model that a config names: each section of the config has one provider that makes it."""

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ..config.schema import ModelConfig, ModelSection
from ..masking import keep_secrets
from .discreet import Discreet, model_secrets
from .model import Model
from .pace import Pace
from .throttle import Limits

__all__ = ["Model", "Progress", "Surroundings", "adaptations_of", "open_model", "provider"]

Progress = Callable[[str], None]


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
        A model whose `identity()` is known, and whose replies hold none of its secrets; nothing was called, started or
        fetched yet.

    Raises:
        ModelError: Something it needs is missing (a key, a file, a function), with what to do about it.
    """
    secrets = frozenset(filter(None, model_secrets(config, env)))
    keep_secrets(secrets)
    if config.provider not in _OPENERS:
        importlib.import_module(f".{config.provider}", __package__)
    time = pace or Pace()
    surroundings = Surroundings(base=base, env=env, progress=progress, pace=time, limits=limits or Limits(pace=time))
    model = _OPENERS[config.provider](config, surroundings)
    return Discreet(model, secrets) if secrets else model


def adaptations_of(model: Model) -> tuple[str, ...]:
    """What a model changed of the parameters that it was given, since the endpoint refused them, a sentence each.

    It may grow as long as the model is asked, so look at it at the end of a run.
    """
    found: tuple[str, ...] = getattr(model, "adaptations", ())
    return found
