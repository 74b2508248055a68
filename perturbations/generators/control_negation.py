"""Controls that ask for the opposite: of a yes/no question, of a statement to be judged, of "Which of these is …?".

Each form is one whose grammar and whose answer are sure:

- an adjective that has an opposite: "Is the following sentence plausible?" becomes "… implausible?"
- a verb before a pronoun: "Can you …?" becomes "Is it false that you can …?"
- any other yes/no question is asked about: 'Is "No" the right answer to the question "…?"'
- a statement to be judged: 'The statement "…" is false.'
- of two options: "Which of these is not …?"
"""

import random
import re
from collections.abc import Iterator

from ..lexicon.terms import find_terms
from ..options.dependent import speaks_of_all
from ..question import Gold, Question, Subject
from ..variant import Edit
from .control_asking import LEAD, VERB, YES_NO, Asked, asked_question
from .control_change import Change, Changes, Obstacle
from .control_golds import Binary, binary_gold
from .control_task import TRUE_OR_FALSE, calls_for_judgement, other_task, task_beside
from .frames import in_english

KIND = "negate"
MARKS = (('"', '"'), ("“", "”"))
ADJECTIVES = {
    "true": "false",
    "correct": "incorrect",
    "plausible": "implausible",
    "valid": "invalid",
    "grammatical": "ungrammatical",
    "accurate": "inaccurate",
    "acceptable": "unacceptable",
}
OPPOSITES = {**ADJECTIVES, **{opposite: adjective for adjective, opposite in ADJECTIVES.items()}}
"""Adjectives and their opposites, of which one holds wherever the other does not."""
SAID = (
    "answer|argument|assertion|claim|conclusion|deduction|equation|expression|formula|hypothesis|inference|proof"
    "|proposition|reasoning|sentence|sequence|statement|syllogism|translation"
)
ADJECTIVE = "|".join(OPPOSITES)
JUDGED = re.compile(
    rf"(?P<head>(?:is|was)\s+(?:the|this|that)\s+(?:(?:above|first|following|given|last|next|second)\s+)?(?:{SAID})\s+)"
    rf"(?P<adjective>{ADJECTIVE})\?|(?P<clause>is\s+it\s+)(?P<adjective_that>true|false|correct|incorrect)\s+that\s",
    re.IGNORECASE,
)
FINITE = "am|are|can|could|did|does|has|is|may|might|must|shall|should|was|were|will|would"
MODAL = "can|could|had|may|might|must|shall|should|will|would"
AGREEING = (
    rf"(?i:is|are|was|were|has|have|{MODAL})\s+there"
    rf"|(?i:is|was|does|did|has|{MODAL})\s+(?:he|she|it)"
    rf"|(?i:are|were|do|did|have|{MODAL})\s+(?:we|you|they)"
    rf"|(?i:am|was|do|did|have|{MODAL})\s+I"
)
"""A verb before a pronoun that it agrees with; one in other capitals, or "i", may begin a title."""
TURNED = re.compile(
    rf"(?P<lead>(?i:{LEAD}))(?P<turned>{AGREEING})\s+(?!(?i:not|no|never|guys|folks|people|two|three|{FINITE})\b)\S"
)
NOT_MEANT = re.compile(
    r"\b(?:agree|believe|explain|guess|if|kindly|know|please|say|tell|think|whether)\b", re.IGNORECASE
)
"""Behind "you", such as in "Can you tell me whether …?", another question may be meant."""
SECOND_CLAUSE = re.compile(rf"(?:\b(?:and|or|but|nor)|,)\s+(?:{VERB}|not)\b|,\s*\w+n['’]t\b", re.IGNORECASE)
"""What follows is not asked in one clause with the beginning, or is a tag."""
WHICH = re.compile(
    r"(?P<head>which\s+(?:one\s+)?of\s+(?:these|the\s+(?:following|two|above))(?:\s+[a-z]+){0,2}?\s+(?:is|are|was|were))"
    r"\s+(?!not\b)\S",
    re.IGNORECASE,
)
TRUE_OR_FALSE_BEHIND = re.compile(TRUE_OR_FALSE.pattern + "$", re.IGNORECASE)
SENTENCE = re.compile(r"[A-Z0-9](?:[^.!?\n]|\.(?=\w))*\.")


def negations(subject: Subject, rng: random.Random) -> Changes:
    """Ask for the opposite of what an item asks.

    Args:
        subject: The item.
        rng: Not drawn from: the plainest form comes first.

    Returns:
        The forms that fit, with the other answer as the right one; or why there are none.
    """
    del rng
    question = subject.question
    gold = binary_gold(question, subject.gold)
    if gold is None and not one_of_two(subject):
        return Obstacle("the answers are not yes and no, true and false, or two options")
    if not in_english(question):
        return Obstacle("negation is for English")
    asked = asked_question(question)
    if gold is not None and gold.truth and (asked is None or not YES_NO.match(asked.sentence)):
        return statement(question, gold)
    if asked is None:
        return Obstacle("not exactly one question is asked")
    if reason := other_task(question, asked_in=asked.part) or task_beside(*asked.beside(question)):
        return Obstacle(reason)
    return which_not(asked, subject) if gold is None else yes_no(asked, gold, question)


