"""Other forms of the same words: American or British spelling, contracted or written out."""

from collections.abc import Iterator
from typing import get_args

from ..lexicon.contractions import Direction, forms_in
from ..lexicon.graphemes import may_cut
from ..lexicon.spelling import Variety, spellings
from ..lexicon.words import WORD
from ..protection.parts import PART_NAMES
from ..protection.protect import all_spans
from ..protection.spans import Kind, Mask, merged
from ..variant import Edit
from .style_wording import Rewording, Wording, is_free

APOSTROPHES = ("'", "’")
"""Behind a word they make it a possessor, often somebody by name: "grey's anatomy"."""
PARTS_OF_CONTRACTIONS: frozenset[Kind] = frozenset({"negation", "variable"})
"""Protected kinds that contractions are made of: "not" and "isn't", and the single letter in "it's"."""
CONTRACTION_KINDS = frozenset(get_args(Direction))
"""Kinds of edit that change a contraction into its full form or back."""


def respellings(wording: Wording) -> Iterator[Rewording]:
    """Spell all words as one variety of English does."""
    for variety in get_args(Variety):
        parts = wording.parts(*PART_NAMES)
        if found := tuple(edit for part, text in parts for edit in respelled(wording, part, text, variety)):
            yield found


def respelled(wording: Wording, part: str, text: str, variety: Variety) -> Iterator[Edit]:
    """Spell the words of a text as a variety does; names and other protected words stay."""
    known, mask = spellings(variety), wording.masks[part]
    for match in WORD.finditer(text):
        word = match[0]
        other = known.get(word.lower(), "")
        plain = word in {word.lower(), word.capitalize()} and all(may_cut(text, end) for end in match.span())
        if other and plain and not text.startswith(APOSTROPHES, match.end()) and is_free(mask, *match.span()):
            yield Edit(part, match.start(), word, other if word.islower() else other.capitalize(), variety)


def contractions(wording: Wording) -> Iterator[Rewording]:
    """Contract all that can be contracted, write out all that can be written out, or both."""
    contracted, expanded = (tuple(contraction_edits(wording, way, PART_NAMES)) for way in get_args(Direction))
    for found in (contracted, expanded, (*contracted, *expanded) if contracted and expanded else ()):
        if found:
            yield found


def contraction_edits(wording: Wording, direction: Direction, names: tuple[str, ...]) -> Iterator[Edit]:
    """Contract or write out all that some parts allow; a negation may change its form, all else protected stays."""
    for part, text in wording.parts(*names):
        spans = all_spans(text, wording.subject)
        mask = Mask(merged(span for span in spans if span.kind not in PARTS_OF_CONTRACTIONS))
        for form in forms_in(text, direction):
            if is_free(mask, form.start, form.end):
                yield Edit(part, form.start, form.before, form.after, direction)
