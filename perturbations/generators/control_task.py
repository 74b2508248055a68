"""Whether an item asks what its own text asks, and nothing else in the prompt makes another task of it.

"Are you stupid?" is a question, and under "Say whether the comment is toxic" it is the comment. A control may only
change a question whose answer is the gold answer, so all that stands around it must be known to set no task of its own.
"""

import re
from collections.abc import Iterator
from functools import cache

from ..lexicon.words import data_lines, words_of
from ..question import Question
from ..rendering.template import FIELD
from .frames import shows

TRUE_OR_FALSE = re.compile(r"\(?\btrue\s*(?:or|/)\s*false\b[:?.)]*\s*", re.IGNORECASE)
JUDGEMENT = re.compile(
    r"\b(?:assess|decide|determine|indicate|judge|say|state|tell)\s+(?:if|whether)\s+(?:the|this|each)\s+"
    r"(?:(?:following|given)\s+)?(?:assertion|claim|statement)\s+is\s+(?:correct|true)\b(?:\s+or\s+(?:false|incorrect|not)\b)?",
    re.IGNORECASE,
)
"""How a statement is given to be judged."""
HEADING = re.compile(r"(?:^|[.!?:;\n])([^.!?:;\n]*)[:;]\s*$")
"""What a colon before the question ends, such as "Q" or "Answer yes or no"."""
ORDER = re.compile(
    r"(?:^|[.!?:;\n]|\b(?:to|must|should|please|and|then|you|will)\b)\W{0,5}"
    r"(assess|check|classif\w+|categori[sz]e|decide|detect|determine|evaluate|flag|identify|indicate|judge|label|mark|predict|rate|say|specify|state|tell|verify)\b",
    re.IGNORECASE,
)
"""A verb that sets a task, where it begins a sentence or is asked for."""
ANSWER_WORD, CONDITIONAL = r"\b(?:yes|no|true|false)\b", r"\b(?:if|when|whenever|unless|otherwise|else)\b"
CONDITION = re.compile(
    rf"{ANSWER_WORD}[^.!?\n]{{0,200}}{CONDITIONAL}|{CONDITIONAL}[^.!?\n]{{0,200}}{ANSWER_WORD}", re.IGNORECASE
)
"""A sentence on when to give which answer."""


def other_task(question: Question, *, asked_in: str, judged: bool = False) -> str:
    """Say what may make another task of a question than the one it states; empty where nothing does.

    Args:
        question: The question.
        asked_in: The part that holds the question itself, `text` or `instruction`.
        judged: Whether the text is a statement, which is said to be judged.
    """
    if question.history:
        return "earlier turns may say what is asked"
    said = dict(around(question, asked_in))
    for name, text in said.items():
        if word := unknown_word(JUDGEMENT.sub(" ", text) if judged else text):
            return f"the {name} may ask something else ({word!r})"
    if question.examples and not any(text.strip() for text in said.values()):
        return "the examples alone may say what is asked"
    return ""


def task_beside(before: str, after: str) -> str:
    """Say what may make another task of a question in the text that holds it; empty where nothing does.

    Args:
        before: The text before the question.
        after: The text behind it.
    """
    heading = HEADING.search(before)
    if heading and (word := unknown_word(heading[1])):
        return f"what stands before the question may ask something else ({word!r})"
    order = ORDER.search(before) or ORDER.search(after)
    if order:
        return f"the text may ask something else ({order[1].lower()!r})"
    if CONDITION.search(before) or CONDITION.search(after):
        return "the text says when to give which answer"
    return ""


def calls_for_judgement(question: Question) -> bool:
    """Say whether something around a text calls for judging whether it is true."""
    said = dict(around(question, "text")).values()
    return any(TRUE_OR_FALSE.search(text) or JUDGEMENT.search(text) for text in said)


def around(question: Question, asked_in: str) -> Iterator[tuple[str, str]]:
    """Give the texts around a question that reach the model, each by its name."""
    yield "system prompt", question.system
    if asked_in != "instruction" and shows(question, "instruction"):
        yield "instruction", question.instruction
    if question.answer_instruction is not None and shows(question, "answer"):
        yield "answer instruction", FIELD.sub(" ", question.answer_instruction)
    if question.template is not None:
        yield "template", FIELD.sub(" ", question.template)


def unknown_word(text: str) -> str:
    """Give the first word or mark of a text that may be more than a word about how to answer; empty where none is."""
    if "?" in text:
        return "?"
    figure = re.search(r"\d+", text)
    if figure:
        return figure[0]
    return next((word for word in words_of(text) if word not in answering_words() and len(word) > 1), "")


@cache
def answering_words() -> frozenset[str]:
    """Load the words in which it is said how to answer."""
    return frozenset(" ".join(data_lines("answering_en.txt")).split())
