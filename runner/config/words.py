"""A config in words: what a key takes, by its JSON Schema, and what was found there."""

import re
from collections.abc import Callable, Mapping, Sequence

from pydantic import JsonValue as Json

from ..suggest import listed, shown
from .secret_literals import masked
from .yaml_nodes import ListNode, MapNode, Node, ScalarNode
from .yaml_scalars import Bent, reading, resolve

Schema = Mapping[str, Json]

BRIEF = 40
"""Characters of a value that a message writes out as it should be."""

PERCENT = 100

_ONE = {"integer": "a whole number", "number": "a number", "boolean": "true or false", "null": "nothing"}
_MANY = {"integer": "whole numbers", "number": "numbers", "boolean": "truth values", "string": "texts"}
_BOUNDS = (
    ("minimum", "of at least"),
    ("exclusiveMinimum", "above"),
    ("maximum", "up to"),
    ("exclusiveMaximum", "below"),
)


def is_null(node: Node) -> bool:
    """Whether the key has nothing behind it, or `null`."""
    return isinstance(node, ScalarNode) and node.value is None and not node.quoted


def found(node: Node) -> str:
    """What stands at a node: its text as the file has it, cut and without secrets; never what the environment holds."""
    if isinstance(node, ListNode):
        return "a list" if node.items else "an empty list"
    if isinstance(node, MapNode):
        return "a block" if node.entries else "an empty block"
    if not node.raw:
        return "an empty text" if node.quoted else "nothing"
    return shown(masked(node.template or node.raw))


def describe(schema: Schema) -> str:
    """What a key takes, as words that follow "expected"."""
    variants = _variants(schema)
    if variants:
        return _or([describe(variant) for variant in variants if variant.get("type") != "null"])
    words = [schema["const"]] if "const" in schema else _list(schema.get("enum"))
    return listed(map(str, words)) if words else _DESCRIBERS.get(str(schema.get("type")), _value)(schema)


def _value(schema: Schema) -> str:
    return f"{_ONE.get(str(schema.get('type')), 'a value')}{_range(schema)}"


def _text(schema: Schema) -> str:
    return "one character" if schema.get("maxLength") == 1 else "text"


def takes_null(schema: Schema) -> bool:
    """Whether the key may be null."""
    return schema.get("type") == "null" or any(takes_null(variant) for variant in _variants(schema))


def kinds(schema: Schema) -> set[str]:
    """The JSON types that a key takes; `word` where it is one of a few words."""
    variants = _variants(schema)
    if variants:
        return set().union(*(kinds(variant) for variant in variants))
    return {"word" if "const" in schema or "enum" in schema else str(schema.get("type", ""))}


def _variants(schema: Schema) -> list[Schema]:
    variants = schema.get("anyOf") or schema.get("oneOf") or []
    return [variant for variant in _list(variants) if isinstance(variant, dict)]


def _list(value: Json) -> Sequence[Json]:
    return value if isinstance(value, list) else []


def _or(parts: list[str]) -> str:
    unique = list(dict.fromkeys(parts))
    return " or ".join([", ".join(unique[:-1]), unique[-1]] if len(unique) > 1 else unique)


def _array(schema: Schema) -> str:
    items = schema.get("items")
    if not isinstance(items, dict):
        return "a list"
    what = _MANY.get(str(items.get("type"))) if "enum" not in items else describe(items)
    what = what or _or([_MANY[kind] for kind in sorted(kinds(items)) if kind in _MANY])
    return f"a list of {what or 'blocks'}" + (" (at least one)" if schema.get("minItems") else "")


def _object(schema: Schema) -> str:
    required = [str(key) for key in _list(schema.get("required", []))]
    if required:
        return f"a block with {listed(required, 'and')}"
    properties = schema.get("properties")
    if isinstance(properties, dict):
        return f"a block with keys such as {listed(list(properties)[:3])}"
    return "a block of `key: value` lines"


_DESCRIBERS: dict[str, Callable[[Schema], str]] = {"array": _array, "object": _object, "string": _text}


def _range(schema: Schema) -> str:
    if "minimum" in schema and "maximum" in schema:
        return f" from {_number(schema['minimum'])} to {_number(schema['maximum'])}"
    words = [f"{word} {_number(schema[key])}" for key, word in _BOUNDS if key in schema]
    return "".join(f" {'and ' if at else ''}{word}" for at, word in enumerate(words))


