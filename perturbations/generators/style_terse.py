"""Fewer words for the same: what a curt writer leaves out. Every cut shortens, and none says less or more."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..lexicon.sentences import Sentence, sentences_of
from ..lexicon.terms import alternation
from ..variant import Edit
from .style_imperative import NAMED, UNSURE
from .style_wording import Rewording, Wording

KIND = "terse"
THINGS = r"(?P<things>[a-z][a-z-]+(?: [a-z][a-z-]+){0,2}?)"


@dataclass(frozen=True, slots=True)
class Cut:
    """A form of words at the beginning of a sentence, and what a curt writer makes of it.

    Attributes:
        form: The form.
        shorter: What stands there instead, as a template of `re.Match.expand`.
        end: The end mark that the sentence gets; empty where it keeps its own.
    """

    form: re.Pattern[str]
    shorter: str = ""
    end: str = ""


def cut(form: str, shorter: str = "", end: str = "") -> Cut:
    """Make a cut from a pattern that ignores the case of letters."""
    return Cut(re.compile(form, re.IGNORECASE), shorter, end)


OPENINGS = (
    cut(r"(?:please|kindly) (?=[a-z])"),
    cut(
        r"(?:can|could|would|will) you (?:please )?"
        r"(?=(?:find|calculate|determine|name|list|explain|describe|give|solve|choose)"
        r" (?:the|its|your|this|these|me)\b)",
        end=".",
    ),
    cut(rf"how many {THINGS} are there (?=(?:in|on|at)\b)", r"number of \g<things> "),
    cut(r"which of the following (?=(?:is|are|was|were|best|would|could|can|will|has|have)\b)", "which "),
    cut(r"(?:in|on|at) (?P<asked>(?:which|what) (?:year|month|century|decade|season|day|date|time)\b)", r"\g<asked>"),
    cut(r"for what reason (?=\w)", "why "),
    cut(r"what is the (?=[a-z]{2,}est [a-z]+(?: (?:in|on|of|to)\b|\?|$))"),
    cut(r"there (?:is|are) (?=\d(?!.* (?:is|are|was|were|has|have|had|can|will)\b))"),
)
"""Beginnings of sentences."""
PHRASES: Mapping[str, str] = {
    "in order to": "to",
    "prior to": "before",
    "subsequent to": "after",
    "due to the fact that": "because",
    "owing to the fact that": "because",
    "in spite of the fact that": "although",
    "in the event that": "if",
    "for the purpose of": "for",
    "at this point in time": "now",
    "has the ability to": "can",
    "have the ability to": "can",
    "is able to": "can",
    "are able to": "can",
    "is located in": "is in",
    "are located in": "are in",
    "was located in": "was in",
    "is located at": "is at",
    "is situated in": "is in",
    "utilize": "use",
    "utilized": "used",
    "utilizing": "using",
}
"""Phrases inside a sentence, in small letters."""
PHRASE = re.compile(rf"(?<![\w'’-])(?:{alternation(PHRASES)})(?![\w'’-])")


def cuts(wording: Wording) -> Iterator[Rewording]:
    """Make all cuts that fit, then each of several alone."""
    found = [shortened for part, text in wording.parts("text", "instruction") for shortened in shorten(part, text)]
    fitting = [shortened for shortened in found if wording.allows(shortened)]
    if fitting:
        yield tuple(edit for shortened in fitting for edit in shortened)
    if len(fitting) > 1:
        yield from fitting


def shorten(part: str, text: str) -> Iterator[Rewording]:
    """Find the cuts of a text, in order and apart from one another."""
    for sentence in sentences_of(text):
        begun = opening_cut(part, text, sentence)
        if begun:
            yield begun
        behind = begun[0].start + len(begun[0].before) if begun else sentence.start
        for match in PHRASE.finditer(text, behind, sentence.mark):
            if set(match[0]) & set("\n\t\r") == set():
                shorter = PHRASES[" ".join(match[0].split())]
                yield (Edit(part, match.start(), match[0], shorter, KIND),)


def opening_cut(part: str, text: str, sentence: Sentence) -> Rewording:
    """Shorten the beginning of a sentence; empty where no cut fits."""
    named = NAMED.match(text, sentence.start, sentence.mark)
    if named and sentence.marks in {"?", ""} and not UNSURE.search(text, named.end(), sentence.mark):
        return (begun(part, text, sentence.start, named.end() + len("the "), ""),)
    for each in OPENINGS:
        match = each.form.match(text, sentence.start, sentence.mark)
        if match and (not each.end or sentence.marks == "?"):
            end = (Edit(part, sentence.mark, "?", each.end, KIND),) if each.end else ()
            return (begun(part, text, match.start(), match.end(), match.expand(each.shorter)), *end)
    return ()


def begun(part: str, text: str, start: int, end: int, shorter: str) -> Edit:
    """Put shorter words for the beginning of a sentence, with a capital where it had one."""
    if shorter:
        first = shorter[0].upper() if text[start].isupper() else shorter[0].lower()
        return Edit(part, start, text[start:end], first + shorter[1:], KIND)
    if not text[start].isupper() or not text[end].isalpha():
        return Edit(part, start, text[start:end], "", KIND)
    return Edit(part, start, text[start : end + 1], text[end].upper(), KIND)
