"""The answer of a reply that is one JSON object: the value of the key that is named for it."""

import json
import re
from collections.abc import Iterable

from pydantic import JsonValue as Json

from .patterns import Pattern
from .text import View, blank_fences, blank_reasoning, ends_of

_ANSWER_KEYS = (
    "finalanswer", "answer", "correctanswer", "correctoption", "selectedoption", "choice", "option", "selected",
    "letter", "label", "prediction", "result", "response", "value", "antwort", "réponse", "respuesta", "risposta",
    "resposta", "答案", "答え", "回答", "정답", "답", "ответ",
)  # fmt: skip
"""Names of the key, the surest first; case, spaces, `_` and `-` do not count."""
_MEMBER = Pattern(lambda: r'"((?:[^"\\\n]|\\.){1,40})"\s*:\s*("(?:[^"\\]|\\.)*+"|[^\s,{}\[\]"]+)')
_STEP = Pattern(
    lambda: r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]+", re.DOTALL
)


class _TwiceError(ValueError):
    """A key that stands twice in an object, with different values."""


def json_answer(view: View) -> View | None:
    """The value of the answer's key, where the whole reply is one JSON object that has such a key.

    Args:
        view: The reply.

    Returns:
        The value as its text reads, with escapes resolved; an empty view where the key stands twice, with different
        values; None where the reply is no such object.
    """
    plain = blank_fences(blank_reasoning(view.source))
    if not (plain.lstrip().startswith("{") and plain.rstrip().endswith("}")):
        return None
    try:
        row: Json = json.loads(plain, object_pairs_hook=_once)
    except _TwiceError:
        return view.cut(0, 0)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    keys = {_named(key): key for key in row}
    key = next((keys[name] for name in _ANSWER_KEYS if name in keys), None)
    return None if key is None else _member(view.source, plain, key, row[key])


def _named(key: str) -> str:
    return re.sub(r"[\s_-]", "", key).lower()


def _once(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    """An object; refused where one of the answer's keys has two values."""
    row: dict[str, Json] = {}
    for key, value in pairs:
        if row.setdefault(key, value) != value and _named(key) in _ANSWER_KEYS:
            raise _TwiceError(key)
    return row


def _member(source: str, plain: str, key: str, value: Json) -> View | None:
    for member in reversed(list(_MEMBER.finditer(plain))):
        try:
            same = json.loads(f'"{member[1]}"') == key and json.loads(member[2]) == value
        except ValueError:  # a fragment that only looked like a member, inside a string
            continue
        if same:
            quoted = member[2].startswith('"')
            return _decoded(source, member.start(2) + quoted, member.end(2) - quoted)
    return None


def _decoded(source: str, start: int, end: int) -> View:
    """A part of a JSON text with its escapes resolved; each character knows where it is written."""
    pieces: list[str] = []
    places: list[int] = []
    for step in _STEP.finditer(source, start, end):
        escaped = step.group().startswith("\\")
        piece = json.loads(f'"{step.group()}"') if escaped else step.group()
        places += [step.start()] * len(piece) if escaped else range(*step.span())
        pieces.append(piece)
    view = View.of("".join(pieces))
    offsets = places if view.offsets is None else [places[at] for at in view.offsets]
    return ends_of(View(source, view.text, tuple(offsets), end))
