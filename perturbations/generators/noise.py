"""The same request with noise on the line: spacing, line ends, marks and letters as sloppy channels leave them."""

import random
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

from ..generator import Draft, Draw
from ..given import check_rate, check_variants, words_given
from ..lexicon.wording import asks_about_letters
from ..protection.parts import PART_NAMES
from ..question import Question, Subject
from ..variant import Edit, Tier
from .kept import Forms, kept_by
from .kinds import NoiseKind
from .noise_distractor import distractors
from .noise_ground import Ground, Offer, Offers, Place
from .noise_letters import capitals, look_alikes, lowered, misread
from .noise_marks import FORM, plain_marks, punctuation, quotes
from .noise_spacing import line_ends, spacing
from .typo import SEVERITIES, mistaken_count

KINDS: Mapping[NoiseKind, Callable[[Ground], Offers]] = {
    "distractor": distractors,
    "quotes": quotes,
    "line_ends": line_ends,
    "spacing": spacing,
    "punctuation": punctuation,
    "case": lowered,
    "caps": capitals,
    "ocr": misread,
    "homoglyphs": look_alikes,
}
"""Each kind and what it offers to change. Those that come first have first choice of a place."""
STRESS_KINDS: frozenset[NoiseKind] = frozenset({"caps", "ocr", "homoglyphs", "distractor"})
"""Kinds under which the meaning may suffer."""
MISSING: Mapping[NoiseKind, str] = {
    "spacing": "there is no space or line end outside protected text",
    "line_ends": "there is no line end outside code and tables",
    "punctuation": "there is no comma and no end of a sentence that may change",
    "quotes": "there is no quotation mark, apostrophe or dash that may change its form",
    "case": "no sentence begins with a capital that may go",
    "caps": "there is no word that capitals leave as it is",
    "ocr": "there is no unprotected word of 4 letters or more that can be misread as no other word",
    "homoglyphs": "there is no unprotected word of 4 letters or more with a letter that has a look-alike",
    "distractor": "the text is not English, begins with code, or is itself what is asked about",
}
"""What is said where a kind finds nothing."""
ABOUT_MARKS = re.compile(
    r"\b(?:white[- ]?spaces?|spaces? (?:between|before|after)|how many spaces|indent\w*|(?:line|paragraph) breaks?"
    r"|blank lines?|new ?lines?|commas?(?<!by commas)(?<!with commas)|quotation marks?|apostrophes?|semicolons?"
    r"|hyphens?|dashes|full stops?"
    r"|question marks?|exclamation (?:marks?|points?)|brackets?|parenthes[ei]s)\b",
    re.IGNORECASE,
)
FORMS = Forms({FORM}, plain_marks)
"""The edits that may touch quotation marks, and how it is shown that they change their form alone."""
TRIES = 8
"""How often edits are drawn for one draft until they keep all protected text and were not drawn before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Makes noise of each kind that is given, in one variant.

    A kind with a rate changes a share of its places; nothing that is protected changes, but for the form of quotation
    marks. The tier is `stress` as soon as one kind is one of stress.

    Attributes:
        kind: What kinds of noise to make; one that finds no place in an item is left out there.
        rate: Share of the places of a kind to change, 0 to 1: spaces and line ends, marks, first words of sentences, or
            words; rounded half up, but one place at least. `quotes`, `caps` and `distractor` have none.
        parts: Text parts that noise may reach; `distractor` reaches the text alone.
        variants: How many variants of each item.
    """

    name: ClassVar[str] = "noise"
    version: ClassVar[int] = 1

    kind: tuple[NoiseKind, ...] = ("spacing", "punctuation")
    rate: float = SEVERITIES["mild"]
    parts: tuple[str, ...] = ("text",)
    variants: int = 1

    def __post_init__(self) -> None:
        """Put the kinds into one order, since the order in which they are given means nothing.

        Raises:
            TypeError: For a parameter of another type.
            ValueError: With what was given and what is allowed.
        """
        known: tuple[NoiseKind, ...] = get_args(NoiseKind)
        object.__setattr__(self, "kind", words_given("noise", "kind", self.kind, known))
        object.__setattr__(self, "parts", words_given("noise", "parts", self.parts, PART_NAMES))
        check_variants("noise", self.variants)
        check_rate("noise", self.rate, "places")

    @property
    def tier(self) -> Tier:
        """How far the same meaning is warranted: as far as the worst kind goes."""
        return "stress" if STRESS_KINDS & set(self.kind) else "checked"

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft."""
        return {"kind": list(self.kind), "rate": self.rate, "parts": list(self.parts)}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Change the places that chance picks."""
        ground = Ground(subject, self.parts)
        if reason := obstacle(ground):
            return Draft("not_applicable", reason)
        if not self.rate:
            return Draft("unchanged", "the rate is 0")
        offers = [offers for kind, offered in KINDS.items() if kind in self.kind and (offers := offered(ground))]
        if not offers:
            return Draft("not_applicable", "; ".join(MISSING[kind] for kind in self.kind))
        used = {draft.question for draft in draw.earlier}
        for _ in range(TRIES):
            drawn = [draw.rng.choice(each) for each in offers]
            places = chosen(drawn, self.rate, draw.rng)
            edits = tuple(edit_of(place, draw.rng) for place in places)
            question = kept_by(subject, edits, FORMS)
            if question not in {None, subject.question, *used}:
                return noisy(question, edits, drawn)
        return Draft("not_applicable", excuse(subject, edits, len(used)))


