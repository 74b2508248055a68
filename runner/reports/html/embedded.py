"""What the explorer of a page is given, as JSON that can stand in a script element: no text in it ends that element."""

import base64
import json
import re
from collections.abc import Sequence

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray
from pydantic import JsonValue as Json

from ...explorer import CellMap
from ...explorer_texts import ShownAnswer, ShownItem, ShownVariant, telling_order
from ...findings import Source
from ..flips import command_line
from ..text import visible
from .environment import trusted

LISTED_CELLS = 2_000_000
"""Items × conditions that the explorer lists at most; the map shows all."""
TO_ESCAPE = re.compile("[<>&\u2028\u2029\ud800-\udfff]")


def script_json(value: Json) -> Markup:
    """JSON whose text has no sign of HTML in it, nor what no file can hold."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return trusted(TO_ESCAPE.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text))


def listed(cells: CellMap) -> NDArray[np.intp]:
    """Places in the map of the items that the explorer lists: the most telling ones where there are too many."""
    return np.sort(telling_order(cells)[: max(1, LISTED_CELLS // len(cells.conditions))])


def explorer_data(source: Source, cells: CellMap, texts: Sequence[ShownItem]) -> dict[str, Json]:
    """What the explorer reads.

    Args:
        source: Where the results are from.
        cells: Every item under every condition.
        texts: The texts of some items.

    Returns:
        `items` in the order of the map, `cells` as base64, item by item; `texts` by the place of their item in `items`.
        `total` is how many items the map has; where not all of them are listed, `at` has their places in it. All texts
        are made visible already.
    """
    rows = listed(cells)
    chosen = rows.tolist()
    ids = [cells.items[row] for row in chosen]
    places = {item: at for at, item in enumerate(ids)}
    labels = [cells.clusters[row] for row in chosen] if cells.clusters else []
    names = list(dict.fromkeys(labels))
    numbers = {name: at for at, name in enumerate(names)}
    return {
        "total": len(cells.items),
        "at": chosen if len(chosen) < len(cells.items) else [],
        "items": [visible(item) for item in ids],
        "clusters": [visible(name) for name in names],
        "cluster": [numbers[name] for name in labels],
        "conditions": [visible(name) for name in cells.conditions],
        "roles": list(cells.roles),
        "cells": base64.b64encode(cells.cells[rows].tobytes()).decode(),
        "texts": {
            str(places[item.item_id]): item_data(item, cells.conditions) for item in texts if item.item_id in places
        },
        "show": command_line("show", source.name, store=source.store) if source.kind == "run" else "",
    }


def item_data(item: ShownItem, conditions: Sequence[str]) -> dict[str, Json]:
    """An item's texts: gold, prompt, and its variants by the places of their conditions."""
    at = {name: str(place) for place, name in enumerate(conditions)}
    return {
        "gold": item.gold,
        "prompt": item.prompt,
        "variants": {at[variant.condition]: variant_data(variant) for variant in item.variants},
    }


def variant_data(variant: ShownVariant) -> dict[str, Json]:
    """One item under one condition; what is empty is left out."""
    data: dict[str, Json] = {"answers": [answer_data(answer) for answer in variant.answers]}
    if variant.outcome != "applied":
        data["outcome"] = variant.outcome.replace("_", " ")
    if variant.pieces:
        data["pieces"] = list(variant.pieces)
    return data | {name: text for name, text in (("reason", variant.reason), ("gold", variant.gold)) if text}


def answer_data(answer: ShownAnswer) -> dict[str, Json]:
    """One reply; what is empty is left out."""
    data: dict[str, Json] = {"text": [answer.before, answer.read, answer.after], "passed": answer.passed}
    if answer.status != "graded":
        data["status"] = answer.status.replace("_", " ")
    if answer.extracted is not None and answer.extracted != answer.read:
        data["extracted"] = answer.extracted
    if answer.reason:
        data["reason"] = answer.reason
    return data
