"""What the kinds of style have in common: the English parts of a question, and what in them may be reworded."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ..lexicon.language import is_english
from ..lexicon.sentences import Sentence, sentences_of
from ..protection.protect import protected_spans
from ..protection.spans import Mask
from ..question import Subject
from ..variant import Edit
from .frames import in_english
from .shown import begins_with_code, shown_parts

Rewording = tuple[Edit, ...]
"""One way to word a question anew: edits that do so together."""


@dataclass(frozen=True)
class Wording:
    """The text of an item that may be reworded.

    Attributes:
        subject: The item.
        names: The parts that the user lets be reworded.
    """

    subject: Subject
    names: tuple[str, ...]

    @cached_property
    def shown(self) -> dict[str, str]:
        """Those parts that reach the model, by path."""
        return shown_parts(self.subject.question, self.names)

    @cached_property
    def english(self) -> dict[str, str]:
        """Those of them that are surely English."""
        question = self.subject.question
        return {
            path: text
            for path, text in self.shown.items()
            if (in_english(question) and not begins_with_code(text) if path == "text" else is_english(text))
        }

    @cached_property
    def masks(self) -> Mapping[str, Mask]:
        """Protected text of each English part."""
        return {path: Mask(protected_spans(text, self.subject)) for path, text in self.english.items()}

    def parts(self, *names: str) -> Iterator[tuple[str, str]]:
        """Give the English parts of these names as path and text."""
        return ((path, text) for path, text in self.english.items() if path.partition("[")[0] in names)

    def allows(self, edits: Iterable[Edit]) -> bool:
        """Say whether no edit changes a character of protected text, or comes between two."""
        return all(is_free(self.masks[edit.part], edit.start, edit.start + len(edit.before)) for edit in edits)


def is_free(mask: Mask, start: int, end: int) -> bool:
    """Say whether a stretch, or a place between two characters, lies outside of all spans."""
    return not (mask.touches(start, end) if end > start else mask.covers(start - 1, start + 1))


def questions_of(text: str) -> list[Sentence]:
    """Give the questions of a text: sentences with one question mark; a text of one sentence may lack it."""
    sentences = [*sentences_of(text)]
    if len(sentences) == 1 and not sentences[0].marks:
        return sentences
    return [sentence for sentence in sentences if sentence.marks == "?"]


def opened(part: str, start: int, text: str, phrase: str, kind: str) -> Edit:
    """Begin a sentence with a phrase, the small letter behind it: "Find" as "Please find"; "find" as "please find"."""
    first = text[start]
    begin = phrase if first.isupper() else phrase[0].lower() + phrase[1:]
    return Edit(part, start, first, begin + first.lower(), kind)
