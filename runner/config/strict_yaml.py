"""YAML read strictly: a tree of texts, numbers, lists and mappings, or one sentence for each thing that is wrong.

Nothing is constructed (no tags), nothing overrides another (no duplicate or merge keys), nothing bends silently
(`yaml_scalars`). Anchors and aliases are plain repetition.
"""

import bisect
import re
from dataclasses import dataclass, replace

import yaml

from .yaml_messages import MERGE, TAG, explain
from .yaml_nodes import Fault, KeyPath, ListNode, MapNode, Mark, Node, ScalarNode
from .yaml_scalars import resolve

MAX_DEPTH = 40
MAX_NODES = 20_000  # also stops aliases of aliases, which double with every line

_HIDDEN_BREAK = re.compile(r"[\x85\u2028\u2029]")  # folded to a space in some places, kept in others
_SURROGATE_PAIR = re.compile(r"[\ud800-\udbff][\udc00-\udfff]")  # how JSON escapes what lies beyond U+FFFF


@dataclass(frozen=True, slots=True)
class Document:
    """A file's content, None where there is none, and what is wrong with it besides its syntax."""

    root: Node | None
    faults: tuple[Fault, ...] = ()


class YamlError(Exception):
    """The text is no YAML that could be read at all."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


def parse(text: str) -> Document:
    """Read a YAML text.

    Args:
        text: The whole file, without a byte order mark.

    Returns:
        The tree, with the faults that leave it readable, such as tags and duplicate keys.

    Raises:
        YamlError: The syntax is broken, or the file is no single document of a bearable size.
    """
    lines = _Lines(text)
    loader = _loader(text, lines)
    composer = _Composer(loader, lines)
    try:
        return Document(composer.document(), tuple(composer.faults))
    except yaml.MarkedYAMLError as error:
        message, index = explain(error, text)
    except (ValueError, OverflowError):  # PyYAML asks `chr` for a character that Unicode doesn't have
        message = "an escape here names no character; put the text in single quotes, '…', which know no escapes"
        index = loader.get_mark().index
    finally:
        loader.dispose()
    raise YamlError(Fault((), lines.mark(index), message))


def _loader(text: str, lines: "_Lines") -> yaml.SafeLoader:
    hidden = _HIDDEN_BREAK.search(text)
    if hidden:
        code = ord(hidden[0])
        message = (
            f'the character U+{code:04X} ends a line in YAML; remove it, or write "\\u{code:04X}" in double quotes'
        )
        raise YamlError(Fault((), lines.mark(hidden.start()), message))
    try:
        return yaml.SafeLoader(text)
    except yaml.reader.ReaderError as error:
        message = f"the character U+{error.character:04X} is not allowed in YAML; remove it"
        raise YamlError(Fault((), lines.mark(error.position), message)) from None


class _Lines:
    """Where the lines start."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in re.finditer(r"\r\n|\n|\r", text))]

    def mark(self, index: int) -> Mark:
        line = bisect.bisect_right(self._starts, index)
        return Mark(line, index - self._starts[line - 1] + 1)

    def comment_after(self, event: yaml.Event) -> bool:
        """Whether a comment of several `#`, which may be meant as text (`#### (.+)`), follows on the same line."""
        return event.end_mark is not None and bool(re.compile(r"[ \t]*##").match(self._text, event.end_mark.index))