def _number(value: Json) -> str:
    return f"{value:g}" if isinstance(value, int | float) else str(value)


def advice(node: Node, schema: Schema) -> str:
    """What YAML made of an unquoted value, where that is no news to the reader, and how to write what was meant."""
    wanted = kinds(schema)
    if not isinstance(node, ScalarNode):
        return _brackets(node) if "string" in wanted else ""
    if node.template is not None:
        return _from_environment(node, wanted)
    if node.quoted:
        return _in_quotes(node, wanted)
    if isinstance(node.value, Bent):
        return _bent(node.value, wanted)
    if "string" in wanted and not isinstance(node.value, str) and node.raw:
        return f", which YAML reads as {reading(node.value)}; write {_in_single(node.raw)}"
    return _otherwise(node, schema, wanted)


def _otherwise(node: ScalarNode, schema: Schema, wanted: set[str]) -> str:
    """What people write who come from other tools."""
    if wanted - {"null"} == {"array"} and 0 < len(node.raw) <= BRIEF:
        return f"; write `[{masked(node.raw)}]`"
    if takes_null(schema) and node.raw.lower() in {"auto", "none", "default", "unlimited"}:
        return "; leave the key out for that"
    if "number" in wanted and _is_share(schema) and isinstance(node.value, int | float) and 1 < node.value <= PERCENT:
        return f"; {node.value:g} percent, or points, are `{node.value / PERCENT:g}`"
    if "number" in wanted and (percent := re.fullmatch(r"([0-9.]{1,9})\s?%", node.raw)):
        value = resolve(percent[1])
        return f"; write `{value / PERCENT:g}`" if isinstance(value, int | float) else ""
    return ""


def _is_share(schema: Schema) -> bool:
    """Whether the key takes a share, so that a number above 1 was meant in percent."""
    tops = [each.get(key) for each in (schema, *_variants(schema)) for key in ("maximum", "exclusiveMaximum")]
    return 1 in tops


def _brackets(node: ListNode | MapNode) -> str:
    """`{labels}` and `[A-D]` without quotes are no text in YAML."""
    if not node.flow or len(node.entries if isinstance(node, MapNode) else node.items) != 1:
        return ""
    if isinstance(node, ListNode):
        return "; text with [ ] needs quotes"
    only = next(iter(node.entries))
    return f"; text with {{ }} needs quotes: '{{{only}}}'" if is_null(node.entries[only]) else ""


def _from_environment(node: ScalarNode, wanted: set[str]) -> str:
    if node.variables and not {"string", "word"} & wanted:
        return "; an environment variable gives text, and this key takes none"
    return ", which is empty" if node.value == "" else ""


def _in_quotes(node: ScalarNode, wanted: set[str]) -> str:
    if wanted == {"array"} and 0 < len(node.raw) <= BRIEF and "'" not in node.raw:
        return f"; write `['{masked(node.raw)}']`"
    value = resolve(node.raw)
    if isinstance(value, bool):
        fits = "boolean" in wanted
    else:
        fits = isinstance(value, int | float) and bool({"integer", "number"} & wanted)
    return " in quotes; leave the quotes out" if fits else ""


def _bent(value: Bent, wanted: set[str]) -> str:
    told = f", which YAML reads as {value.reading}"
    if "string" in wanted:
        return f"{told}; write {_in_single(value.raw)}"
    if "boolean" in wanted and isinstance(value.value, bool):
        return f"; write `{str(value.value).lower()}`"
    if {"integer", "number"} & wanted and isinstance(value.value, int) and not isinstance(value.value, bool):
        return f"{told}; write `{value.value}` without the leading zero"
    return told


def ambiguous(value: Bent) -> str:
    """The sentence for a bent value where anything goes (`params`, `body`)."""
    what, instead = shown(value.raw), f"{_in_single(value.raw)} for text"
    if isinstance(value.value, bool):
        return f"{what} is ambiguous in YAML; write {instead}, or `{str(value.value).lower()}` for the truth value"
    if value.value is not None:
        return f"{what} is ambiguous in YAML; write {instead}, or `{value.value}` for the number"
    return f"{what} is ambiguous: YAML reads it as {value.reading}; write {instead}"


def _in_single(raw: str) -> str:
    return f"'{raw}' in quotes" if len(raw) <= BRIEF else "it in quotes"
