"""One place where a reply names an option, and how places that stand together are taken for one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from . import phrases
from .patterns import Pattern
from .words import any_of

After = Literal["end", "comma", "because", "verdict", "further", "particle", "word"]

_PAIR = Pattern(lambda: r"[ .:)\]}>\"'–—=(\[|-]{0,12}")
_REVERSED_PAIR = Pattern(
    lambda: rf"[ .,\"'–—-]{{0,4}}[(\[]? ?(?:{any_of(phrases.CHOICE, phrases.ANSWER)})?[ :(\[]{{0,4}}"
)
_LABEL_PAIR = Pattern(lambda: r" *[:=] *[(\[]?")


@dataclass(frozen=True, slots=True)
class Mention:
    """One place where a reply names an option.

    Attributes:
        start: Where the label or text begins in the view.
        end: Where it ends.
        label: The option whose label stands there.
        texts: The options whose text stands there, or beside the label.
        marked: Whether the label stands in brackets, or after a word such as "option".
        exact: Whether it is written in the case shown; a text of several words need not be.
        weak: Whether the option's text is a word that stands in any sentence, such as "no".
        after: What follows it.
        place: The place, in the order shown, of the option whose label it begins with, or that it names by its place.
    """

    start: int
    end: int
    label: int | None = None
    texts: frozenset[int] = frozenset()
    marked: bool = False
    exact: bool = True
    weak: bool = False
    after: After = "end"
    place: int | None = None

    @property
    def answers(self) -> frozenset[int]:
        """The options that it may mean; a marked label is a label, whatever text it may be as well."""
        if self.label is None:
            return self.texts
        return frozenset((self.label,)) if self.marked else self.texts | {self.label}


def both(label: Mention, text: Mention | None) -> Mention:
    """A label that is some option's text as well."""
    return label if text is None else replace(label, texts=text.texts, weak=text.weak)


def of_place(placed: Mention, other: Mention | None) -> Mention:
    """What is named by its place, and by a label or a text that stands there too: both, where they disagree."""
    if other is None:
        return placed
    return replace(placed, texts=other.answers, marked=other.answers == placed.answers)


def outermost(found: list[Mention]) -> Iterator[Mention]:
    """Leave out what stands inside of another mention, as the digit of "the 2nd option"."""
    end = 0
    for mention in found:
        if mention.end > end:
            yield mention
            end = mention.end


def paired(text: str, found: list[Mention]) -> Iterator[Mention]:
    """Take a label and the option text beside it as one mention: of both, where they disagree."""
    at = 0
    while at < len(found):
        first, second = found[at], found[at + 1] if at + 1 < len(found) else None
        pair = _pair(text, first, second) if second is not None else None
        if pair is not None:
            yield pair
            at += 2
            continue
        if first.after != "word" or first.texts or (first.marked and first.exact):
            yield first
        at += 1


def _pair(text: str, first: Mention, second: Mention) -> Mention | None:
    between = text[first.end : second.start]
    if first.label is not None and second.texts and _PAIR.fullmatch(between):
        agree = first.label in second.texts
        return None if first.after == "word" and not agree else _beside(first, second, first.label, second.texts)
    if first.texts and second.label is not None and second.marked and _REVERSED_PAIR.fullmatch(between):
        return _beside(first, second, second.label, first.texts)
    if first.label is None or second.label is None or second.after != "end" or not _LABEL_PAIR.fullmatch(between):
        return None
    return _beside(first, second, first.label, frozenset((second.label,)))


def _beside(first: Mention, second: Mention, label: int, texts: frozenset[int]) -> Mention:
    agree = label in texts
    answers = frozenset((label,)) if agree else texts
    return Mention(first.start, second.end, label, answers, agree, after=second.after, place=first.place)
