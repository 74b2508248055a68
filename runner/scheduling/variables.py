"""Which environment variables a config needs, and what for."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue as Json

from ..config.loaded import LoadedConfig
from ..config.loading import load_config
from ..config.schema import OpenAIModel
from ..config.section import Section
from ..errors import ConfigError
from ..suggest import printable

S = TypeVar("S", bound=Section)
NAMES_A_VARIABLE = "_env"
"""How the keys end whose value is the name of a variable."""
UNSET = "https://unset.invalid"
"""Stands for what is not set here: nights have an environment of their own."""
HUB = "hf://"


@dataclass(frozen=True, slots=True, order=True)
class Variable:
    """An environment variable.

    Attributes:
        name: Its name.
        what: What it is for, in a few words.
        required: Whether nothing goes without it.
    """

    name: str
    what: str
    required: bool = True


class _Assumed(dict[str, str]):
    """An environment in which every variable is set."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return UNSET


def load_unset(path: Path, env: Mapping[str, str]) -> LoadedConfig:
    """Load a config whose variables need not be set here.

    Raises:
        ConfigError: All that is wrong with it, as `load_config`.
    """
    try:
        return load_config(path, env=_Assumed(env))
    except ConfigError:
        load_config(path, env=env)  # says what is wrong by the values that there are
        raise


def variables_of(loaded: LoadedConfig) -> list[Variable]:
    """The variables that a config names, in the order in which it does, and those that stand in for what it leaves out.

    Each stands there once; the required ones come first.
    """
    found: dict[str, Variable] = {}
    for variable in (*_named(loaded), *_implied(loaded)):
        found.setdefault(variable.name, variable)
    return sorted(found.values(), key=lambda each: not each.required)


def _named(loaded: LoadedConfig) -> Iterator[Variable]:
    yield from _by_key(loaded.public(), "")
    for key, origin in sorted(loaded.origins.items(), key=lambda known: -known[0].count(".")):  # the keys before blocks
        yield from (Variable(name, f"part of `{printable(key)}`") for name in origin.variables)


def _by_key(value: Json, key: str) -> Iterator[Variable]:
    """The variables that keys of a block, and of the blocks in it, name."""
    if isinstance(value, dict):
        for name, inner in value.items():
            below = f"{key}.{name}" if key else name
            if name.endswith(NAMES_A_VARIABLE) and isinstance(inner, str):
                yield Variable(inner, f"named by `{printable(below)}`")
            else:
                yield from _by_key(inner, below)
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield from _by_key(inner, f"{key}[{at}]")


def _implied(loaded: LoadedConfig) -> Iterator[Variable]:
    for model in blocks_of(loaded.config, OpenAIModel):
        if model.azure is not None:
            if model.azure.endpoint is None:
                yield Variable("AZURE_OPENAI_ENDPOINT", "address of the Azure resource")
            if model.azure.api_version is None:
                yield Variable("OPENAI_API_VERSION", "version of Azure's interface")
        elif model.base_url is None:
            yield Variable("OPENAI_BASE_URL", "address of the endpoint; OpenAI's own without it", required=False)
    if loaded.config.dataset.path.startswith(HUB):
        yield Variable("HF_TOKEN", "for data sets of the Hugging Face hub that need a login", required=False)
    yield Variable("PRT_STORE", "results database, instead of the config's", required=False)


def blocks_of(value: object, kind: type[S]) -> Iterator[S]:
    """The blocks of a kind in a block of a config, itself included."""
    if isinstance(value, Section):
        if isinstance(value, kind):
            yield value
        for name in type(value).model_fields:
            yield from blocks_of(getattr(value, name), kind)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from blocks_of(inner, kind)
