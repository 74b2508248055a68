"""English contractions and their full forms, where the one surely stands for the other.

`he's` is "he is" or "he has", and `he'd` is "he would" or "he had": such forms are taken only where the next word
settles it. "Tell me what it is" has no short form, as nothing follows that the verb could lean on. A negation and its
short form are one negation: `written_out` shows that two texts differ in such forms alone.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from .sentences import Sentence, sentences_of

Direction = Literal["contract", "expand"]

APOSTROPHE = "['’]"
NEGATED = "is|are|was|were|do|does|did|has|have|had|would|could|should|must|need"
VERBS: Mapping[str, str] = {"s": "is", "re": "are", "m": "am", "ll": "will", "ve": "have", "d": "would"}
"""The verb that each short form stands for here."""
HOSTS: Mapping[str, str] = {
    "s": r"[Ii]t|[Hh]e|[Ss]he|[Tt]hat|[Tt]here|[Hh]ere|[Ww]hat|[Ww]ho|[Ww]here|[Hh]ow",
    "re": r"[Yy]ou|[Ww]e|[Tt]hey",
    "m": r"I",
    "ll": r"I|[Yy]ou|[Hh]e|[Ss]he|[Ii]t|[Ww]e|[Tt]hey",
    "ve": r"I|[Yy]ou|[Ww]e|[Tt]hey",
    "d": r"I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey",
}
"""What each short form may lean on."""
SETTLED: Mapping[str, str] = {
    "s": r"(?:an?|the|in|on|at|about|very|too|so|true|possible|important|called|[a-z]{2,}ing)\b",
    "ve": r"been\b",
    "d": r"(?:like|love|prefer|be|need|want|say|have)\b",
}
"""Next words that leave a short form no second reading; a form that has none may stand before any word."""
LEANING: Mapping[str, str] = {"ve": SETTLED["ve"]}
"""Next words before which alone a full form is an auxiliary."""
WORD = r"\w"
START, STOP = r"(?<![\w'’-])", r"(?![\w'’-])"

FULL = re.compile(
    "|".join(
        rf"{START}(?P<{short}>{HOSTS[short]}) {verb}(?= (?!not\b|only\b){LEANING.get(short, WORD)})"
        for short, verb in VERBS.items()
    )
)
SHORT = re.compile(
    "|".join(
        rf"{START}(?P<{short}>{HOSTS[short]}){APOSTROPHE}{short}(?= {SETTLED.get(short, '[a-z]')})" for short in VERBS
    )
)
FULL_NEGATION = re.compile(
    rf"{START}(?:(?P<will>will not)|can(?P<can>not)|(?:{NEGATED}|(?<!\S)Do)(?P<plain> not))"
    r"(?=[.,;:?!]| (?!only\b)[\w(])"
)
SHORT_NEGATION = re.compile(
    rf"{START}(?:(?P<will>won{APOSTROPHE}t)|can(?P<can>{APOSTROPHE}t)|(?:{NEGATED}|Do)(?P<plain>n{APOSTROPHE}t)){STOP}"
)
NEGATIONS: Mapping[str, tuple[str, str]] = {
    "will": ("will not", "won't"),
    "can": ("not", "'t"),
    "plain": (" not", "n't"),
}
"""The part of a negation that changes, in full and in short."""
GAP = re.compile(r"\b(?:wh\w+|how|than|as|that|like)\b", re.IGNORECASE)
"""Words that may have fetched what stood behind the verb, as in "what she is now" and "taller than it is wide"."""
CLAUSE_END = re.compile(r"[.,;:?!(\n]")
OPENING = re.compile(r"(?:^|\b(?:and|but|or|so|if|because|since|unless|when|while|though|although))\s*$", re.IGNORECASE)
"""What stands before "here is" or "there is" where it opens a clause, not in "her visa to stay here is ending"."""
SUBJECT = re.compile(r" (?:I|you|he|she|it|we|they|there|this|that|these|those)\b")
NOUN = re.compile(r" (?:(?:an?|the|my|your|his|her|its|our|their|any|all)\b|[A-Z])")
LOOK_BACK = 200
"""How many characters before a form decide whether it may stand there."""
ASKING = re.compile(r"\b(?:wh\w+|how)\s$", re.IGNORECASE)
ANY_SHORT = re.compile(
    rf"{START}(?:(?P<will>wo)|(?P<can>ca)|\w+?)n{APOSTROPHE}t{STOP}|(?<=\w){APOSTROPHE}(?P<short>s|re|m|ll|ve|d){STOP}",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Form:
    """A stretch of a text and what may stand there instead."""

    start: int
    before: str
    after: str

    @property
    def end(self) -> int:
        """Offset behind the stretch."""
        return self.start + len(self.before)


def forms_in(text: str, direction: Direction) -> list[Form]:
    """Find where a text can be contracted, or contractions be written out, in order and apart from one another."""
    forms: list[Form] = []
    for sentence in sentences_of(text):
        found = contractible(text, sentence) if direction == "contract" else expandable(text, sentence)
        for form in sorted(found, key=lambda form: form.start):
            if not forms or form.start > forms[-1].end:
                forms.append(form)
    return forms


def contractible(text: str, sentence: Sentence) -> Iterator[Form]:
    """Find the full forms of a sentence that have a short one."""
    apostrophe = "’" if "’" in text and "'" not in text else "'"
    for match in FULL_NEGATION.finditer(text, sentence.start, sentence.end):
        full, short = NEGATIONS[match.lastgroup or ""]
        yield Form(match.start(match.lastgroup or 0), full, short.replace("'", apostrophe))
    for match in FULL.finditer(text, sentence.start, sentence.end):
        before = CLAUSE_END.split(text[max(sentence.start, match.start() - LOOK_BACK) : match.start()])[-1]
        closes = match[0].lower() in {"here is", "there is"} and OPENING.search(before) is None
        if not closes and not GAP.search(before):
            start = match.end(match.lastgroup or 0)
            yield Form(start, text[start : match.end()], f"{apostrophe}{match.lastgroup}")


def expandable(text: str, sentence: Sentence) -> Iterator[Form]:
    """Find the short forms of a sentence that have one full form."""
    for match in SHORT_NEGATION.finditer(text, sentence.start, sentence.end):
        if not inverted(text, sentence, match.start(), match.end()):
            start, end = match.span(match.lastgroup or 0)
            yield Form(start, text[start:end], NEGATIONS[match.lastgroup or ""][0])
    for match in SHORT.finditer(text, sentence.start, sentence.end):
        start = match.end(match.lastgroup or 0)
        yield Form(start, text[start : match.end()], f" {VERBS[match.lastgroup or '']}")


def inverted(text: str, sentence: Sentence, start: int, end: int) -> bool:
    """Say whether a short negation may stand before its subject, as in "Why don't they", where the full form can't."""
    asks = sentence.marks.endswith("?")
    if start == sentence.start:
        return asks or not text.startswith("Do", start)
    if SUBJECT.match(text, end) or ASKING.search(text[max(sentence.start, start - LOOK_BACK) : start]):
        return True
    return asks and NOUN.match(text, end) is not None


def written_out(text: str) -> str:
    """Write every contraction out in one way, right or wrong: texts that differ in contractions alone are then one."""
    return ANY_SHORT.sub(full_form, text)


def full_form(match: re.Match[str]) -> str:
    """Write one contraction out."""
    if match["short"]:
        return f" {VERBS[match['short'].lower()]}"
    stem = "will " if match["will"] else "can" if match["can"] else match[0][:-3] + " "
    return f"{stem}not"
