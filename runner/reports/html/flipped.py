"""The items that flip most, for those who read a page without scripts: both prompts and answers, with marks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ....perturbations.difference import Mark, marked_difference
from ...findings import Answer, FlippedItem
from ..text import how_read

LONGEST = 4_000
"""Characters of a prompt or a reply that are shown."""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """One reply: what stands before, in and after what was read; how it was read; how much of it is not shown."""

    verdict: str
    how: str
    before: str
    read: str
    after: str
    cut: int


@dataclass(frozen=True, slots=True)
class FlippedView:
    """One item with the marks of both prompts, and how much of each is not shown."""

    item: FlippedItem
    original: Sequence[tuple[Mark, str]]
    variant: Sequence[tuple[Mark, str]]
    original_cut: int
    variant_cut: int
    answers: tuple[AnswerView, AnswerView]


def flipped_views(items: Iterable[FlippedItem]) -> list[FlippedView]:
    """Lay out the items that flip most."""
    return [flipped_view(item) for item in items]


def flipped_view(item: FlippedItem) -> FlippedView:
    """Lay out one item."""
    before, after = item.prompt[:LONGEST], item.variant_prompt[:LONGEST]
    marks = marked_difference(before, after)
    return FlippedView(
        item,
        [mark for mark in marks if mark[0] != "insert"],
        [mark for mark in marks if mark[0] != "delete"],
        len(item.prompt) - len(before),
        len(item.variant_prompt) - len(after),
        (answer_view(item.baseline), answer_view(item.variant)),
    )


def answer_view(answer: Answer, longest: int = LONGEST) -> AnswerView:
    """Lay out one reply, as many characters of it as are shown at most."""
    text = answer.text[:longest]
    start, end = answer.span or (len(text), len(text))
    verdict = {True: "pass", False: "fail", None: "no result"}[answer.passed]
    return AnswerView(
        verdict, how_read(answer), text[:start], text[start:end], text[end:], len(answer.text) - len(text)
    )
