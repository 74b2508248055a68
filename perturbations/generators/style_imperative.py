"""Questions as requests: "How many eggs does she sell?" becomes "Tell me how many eggs she sells", full stop.

A question is turned where its grammar is sure: subject and verb change places only around a pronoun or a name, so that
the end of the subject is known, and only before a verb whose forms are known.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..lexicon.sentences import Sentence, sentences_of
from ..lexicon.verbs import finite_forms, pasts, third_person
from ..lexicon.words import WORD
from ..variant import Edit
from .style_wording import Rewording, Wording, opened, questions_of

KIND = "imperative"
AUXILIARY = r"(?:do|does|did|is|are|was|were|will|would|can|could|should|must|may|might|has|have|had)"
CONJUNCTIONS = {"when", "where"}
"""Question words that join clauses, too, unless the verb follows."""
DO = {"do", "does", "did"}
BE_OR_HAVE = {"is", "are", "was", "were", "has", "have", "had"}
ASKING = r"(?:(?:in|on|at|for|by|from|to|with|of|under|during|into) )?(?:how|what|which|whom|whose|who|where|when|why)"
PRONOUN = r"(?:I|you|he|she|it|we|they|there)(?![\w'’-])"
NAME = r"(?!(?:NOT|LEAST|MOST|BEST|EXCEPT|ALL|ONLY|TRUE|FALSE)\b)[A-Z]\w*+(?: [A-Z]\w*+)*+(?![\w'’,.&/-])"
SUBJECT = re.compile(rf" (?P<subject>(?:(?P<pronoun>{PRONOUN})|{NAME})(?! (?:and|or|of|who|which|that)\b))")

PREFACE = re.compile(
    r"(?:If|When|Given|Assuming|After|Before|Since|As|At|In|On|By|For|During|Based|According|With|Among|Under|Of|Out|To)"
    rf"\b(?! (?:what|which|whom|whose|how)\b)[^?;:()]*?, (?:then )?(?=(?:{ASKING}|{AUXILIARY})\b)"
)
"""What may stand before the question itself: "If she sells them all, how much …"."""
WH_CLAUSE = re.compile(
    rf"(?!(?:what|how) about\b|how come\b|what if\b|why not\b|what else\b)(?P<asking>{ASKING})(?![\w'’])", re.IGNORECASE
)
FIRST_VERB = re.compile(rf"(?<= ){AUXILIARY}(?![\w'’-])")
YES_OR_NO = re.compile(
    rf"(?!(?:can|could|will|would) you\b|(?:do|would) you (?:know|mind)\b){AUXILIARY}(?= )", re.IGNORECASE
)
"""A question for yes or no; "Can you recommend a film?" is a request already."""
SUBORDINATE = re.compile(r" (?:that|which|who|if|when|where|because|while|after|before|until)\b")
CONTRACTED = re.compile(r"n['’]t\b|\b(?:what|who|where|how|it|he|she|that|there|you|we|they|I)['’]")
CONTINUED = re.compile(
    r" (?:left|needed|required|remaining|sold|used|made|in|on|at|from|with|below|above|true|correct|best|likely|still"
    r"|responsible|associated|characteri[sz]ed|called|known|considered|found|located|caused|closest|similar|different|equal"
    r"|greater|larger|smaller|also|typically|usually|not|most|least|NOT|LEAST|an example|an?"
    r"|the (?:most|best|least|main|primary|correct|[a-z]{3,}est))\b"
)
"""What stands behind the verb where the question is about its subject: "which of these is the best …"."""
CONTINUED_MODAL = re.compile(r" (?:be|best|most|least|likely|also|not|NOT|LEAST|never|have)\b")
"""The same behind "would" and the like, which "an auditor" could follow as well."""
UNSURE = re.compile(
    rf"\b(?:likely|going|trying|able|supposed) to\b|\b{AUXILIARY} {PRONOUN}|\b(?:and|or) {ASKING}\b|[;:]", re.IGNORECASE
)
"""What makes the rest of a question too uncertain to leave it as it stands."""
ADVERBS = r"(?: (?:still|now|then|also|already|each|both|[a-z]{3,}ly))*+"
MAIN_VERB = re.compile(rf"{ADVERBS} (?P<verb>[a-z]++)(?!['’-])")
AFTER_NAME = re.compile(
    r"$| (?:in|on|at|from|for|with|to|by|the|an?|now|still|also|born|been|known|able|worth|be|have|won|made|had|left"
    r"|sold|[a-z]{2,}ing|[a-z]{2,}ed|(?:old|tall|short|young|larg|bigg|small|fast)er)(?![\w'’-])"
)
"""What may follow a name that is the whole subject: "is Paris in", but not "is Paris fashion"."""
RELATIONAL = (
    r"(?:capital|name|value|number|area|sum|difference|probability|result|product|average|total|cost|price|distance|length"
    r"|height|width|weight|mass|volume|ratio|percentage|chance|definition|purpose|function|role|cause|reason|effect|colou?r"
    r"|shape|size|location|population|currency|symbol|formula|speed|temperature|pressure|age|amount|idea|process|term|title"
    r"|author|president|director|founder|mother|father|owner|order|degree|period|frequency|wavelength|density|perimeter|radius"
    r"|circumference|remainder|median|mean|range|date|day|time|country|city|language|relationship|advantage|benefit)"
)
NAMED = re.compile(
    rf"(?:what|who) is (?=the (?:[a-z-]+ ){{0,2}}{RELATIONAL} (?:of|for|between|in|that)\b)", re.IGNORECASE
)
"""A question for what a noun names: "What is the capital of …"."""
REQUESTS: Mapping[str, tuple[str, ...]] = {
    "amount": ("Tell me ", "State ", "Say ", "Work out ", "Find ", "Determine "),
    "way": ("Tell me ", "Explain ", "Say "),
    "whether": ("Tell me whether ", "Say whether ", "State whether "),
    "named": ("State ", "Give ", "Tell me "),
    "": ("Tell me ", "State ", "Say "),
}
"""How a request begins, by what is asked for."""
SORT = re.compile(
    r"(?P<amount>how (?:many|much)\b)|(?P<way>(?:why|how (?:to|do|does|did|can|could|would|should|is|are|was|were))\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A question turned into what a request is for.

    Attributes:
        asked: The sort of request that fits before it.
        dropped: How much goes away at its beginning.
        edits: What else changes in it.
    """

    asked: str
    dropped: int = 0
    edits: Rewording = ()


