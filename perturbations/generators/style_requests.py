"""Requests where they stand in a text, and requests as questions: "Find the area" becomes "Could you find the area?".

A sentence is a request where it begins with a verb that one asks for a task with, and an object that can only be such a
verb's follows: "Name the river", but not "Name recognition".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..lexicon.sentences import Sentence, sentences_of
from ..variant import Edit
from .style_wording import Rewording, Wording, is_free, opened

KIND = "question"
REQUEST = re.compile(
    r"(?P<please>(?:please|kindly) )?(?P<verb>find|calculate|compute|determine|evaluate|solve|simplify|choose|select"
    r"|pick|name|list|give|state|explain|describe|identify|write|translate|summari[sz]e|classify|answer|complete|convert"
    r"|decide|estimate|sort|rank|rewrite|read|tell|compare|indicate|predict|provide|show|return|label|assign"
    r"|extract|correct|match|fill|arrange|categori[sz]e|say|suggest|judge|rate|score|count|check|specify|express|prove)"
    r" (?=(?:the|an?|each|every|all|both|one|two|three|any|only|whether|if|which|what|who|how|where|when|why|your|its"
    r"|his|her|their|this|that|these|those|me|it|them|at most|at least|\d+)\b)",
    re.IGNORECASE,
)
OPENINGS = ("Could you ", "Can you ", "Would you ")
SINGULAR = (
    r"(?:value|area|sum|difference|probability|product|average|total|cost|price|distance|length|height|width|weight|mass"
    r"|volume|ratio|percentage|perimeter|radius|circumference|remainder|median|mean|range|capital|name|degree|number|result)"
)
SOUGHT = re.compile(
    r"(?:please )?(?:find|calculate|compute|determine|evaluate|state|give|name) "
    rf"(?=the (?:[a-z-]+ ){{0,2}}{SINGULAR} (?:of|for|between|in|that)\b)",
    re.IGNORECASE,
)
COORDINATED = re.compile(r"\b(?:and|then|but)\b|[;:]")
"""What may join a second request, which a question for one thing would leave behind."""


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence that asks for something to be done.

    Attributes:
        part: The part that it stands in.
        text: The part's text.
        sentence: The sentence.
        please: How long its "please" is, with the space behind it; 0 where it has none.
    """

    part: str
    text: str
    sentence: Sentence
    please: int


def requests_in(wording: Wording, *names: str) -> Iterator[Request]:
    """Find the requests of some parts."""
    for part, text in wording.parts(*names):
        for sentence in sentences_of(text):
            match = REQUEST.match(text, sentence.start, sentence.end)
            if match and is_free(wording.masks[part], match.start(), match.start() + 1):
                yield Request(part, text, sentence, len(match["please"] or ""))


def questions(wording: Wording) -> Iterator[Rewording]:
    """Turn a request into a question, in each way that fits."""
    for request in requests_in(wording, "text", "instruction"):
        part, text, sentence = request.part, request.text, request.sentence
        end = question_mark(request)
        if end is None:
            continue
        for phrase in OPENINGS:
            yield (opened(part, sentence.start, text, phrase, KIND), *end)
        sought = SOUGHT.match(text, sentence.start, sentence.mark)
        if sought and not COORDINATED.search(text, sought.end(), sentence.mark):
            phrase = "What is " if text[sentence.start].isupper() else "what is "
            yield (Edit(part, sentence.start, sought[0], phrase, KIND), *end)


def question_mark(request: Request) -> Rewording | None:
    """End a request as a question; None where it ends in a way that can't be changed, such as an ellipsis."""
    sentence, text = request.sentence, request.text
    if sentence.marks == ".":
        return (Edit(request.part, sentence.mark, ".", "?", KIND),)
    if sentence.marks:
        return None
    last = text[sentence.end - 1]
    if last == ":":
        return (Edit(request.part, sentence.end - 1, ":", "?", KIND),)
    return (Edit(request.part, sentence.end, "", "?", KIND),) if last.isalnum() else None
