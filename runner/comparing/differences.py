"""What two runs were asked to do otherwise, in words: keys of their configs and identities, before and after."""

import json
from collections.abc import Iterator, Mapping, Sequence

from pydantic import JsonValue as Json

from ..problems import quoted

LISTED = 4
NOTHING = "nothing"


def flat(value: Mapping[str, Json], path: str = "") -> Iterator[tuple[str, Json]]:
    """Each leaf of a block with the keys that lead to it; an empty block and a list are leaves."""
    for key, inner in value.items():
        here = f"{path}.{key}" if path else key
        if isinstance(inner, dict) and inner:
            yield from flat(inner, here)
        else:
            yield here, inner


def changes(before: Mapping[str, Json], after: Mapping[str, Json]) -> list[str]:
    """`temperature 0 → 0.7`: each key that differs, in the order of the earlier block; empty where none does."""
    first, second = dict(flat(before)), dict(flat(after))
    keys = [*first, *(key for key in second if key not in first)]
    return [
        f"{key} {shown(first.get(key))} → {shown(second.get(key))}" for key in keys if first.get(key) != second.get(key)
    ]


def shown(value: Json) -> str:
    """A value as a config writes it; texts in quotes, on one line and cut."""
    if value is None or value == {}:
        return NOTHING
    return quoted(value) if isinstance(value, str) else quoted_json(value)


def quoted_json(value: Json) -> str:
    """Numbers, truth values and lists as JSON, cut as texts are."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:59] + "…"


def several(parts: Sequence[str]) -> str:
    """The first few of some parts, and how many more there are."""
    more = f" and {len(parts) - LISTED} more" if len(parts) > LISTED else ""
    return ", ".join(parts[:LISTED]) + more


def block(value: Json) -> Mapping[str, Json]:
    """A part of a config as a block; an empty one where it is none."""
    return value if isinstance(value, dict) else {}
