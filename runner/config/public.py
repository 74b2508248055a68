"""A config as it may be shown, stored and loaded again: `${VAR}` where the environment was asked, never its value."""

from collections.abc import Iterator, Mapping

from pydantic import JsonValue as Json

from .environment import escaped
from .schema import Config, ModelSection, Section
from .yaml_nodes import KeyPath, ListNode, MapNode, Node, ScalarNode

SHARED = ModelSection.model_fields


def public_dict(config: Config, templates: Mapping[KeyPath, str]) -> dict[str, Json]:
    """The whole config as a user would write it, every default said.

    Args:
        config: The config.
        templates: The texts that held `${VAR}`, by the keys of the result that lead to them.

    Returns:
        Plain data that loads to the same config again.
    """
    data = config.model_dump()
    data["model"] = {key: value for key, value in data["model"].items() if key not in SHARED} | data["model"]
    data["perturbations"] = [_entry(entry) for entry in data["perturbations"]]
    return {key: _as_written(value, (key,), templates) for key, value in data.items()}


def public_section(section: Section, templates: Mapping[KeyPath, str]) -> dict[str, Json]:
    """A whole file of another kind than a run's config, as a user would write it, every default said."""
    return {key: _as_written(value, (key,), templates) for key, value in section.model_dump().items()}


def _entry(steps: list[dict[str, Json]]) -> Json:
    written: list[Json] = [{str(step["name"]): step["config"]} for step in steps]
    return written[0] if len(written) == 1 else written


def written(value: Json) -> Json:
    """Plain data as a config file holds it: a `${` in its texts stands for itself."""
    return _as_written(value, (), {})


def _as_written(value: Json, path: KeyPath, templates: Mapping[KeyPath, str]) -> Json:
    if isinstance(value, dict):
        return {key: _as_written(part, (*path, key), templates) for key, part in value.items()}
    if isinstance(value, list):
        return [_as_written(part, (*path, at), templates) for at, part in enumerate(value)]
    return templates.get(path, escaped(value)) if isinstance(value, str) else value


def public_nodes(root: MapNode) -> Iterator[tuple[KeyPath, Node]]:
    """Every node of a config in its long form, with the keys that lead to it in `public_dict`."""
    for key, node in root.entries.items():
        yield from _perturbations(node) if key == "perturbations" else _below(node, (key,))


def _below(node: Node, path: KeyPath) -> Iterator[tuple[KeyPath, Node]]:
    yield path, node
    if isinstance(node, MapNode):
        for key, value in node.entries.items():
            yield from _below(value, (*path, key))
    elif isinstance(node, ListNode):
        for at, item in enumerate(node.items):
            yield from _below(item, (*path, at))


def _perturbations(node: Node) -> Iterator[tuple[KeyPath, Node]]:
    for at, entry in enumerate(node.items if isinstance(node, ListNode) else ()):
        steps = entry.items if isinstance(entry, ListNode) else ()
        for number, step in enumerate(steps):
            here: KeyPath = ("perturbations", at) if len(steps) == 1 else ("perturbations", at, number)
            if isinstance(step, MapNode) and isinstance(name := step.entries["name"], ScalarNode):
                yield from _below(step.entries["config"], (*here, name.raw))
