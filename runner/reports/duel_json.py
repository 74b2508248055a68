"""A duel for programs: JSON of the values in `duel.findings`, without NaN or infinity."""

import json
from dataclasses import asdict

from pydantic import JsonValue as Json

from ..duel.findings import Dimension, Duel


def duel_json(duel: Duel) -> str:
    """Write a duel as JSON, two spaces deep; lone surrogates stay escaped.

    Raises:
        ValueError: If a figure is not finite, which `stats` promises never to give.
    """
    told: dict[str, Json] = {
        **asdict(duel),
        "facts": dict(duel.facts),
        "dimensions": [_dimension(each) for each in duel.dimensions],
        "exit_code": duel.exit_code,
    }
    return json.dumps(told, indent=2, allow_nan=False)


def _dimension(each: Dimension) -> dict[str, Json]:
    """Name, verdict and shares first, then all the figures."""
    found = asdict(each.found)
    named = {key: found.pop(key) for key in ("dimension", "verdict")}
    n = each.found.n
    counts = {"candidate": each.found.wins, "baseline": each.found.losses, "tie": each.found.ties}
    return {
        **named,
        "description": each.asked.description,
        "grader": each.asked.kind,
        "shares": {side: count / n if n else None for side, count in counts.items()},
        **found,
        "position_bias": each.is_biased,
        "by_row": None if each.by_row is None else {**asdict(each.by_row), "would_say": each.by_row_verdict or None},
        "failures": [asdict(failure) for failure in each.failures],
    }
