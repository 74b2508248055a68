"""The proof of a negated question: its negation is found in the new text alone, and taking it out gives the original.

It knows nothing of the edits. What it looks for is written by hand for each form and shares no pattern with the module
that makes them.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from ..question import Gold, Question, Subject
from .control_golds import Binary, binary_gold

OPPOSED = ("in", "im", "un")
QUOTED = r"(?P<asked>(?<=\")[^\"]+(?=\")|(?<=“)[^“”]+(?=”))"
QUESTION_ABOUT = re.compile(
    rf"[Ii]s (?P<open>[\"“])(?P<answer>\w+)[\"”] the right answer to the question (?P=open){QUOTED}[\"”]\??"
)
STATED_ABOUT = re.compile(
    rf"(?:True or false: t|T)he right answer to the question (?P<open>[\"“]){QUOTED}[\"”]"
    r" is (?P=open)(?P<answer>\w+)[\"”]\."
)
STATED_FALSE = re.compile(r"The statement \"(?P<asked>[^\"]+)\" is false\.")
TURNED_BACK = re.compile(r"\b[Ii]s it false that (?P<pronoun>\w+) (?P<verb>\w+)\b")
TURNED_WITHOUT_DO = re.compile(r"\b[Ii]s it false that (?P<pronoun>I|you|we|they)\b", re.IGNORECASE)
FALSE_THAT = re.compile(r"\b[Ii]s\s+it\s+(?P<adjective>true|false|correct|incorrect)\s+that\s")
LAST_ADJECTIVE = re.compile(r"\s(?P<adjective>[a-z]+)\?")
NOT = re.compile(r"(?P<head>\b[Ww]hich (?:one )?of [a-zA-Z ]+? (?:is|are|was|were)) not(?P<tail> )")


def opposite_answer(subject: Subject, question: Question) -> Gold | None:
    """Give the other answer where a changed question is the original with one negation; None where that is not sure."""
    part = changed_part(subject.question, question)
    if part is None:
        return None
    before, after = getattr(subject.question, part), getattr(question, part)
    gold = binary_gold(subject.question, subject.gold)
    if gold is None:
        two = len(subject.question.options) == 2 and len(subject.gold.options) == 1
        restored = NOT.sub(r"\g<head>\g<tail>", after, count=1)
        return Gold(options=(1 - subject.gold.options[0],)) if two and restored == before else None
    proven = any(same_words(text, before) for text in without_negation(after, gold))
    return gold.opposite if proven else None


def changed_part(before: Question, after: Question) -> str | None:
    """Give the one part of text and instruction in which two questions differ; None where they differ otherwise."""
    for part in ("text", "instruction"):
        if getattr(before, part) != getattr(after, part) and replace(after, **{part: getattr(before, part)}) == before:
            return part
    return None


def without_negation(text: str, gold: Binary) -> Iterator[str]:
    """Give what is left of a text by each way of taking one negation out of it."""
    if gold.truth:
        yield from taken_out(text, STATED_ABOUT, lambda match: match["asked"], named=gold.denying)
        yield from taken_out(text, STATED_FALSE, lambda match: match["asked"])
        return
    yield from taken_out(text, QUESTION_ABOUT, lambda match: match["asked"], named=gold.denying)
    yield from taken_out(text, TURNED_BACK, lambda match: f"{match['verb']} {match['pronoun']}")
    yield from taken_out(text, TURNED_WITHOUT_DO, lambda match: f"do {match['pronoun']}")
    for pattern in (FALSE_THAT, LAST_ADJECTIVE):
        for match in pattern.finditer(text):
            for adjective in opposites(match["adjective"]):
                yield text[: match.start("adjective")] + adjective + text[match.end("adjective") :]


def taken_out(
    text: str, pattern: re.Pattern[str], plain: Callable[[re.Match[str]], str], *, named: str = ""
) -> Iterator[str]:
    """Give the text with each single match made plain, where it names the answer that it must."""
    for match in pattern.finditer(text):
        if not named or match["answer"] == named:
            yield text[: match.start()] + plain(match) + text[match.end() :]


def opposites(adjective: str) -> Iterator[str]:
    """Give what may be the opposite of an adjective by its prefix."""
    if adjective in {"true", "false"}:
        yield "false" if adjective == "true" else "true"
    elif adjective[:2] in OPPOSED:
        yield adjective[2:]
    else:
        yield from (prefix + adjective for prefix in OPPOSED)


def same_words(one: str, other: str) -> bool:
    """Say whether two texts differ in nothing but the case of letters."""
    return one.casefold() == other.casefold()
