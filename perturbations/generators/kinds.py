"""What generators and their reasons are called, for whoever reads a config or counts and needs none that makes them."""

from collections.abc import Mapping
from typing import Literal

from ..protection.parts import PART_NAMES

REORDER = "reorder"
"""The name of what makes another order."""
ReorderPart = Literal["options", "examples", "context"]
ReorderKind = Literal["balanced", "cyclic", "each_slot", "random", "reverse", "length", "alphabet"]
PartKind = Literal["random", "reverse", "cyclic"]
PART_KINDS: tuple[PartKind, ...] = ("random", "reverse", "cyclic")
"""The kinds of order that examples and passages take."""

FormatKind = Literal["separators", "case", "labels", "option_separator", "markdown", "xml", "json", "yaml", "extreme"]
EXTREME: FormatKind = "extreme"
"""Layouts that no careful person would choose."""

Formality = Literal["kept", "formal", "informal"]
PARAPHRASE = "paraphrase"
"""The name of what takes the paraphrases of a file or a model."""
NOT_WRITTEN = "its paraphrase is not written yet"
"""The reason of a variant for which no model has been asked."""
SUCH_AS = ", such as: "
"""What stands between the counts of what failed and an objection word for word."""

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
