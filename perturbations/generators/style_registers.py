"""Politeness and ease: what is said around a question, by hand-written sentences that ask for nothing else.

None is a question of its own, since "Could you help me? Is the sky blue?" can be answered by the first one. None holds
a number, negation or quantifier.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from ..variant import Edit
from .frames import asks, end_mark
from .style_forms import contraction_edits
from .style_requests import requests_in
from .style_wording import Rewording, Wording, is_free, opened


@dataclass(frozen=True, slots=True)
class Register:
    """What one says in a register.

    Attributes:
        kind: The word for the register.
        before_question: Said before a text that asks.
        before_text: Said before any other text.
        before_instruction: Said before an instruction, which itself stays as it is.
        thanks: Said behind a text that ends in a question mark.
        requests: Said before the verb of a request.
    """

    kind: str
    before_question: tuple[str, ...]
    before_text: tuple[str, ...]
    before_instruction: tuple[str, ...]
    thanks: tuple[str, ...]
    requests: tuple[str, ...] = ()


POLITE = Register(
    kind="polite",
    before_question=(
        "Please be so kind as to answer this question:",
        "Kindly answer this question:",
        "I would be grateful for your answer to this question:",
        "I would be grateful for your help with this question:",
        "I would appreciate your help with this question:",
        "I would truly appreciate an answer to this question:",
        "It would be very kind of you to answer this question:",
        "If you would be so kind, please answer this question:",
        "May I kindly ask you the following:",
        "If I may, I would like to ask you the following:",
    ),
    before_text=(
        "Please be so kind as to look at the following:",
        "Kindly look at the following:",
        "I would be grateful for your help with the following:",
        "I would appreciate your help with the following:",
        "It would be very kind of you to look at the following:",
        "If you would be so kind, please look at the following:",
    ),
    before_instruction=(
        "I would be grateful if you did the following.",
        "I would appreciate your help with the following.",
        "Kindly do the following.",
        "If you would be so kind, please do the following.",
    ),
    thanks=(
        "Thank you kindly.",
        "Thank you in advance for your help.",
        "Thank you for your time.",
        "Your help is appreciated.",
    ),
    requests=("Please ", "Kindly "),
)
CASUAL = Register(
    kind="casual",
    before_question=(
        "Hey, quick question:",
        "Hi there! Quick question:",
        "Hey, got a question for you:",
        "OK, so here's a question:",
        "So I was wondering:",
        "Hey, I was just wondering:",
        "Hi! Help me out with this question:",
        "Hey, help me out here:",
    ),
    before_text=(
        "Hey, check this out:",
        "Hi! Have a look at this:",
        "Hey, help me out with this:",
        "OK, so here's the thing:",
        "So, here you go:",
    ),
    before_instruction=(
        "Hey, here's what I need:",
        "OK, so here's what to do:",
        "Hi! Do this for me:",
        "So, here's the deal:",
    ),
    thanks=("Thanks!", "Cheers!", "Thanks a bunch!", "Thx!"),
)


def polite(wording: Wording) -> Iterator[Rewording]:
    """Say a question politely: a sentence before it, thanks behind it, or a "please" in a request."""
    yield from around(wording, POLITE)
    for request in requests_in(wording, "text", "instruction", "system"):
        if not request.please:
            for phrase in POLITE.requests:
                yield (opened(request.part, request.sentence.start, request.text, phrase, POLITE.kind),)


def casual(wording: Wording) -> Iterator[Rewording]:
    """Say a question at ease: a sentence before it, thanks behind it, and contractions in it where it has any."""
    contracted = tuple(contraction_edits(wording, "contract", ("text", "instruction")))
    for said in around(wording, CASUAL):
        yield (*said, *contracted)


def around(wording: Wording, register: Register) -> Iterator[Rewording]:
    """Say something in a register before a text, behind it, or both; or before an instruction."""
    for part, text in wording.parts("instruction"):
        said_before = register.before_question if asks(text) else register.before_instruction
        yield from ((lead_in(part, text, said, register.kind),) for said in said_before)
    for part, text in wording.parts("text"):
        openers = register.before_question if asks(text) else register.before_text
        thanks = [behind(part, text, said, register.kind) for said in register.thanks] if closes(wording, text) else []
        yield from ((edit,) for edit in thanks)
        for said in openers:
            before = lead_in(part, text, said, register.kind)
            yield (before,)
            yield from ((before, edit) for edit in thanks)


def closes(wording: Wording, text: str) -> bool:
    """Say whether thanks may follow a text: it ends in a question mark that is not protected."""
    end = len(text.rstrip())
    return end_mark(text) == "?" and is_free(wording.masks["text"], end, end)


def lead_in(part: str, text: str, said: str, kind: str) -> Edit:
    """Say a sentence before a text: on a line of its own where the text has several lines."""
    gap = "" if text[0].isspace() else "\n" if "\n" in text else " "
    return Edit(part, 0, "", said + gap, kind)


def behind(part: str, text: str, said: str, kind: str) -> Edit:
    """Say a sentence behind a text."""
    return Edit(part, len(text.rstrip()), "", f" {said}", kind)
