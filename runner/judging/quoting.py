"""What in a judge's reply is not its own word: its prompt given back, quotations, and reports of a text."""

import json
import re
from collections.abc import Sequence

from ..graders.text import fold
from .fence import TAG_DIGITS
from .forms import FORMATS

SHORT = 24
"""Characters of a line that a judge may well write by itself; where it stands in a reply, it need be no quotation."""
NEAR = 400
"""Characters before a verdict in which it is seen whose word it is."""
_FENCE = re.compile(rf"<(?P<name>[\w-]+) (?P<tag>[0-9a-f]{{{TAG_DIGITS}}})>\n.*?\n</(?P=name) (?P=tag)>", re.DOTALL)
_FENCE_LINE = re.compile(rf"</?[\w-]+ [0-9a-f]{{{TAG_DIGITS}}}>")
_TEMPLATE = re.compile(r"\{\s*\"reason\"\s*:\s*\"\s*(?:…|\.\.\.)\s*\"\s*,[^{}\n]*\}")
_SAYS = re.compile(
    r"\b(?:answers?|response|reply|text|it|candidate|assistant|model|student|author|writer|he|she|they|rubric|prompt"
    r"|instructions?|question|reference|context|quot\w+|line|sentence|end)\b[^.!?\n]{0,80}?"
    r"\b(?:says?|said|saying|reads?|reading|claim\w*|stat(?:es?|ed|ing)|writes?|wrote|written|contain\w*|ends?|quot\w+"
    r"|tells?|declar\w+|assert\w*|includ\w+|repeats?|outputs?|begins?|asks?)\b[^.!?\n]{0,40}$",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(r"[,;]\s*(?:and\s+)?so\b|\b(?:therefore|thus|hence|consequently)\b|;", re.IGNORECASE)


def without_quotations(text: str, seen: Sequence[str], prompt: Sequence[str]) -> str:
    """Cut out fences, whole texts under judgement, quoted lines, and what repeats the judge's prompt.

    Args:
        text: The reply.
        seen: The texts under judgement.
        prompt: The texts of the prompt.
    """
    text = _FENCE.sub(" ", text)
    for each in (whole for text in seen if len(whole := text.strip()) > SHORT or "\n" in whole):
        text = text.replace(each, " ").replace(json.dumps(each, ensure_ascii=False)[1:-1], " ")
    lines = {line.strip() for each in prompt for line in each.splitlines()}
    for line in sorted((line for line in lines if len(line) > SHORT), key=lambda line: (-len(line), line)):
        text = text.replace(line, " ")
    for wording in FORMATS.values():
        text = text.replace(wording, " ")
    text = _FENCE_LINE.sub(" ", _TEMPLATE.sub(" ", text))
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith(">"))


def is_quoted_whole(seen: str, text: str) -> bool:
    """Whether a reply repeats a whole text under judgement, which is cut out, so that the rest is the judge's own."""
    whole = seen.strip()
    return (len(whole) > SHORT or "\n" in whole) and whole in text


def is_quoted(before: str) -> bool:
    """Whether what follows a text stands within quotation marks that opened on its line, after some words."""
    line = before[-NEAR:].rpartition("\n")[2]
    opened = line.count('"') % 2 == 1 or any(line.rfind(left) > line.rfind(right) for left, right in ("“”", "«»", "„“"))
    single = re.search(r"(?:^|\s)['‘][^'’]*$", line)
    return (opened or single is not None) and re.search(r"\w", line) is not None


def is_attributed(before: str) -> bool:
    """Whether what follows a text is what another text says, as in `The answer reads: `."""
    lines = [line for line in fold(before[-NEAR:]).split("\n") if not line.strip().startswith("```")]
    here = lines.pop() if lines else ""
    if not re.search(r"\w", here):
        here = next((line for line in reversed(lines) if line.strip()), "").rstrip()
        if not here.endswith(":"):
            return False
    sentence = re.split(r"[.!?](?=\s)", here)[-1]
    return _SAYS.search(_CONCLUDES.split(sentence)[-1]) is not None
