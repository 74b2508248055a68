"""What to say of a key that is not known where it stands."""

from collections.abc import Iterator
from functools import cache
from typing import get_args

from ..suggest import listed, nearest
from .models import MODEL_KEYS
from .schema import GENERATORS, PROVIDERS, Config, FixedOptions, InsideOptions, ParaphraseConfig, Section, SplitOptions

PARAMS = ("temperature", "max_tokens", "max_completion_tokens", "top_p", "top_k", "stop", "reasoning_effort")
"""Parameters of a call, which endpoints know and prt passes on."""
SELDOM_MEANT = frozenset({"grade", "nightly"})
"""The blocks whose own blocks, those of a judge and of notifications, are seldom what a stray key is meant for."""
OPTION_BLOCKS: dict[str, type[Section]] = {"inside": InsideOptions, "split": SplitOptions, "fixed": FixedOptions}
"""The blocks that say where options are, by the key that tells them apart."""


def unknown_key(key: str, allowed: list[str], section: str, where: str, root: type[Section] = Config) -> str:
    """The sentence for an unknown key.

    Args:
        key: The key.
        allowed: The keys that are known there.
        section: Name of the class of the block that it stands in.
        where: The dotted key of that block.
        root: The block that is the whole file.
    """
    meant = _meant(key, allowed, section, where, root)
    if meant:
        return meant
    near = nearest(key, allowed)
    if near:
        return f"unknown key; did you mean `{near}`?"
    block = where.rpartition(".")[2]
    param = nearest(key, PARAMS) if block in {"", *MODEL_KEYS} else None
    if param:
        return f"unknown key; did you mean `{param}`, which belongs under `{block or 'model'}: params:`?"
    return f"unknown key; allowed here: {listed(allowed, 'and')}"


def _meant(key: str, allowed: list[str], section: str, where: str, root: type[Section]) -> str:
    """What is to be done about a key that is known elsewhere; empty for others."""
    alternatives = _alternatives(key, section)
    if alternatives:
        return f"this key is only for {listed(alternatives, 'and')}"
    if key in ParaphraseConfig.model_fields and where.endswith(".paraphrase.model"):
        return "this key belongs beside `model:`, under `paraphrase:`"
    if f"{key}_env" in allowed:
        return f"this would stand in the file; write `{key}_env`, the name of an environment variable that holds it"
    owners = _owners(key, root)
    return f"this key belongs {_under(owners)}" if owners else ""


def _under(places: list[str]) -> str:
    unique = list(dict.fromkeys(places))
    named = listed([f"{place.replace('.', ': ')}:" for place in unique if place])
    return " or ".join(filter(None, ["at the top level" if "" in unique else "", f"under {named}" if named else ""]))


def _alternatives(key: str, section: str) -> list[str]:
    """The other providers, generators or blocks of options that have the key."""
    for group, form in ((PROVIDERS, "provider: {}"), (GENERATORS, "{}"), (OPTION_BLOCKS, "{}: …")):
        if section in {owner.__name__ for owner in group.values()}:
            return [form.format(name) for name, owner in group.items() if key in owner.model_fields]
    return []


def _owners(key: str, root: type[Section]) -> list[str]:
    """The blocks that have the key."""
    if key in PARAMS:
        return ["model.params"]
    places = [place for owner, place in _sections_of(root) if key in owner.model_fields]
    return [*places, "perturbations"] if key in GENERATORS and root is Config else places


@cache
def _sections_of(root: type[Section]) -> tuple[tuple[type[Section], str], ...]:
    """Every block of a file with its dotted key, generators apart."""
    return (root, ""), *_blocks(root, "")


def _blocks(section: type[Section], prefix: str) -> Iterator[tuple[type[Section], str]]:
    for key, field in section.model_fields.items():
        if key == "perturbations":
            continue
        for block in _sections(field.annotation):
            yield block, f"{prefix}{key}"
            if key not in SELDOM_MEANT:
                yield from _blocks(block, f"{prefix}{key}.")


def _sections(annotation: object) -> Iterator[type[Section]]:
    if isinstance(annotation, type) and issubclass(annotation, Section):
        yield annotation
    for part in get_args(annotation):
        yield from _sections(part)
