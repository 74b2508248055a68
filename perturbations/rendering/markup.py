"""Questions as XML, JSON and YAML: a writer and a reader each, so that it can be proven that both agree.

JSON and XML are read back by the standard library. YAML is written with each text as a JSON string, which is also a
double-quoted YAML scalar of the same value; its reader reads what is written here, not YAML at large.
"""

import json
from collections import deque
from html import escape
from typing import TYPE_CHECKING

from ..canonical import canonical_json, escaped
from .document import OPTIONS, Tree

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

INDENT = "  "


def write_json(tree: Tree) -> str:
    """Write the parts as a JSON object."""
    return escaped(json.dumps(nested(tree), ensure_ascii=False, indent=2))


def write_json_line(tree: Tree) -> str:
    """Write the parts as a JSON object in one line, without any space around its signs."""
    return escaped(json.dumps(nested(tree), ensure_ascii=False, separators=(",", ":")))


def nested(content: "str | Tree") -> object:
    """Give a tree as nested dicts."""
    return content if isinstance(content, str) else {name: nested(inner) for name, inner in content}


def read_json(text: str) -> Tree:
    """Read what `write_json` or `write_json_line` wrote."""
    tree: Tree = json.loads(text, object_pairs_hook=tuple)
    return tree


def write_yaml(tree: Tree) -> str:
    """Write the parts as a YAML mapping."""
    return "\n".join(yaml_lines(tree, ""))


def yaml_lines(tree: Tree, indent: str, *, quote: bool = False) -> list[str]:
    """Write one level of a mapping; labels are quoted, since YAML reads a bare 1 or n as something else."""
    lines = []
    for name, content in tree:
        key = indent + (canonical_json(name) if quote else name) + ":"
        if isinstance(content, str):
            lines.append(f"{key} {canonical_json(content)}")
        else:
            lines += [key, *yaml_lines(content, indent + INDENT, quote=is_options(name))]
    return lines


def read_yaml(text: str) -> Tree:
    """Read what `write_yaml` wrote."""
    return yaml_tree(deque(text.split("\n")), "")


def yaml_tree(lines: deque[str], indent: str) -> Tree:
    """Take the lines of one level off the front."""
    rows: list[tuple[str, str | Tree]] = []
    while lines and not lines[0].removeprefix(indent).startswith(" ") and lines[0].startswith(indent):
        key, _, value = lines.popleft().removeprefix(indent).partition(":")
        name = json.loads(key) if key.startswith('"') else key
        rows.append((name, json.loads(value) if value else yaml_tree(lines, indent + INDENT)))
    return tuple(rows)


def write_xml(tree: Tree) -> str:
    """Write the parts as the elements of a `<prompt>`, each option as `<option label="A">`."""
    return "\n".join(["<prompt>", *xml_lines(tree, INDENT), "</prompt>"])


def xml_lines(tree: Tree, indent: str) -> list[str]:
    """Write one level of elements."""
    lines = []
    for name, content in tree:
        if isinstance(content, str):
            lines.append(f"{indent}<{name}>{xml_text(content)}</{name}>")
        else:
            inner = xml_options(content, indent + INDENT) if is_options(name) else xml_lines(content, indent + INDENT)
            lines += [f"{indent}<{name}>", *inner, f"{indent}</{name}>"]
    return lines


def xml_options(options: Tree, indent: str) -> list[str]:
    """Write options with their labels as attributes."""
    return [f'{indent}<option label="{escape(label)}">{xml_text(str(text))}</option>' for label, text in options]


def xml_text(text: str) -> str:
    """Escape a text; a carriage return too, which XML readers would turn into a line feed."""
    return escape(text, quote=False).replace("\r", "&#13;")


def read_xml(text: str) -> Tree:
    """Read what `write_xml` wrote.

    Raises:
        ParseError: Where a text holds a character that XML can't hold.
    """
    from xml.etree.ElementTree import fromstring  # noqa: PLC0415 - few layouts are XML

    return tuple(xml_row(child) for child in fromstring(text))  # noqa: S314 - our own output, without a DTD


def xml_row(element: "Element") -> tuple[str, "str | Tree"]:
    """Give an element's name, or an option's label, with what it holds."""
    name = element.get("label", element.tag)
    return (name, tuple(xml_row(child) for child in element) if len(element) else element.text or "")


def is_options(name: str) -> bool:
    """Whether a written name, in any casing, is that of the options."""
    return name.lower() == OPTIONS
