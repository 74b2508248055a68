"""`${VAR}` in a config: filled in once, from the environment, in texts only; `$${` stands for a plain `${`."""

import re
from collections.abc import Mapping
from dataclasses import replace

from .yaml_nodes import Fault, ListNode, MapNode, Node, ScalarNode

_FIELD = re.compile(r"(?P<escape>\$\$\{)|\$\{(?P<name>[A-Za-z_][A-Za-z0-9_]*)\}|(?P<broken>\$\{[^}\n]{0,40}\}?)")


def fill(root: MapNode, env: Mapping[str, str]) -> tuple[MapNode, list[Fault]]:
    """Fill in the environment variables of a config.

    Args:
        root: The config as it was read.
        env: The environment.

    Returns:
        The config, each filled text with its template beside it, and a fault for each variable that can't be filled. A
        text with a fault keeps its template for a value.
    """
    faults: list[Fault] = []
    entries = {key: _fill(value, env, faults) for key, value in root.entries.items()}
    return replace(root, entries=entries), faults


def escaped(text: str) -> str:
    """A text as a config must write it so that nothing in it is filled in."""
    return text.replace("${", "$${")


def can_be_filled(text: str, env: Mapping[str, str]) -> bool:
    """Whether the environment has every variable that a text names."""
    return not any(_complaint(match, env) for match in _FIELD.finditer(text))


def _fill(node: Node, env: Mapping[str, str], faults: list[Fault]) -> Node:
    if isinstance(node, MapNode):
        return replace(node, entries={key: _fill(value, env, faults) for key, value in node.entries.items()})
    if isinstance(node, ListNode):
        return replace(node, items=tuple(_fill(item, env, faults) for item in node.items))
    if isinstance(node.value, str) and "${" in node.value:
        return _fill_text(node, node.value, env, faults)
    return node


def _fill_text(node: ScalarNode, template: str, env: Mapping[str, str], faults: list[Fault]) -> ScalarNode:
    complaint = next(filter(None, (_complaint(match, env) for match in _FIELD.finditer(template))), None)
    if complaint:
        faults.append(Fault(node.path, node.mark, complaint))
        return replace(node, template=template)
    value = _FIELD.sub(lambda match: "${" if match["escape"] else env[match["name"]], template)
    names = tuple(match["name"] for match in _FIELD.finditer(template) if match["name"])
    return replace(node, value=value, template=template, variables=names)


def _complaint(match: re.Match[str], env: Mapping[str, str]) -> str | None:
    if match["broken"]:
        hint = "write `${NAME}` with letters, digits and `_`, or `$${` for a plain `${`"
        return f"`{match['broken']}` is no variable; {hint}"
    name = match["name"]
    if name is None:
        return None
    if name not in env:
        return f"the environment variable `{name}` is not set; set it, or write `$${{` for a plain `${{`"
    if re.search(r"[\x00\ud800-\udfff]", env[name]):
        return f"the environment variable `{name}` holds bytes that are no UTF-8 text"
    return None
