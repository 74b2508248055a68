"""Gates in a file of their own, or in a whole config, for a run that is stored already."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import Field

from ..errors import ConfigError, Problem
from .environment import fill
from .gates import GateConfig
from .loading import origins_of, problems_of, read_tree, validated
from .section import Section
from .yaml_files import read_text

ADVICE = "a file of gates has the list `gates:`, as a config has (docs/gates.md)"


class GatesSection(Section):
    """The gates of a file."""

    gates: list[GateConfig] = Field(min_length=1)
    """What a run must show."""


@dataclass(frozen=True, slots=True)
class LoadedGates:
    """Gates, and where they stand.

    Attributes:
        gates: The gates.
        path: The file.
        lines: The line of each key, by its dotted name.
    """

    gates: list[GateConfig]
    path: Path
    lines: Mapping[str, int]

    def placed(self, error: ConfigError) -> ConfigError:
        """The same error, its problems with the file and the line."""
        return ConfigError(
            *(replace(each, path=str(self.path), line=self.lines.get(each.key)) for each in error.problems)
        )


def load_gates(path: Path, *, env: Mapping[str, str]) -> LoadedGates:
    """Load the gates of a file; of a whole config the rest is not looked at.

    Args:
        path: The file.
        env: Environment variables, for `${VAR}`.

    Raises:
        ConfigError: It has none, or mistakes in them.
    """
    whole, faults = read_tree(read_text(path), path, advice=ADVICE)
    if "gates" not in whole.entries:
        raise ConfigError(Problem(f"there are no gates in this file; {ADVICE}", path=str(path)))
    root = replace(whole, entries={"gates": whole.entries["gates"]})
    filled, more = fill(root, env)
    own = [*(fault for fault in faults if fault.path[:1] in {(), ("gates",)}), *more]
    found = validated(GatesSection, filled, own)
    if found is None or own:
        raise ConfigError(*problems_of(own, path))
    return LoadedGates(found.gates, path, {key: origin.line for key, origin in origins_of(root).items()})
