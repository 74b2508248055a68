"""What stands in a reply: a paraphrase, or a judge's verdict. What can't be read is rejected, and says why.

A paraphraser is asked for one line of JSON, and small models seldom keep to it. A text is accepted too that is nothing
but the paraphrase, once a code fence, an opening such as "Sure, here is the reworded question:" and quotation marks
around all of it are taken off. Anything else besides the paraphrase makes the reply unreadable.
"""

import re

from pydantic import JsonValue as Json

from ..datasets.strict_json import parse_json
from ..graders.text import blank_reasoning

READER_VERSION = 1
"""Raised whenever the same reply could be read otherwise."""
KEY, VERDICT_KEY = "paraphrase", "same"

_FENCED = re.compile(r"```\w*[^\S\n]*\n(?P<inside>.*?)\n?[^\S\n]*```", re.DOTALL)
_REWORDED = r"(?:paraphrased?|reworded|rephrased|rewritten|restated)"
_OPENING = re.compile(
    rf"(?:(?:sure|certainly|of course|okay|ok|absolutely)\b[,!.]*\s*)?"
    rf"(?:here(?:['’]s|\sis)\s[^\n:]{{0,60}}\b(?:{_REWORDED}|rewording|question|version|json)\b[^\n:]{{0,40}}"
    rf"|(?:\*\*)?(?:the\s|a\s)?(?:{_REWORDED}(?:\s(?:question|text|version))?|question)(?:\sis)?)"
    r"(?:\*\*)?:(?:\*\*)?\s*"
    r"|(?:sure|certainly|of course|okay|ok|absolutely)\b[^\n:]{0,80}[:.!]\s*\n",
    re.IGNORECASE,
)
_QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`"}
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n")


class UnreadableError(Exception):
    """There is no paraphrase or verdict in a reply; the text is the reason, as a clause."""


def read_paraphrase(reply: str, original: str) -> str:
    """Read the paraphrase in a reply.

    Args:
        reply: The reply's text.
        original: The question's text, which says how many paragraphs there may be and whether quotation marks belong.

    Returns:
        The paraphrase, without white space at its ends; never empty.

    Raises:
        UnreadableError: There is none.
    """
    text = _unfenced(blank_reasoning(reply).strip())
    if (opening := _OPENING.match(text)) and not _OPENING.match(original.strip()):
        text = _unfenced(text[opening.end() :].strip())
    found = _in_json(text) if text.startswith(("{", "[")) else _plain(text, original)
    if not found.strip():
        raise UnreadableError("it is empty")
    return found.strip()


def _unfenced(text: str) -> str:
    """What stands in a code fence around the whole text."""
    fence = _FENCED.fullmatch(text)
    return fence["inside"].strip() if fence else text


def _in_json(text: str) -> str:
    value = _object(text)
    paraphrase = value.get(KEY)
    if not isinstance(paraphrase, str):
        raise UnreadableError(f"its JSON has no text under {KEY!r}")
    return paraphrase


def _object(text: str) -> dict[str, Json]:
    try:
        value = parse_json(text)
    except ValueError:
        raise UnreadableError("it is broken JSON, or has something besides its JSON") from None
    if not isinstance(value, dict):
        raise UnreadableError("its JSON is no object")
    return value


def _plain(text: str, original: str) -> str:
    """A reply that is the paraphrase and nothing else."""
    if f'"{KEY}"' in text:
        raise UnreadableError("it has something besides its JSON")
    if len(_PARAGRAPHS.split(text)) > len(_PARAGRAPHS.split(original.strip())):
        raise UnreadableError("it has more paragraphs than the question, so something besides a paraphrase")
    return _unquoted(text, original.strip())


def _unquoted(text: str, original: str) -> str:
    """The text without quotation marks around all of it, unless the original begins with one too."""
    closing = _QUOTES.get(text[:1])
    inside = text[1:-1]
    if closing is None or not text.endswith(closing) or len(text) < 2 or original[:1] in _QUOTES:
        return text
    return text if text[0] in inside or closing in inside else inside


def read_verdict(reply: str) -> bool:
    """Read a judge's verdict, which is JSON or nothing.

    Args:
        reply: The reply's text.

    Returns:
        Whether both questions ask the same.

    Raises:
        UnreadableError: There is no verdict.
    """
    verdict = _object(_unfenced(blank_reasoning(reply).strip())).get(VERDICT_KEY)
    if not isinstance(verdict, bool):
        raise UnreadableError(f"its JSON has neither true nor false under {VERDICT_KEY!r}")
    return verdict
