"""Where the values of a config come from."""

from dataclasses import dataclass

from .yaml_nodes import Node, ScalarNode, walk


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a value comes from.

    Attributes:
        line: 1-based line in the config file.
        variables: The environment variables in it.
    """

    line: int
    variables: tuple[str, ...] = ()


def origin(node: Node) -> Origin | None:
    """Where a node comes from; None where it stands nowhere in the file."""
    if isinstance(node, ScalarNode) and node.implied:
        return None
    names = [name for part in walk(node) if isinstance(part, ScalarNode) for name in part.variables]
    return Origin(node.mark.line, tuple(dict.fromkeys(names)))