class _Composer:
    """Turns PyYAML's events into a tree."""

    def __init__(self, loader: yaml.SafeLoader, lines: _Lines) -> None:
        self._loader = loader
        self._lines = lines
        self._anchors: dict[str, Node] = {}
        self._left = MAX_NODES
        self.faults: list[Fault] = []

    def document(self) -> Node | None:
        self._next()  # the stream starts
        if isinstance(self._next(), yaml.StreamEndEvent):
            return None
        root = self._node(self._next(), (), 0)
        self._next()  # the document ends
        further = self._next()
        if isinstance(further, yaml.DocumentStartEvent):
            raise self._stop(further, "a second document starts here (`---`); a config is one document")
        return root

    def _next(self) -> yaml.Event:
        event: yaml.Event = self._loader.get_event()  # type: ignore[no-untyped-call]  # so in the stubs of PyYAML
        return event

    def _mark(self, event: yaml.Event) -> Mark:
        return self._lines.mark(event.start_mark.index if event.start_mark else 0)

    def _stop(self, event: yaml.Event, message: str) -> YamlError:
        return YamlError(Fault((), self._mark(event), message))

    def _fault(self, path: KeyPath, mark: Mark, message: str) -> None:
        self.faults.append(Fault(path, mark, message))

    def _node(self, event: yaml.Event, path: KeyPath, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self._stop(event, f"this is nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.AliasEvent):
            return self._repeat(event, path)
        if not isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent):
            raise TypeError(f"PyYAML gave {event!r} where a value starts")
        self._count(event)
        if event.tag is not None:
            self._fault(path, self._mark(event), TAG.replace("{tag}", _short_tag(event.tag)))
        node = self._scalar(event, path) if isinstance(event, yaml.ScalarEvent) else self._parts(event, path, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _parts(self, event: yaml.CollectionStartEvent, path: KeyPath, depth: int) -> Node:
        into = self._map if isinstance(event, yaml.MappingStartEvent) else self._list
        return into(event, path, depth)

    def _count(self, event: yaml.Event) -> None:
        self._left -= 1
        if self._left < 0:
            raise self._stop(event, f"the file holds more than {MAX_NODES:,} values; a config is a small file")

    def _repeat(self, event: yaml.AliasEvent, path: KeyPath) -> Node:
        if event.anchor not in self._anchors:
            message = f"`*{event.anchor}` repeats no anchor above; text that starts with `*` needs quotes"
            raise self._stop(event, message)
        return self._moved(self._anchors[event.anchor], path, event)

    def _moved(self, node: Node, path: KeyPath, event: yaml.AliasEvent) -> Node:
        self._count(event)
        if isinstance(node, ListNode):
            items = tuple(self._moved(item, (*path, at), event) for at, item in enumerate(node.items))
            return replace(node, items=items, path=path)
        if isinstance(node, MapNode):
            entries = {key: self._moved(value, (*path, key), event) for key, value in node.entries.items()}
            return replace(node, entries=entries, path=path)
        return replace(node, path=path)

    def _scalar(self, event: yaml.ScalarEvent, path: KeyPath) -> ScalarNode:
        mark = self._mark(event)
        quoted = event.style is not None
        text = _SURROGATE_PAIR.sub(_joined, event.value)
        if re.search(r"[\x00\ud800-\udfff]", text):
            self._fault(path, mark, "this text holds a null character or half a surrogate pair; remove the escape")
        if not quoted and not text and self._lines.comment_after(event):
            self._fault(path, mark, "found nothing, since `#` starts a comment; put text with a `#` in quotes")
        return ScalarNode(text if quoted else resolve(text), text, quoted, mark, path)

    def _list(self, start: yaml.CollectionStartEvent, path: KeyPath, depth: int) -> ListNode:
        items: list[Node] = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event, (*path, len(items)), depth + 1))
        return ListNode(tuple(items), bool(start.flow_style), self._mark(start), path)

    def _map(self, start: yaml.CollectionStartEvent, path: KeyPath, depth: int) -> MapNode:
        entries: dict[str, Node] = {}
        keys: dict[str, Mark] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._key(event, path, depth)
            value = self._node(self._next(), (*path, key), depth + 1)
            if key in entries:
                first = f"line {keys[key].line}, column {keys[key].column}"
                self._fault((*path, key), self._mark(event), f"this key is given twice, first at {first}; keep one")
            else:
                entries[key], keys[key] = value, self._mark(event)
        return MapNode(entries, keys, bool(start.flow_style), self._mark(start), path)

    def _key(self, event: yaml.Event, path: KeyPath, depth: int) -> str:
        node = self._node(event, path, depth + 1)
        if not isinstance(node, ScalarNode) or (not node.quoted and node.value is None):
            self._fault(path, self._mark(event), "a key must be a text; put text with `:`, `[` or `{` in quotes")
            return ""
        if node.raw == "<<" and not node.quoted:
            self._fault((*path, "<<"), self._mark(event), MERGE)
        return node.raw


def _joined(pair: re.Match[str]) -> str:
    return pair[0].encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def _short_tag(tag: str) -> str:
    return "!!" + tag.removeprefix("tag:yaml.org,2002:") if tag.startswith("tag:yaml.org,2002:") else tag
