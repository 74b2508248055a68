"""Meaning-preserving variants of typed questions: a Question in, Variants out."""

from importlib import import_module
from typing import TYPE_CHECKING

from .bundle import Bundle, BundleFormatError, bundle_hash, read_bundle, records, write_bundle
from .compose import compose
from .difference import marked_difference
from .generator import Draft, Draw, Generator
from .perturb import baseline_variant, perturb
from .question import Example, Gold, Layout, Message, Question, Subject
from .rendering.render import render
from .variant import Edit, Variant

if TYPE_CHECKING:
    from .generators.control import Control
    from .generators.format import Format
    from .generators.frames import Frames
    from .generators.layouts import FORMAT_SEVERITIES
    from .generators.noise import Noise
    from .generators.paraphrase_file import Paraphrase, ParaphraseFile
    from .generators.paraphrase_llm import ParaphraseProposals, Paraphrasing, Proposal, Written
    from .generators.reorder import Reorder
    from .generators.rerun import Rerun
    from .generators.style import Style
    from .generators.typo import SEVERITIES, Typo

__all__ = [
    "FORMAT_SEVERITIES",
    "SEVERITIES",
    "Bundle",
    "BundleFormatError",
    "Control",
    "Draft",
    "Draw",
    "Edit",
    "Example",
    "Format",
    "Frames",
    "Generator",
    "Gold",
    "Layout",
    "Message",
    "Noise",
    "Paraphrase",
    "ParaphraseFile",
    "ParaphraseProposals",
    "Paraphrasing",
    "Proposal",
    "Question",
    "Reorder",
    "Rerun",
    "Style",
    "Subject",
    "Typo",
    "Variant",
    "Written",
    "baseline_variant",
    "bundle_hash",
    "compose",
    "marked_difference",
    "perturb",
    "read_bundle",
    "records",
    "render",
    "write_bundle",
]

GENERATORS = {
    "control": ("Control",),
    "format": ("Format",),
    "frames": ("Frames",),
    "layouts": ("FORMAT_SEVERITIES",),
    "noise": ("Noise",),
    "paraphrase_file": ("Paraphrase", "ParaphraseFile"),
    "paraphrase_llm": ("ParaphraseProposals", "Paraphrasing", "Proposal", "Written"),
    "reorder": ("Reorder",),
    "rerun": ("Rerun",),
    "style": ("Style",),
    "typo": ("SEVERITIES", "Typo"),
}
"""What each module of generators gives. It loads when something of it is first used: most programs use few of them."""
HOMES = {name: module for module, names in GENERATORS.items() for name in names}


def __getattr__(name: str) -> object:
    """Load a generator that is used for the first time."""
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f".generators.{HOMES[name]}", __name__), name)
    globals()[name] = value
    return value
