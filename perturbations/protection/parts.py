"""The text parts of a Question, each under its path, and edits replayed on them.

A path is the part's name, with an index where there are several: `text`, `instruction`, `system`, `context[0]`.
Options, examples, history and the closing line are no text parts: no edit of words may reach them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..question import Question
from ..variant import Edit

PART_NAMES = ("text", "instruction", "context", "system")


def text_parts(question: Question, names: Iterable[str] = PART_NAMES) -> dict[str, str]:
    """Give the named parts of a question as path -> text; `context` gives every passage."""
    parts: dict[str, str] = {}
    for name in names:
        if name == "context":
            parts |= {context_path(index): passage for index, passage in enumerate(question.context)}
        else:
            parts[name] = getattr(question, name)
    return parts


def context_path(index: int) -> str:
    """Give the path of a context passage."""
    return f"context[{index}]"


def with_parts(question: Question, changed: Mapping[str, str]) -> Question:
    """Give the question with some text parts replaced, by path."""
    context = tuple(changed.get(context_path(index), passage) for index, passage in enumerate(question.context))
    return replace(
        question,
        text=changed.get("text", question.text),
        instruction=changed.get("instruction", question.instruction),
        system=changed.get("system", question.system),
        context=context,
    )


def apply_edits(question: Question, edits: Iterable[Edit]) -> Question:
    """Replay edits of text parts on the question that their offsets refer to.

    Raises:
        ValueError: Where an edit's `before` does not stand at its offset, or two edits overlap.
    """
    edits = tuple(edits)
    parts = text_parts(question)
    changed = {
        path: edited_text(parts[path], [edit for edit in edits if edit.part == path])
        for path in dict.fromkeys(edit.part for edit in edits)
    }
    return with_parts(question, changed)


def edited_text(text: str, edits: Iterable[Edit]) -> str:
    """Replay edits of one text; offsets are those of the original text."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda edit: edit.start):
        if edit.start < position or not text.startswith(edit.before, edit.start):
            raise ValueError(f"{edit} does not fit: {edit.before!r} must stand there in the text, behind other edits")
        pieces += [text[position : edit.start], edit.after]
        position = edit.start + len(edit.before)
    return "".join([*pieces, text[position:]])
