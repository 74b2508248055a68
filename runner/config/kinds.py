"""Which kind of config a file is: that of a run, of a duel, or of a score."""

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from ..errors import ConfigError, Problem
from ..suggest import listed
from .schema import Config
from .section import Section
from .strict_yaml import YamlError, parse
from .yaml_files import read_text
from .yaml_nodes import MapNode

Kind = Literal["run", "duel", "score"]

MARKS: Mapping[Kind, frozenset[str]] = {
    "run": frozenset({"perturbations", "grade", "protect", "repeats", "analysis"}),
    "duel": frozenset({"prompts", "models", "dimensions"}),
    "score": frozenset({"sut", "generator", "num_pairs"}),
}
"""The keys by which a file is plainly of a kind."""
CALLED: Mapping[Kind, str] = {"run": "a run", "duel": "a duel", "score": "`prt score`"}
COMMANDS: Mapping[Kind, str] = {"run": "prt run", "duel": "prt duel", "score": "prt score ROWS --config"}


@cache
def sections() -> Mapping[Kind, type[Section]]:
    """The blocks that are a whole file."""
    from .duel import DuelConfig  # noqa: PLC0415 - the config of a run needs neither
    from .score import ScoreConfig  # noqa: PLC0415 - as above

    return {"run": Config, "duel": DuelConfig, "score": ScoreConfig}


def kind_of_file(path: Path) -> Kind:
    """Tell by its keys what a file configures; one that is no config at all counts as a run's, whose reader says so.

    Raises:
        ConfigError: The file can't be read.
    """
    try:
        root = parse(read_text(path)).root
    except YamlError:
        return "run"
    return kind_of(root.entries) if isinstance(root, MapNode) else "run"


def kind_of(keys: Iterable[str]) -> Kind:
    """Tell by its top-level keys what a file configures.

    It is a duel's or a score's if it has a key that only these have, and they know more of its keys than a run does.
    """
    given = set(keys)
    if given <= Config.model_fields.keys():
        return "run"
    known: dict[Kind, int] = {kind: len(given & section.model_fields.keys()) for kind, section in sections().items()}
    fitting: list[Kind] = [kind for kind in sections() if kind == "run" or given & own_keys(kind)]
    return max(fitting, key=lambda kind: known[kind])


def own_keys(kind: Kind) -> set[str]:
    """The top-level keys that no other kind of config has."""
    others = (section.model_fields.keys() for other, section in sections().items() if other != kind)
    return set(sections()[kind].model_fields).difference(*others)


def refuse_other_kind(root: MapNode, path: Path, wanted: Kind) -> None:
    """Refuse the config of another command with one sentence, rather than each of its keys.

    Raises:
        ConfigError: The file is plainly the config of something else.
    """
    keys = root.entries.keys()
    kind = kind_of(keys)
    marks = keys & MARKS[kind]
    if kind == wanted or not marks or keys & MARKS[wanted] & own_keys(wanted):
        return
    message = f"by {listed(sorted(marks), 'and')} this is the config of {CALLED[kind]}; the command for it is "
    raise ConfigError(Problem(f"{message}`{COMMANDS[kind]} {path}`", str(path), root.mark.line, root.mark.column))
