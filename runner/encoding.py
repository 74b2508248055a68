"""Items and variants as JSON text and back: what spools and stores hold, and what hashes are computed from."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields
from functools import partial
from hashlib import sha256
from typing import Any

from pydantic import JsonValue as Json

from ..perturbations.bundle import lines_of
from ..perturbations.canonical import canonical_json, escaped, json_text
from ..perturbations.decode import decode
from ..perturbations.question import Attachment, Gold, Question
from ..perturbations.variant import Variant
from .records import Item
from .spool import Groups, Spool

IN_ORDER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
"""Keeps the order of keys: a grader or a template of the user's may see that of a row."""
READERS: Mapping[str, Callable[[Any], Any]] = {
    "question": partial(decode, Question),
    "gold": partial(decode, Gold),
    "attachments": lambda parts: tuple(decode(Attachment, part) for part in parts),
}


def item_text(item: Item) -> str:
    """An item as JSON text, its row with the order of its keys; it may hold lone surrogates."""
    parts = (
        f'"{field.name}":{IN_ORDER.encode(item.row) if field.name == "row" else json_text(getattr(item, field.name))}'
        for field in fields(Item)
    )
    return "{" + ",".join(parts) + "}"


def read_item(value: Mapping[str, Any]) -> Item:
    """An item from its JSON value."""
    return Item(**{name: READERS[name](inner) if name in READERS else inner for name, inner in value.items()})


def read_variant(value: Json) -> Variant:
    """A variant from its JSON value."""
    return decode(Variant, value)


def item_spool(items: Iterable[Item] = ()) -> Spool[Item]:
    """A spool of items."""
    return Spool(lambda item: encoded(item_text(item)), lambda record: read_item(json.loads(decoded(record))), items)


def item_texts(items: Iterable[Item]) -> Iterator[str]:
    """The JSON text of each item, as `item_text` writes it."""
    return map(decoded, items.records()) if isinstance(items, Spool) else map(item_text, items)


def variant_texts(variants: Iterable[Variant]) -> Iterator[str]:
    """The JSON text of each variant; it may hold lone surrogates."""
    return variants.texts() if isinstance(variants, VariantSpool) else map(json_text, variants)


class VariantSpool(Spool[Variant]):
    """A spool of variants."""

    def __init__(self, variants: Iterable[Variant] = ()) -> None:
        """Write these variants."""
        super().__init__(
            lambda variant: encoded(json_text(variant)),
            lambda record: read_variant(json.loads(decoded(record))),
            variants,
        )

    def texts(self) -> Iterator[str]:
        """The JSON text of each variant; it may hold lone surrogates."""
        return map(decoded, self.records())

    def lines(self) -> Iterator[str]:
        """The canonical JSON of each variant: the lines of a bundle."""
        return map(escaped, self.texts())


def variant_groups() -> Groups[Variant]:
    """Spooled variants by the ids of their items."""
    return Groups(VariantSpool(), lambda variant: variant.item_id)


def encoded(text: str) -> bytes:
    """Any text as bytes, lone surrogates too."""
    return text.encode("utf-8", "surrogatepass")


def decoded(record: bytes) -> str:
    """The text that `encoded` wrote."""
    return record.decode("utf-8", "surrogatepass")


def suite_hash(items: Iterable[Item], variants: Iterable[Variant]) -> str:
    """Hash all that a suite holds, in order: what may be asked, what counts as right, and what was left out why.

    Where the dataset's file lies is no part of it, so that the same command resumes from another folder. It is the
    SHA-256 of the canonical JSON of `["prt.suite", [hashes of the items, hashes of the variants]]`, computed as they
    come.
    """
    digest = sha256(b'["prt.suite",[')
    item_lines = (canonical_json({**json.loads(text), "number": 0, "file": ""}) for text in item_texts(items))
    for tag, lines, end in (("prt.item", item_lines, b","), ("prt.variant", lines_of(variants), b"]]")):
        mark = b"["
        for line in lines:
            digest.update(mark + b'"' + sha256(f'["{tag}",{line}]'.encode()).hexdigest().encode() + b'"')
            mark = b","
        digest.update((b"[]" if mark == b"[" else b"]") + end)
    return digest.hexdigest()
