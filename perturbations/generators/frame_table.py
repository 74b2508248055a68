"""The frames: hand-written ways to put the same question. Each keeps the meaning of any question that it fits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..question import AnswerForm

ANY_LEAD_INS = (
    "Consider the following:",
    "Please consider the following:",
    "Please look at the following:",
    "Please read the following:",
    "Take a look at this:",
    "Look at what follows:",
    "I would like you to look at this:",
    "What follows is for you to work on:",
)
"""Said before any text: question, statement or text to be completed."""

QUESTION_LEAD_INS = (
    "Here is a question:",
    "Here is a question for you:",
    "I have a question for you:",
    "Please answer this question:",
    "Please answer the following question:",
    "Consider the following question:",
    "I need the answer to this question:",
    "I would like to know the answer to this question:",
    "Please tell me the answer to this question:",
    "What follows is a question for you:",
    "Let me ask you this:",
    "My question is this:",
    "The question is as follows:",
)
"""Said before a text that asks."""

QUESTION_THANKS = ("Thank you.", "Thanks in advance.", "Thank you for your answer.")
"""Said behind a text that ends in a question mark."""

INSTRUCTION_LEAD_INS = (
    "Please do the following.",
    "Here is your task.",
    "This is what you are to do.",
    "Your task is as follows.",
    "Please follow this instruction.",
)
"""Said before an instruction of the user's own, which itself stays as it is."""

CLOSINGS: Mapping[AnswerForm, tuple[str, ...]] = {
    "label": (
        "Reply with the label of the correct option, {label_range}.",
        "Your answer must be the label of the option that is correct, {label_range}.",
        "Give the label of the correct option as your answer, {label_range}.",
    ),
    "number": (
        'End with a line of its own that says "Answer: <number>".',
        'Let your reply end in a line of its own that reads "Answer: <number>".',
        'The reply must close with a line of its own: "Answer: <number>".',
    ),
    "text": (
        "Reply with only the answer itself, and use as few words as you can.",
        "Your reply must be only the answer itself, in as few words as possible.",
        "Write only the answer itself and keep it to as few words as possible.",
    ),
    "none": (),
}
"""Other words for the closing line that is derived from the answer's form."""


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A question form with another that asks the same.

    Attributes:
        form: Matches at the beginning of a question; its first letter may be of either case.
        other: Replacement for the match, as a template of `re.Match.expand`.
    """

    form: re.Pattern[str]
    other: str


def rewrite(form: str, other: str) -> Rewrite:
    """Make a rewrite from a pattern that ignores the case of letters."""
    return Rewrite(re.compile(form, re.IGNORECASE), other)


NOT_COUNTED = (
    r"(?!(?:are|is|was|were|am|be|been|do|did|does|has|have|had|can|could|will|would|should|shall|may|might|must|of|more|less"
    r"|fewer|other|others|times|each|all|any|both|in|at|on|to|from|by|there|i|you|he|she|it|we|they|additional|extra|such|if"
    r"|and|or|per)\b|\S+ (?:old|tall|long|wide|high|deep|thick|away|ago|later|late|early|earlier|apart|before|after)\b)"
)
"""What may stand behind "how many" without being the things counted, or measures how old, tall or late something is."""
THINGS = r"(?P<things>[a-z][a-z-]+(?: [a-z][a-z-]+){0,2})"
AUXILIARY = r"(?=(?:do|does|did|is|are|was|were|can|could|should|would|will)\b)"

REWRITES: tuple[Rewrite, ...] = (
    rewrite(r"what is (?=(?:the|a|an)\b)", "what's "),
    rewrite(r"who is (?=the\b)", "who's "),
    rewrite(r"where is (?=the\b)", "where's "),
    rewrite(rf"how many {NOT_COUNTED}(?=[a-z])", "what number of "),
    rewrite(rf"how many {THINGS} are there in\b", r"what is the number of \g<things> in"),
    rewrite(rf"how many {THINGS} were there in\b", r"what was the number of \g<things> in"),
    rewrite(r"how much money\b", "what amount of money"),
    rewrite(r"how much time\b", "what amount of time"),
    rewrite(r"how old (?=(?:is|was|are|were|will|would)\b)", "what age "),
    rewrite(rf"how often {AUXILIARY}", "with what frequency "),
    rewrite(rf"why {AUXILIARY}", "for what reason "),
    rewrite(r"what (?:kind|sort) of\b", "what type of"),
    rewrite(r"what type of\b", "what kind of"),
    rewrite(r"in which (?=(?:year|month|country|city|state|century|direction|way)\b)", "in what "),
    rewrite(r"in what (?=(?:year|month|country|city|state|century|direction|way)\b)", "in which "),
    rewrite(r"which of the following (?=\S)", "which of these "),
    rewrite(
        r"who (?=(?:wrote|invented|discovered|painted|directed|composed|founded|sang|won|built|designed)\b)",
        "who was it that ",
    ),
)
"""Rewordings of the form of a question, each safe in its grammar for whatever follows."""
