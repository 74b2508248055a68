"""The same request in another style: politer, terser, at ease, asked or requested, spelled or contracted otherwise."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, get_args

from ..generator import Draft, Draw
from ..given import check_variants, words_given
from ..lexicon.contractions import written_out
from ..lexicon.graphemes import may_cut
from ..lexicon.wording import asks_about_letters
from ..lexicon.words import WORD, words_of
from ..protection.parts import PART_NAMES
from ..question import Question, Subject
from ..variant import Edit, Tier
from .frames import language_name
from .kept import Forms, kept_by
from .kinds import StyleKind
from .shown import begins_with_code
from .style_forms import CONTRACTION_KINDS, contractions, respellings
from .style_imperative import imperatives
from .style_registers import casual, polite
from .style_requests import questions
from .style_terse import cuts
from .style_wording import Rewording, Wording, is_free

KINDS: Mapping[StyleKind, Callable[[Wording], Iterator[Rewording]]] = {
    "polite": polite,
    "terse": cuts,
    "casual": casual,
    "imperative": imperatives,
    "question": questions,
    "contractions": contractions,
    "spelling": respellings,
}
"""Each kind and what gives its rewordings of an item, in a fixed order."""
MISSING: Mapping[StyleKind, str] = {
    "polite": "nothing can be said around this text",
    "terse": "no wording here can be shortened without loss",
    "casual": "nothing can be said around this text",
    "imperative": "no question here can surely be turned into a request",
    "question": "no sentence here is surely a request",
    "contractions": "nothing here can be contracted or written out",
    "spelling": "no word here is spelled otherwise in American or British English",
}
"""What is said where a kind finds nothing."""
BARE_ANSWERS = {"yes", "no"}
CONTRACTIONS = Forms(CONTRACTION_KINDS, written_out)
"""The edits that may change the form of a negation, and how it is shown that they change no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Says the same in another style. Only for English.

    One kind a variant, drawn among those that fit the item, and one rewording of that kind that was not drawn before
    and keeps all protected text. A negation may be contracted or written out by `contractions` and `casual`: it is then
    proved that the two texts are one when all contractions are written out.

    Attributes:
        kind: What may be said otherwise; a variant draws among them.
        parts: Text parts that may be reworded, as far as a kind goes: see `kinds.REACH`.
        variants: How many variants of each item.
    """

    name: ClassVar[str] = "style"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "checked"

    kind: tuple[StyleKind, ...] = ("polite",)
    parts: tuple[str, ...] = ("text", "instruction")
    variants: int = 1

    def __post_init__(self) -> None:
        """Put the kinds into one order, since the order in which they are given means nothing.

        Raises:
            TypeError: For a parameter of another type.
            ValueError: Without any kind or part, or with an unknown one.
        """
        known: tuple[StyleKind, ...] = get_args(StyleKind)
        object.__setattr__(self, "kind", words_given("style", "kind", self.kind, known))
        object.__setattr__(self, "parts", words_given("style", "parts", self.parts, PART_NAMES))
        check_variants("style", self.variants)

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft."""
        return {"kind": list(self.kind), "parts": list(self.parts)}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Draw a rewording that is left and that keeps all protected text."""
        wording = Wording(subject, self.parts)
        if reason := obstacle(wording):
            return Draft("not_applicable", reason)
        used = {draft.question for draft in draw.earlier}
        fitting = [whole(wording, KINDS[kind](wording)) for kind in self.kind if not unfit(kind, subject)]
        for edits in in_drawn_order(fitting, draw.rng):
            question = kept_by(subject, edits, CONTRACTIONS)
            if question not in {None, subject.question, *used}:
                return reworded(wording, question, edits)
        if used:
            return Draft("not_applicable", f"no further {' or '.join(self.kind)} fits this item; {len(used)} were used")
        return Draft("not_applicable", "; ".join(unfit(kind, subject) or MISSING[kind] for kind in self.kind))


def whole(wording: Wording, rewordings: Iterable[Rewording]) -> list[Rewording]:
    """Give those rewordings that part no character of several code points."""
    return [edits for edits in rewordings if all(keeps_characters(wording.english[edit.part], edit) for edit in edits)]


def keeps_characters(text: str, edit: Edit) -> bool:
    """Say whether an edit begins and ends between two characters as they are read."""
    return may_cut(text, edit.start) and may_cut(text, edit.start + len(edit.before))


def in_drawn_order(kinds: Sequence[Sequence[Rewording]], rng: random.Random) -> Iterator[Rewording]:
    """Draw the kinds first and then among the rewordings of each, so that no kind crowds the others out."""
    for rewordings in rng.sample(kinds, len(kinds)):
        yield from rng.sample(rewordings, len(rewordings))


def reworded(wording: Wording, question: Question | None, edits: Rewording) -> Draft:
    """Propose a rewording that was proved to keep what must not change."""
    formed = any(edit.kind in CONTRACTIONS.kinds for edit in edits)
    ordered = tuple(sorted(edits, key=lambda edit: (edit.part, edit.start)))
    return Draft("applied", question=question, edits=ordered, severity=share_of_words(wording, edits), validated=formed)


def obstacle(wording: Wording) -> str:
    """Say why nothing of an item may be put in another style; empty where nothing stands against it."""
    question = wording.subject.question
    if not wording.shown:
        return f"there is no text in {' or '.join(wording.names)}"
    if asks_about_letters(f"{question.text}\n{question.instruction}"):
        return "the question is about spelling, letters, case or sound"
    if wording.english:
        return ""
    if begins_with_code(question.text) and "text" in wording.shown:
        return "the text begins with code"
    return f"style is English; the language of this text is {language_name(next(iter(wording.shown.values())))}"


def unfit(kind: StyleKind, subject: Subject) -> str:
    """Say why a kind fits no wording of an item whatever; empty where it may fit."""
    answers = {answer.strip().rstrip(".").casefold() for answer in (*subject.question.options, *subject.gold.texts)}
    if kind == "question" and answers & BARE_ANSWERS:
        return 'the answer is "yes" or "no", which would answer "Could you …?"'
    return ""


def share_of_words(wording: Wording, edits: Iterable[Edit]) -> float | None:
    """Give edited words / words that are not protected, over the parts; None where words were only added."""
    edited = {(edit.part, start) for edit in edits if replaces_words(edit) for start in words_in(wording, edit)}
    free = {
        (part, match.start())
        for part, text in wording.english.items()
        for match in WORD.finditer(text)
        if is_free(wording.masks[part], *match.span())
    }
    return len(edited) / len(edited | free) if edited else None


def replaces_words(edit: Edit) -> bool:
    """Say whether an edit takes a word away or makes another of it, rather than adding some."""
    return bool(Counter(words_of(edit.before)) - Counter(words_of(edit.after)))


def words_in(wording: Wording, edit: Edit) -> Iterator[int]:
    """Give the offsets of the words that an edit touches."""
    text, end = wording.english[edit.part], edit.start + len(edit.before)
    first = edit.start
    while first and text[first - 1].isalpha():
        first -= 1
    return (match.start() for match in WORD.finditer(text, first, end))
