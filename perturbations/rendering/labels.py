"""Option labels: A B C, a b c, 1 2 3, i ii iii, I II III, as many as there are options, never one twice."""

from collections.abc import Sequence
from functools import lru_cache

from ..question import LabelStyle, Layout, Question, Wrapper

ROMAN_PARTS = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


@lru_cache(maxsize=1024)
def option_labels(style: LabelStyle, count: int) -> tuple[str, ...]:
    """Give the bare labels of `count` options; after Z comes AA, as in a spreadsheet."""
    return tuple(label(style, position) for position in range(count))


def label(style: LabelStyle, position: int) -> str:
    """Give the bare label of the option at a 0-based position."""
    match style:
        case "A":
            return letters(position)
        case "a":
            return letters(position).lower()
        case "1":
            return str(position + 1)
        case "I":
            return roman(position + 1)
        case "i":
            return roman(position + 1).lower()


def letters(position: int) -> str:
    """Write a 0-based position as A to Z, then AA, AB and so on."""
    prefix, last = divmod(position, 26)
    return (letters(prefix - 1) if prefix else "") + chr(ord("A") + last)


def roman(number: int) -> str:
    """Write a positive number as a Roman numeral."""
    text = ""
    for value, part in ROMAN_PARTS:
        times, number = divmod(number, value)
        text += part * times
    return text


def wrapped(bare: str, wrapper: Wrapper) -> str:
    """Write a label as it stands before its option: `(B)` for B in the wrapper `(A)`."""
    return wrapper.replace("A", bare)


def answer_key_labels(question: Question, layout: Layout) -> tuple[str, ...]:
    """Give the bare labels of a question's options, in the order shown."""
    return option_labels(layout.labels, len(question.options))


def label_map(question: Question, layout: Layout, permutation: Sequence[int]) -> dict[str, int]:
    """Map each shown label to the canonical index of its option.

    Args:
        question: The question as shown.
        layout: The layout it is shown in.
        permutation: `permutation[shown position]` is the canonical option index.
    """
    return dict(zip(answer_key_labels(question, layout), permutation, strict=True))


def label_noun(style: LabelStyle, count: int) -> str:
    """Say what a label of this style is called in an instruction."""
    if style == "1":
        return "number"
    if style in {"i", "I"}:
        return "numeral"
    return "letter" if count <= 26 else "label"


def enumerated(labels: Sequence[str]) -> str:
    """Write labels as a list in words: `A, B, C or D`."""
    return " or ".join(part for part in (", ".join(labels[:-1]), "".join(labels[-1:])) if part)


def label_range(labels: Sequence[str]) -> str:
    """Write from where to where labels go: `A to D`; two as `A or B`."""
    return f"{labels[0]} to {labels[-1]}" if len(labels) > 2 else " or ".join(labels)
