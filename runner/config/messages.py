"""What pydantic found wrong, as sentences about the file: where, what was found, what is allowed, what to do."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from ..suggest import did_you_mean, listed
from .json_schema import Object, block_at, schema_at
from .keys import unknown_key
from .models import MODEL_PLACES
from .schema import PROVIDERS, Config
from .section import MISTAKE, Section
from .words import advice, describe, found
from .yaml_nodes import Fault, KeyPath, ListNode, MapNode, Node, ScalarNode, dotted


@dataclass(frozen=True, slots=True)
class Place:
    """Where an error is.

    Attributes:
        node: The deepest node that leads there.
        above: The block that holds it.
        long: The keys that lead to `node` in the long form.
        missing: The key that leads on from `node` and is not there.
        chosen: The providers and the generator on the way.
        root: The block that is the whole file.
    """

    node: Node
    above: MapNode | None
    long: KeyPath
    missing: str
    chosen: frozenset[str]
    root: type[Section]

    @property
    def schema(self) -> Object:
        """What is allowed there."""
        return schema_at(self.long, self.chosen, self.root) or {}


def explain(error: ValidationError, root: MapNode, section: type[Section] = Config) -> Iterator[Fault]:
    """Turn a validation error into faults, one sentence each.

    Args:
        error: The error of `section.model_validate(plain(root))`.
        root: The config in its long form.
        section: The block that is the whole file.

    Yields:
        Faults in pydantic's order; a key may come twice. Free JSON that is bent is left to the caller.
    """
    for details in error.errors(include_url=False):
        if details["type"] != "invalid-json-value":
            yield _fault(details, _place(root, details["loc"], section))


def _place(root: MapNode, loc: tuple[int | str, ...], section: type[Section]) -> Place:
    node: Node = root
    above: MapNode | None = None
    long: KeyPath = ()
    chosen = frozenset(_chosen(root, loc))
    for part in _keys(loc):
        below = _below(node, part)
        if below is None and str(part).startswith("<"):  # the shape of a value, as `config_dataset` tags it
            continue
        if below is None:
            return Place(node, above, long, str(part), chosen, section)
        above = node if isinstance(node, MapNode) else None
        node, long = below, (*long, part)
    return Place(node, above, long, "", chosen, section)


def _keys(loc: tuple[int | str, ...]) -> list[int | str]:
    """A location without the providers, which pydantic names as members of a union behind the key of a model."""
    keys: list[int | str] = []
    is_tag = False
    for part in loc:
        if is_tag and part in PROVIDERS:
            is_tag = False
            continue
        keys.append(part)
        is_tag = part in MODEL_PLACES
    return keys


def _below(node: Node, part: int | str) -> Node | None:
    if isinstance(node, MapNode):
        return node.entries.get(str(part))
    if isinstance(node, ListNode) and isinstance(part, int) and part < len(node.items):
        return node.items[part]
    return None


def _chosen(root: MapNode, loc: tuple[int | str, ...]) -> Iterator[str]:
    """The provider and the generator that decide what is allowed at a location."""
    node: Node | None = root
    for part in _keys(loc):
        node = _below(node, part) if node else None
        entries = node.entries if isinstance(node, MapNode) else {}
        named = entries.get("name" if "config" in entries else "provider")
        if isinstance(named, ScalarNode) and isinstance(named.value, str):
            yield named.value


def _fault(details: ErrorDetails, place: Place) -> Fault:
    if details["type"] == MISTAKE:
        return _own_mistake(details.get("ctx", {}), place)
    return _SPECIAL.get(details["type"], _wrong_value)(place)


def _own_mistake(context: Mapping[str, object], place: Place) -> Fault:
    """A sentence of the models' own, at the key that it names."""
    key, message = str(context["key"]), str(context["message"])
    at = _below(place.node, key)
    node = at or place.node
    if context["show"]:
        message += f", found {found(node)}"
    if context["detail"] and not (isinstance(node, ScalarNode) and node.variables):
        message += f": {context['detail']}"
    path = (*node.path, key) if key and at is None else node.path
    return Fault(path, node.mark, message)


def _missing(place: Place) -> Fault:
    schema = schema_at((*place.long, place.missing), place.chosen, place.root) or {}
    told = " ".join(str(schema.get("description", "")).split())
    message = f"this key is missing: {told or describe(schema)}".rstrip(".")
    return Fault((*place.node.path, place.missing), place.node.mark, message)


def _unknown(place: Place) -> Fault:
    block = block_at(place.long[:-1], place.chosen, place.above.entries if place.above else (), place.root)
    key = str(place.long[-1])
    message = unknown_key(key, list(block.keys), block.section, dotted(place.node.path[:-1]), place.root)
    mark = place.above.keys.get(key, place.node.mark) if place.above else place.node.mark
    return Fault(place.node.path, mark, message)


def _provider(place: Place) -> Fault:
    node = _below(place.node, "provider") or place.node
    word = node.raw if isinstance(node, ScalarNode) and node.template is None else ""
    message = f"expected {listed(PROVIDERS)}, found {found(node)}{did_you_mean(word, PROVIDERS)}"
    return Fault(node.path, node.mark, message)


def _wrong_value(place: Place) -> Fault:
    schema = place.schema
    message = f"expected {describe(schema)}, found {found(place.node)}{advice(place.node, schema)}"
    return Fault(place.node.path, place.node.mark, message)


def _wrong_word(place: Place) -> Fault:
    fault = _wrong_value(place)
    node, words = place.node, place.schema.get("enum")
    if not isinstance(node, ScalarNode) or node.template is not None or not isinstance(words, list):
        return fault
    return replace(fault, message=fault.message + did_you_mean(node.raw, map(str, words)))


_SPECIAL: dict[str, Callable[[Place], Fault]] = {
    "missing": _missing,
    "extra_forbidden": _unknown,
    "literal_error": _wrong_word,
    "union_tag_invalid": _provider,
}