def one_of_two(subject: Subject) -> bool:
    """Say whether one of two different options is right, and neither speaks of the other."""
    options, right = subject.question.options, subject.gold.options
    different = len({" ".join(option.split()).casefold() for option in options}) == 2
    return (
        len(options) == 2
        and different
        and len(right) == 1
        and right[0] in {0, 1}
        and not any(map(speaks_of_all, options))
    )


def yes_no(asked: Asked, gold: Binary, question: Question) -> Changes:
    """Give the forms for a yes/no question, or say that it is none."""
    if not YES_NO.match(asked.sentence):
        return Obstacle("no yes/no question by its form")
    forms = asked_about(asked, gold, question) if gold.truth else yes_no_forms(asked, gold, question)
    return (Change(edits, gold.opposite) for edits in forms)


def yes_no_forms(asked: Asked, gold: Binary, question: Question) -> Iterator[tuple[Edit, ...]]:
    """Give the forms for a question that is answered by yes or no."""
    judged, turned = JUDGED.match(asked.sentence), TURNED.match(asked.sentence)
    if judged and is_whole(asked.sentence, judged):
        group = "adjective_that" if judged["clause"] else "adjective"
        yield (edit_at(asked, judged.start(group), judged[group], OPPOSITES[judged[group].lower()]),)
    elif turned and is_one_clause(asked.sentence, turned):
        yield (edit_at(asked, turned.start("turned"), turned["turned"], turned_round(*turned["turned"].split())),)
    yield from asked_about(asked, gold, question)


def is_whole(sentence: str, judged: re.Match[str]) -> bool:
    """Whether nothing else is asked than whether the adjective holds."""
    if judged["clause"]:
        return not SECOND_CLAUSE.search(sentence, judged.end())
    return judged.end() == len(sentence)


def is_one_clause(sentence: str, turned: re.Match[str]) -> bool:
    """Whether a question asks in one clause, and asks what it says."""
    end = turned.end("turned")
    polite = turned["turned"].endswith("you") and NOT_MEANT.search(sentence, end)
    return not polite and not SECOND_CLAUSE.search(sentence, end)


def turned_round(verb: str, pronoun: str) -> str:
    """Put a pronoun before its verb and ask whether that is false; "do" is left out, other forms of it are not."""
    begins = "Is" if verb[0].isupper() else "is"
    verb = "" if verb.lower() == "do" else f" {verb.lower()}"
    return f"{begins} it false that {pronoun}{verb}"


def asked_about(asked: Asked, gold: Binary, question: Question) -> Iterator[tuple[Edit, ...]]:
    """Ask whether the answer that denies is the right one; or state it, where true and false are the answers."""
    end = len(asked.sentence)
    for opening, closing in MARKS:
        if opening in asked.sentence or closing in asked.sentence:
            continue
        if gold.truth:
            lead = "" if TRUE_OR_FALSE.search(getattr(question, asked.part)) else "True or false: the"
            before = f"{lead or 'The'} right answer to the question {opening}"
            behind = f"{closing} is {opening}{gold.denying}{closing}."
        else:
            before = f"Is {opening}{gold.denying}{closing} the right answer to the question {opening}"
            behind = closing if asked.sentence.endswith("?") else f"{closing}?"
        yield edit_at(asked, 0, "", before), edit_at(asked, end, "", behind)
        return


def edit_at(asked: Asked, offset: int, before: str, after: str) -> Edit:
    """Give an edit of the sentence asked, as one of the part that holds it."""
    return Edit(asked.part, asked.start + offset, before, after, KIND)


def statement(question: Question, gold: Binary) -> Changes:
    """Say of a statement to be judged true or false that it is false."""
    text = question.text
    lead, trail = TRUE_OR_FALSE.match(text.lstrip()), TRUE_OR_FALSE_BEHIND.search(text)
    start = len(text) - len(text.lstrip()) + lead.end() if lead else 0
    end = trail.start() if trail else len(text)
    said = text[start:end].strip()
    if not SENTENCE.fullmatch(said) or '"' in said:
        return Obstacle("neither one question nor a statement of one sentence")
    if not (lead or trail or calls_for_judgement(question)):
        return Obstacle("nothing says that a statement is to be judged")
    if reason := other_task(question, asked_in="text", judged=True):
        return Obstacle(reason)
    start = text.index(said, start)
    edits = (
        Edit("text", start, "", 'The statement "', KIND),
        Edit("text", start + len(said), "", '" is false.', KIND),
    )
    return iter((Change(edits, gold.opposite),))


def which_not(asked: Asked, subject: Subject) -> Changes:
    """Ask which of two options does not fit."""
    match = WHICH.match(asked.sentence)
    if match is None or any(find_terms(asked.sentence, "negation")):
        return Obstacle('two options, but no plain "Which of these is …?"')
    other = Gold(options=(1 - subject.gold.options[0],))
    return iter((Change((edit_at(asked, match.end("head"), "", " not"),), other),))
