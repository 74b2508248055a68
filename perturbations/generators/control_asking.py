"""The one question that an item asks: where it stands, and whether its form is that of a yes/no question."""

import re
from dataclasses import dataclass
from typing import Literal

from ..protection.patterns import PATTERNS
from ..protection.protect import meant
from ..protection.spans import Mask, Span, merged
from ..question import Question
from .frames import shows

Part = Literal["text", "instruction"]

VERB = (
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|shall|should|has|have|had|may|might|must)(?![^\W\d_]|['’])"
)
LEAD = (
    r"(?:(?:after|according|as|assuming|at|because|before|by|during|for|from|given|if|in|on|once|since|suppose|supposing"
    r"|unless|under|when|while|with|without)\b(?:(?!\b(?:what|which|who|whom|whose|when|where|why|how)\b)[^?,])*+,\s+)?"
)
YES_NO = re.compile(rf"(?i:(?P<lead>{LEAD})(?P<verb>{VERB})\s+)\S")
BOUNDARY = re.compile(r"(?P<mark>[.!?:;])[\"'”’)\]]*\s+(?P<next>\S)|\n\s*")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question where it stands.

    Attributes:
        part: The part that holds it.
        start: Its offset in the part.
        sentence: The question, with its question mark where it has one.
    """

    part: Part
    start: int
    sentence: str

    def beside(self, question: Question) -> tuple[str, str]:
        """Give what stands before and behind the question in its part."""
        text = question.text if self.part == "text" else question.instruction
        return text[: self.start], text[self.start + len(self.sentence) :]


def asked_question(question: Question) -> Asked | None:
    """Find the one question that the text and the instruction ask; None where they ask none, or several.

    A text without a question mark counts as a question where it is one line that has the form of a yes/no question.
    """
    parts: dict[Part, str] = {"text": question.text}
    if question.instruction and shows(question, "instruction"):
        parts["instruction"] = question.instruction
    marks = [(part, at) for part, text in parts.items() for at in question_marks(text)]
    if len(marks) == 1:
        part, at = marks[0]
        start = sentence_start(parts[part], at)
        return Asked(part, start, parts[part][start : at + 1])
    text = question.text.strip()
    if not any("?" in said for said in parts.values()) and YES_NO.match(text) and not re.search(r"[.!;:]\s|\n", text):
        return Asked("text", question.text.index(text), text)
    return None


def question_marks(text: str) -> list[int]:
    """Find the question marks of a text that don't stand between quotation marks."""
    quoted = quotations(text)
    return [match.start() for match in re.finditer(r"\?", text) if not quoted.touches(match.start(), match.end())]


def quotations(text: str) -> Mask:
    """Find what stands between quotation marks."""
    return Mask(merged(Span(*meant(match), "quote") for each in PATTERNS["quote"] for match in each.finditer(text)))


def sentence_start(text: str, at: int) -> int:
    """Give the offset at which the sentence begins that holds a place; a full stop before a small letter ends none."""
    quoted = quotations(text)
    start = len(text) - len(text.lstrip())
    for match in BOUNDARY.finditer(text, 0, at):
        inside = quoted.touches(match.start(), match.start() + 1)
        end = match.start("next") if match["mark"] else match.end()
        shortened = match["mark"] == "." and match["next"].islower()
        if not inside and not shortened:
            start = end
    return start