def obstacle(ground: Ground) -> str:
    """Say why an item may have no noise at all; empty where nothing stands against it."""
    if not ground.parts:
        return f"there is no text in {' or '.join(ground.names)}"
    asked = f"{ground.subject.question.text}\n{ground.subject.question.instruction}"
    if asks_about_letters(asked):
        return "the question is about spelling, letters, case or sound"
    return "the question is about spaces or marks" if ABOUT_MARKS.search(asked) else ""


def chosen(drawn: Sequence[Offer], rate: float, rng: random.Random) -> list[Place]:
    """Draw the share of each offer's places that the rate says, passing over those that are changed already."""
    taken: dict[str, set[int]] = defaultdict(set)
    places: list[Place] = []
    for offer in drawn:
        left = mistaken_count(rate, len(offer.places)) if offer.rated else len(offer.places)
        for place in rng.sample(offer.places, len(offer.places)):
            if left and taken[place.part].isdisjoint(reach := reached(place)):
                taken[place.part].update(reach)
                places.append(place)
                left -= 1
    return sorted(places, key=lambda place: (place.part, place.start))


def reached(place: Place) -> range:
    """Give what a place takes up: characters under odd numbers, and the gaps between them under even ones.

    What is put into a gap takes up the characters beside it, so that nothing is put beside what is changed.
    """
    if not place.before:
        return range(2 * place.start - 1, 2 * place.start + 2)
    return range(2 * place.start + 1, 2 * place.end)


def edit_of(place: Place, rng: random.Random) -> Edit:
    """Draw what stands at a place instead."""
    return Edit(place.part, place.start, place.before, rng.choice(place.after), place.kind)


def noisy(question: Question | None, edits: tuple[Edit, ...], drawn: Sequence[Offer]) -> Draft:
    """Propose noise that was proved to keep what must not change, with the share of words that it reached."""
    eligible = {(place.part, place.start) for offer in drawn for place in offer.places if place.word}
    edited = eligible & {(edit.part, edit.start) for edit in edits}
    severity = len(edited) / len(eligible) if eligible else None
    formed = any(edit.kind in FORMS.kinds for edit in edits)
    return Draft("applied", question=question, edits=edits, severity=severity, validated=formed)


def excuse(subject: Subject, edits: tuple[Edit, ...], used: int) -> str:
    """Say why no draw was taken, by the last one."""
    if kept_by(subject, edits, FORMS) is None:
        return "this noise would change protected text, or make some"
    return f"no further noise of these kinds was found; {used} were used"
