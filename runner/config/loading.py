"""Loading a config file: strict YAML, `${VAR}`, short forms, validation; all that is wrong is said at once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from ..errors import ConfigError, Problem
from ..suggest import printable
from .environment import fill
from .foreign import ADVICE, recognise
from .kinds import refuse_other_kind
from .loaded import LoadedConfig
from .messages import explain
from .origins import Origin, origin
from .public import public_nodes
from .schema import Config
from .secret_literals import literal_secrets
from .section import Section
from .short_forms import expand
from .show import Row, resolved
from .strict_yaml import YamlError, parse
from .words import ambiguous
from .yaml_files import read_text
from .yaml_nodes import Fault, KeyPath, MapNode, Mark, Node, ScalarNode, dotted, plain, walk
from .yaml_scalars import Bent

S = TypeVar("S", bound=Section)

__all__ = ["LoadedConfig", "Row", "load_config", "parse_config", "resolved"]


def load_config(path: Path | str, *, env: Mapping[str, str]) -> LoadedConfig:
    """Load a config file.

    Args:
        path: The YAML file.
        env: Environment variables, for `${VAR}`.

    Raises:
        ConfigError: All that is wrong with it, a sentence each with line, column and key, sorted by place.
    """
    file = Path(path)
    return parse_config(read_text(file), file, env=env)


def parse_config(text: str, path: Path, *, env: Mapping[str, str]) -> LoadedConfig:
    """Load a config from its text; `path` names it in messages and is where its relative paths start.

    Raises:
        ConfigError: As `load_config`.
    """
    root, faults = read_tree(text, path)
    refuse_other_kind(root, path, "run")
    faults += literal_secrets(root)
    filled, more = fill(root, env)
    faults += more
    long, more = expand(filled, path.stem.encode(errors="replace").decode())
    faults += more
    config = validated(Config, long, faults)
    if config is None or faults:
        raise ConfigError(*problems_of(faults, path))
    return LoadedConfig(config, path, origins_of(long), templates_of(long))


def read_tree(text: str, path: Path, *, advice: str = ADVICE) -> tuple[MapNode, list[Fault]]:
    """The tree of a file that is a config at least by its outline, and what is wrong with its YAML.

    Args:
        text: What the file holds.
        path: The file, as messages name it.
        advice: What a config of the wanted kind has, said where the file is none at all.

    Raises:
        ConfigError: It is no such file.
    """
    try:
        document = parse(text)
    except YamlError as error:
        broken = error.fault
    else:
        root = document.root
        other = recognise(root)
        if isinstance(root, MapNode) and root.entries and not other:
            return root, list(document.faults)
        broken = other or _no_config(root)
    raise ConfigError(*problems_of([replace(broken, message=broken.message.replace(ADVICE, advice))], path))


def _no_config(root: Node | None) -> Fault:
    if root is None or (isinstance(root, ScalarNode) and not root.raw):
        return Fault((), Mark(), f"the file is empty; {ADVICE}")
    kind = {MapNode: "an empty block", ScalarNode: "a text"}.get(type(root), "a list")
    return Fault((), root.mark, f"expected `key: value` lines at the top level, found {kind}; {ADVICE}")


def validated(schema: type[S], long: MapNode, faults: list[Fault]) -> S | None:
    """The config that a tree says, every block in its long form.

    Args:
        schema: What it has to be.
        long: The tree.
        faults: What is known to be wrong with it; what else is wrong is added.

    Returns:
        The config; None where it is none of this schema.
    """
    try:
        config, more = schema.model_validate(plain(long)), list[Fault]()
    except ValidationError as error:
        config, more = None, list(explain(error, long, schema))
    faults += unless_known(more, faults)
    faults += still_bent(long, faults)
    return config


def templates_of(long: MapNode) -> dict[KeyPath, str]:
    """The texts of a tree that held `${VAR}`, as the file has them, by the keys under which a config is shown."""
    return {
        keys: node.template
        for keys, node in public_nodes(long)
        if isinstance(node, ScalarNode) and node.template is not None
    }


def unless_known(faults: Iterable[Fault], known: Iterable[Fault]) -> list[Fault]:
    """The first fault of each key, without those whose cause is a fault that is already known at the key or below."""
    taken = {fault.path[:length] for fault in known for length in range(1, len(fault.path) + 1)}
    kept: dict[KeyPath, Fault] = {}
    for fault in faults:
        if fault.path not in taken:
            kept.setdefault(fault.path, fault)
    return list(kept.values())


def still_bent(long: MapNode, known: Iterable[Fault]) -> list[Fault]:
    """Bent values in free JSON, which no type refuses in words."""
    paths = {fault.path for fault in known}
    return [
        Fault(node.path, node.mark, ambiguous(node.value))
        for node in walk(long)
        if isinstance(node, ScalarNode) and isinstance(node.value, Bent) and not _within(node.path, paths)
    ]


def _within(path: KeyPath, paths: set[KeyPath]) -> bool:
    return any(path[:length] in paths for length in range(1, len(path) + 1))


def problems_of(faults: Iterable[Fault], path: Path) -> list[Problem]:
    """The faults of a file as problems, in the order of their places."""
    ordered = sorted(faults, key=lambda fault: fault.mark)
    return [_problem(fault, path) for fault in ordered]


def _problem(fault: Fault, path: Path) -> Problem:
    message, key = printable(fault.message), printable(dotted(fault.path))
    return Problem(message, str(path), fault.mark.line, fault.mark.column, key)


def origins_of(long: MapNode) -> dict[str, Origin]:
    """Where the values of a tree come from, by the dotted keys under which a config is shown."""
    found = {dotted(keys): origin(node) for keys, node in public_nodes(long)}
    return {key: place for key, place in found.items() if place}
