"""Whole lists of generators under one word, by strength: `perturbations: medium`."""

from collections.abc import Mapping

from .generators import GENERATORS

PRESET_GENERATORS = ("reorder", "format", "paraphrase", "style", "typo", "noise")
"""The generators of every preset, each with its defaults but for the severity."""
SEVERITIES = ("mild", "medium", "hard")


def has_severity(generator: str) -> bool:
    """Whether a generator can be told how strong it is to be."""
    return "severity" in GENERATORS[generator].model_fields


PRESETS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    severity: {name: {"severity": severity} if has_severity(name) else {} for name in PRESET_GENERATORS}
    for severity in SEVERITIES
}
"""By preset, the generators in order, each with the parameters that it does not leave at their defaults."""