def imperatives(wording: Wording) -> Iterator[Rewording]:
    """Turn the last question of a part into a request, in each way that fits."""
    for part, text in wording.parts("text", "instruction"):
        for sentence in asked(text):
            preface = PREFACE.match(text, sentence.start, sentence.mark)
            start = preface.end() if preface else sentence.start
            for turn in turns(part, text, start, sentence.mark):
                yield from requests(part, text, sentence, start, turn)


def asked(text: str) -> list[Sentence]:
    """Give the question that a text asks its reader: the last one, which opens the text or has no prose behind it.

    In the midst of prose, as in a review, a question may be one that nobody is to answer.
    """
    return [
        question
        for question in questions_of(text)[-1:]
        if not text[: question.start].strip()
        or not any(other.marks for other in sentences_of(text) if other.start > question.start)
    ]


def requests(part: str, text: str, sentence: Sentence, start: int, turn: Turn) -> Iterator[Rewording]:
    """Put each request that fits before a question that was turned, and end it as a request."""
    end = (Edit(part, sentence.mark, "?", ".", KIND),) if sentence.marks else ()
    for request in REQUESTS[turn.asked]:
        if not turn.dropped:
            begin = opened(part, start, text, request, KIND)
        else:
            phrase = request if text[start].isupper() else request.lower()
            begin = Edit(part, start, text[start : start + turn.dropped], phrase, KIND)
        yield (begin, *turn.edits, *end)


def turns(part: str, text: str, start: int, end: int) -> Iterator[Turn]:
    """Turn a question round in the ways that its grammar is sure to bear."""
    named = NAMED.match(text, start, end)
    if named and not UNSURE.search(text, named.end(), end):
        yield Turn("named", len(named[0]))
    asking = WH_CLAUSE.match(text, start, end)
    verb = FIRST_VERB.search(text, asking.end(), end) if asking else YES_OR_NO.match(text, start, end)
    if asking is None:
        edits = swapped(part, text, verb, end) if verb else None
        if verb and edits:
            yield Turn("whether", verb.end() + 1 - start, edits[1:])
    elif asking[0].lower() in CONJUNCTIONS and (verb is None or verb.start() - asking.end() > 1):
        return
    elif verb is None or behind_finite(text, asking.end(), verb.start()):
        if not CONTRACTED.search(text, start, end) and not UNSURE.search(text, asking.end(), end):
            yield Turn(sort_of(text[start:end]))
    elif edits := swapped(part, text, verb, end):
        yield Turn(sort_of(text[start:end]), 0, edits)
    elif is_of_subject(text, asking.end(), verb, end):
        yield Turn(sort_of(text[start:end]))


def behind_finite(text: str, start: int, verb: int) -> bool:
    """Say whether an auxiliary stands behind the question's own verb: "who sang do they know", "who wrote what was"."""
    first = WORD.match(text, start + 1, verb)
    if first and first[0] in finite_forms():
        return True
    clause = SUBORDINATE.search(text, start, verb)
    return clause is not None and any(
        match[0] in finite_forms() for match in WORD.finditer(text, start, clause.start())
    )


def is_of_subject(text: str, start: int, verb: re.Match[str], end: int) -> bool:
    """Say whether a question asks for the subject of its verb, which then stands as it would in a statement."""
    continued = CONTINUED if verb[0] in BE_OR_HAVE else CONTINUED_MODAL
    named = verb.start() - start > 1 and verb[0] not in DO
    return named and continued.match(text, verb.end(), end) is not None and not UNSURE.search(text, verb.end(), end)


def sort_of(question: str) -> str:
    """Say what sort of request fits before a question."""
    match = SORT.match(question)
    return (match.lastgroup or "") if match else ""


def swapped(part: str, text: str, verb: re.Match[str], end: int) -> Rewording:
    """Put a verb behind its subject: the edit that takes it away, then those that put it there; empty where unsure."""
    subject = SUBJECT.match(text, verb.end(), end)
    if subject is None or UNSURE.search(text, subject.end(), end):
        return ()
    auxiliary = verb[0].lower()
    gone = Edit(part, verb.start(), f"{verb[0]} ", "", KIND)
    if auxiliary not in DO:
        alone = subject["pronoun"] is not None or AFTER_NAME.match(text, subject.end(), end) is not None
        return (gone, Edit(part, subject.end(), "", f" {auxiliary}", KIND)) if alone else ()
    main = MAIN_VERB.match(text, subject.end(), end)
    form = finite(main["verb"], auxiliary) if main else ""
    if main is None or not form:
        return ()
    return (gone,) if form == main["verb"] else (gone, Edit(part, main.start("verb"), main["verb"], form, KIND))


def finite(base: str, auxiliary: str) -> str:
    """Give a verb the form that "do", "does" or "did" had for it; empty where the verb is not known."""
    if base not in pasts():
        return ""
    return {"do": base, "does": third_person(base), "did": pasts()[base]}[auxiliary]
