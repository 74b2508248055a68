"""A config that was loaded, and where each of its values came from."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue as Json

from ..errors import ConfigError, Problem
from .origins import Origin
from .public import public_dict
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

    @contextmanager
    def placing(self) -> Iterator[None]:
        """Say where a key stands that is found to be wrong when the config is followed.

        Raises:
            ConfigError: The error met, its problems with the file and the line.
        """
        try:
            yield
        except ConfigError as error:
            raise ConfigError(*map(self._placed, error.problems)) from error

    def _placed(self, problem: Problem) -> Problem:
        if problem.path:
            return problem
        place = self.origins.get(problem.key)
        return replace(problem, path=str(self.path), line=None if place is None else place.line)
