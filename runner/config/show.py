"""The resolved config, row by row: each key, its value, and where that came from."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import yaml
from pydantic import JsonValue as Json

from .origins import Origin
from .yaml_nodes import KeyPath, dotted
from .yaml_scalars import resolve


class Row(NamedTuple):
    """One resolved value.

    Attributes:
        key: Dotted key, such as `perturbations[0].typo.rate`.
        value: The value as YAML on one line; `${VAR}` where the environment was asked.
        origin: `config.yaml:12`, `config.yaml:12 from ${VAR}`, `the file's name` or `default`.
    """

    key: str
    value: str
    origin: str


class Loaded(Protocol):
    """A config of any kind that was loaded from a file."""

    @property
    def path(self) -> Path | None:
        """The file; None where there is none."""
        ...

    @property
    def origins(self) -> Mapping[str, Origin]:
        """Where each value that the file gives stands, by dotted key."""
        ...

    def public(self) -> dict[str, Json]:
        """The config as it may be shown, every default said."""
        ...


def resolved(loaded: Loaded) -> list[Row]:
    """Every value of a config, defaults included, in the order of the schema."""
    return [
        Row(dotted(path), yaml_line(value), _origin(dotted(path), loaded))
        for path, value in _leaves(loaded.public(), ())
    ]


def _leaves(value: Json, path: KeyPath) -> Iterator[tuple[KeyPath, Json]]:
    """Values that fit on a line: scalars, lists of scalars, and what is empty."""
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _leaves(part, (*path, key))
    elif isinstance(value, list) and any(isinstance(part, dict | list) for part in value):
        for at, part in enumerate(value):
            yield from _leaves(part, (*path, at))
    else:
        yield path, value


def _origin(key: str, loaded: Loaded) -> str:
    origin = loaded.origins.get(key)
    if origin is None or loaded.path is None:
        return "the file's name" if key == "name" else "default"
    names = ", ".join(f"${{{name}}}" for name in origin.variables)
    return f"{loaded.path.name}:{origin.line}" + (f" from {names}" if names else "")


class _Dumper(yaml.SafeDumper):
    """Quotes every text that our reading of YAML would take for something else."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002  the signature is PyYAML's
        """Equal values are written out each time."""
        return True


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None if isinstance(resolve(text), str) else "'"
    if not text.isprintable():
        style = '"'  # escapes what would be taken for a line break
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text)


def to_yaml(value: Json) -> str:
    """Data as a YAML text that this package reads back to the same data."""
    return yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)


def yaml_line(value: Json) -> str:
    """Data as YAML on one line."""
    text = yaml.dump(value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**31, default_flow_style=True)
    return text.removesuffix("\n").removesuffix("\n...")
