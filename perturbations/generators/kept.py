"""Edits of words proved to keep what must not change, before they are proposed.

Some edits change only the form of protected text: "is not" to "isn't", a straight quotation mark to a curly one. They
are taken apart: what the other edits make is checked as always, and with the rest in it the text must be the same again
once every such form is written in one way.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from ..protection.check import altered_protected
from ..protection.parts import apply_edits, text_parts
from ..question import Question, Subject
from ..variant import Edit


@dataclass(frozen=True, slots=True)
class Forms:
    """Edits that change the form of what they touch, and no more.

    Attributes:
        kinds: The kinds of these edits.
        plain: Writes every such form of a text in one way, the same whichever it was.
    """

    kinds: Collection[str]
    plain: Callable[[str], str]


def kept_by(subject: Subject, edits: Collection[Edit], forms: Forms) -> Question | None:
    """Apply edits of text parts where they keep all protected text.

    Returns:
        The edited question; None where protected text would be lost, moved or gained, or where an edit of a form says
        something else.
    """
    others = [edit for edit in edits if edit.kind not in forms.kinds]
    reworded = apply_edits(subject.question, others)
    if others and altered_protected(subject, subject.question, reworded):
        return None
    if len(others) == len(edits):
        return reworded
    question = apply_edits(subject.question, edits)
    before, after = text_parts(reworded), text_parts(question)
    return question if all(forms.plain(before[part]) == forms.plain(text) for part, text in after.items()) else None
