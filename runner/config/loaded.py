"""A config that was loaded, and where each of its values came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue as Json

from .public import Origin, public_dict
from .schema import Config
from .yaml_nodes import KeyPath


@dataclass(frozen=True, slots=True, repr=False)
class LoadedConfig:
    """A config and the file that it came from. Its `config` may hold secrets; `public()` and its repr don't.

    Attributes:
        config: The whole config, `${VAR}` filled in.
        path: The file.
        origins: Where each value that the file gives stands, by the dotted keys of `public()`.
        templates: The texts that held `${VAR}`, as the file has them, by the keys of `public()`.
    """

    config: Config
    path: Path
    origins: Mapping[str, Origin]
    templates: Mapping[KeyPath, str]

    def __repr__(self) -> str:
        return f"LoadedConfig({str(self.path)!r})"

    def public(self) -> dict[str, Json]:
        """The config as it may be shown and stored, every default said; it loads to the same config again."""
        return public_dict(self.config, self.templates)

    @property
    def base(self) -> Path:
        """The folder that relative paths in the config start from: the config file's."""
        return self.path.parent
