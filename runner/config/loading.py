"""Loading a config file: strict YAML, `${VAR}`, short forms, validation; all that is wrong is said at once."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from pydantic import ValidationError

from ..errors import ConfigError, Problem
from ..suggest import printable
from .environment import fill
from .foreign import ADVICE, recognise
from .loaded import LoadedConfig
from .messages import explain
from .public import origin, public_nodes
from .schema import Config
from .secret_literals import literal_secrets
from .short_forms import expand
from .show import Row, resolved
from .strict_yaml import YamlError, parse
from .words import ambiguous
from .yaml_files import read_text
from .yaml_nodes import Fault, KeyPath, MapNode, Mark, Node, ScalarNode, dotted, plain, walk
from .yaml_scalars import Bent

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
    faults += literal_secrets(root)
    filled, more = fill(root, env)
    faults += more
    long, more = expand(filled, path.stem.encode(errors="replace").decode())
    faults += more
    config, more = _validate(long)
    faults += unless_known(more, faults)
    faults += still_bent(long, faults)
    if config is None or faults:
        raise ConfigError(*problems_of(faults, path))
    return _loaded(config, long, path)


def read_tree(text: str, path: Path) -> tuple[MapNode, list[Fault]]:
    """The tree of a file that is a config at least by its outline, and what is wrong with its YAML.

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
    raise ConfigError(*problems_of([broken], path))


def _no_config(root: Node | None) -> Fault:
    if root is None or (isinstance(root, ScalarNode) and not root.raw):
        return Fault((), Mark(), f"the file is empty; {ADVICE}")
    kind = {MapNode: "an empty block", ScalarNode: "a text"}.get(type(root), "a list")
    return Fault((), root.mark, f"expected `key: value` lines at the top level, found {kind}; {ADVICE}")


def _validate(long: MapNode) -> tuple[Config | None, list[Fault]]:
    try:
        return Config.model_validate(plain(long)), []
    except ValidationError as error:
        return None, list(explain(error, long))


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


def _loaded(config: Config, long: MapNode, path: Path) -> LoadedConfig:
    nodes = dict(public_nodes(long))
    templates = {
        keys: node.template
        for keys, node in nodes.items()
        if isinstance(node, ScalarNode) and node.template is not None
    }
    found = {dotted(keys): origin(node) for keys, node in nodes.items()}
    return LoadedConfig(config, path, {key: place for key, place in found.items() if place}, templates)
