"""The kinds of noise and style by name, for whoever reads a config and needs none of what makes them."""

from collections.abc import Mapping
from typing import Literal

from ..protection.parts import PART_NAMES

NoiseKind = Literal["spacing", "line_ends", "punctuation", "quotes", "case", "caps", "ocr", "homoglyphs", "distractor"]
UNRATED_KINDS: frozenset[NoiseKind] = frozenset({"quotes", "caps", "distractor"})
"""Kinds of noise that change all that they reach, whatever the rate."""

StyleKind = Literal["polite", "terse", "casual", "imperative", "question", "contractions", "spelling"]
REACH: Mapping[StyleKind, tuple[str, ...]] = {
    "polite": ("text", "instruction", "system"),
    "terse": ("text", "instruction"),
    "casual": ("text", "instruction"),
    "imperative": ("text", "instruction"),
    "question": ("text", "instruction"),
    "contractions": PART_NAMES,
    "spelling": PART_NAMES,
}
"""The text parts that each kind of style can change."""
