"""Offline paraphrases: the frame of a question in other words, from a fixed table; what it asks about stays."""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ..generator import Draft, Draw
from ..given import check_variants
from ..lexicon.language import is_english, language_of
from ..lexicon.scripts import main_script
from ..protection.blocks import block_spans
from ..protection.check import altered_protected
from ..protection.parts import apply_edits
from ..protection.protect import protected_spans
from ..protection.spans import Mask
from ..question import Question, Subject
from ..rendering.closing import closing_line
from ..variant import Edit, Tier
from .frame_table import (
    ANY_LEAD_INS,
    CLOSINGS,
    INSTRUCTION_LEAD_INS,
    QUESTION_LEAD_INS,
    QUESTION_THANKS,
    REWRITES,
)

QUESTION_SENTENCE = re.compile(r"(?:^|(?<=[.!?:\n]))[^\S\n]*+([^.!?:\n]++\?)")
QUESTION_WORD = re.compile(
    r"\s*(?:who|whose|what|which|where|how (?:many|much|old|long)|is|are|was|were|does|do|did|can)\s", re.IGNORECASE
)
CLOSING_MARKS = "\"'”’)]"


@dataclass(frozen=True, slots=True)
class Framed:
    """A question in another frame, which is written out when it is asked for.

    Attributes:
        original: The question.
        edit: The edit that puts it there.
        answer_instruction: The new closing line, in which labels are fields; None where the edit is of a text.
    """

    original: Question = field(compare=False)
    edit: Edit
    answer_instruction: str | None = None

    @property
    def question(self) -> Question:
        """The question in its frame."""
        if self.answer_instruction is None:
            return apply_edits(self.original, (self.edit,))
        return replace(self.original, answer_instruction=self.answer_instruction)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that put it there."""
        return (self.edit,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frames:
    """Puts the question, the user's instruction or the derived closing line into other words from a fixed table.

    One frame a variant, drawn among those that fit the item and were not drawn before. Only for English.

    Attributes:
        variants: How many variants of each item.
    """

    name: ClassVar[str] = "paraphrase"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "checked"

    variants: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no number of variants.

        Raises:
            TypeError: For what is no whole number.
            ValueError: For less than one.
        """
        check_variants("paraphrase", self.variants)

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft."""
        return {"kind": "frames"}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Draw a frame that is left and that keeps all protected text."""
        if reason := obstacle(subject.question):
            return Draft("not_applicable", reason)
        fitting = list(dict.fromkeys(frames_for(subject)))
        used = {draft.question for draft in draw.earlier}
        left = [framed for framed in fitting if framed.question not in used] if used else fitting
        for framed in in_drawn_order(left, draw.rng):
            question = framed.question
            if altered_protected(subject, subject.question, question) is None:
                return Draft("applied", question=question, edits=framed.edits)
        return Draft("not_applicable", f"no further frame fits this item; {len(used)} were used")


def in_drawn_order(framed: Sequence[Framed], rng: random.Random) -> list[Framed]:
    """Draw the kinds of frame first and then among those of a kind, so that no kind crowds the others out."""
    kinds = sorted({frame.edit.kind for frame in framed})
    rank = {kind: place for place, kind in enumerate(rng.sample(kinds, len(kinds)))}
    return sorted(rng.sample(framed, len(framed)), key=lambda frame: rank[frame.edit.kind])


def obstacle(question: Question) -> str:
    """Say why no frame may be put around a question; empty where nothing stands against it."""
    if not question.text.strip():
        return "there is no text"
    if not in_english(question):
        return f"frames are English; the language of this text is {language_name(question.text)}"
    if any(span.kind == "code" and not question.text[: span.start].strip() for span in block_spans(question.text)):
        return "the text begins with code"
    return ""


def in_english(question: Question) -> bool:
    """Say whether a question is English; options and passages speak for a text that is too short to tell."""
    if is_english(question.text, " ".join(question.options)):
        return True
    whole = " ".join((question.text, *question.options, *question.context))
    return not language_of(question.text) and is_english(whole)


def language_name(text: str) -> str:
    """Name a language other than English by its code, or else by its script, or say that it is not clear."""
    code, script = language_of(text), main_script(text)
    return code if code not in {"", "en"} else script if script not in {"", "Latin"} else "not clear"


def frames_for(subject: Subject) -> Iterator[Framed]:
    """Give every frame that fits a question, in the order of the table."""
    question = subject.question
    if shows(question, "question"):
        yield from (Framed(question, edit) for edit in text_edits(subject))
    if shows(question, "instruction") and is_english(question.instruction):
        yield from (Framed(question, edit) for edit in lead_ins(question, "instruction", INSTRUCTION_LEAD_INS))
    if shows(question, "answer") and question.answer_instruction is None:
        yield from closings(subject)


def shows(question: Question, field: str) -> bool:
    """Say whether a part reaches the model: always, except where the user's template leaves it out."""
    return question.template is None or f"{{{field}}}" in question.template


def text_edits(subject: Subject) -> Iterator[Edit]:
    """Give the edits of the text: lead-ins, thanks, other question forms."""
    question = subject.question
    yield from lead_ins(question, "text", ANY_LEAD_INS)
    if asks(question.text):
        yield from lead_ins(question, "text", QUESTION_LEAD_INS)
        yield from rewrites(subject)
    if end_mark(question.text) == "?":
        end = len(question.text.rstrip())
        yield from (Edit("text", end, "", f" {thanks}", "frame") for thanks in QUESTION_THANKS)


def asks(text: str) -> bool:
    """Say whether a text is surely a question: by its question mark, or by its first word if it has no end mark."""
    unmarked = end_mark(text).isalnum() and not text[-1].isspace()
    return end_mark(text) == "?" or (unmarked and QUESTION_WORD.match(text) is not None)


def end_mark(text: str) -> str:
    """Give the last character of a text, before white space and closing marks; empty where there is none."""
    return text.rstrip().rstrip(CLOSING_MARKS)[-1:]


def lead_ins(question: Question, part: str, sentences: Sequence[str]) -> Iterator[Edit]:
    """Say a sentence before a part: on a line of its own where the part has several lines."""
    text: str = getattr(question, part)
    gap = "" if text[0].isspace() else "\n" if "\n" in text else " "
    yield from (Edit(part, 0, "", sentence + gap, "frame") for sentence in sentences)


def rewrites(subject: Subject) -> Iterator[Edit]:
    """Ask the last question of a text in another form, where one fits and touches no protected text."""
    text = subject.question.text
    start, end = last_question(text)
    mask = Mask(protected_spans(text, subject))
    for form in REWRITES:
        match = form.form.match(text, start, end)
        if match and not mask.touches(match.start(), match.end()):
            other = match.expand(form.other)
            after = other[0].upper() + other[1:] if match[0][0].isupper() else other
            yield Edit("text", start, match[0], after, "question form")


def last_question(text: str) -> tuple[int, int]:
    """Give the extent of a text's last question, or of the whole text where it has no question mark."""
    extent = (len(text) - len(text.lstrip()), len(text))
    for match in QUESTION_SENTENCE.finditer(text):
        extent = match.span(1)
    return extent


def closings(subject: Subject) -> Iterator[Framed]:
    """Put the closing line that the answer's form asks for into other words."""
    before = closing_line(subject.question, subject.layout)
    if before:
        for after in CLOSINGS[subject.question.answer_form]:
            shown = closing_line(replace(subject.question, answer_instruction=after), subject.layout)
            yield Framed(subject.question, Edit("answer_instruction", 0, before, shown, "closing line"), after)
