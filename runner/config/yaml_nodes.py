"""A YAML file as a tree that knows where each of its values stands and how it is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from .yaml_scalars import Bent, Plain

KeyPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """A place in the file, 1-based, in characters."""

    line: int = 1
    column: int = 1


@dataclass(frozen=True, slots=True)
class ScalarNode:
    """A text, number, truth value or null.

    Attributes:
        value: What it means; the text itself where it is quoted.
        raw: Its text as the file has it, without the quotes.
        quoted: Whether it stands in quotes or in a block of text (`|`, `>`).
        mark: Where it starts.
        path: The keys that lead to it, as the user wrote them.
        template: Its text before `${VAR}` was filled in; None where there was nothing to fill.
        variables: The environment variables in it.
        implied: Whether it stands nowhere in the file.
    """

    value: Plain | Bent
    raw: str
    quoted: bool = False
    mark: Mark = Mark()
    path: KeyPath = ()
    template: str | None = None
    variables: tuple[str, ...] = ()
    implied: bool = False


@dataclass(frozen=True, slots=True)
class ListNode:
    """A list; `flow` where it is written in [ ]."""

    items: tuple["Node", ...]
    flow: bool = False
    mark: Mark = Mark()
    path: KeyPath = ()


@dataclass(frozen=True, slots=True)
class MapNode:
    """A mapping; `keys` says where each key stands, `flow` that it is written in { }."""

    entries: Mapping[str, "Node"]
    keys: Mapping[str, Mark] = field(default_factory=dict)
    flow: bool = False
    mark: Mark = Mark()
    path: KeyPath = ()


Node = ScalarNode | ListNode | MapNode


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: at which key, where, and the sentence."""

    path: KeyPath
    mark: Mark
    message: str


def plain(node: Node) -> object:
    """The data of a tree: dict, list, text, number, bool, None; a `Bent` scalar stays one."""
    if isinstance(node, MapNode):
        return {key: plain(value) for key, value in node.entries.items()}
    if isinstance(node, ListNode):
        return [plain(item) for item in node.items]
    return node.value


def walk(node: Node) -> Iterator[Node]:
    """Every node of a tree, parents first."""
    yield node
    if not isinstance(node, ScalarNode):
        for part in node.entries.values() if isinstance(node, MapNode) else node.items:
            yield from walk(part)


def dotted(path: KeyPath) -> str:
    """A key path as people write it: `perturbations[2].typo.rate`."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return text.removeprefix(".")
