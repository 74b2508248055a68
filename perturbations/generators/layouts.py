"""The layouts that a question may be given instead of its own, dial by dial."""

import random
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, TypeVar

from ..options.relabel import usable_styles
from ..question import DescriptorCase, LabelStyle, Layout, Markup, Question, Wrapper
from .kinds import EXTREME, FormatKind

TRIES = 64
"""Layouts tried before giving up; where there are fewer, all are."""
FORMAT_SEVERITIES: Mapping[str, tuple[FormatKind, ...]] = {
    "mild": ("separators", "case"),
    "medium": ("separators", "case", "labels", "option_separator"),
    "hard": ("separators", "case", "labels", "option_separator", "markdown", "xml", "json", "yaml"),
}
"""Kinds by how far they lead from the original."""
MARKUPS: tuple[Markup, ...] = ("markdown", "xml", "json", "yaml")
WRAPPERS: tuple[Wrapper, ...] = ("A.", "A)", "(A)", "[A]", "A:")
DESCRIPTOR_SEPARATORS = (": ", ":\n", " - ", "\n")
FIELD_SEPARATORS = ("\n\n", "\n", "\n\n---\n\n")
LEADING_NUMBER = re.compile(r"\s*[(\[+\-−.$€£]*\d")
INLINE_SEPARATORS = ("; ", " | ")
DIALS: frozenset[FormatKind] = frozenset({"separators", "case", "labels", "option_separator"})
"""Kinds that turn a dial of the present markup; the others are markups."""
OPTION_KINDS: frozenset[FormatKind] = frozenset({"labels", "option_separator"})
"""Kinds that change how options are shown, and nothing where there are none."""
TEMPLATE_KINDS: frozenset[FormatKind] = OPTION_KINDS | {EXTREME}
"""What a user's own template leaves to the layout."""
UNSEEN: dict[Markup, tuple[str, ...]] = {
    "plain": (),
    "markdown": ("option_separator", "descriptor_separator", "field_separator"),
    "xml": ("wrapper", "option_separator", "descriptor_separator", "field_separator"),
    "json": ("wrapper", "option_separator", "descriptor_separator", "field_separator"),
    "yaml": ("wrapper", "option_separator", "descriptor_separator", "field_separator"),
    "json_line": ("wrapper", "option_separator", "descriptor_case", "descriptor_separator", "field_separator"),
}
"""The dials that a markup does not show."""
EXTREMES: tuple[Mapping[str, Any], ...] = (
    {"option_separator": " ", "descriptor_case": "none", "field_separator": " "},
    {"option_separator": " ", "descriptor_separator": ":", "field_separator": " "},
    {"option_separator": "\t", "descriptor_separator": "\t", "field_separator": "\t"},
    {"option_separator": "", "descriptor_separator": "", "field_separator": ""},
    {"option_separator": "\n" * 4, "descriptor_separator": "\n" * 3, "field_separator": "\n" * 8},
    {
        "option_separator": " ## ",
        "descriptor_case": "upper",
        "descriptor_separator": " :: ",
        "field_separator": " || ",
    },
    {"markup": "json_line"},
)
"""The extreme layouts, each by what it sets: all in one line, with and without names; tabs; nothing in between; wide
gaps; strange signs; JSON in one line under short keys."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Dials:
    """What each field of a Layout may be; the layouts are all combinations, numbered from 0."""

    markup: Sequence[Markup]
    labels: Sequence[LabelStyle]
    wrapper: Sequence[Wrapper]
    option_separator: Sequence[str]
    descriptor_case: Sequence[DescriptorCase]
    descriptor_separator: Sequence[str]
    field_separator: Sequence[str]

    def count(self) -> int:
        """Count the combinations."""
        return prod(len(getattr(self, name)) for name in self.__slots__)

    def layout(self, number: int) -> Layout:
        """Give one combination by its number."""
        number, markup = taken(number, self.markup)
        number, labels = taken(number, self.labels)
        number, wrapper = taken(number, self.wrapper)
        number, option_separator = taken(number, self.option_separator)
        number, descriptor_case = taken(number, self.descriptor_case)
        number, descriptor_separator = taken(number, self.descriptor_separator)
        return Layout(
            markup=markup,
            labels=labels,
            wrapper=wrapper,
            option_separator=option_separator,
            descriptor_case=descriptor_case,
            descriptor_separator=descriptor_separator,
            field_separator=self.field_separator[number],
        )


def taken(number: int, values: Sequence[T]) -> tuple[int, T]:
    """Split a number into what is left for the next dial and the value of this one."""
    rest, place = divmod(number, len(values))
    return rest, values[place]


def drawn_layouts(
    question: Question, base: Layout, kinds: Collection[FormatKind], rng: random.Random
) -> Iterator[Layout]:
    """Draw layouts for a question that these kinds lead to, none twice; they may look alike, or not read back."""
    if EXTREME in kinds:
        yield from (replace(base, **{"markup": "plain", **dials}) for dials in rng.sample(EXTREMES, len(EXTREMES)))
        return
    choice = dials(question, base, kinds)
    for number in rng.sample(range(choice.count()), min(choice.count(), TRIES)):
        yield seen_dials(choice.layout(number), base)


def dials(question: Question, base: Layout, kinds: Collection[FormatKind]) -> Dials:
    """Say what each field of the layout may be for a question, if these kinds may change it."""
    markups = tuple(markup for markup in MARKUPS if markup in kinds)
    labels = "labels" in kinds
    separators = "separators" in kinds
    return Dials(
        markup=(*markups, base.markup)
        if DIALS & set(kinds) and base.markup not in markups
        else markups or (base.markup,),
        labels=usable_styles(question, base) if labels else (base.labels,),
        wrapper=WRAPPERS if labels and question.options else (base.wrapper,),
        option_separator=option_separators(question, base) if "option_separator" in kinds else (base.option_separator,),
        descriptor_case=cases(question, base) if "case" in kinds else (base.descriptor_case,),
        descriptor_separator=with_base(descriptor_separators(question), base.descriptor_separator, use=separators),
        field_separator=with_base(field_separators(question), base.field_separator, use=separators),
    )


def with_base(values: Sequence[T], base: T, *, use: bool) -> Sequence[T]:
    """Give the values and the present one, or the present one alone."""
    return tuple(dict.fromkeys((base, *values))) if use else (base,)


def option_separators(question: Question, base: Layout) -> Sequence[str]:
    """Give what may stand between options: nothing that an option holds itself, and lines where an option has lines."""
    options = [*question.options, *(option for example in question.examples for option in example.options)]
    if len(question.options) < 2:
        return (base.option_separator,)
    lines = ("\n", "\n\n") if not any("\n\n" in option for option in options) else ("\n",)
    inline = [
        separator
        for separator in INLINE_SEPARATORS
        if not any("\n" in option or separator.strip() in option for option in options)
    ]
    return with_base((*lines, *inline), base.option_separator, use=True)


def cases(question: Question, base: Layout) -> Sequence[DescriptorCase]:
    """Give how names may be written; left out only where the parts tell themselves apart without names."""
    named = bool(question.context or question.examples)
    values: tuple[DescriptorCase, ...] = ("title", "upper", "lower") if named else ("title", "upper", "lower", "none")
    return with_base(values, base.descriptor_case, use=True)


def descriptor_separators(question: Question) -> Sequence[str]:
    """Give what may stand between a name and its part; no dash where a number may follow, which it would negate."""
    numbers = bool(question.examples) or any(LEADING_NUMBER.match(part) for part in (question.text, *question.context))
    return tuple(separator for separator in DESCRIPTOR_SEPARATORS if not (numbers and separator == " - "))


def field_separators(question: Question) -> Sequence[str]:
    """Give what may stand between parts; a single line break only where no part holds a blank line."""
    parts = (
        question.instruction,
        *question.context,
        question.text,
        question.answer_instruction or "",
        *question.options,
    )
    blank = any("\n\n" in part for part in parts)
    return tuple(separator for separator in FIELD_SEPARATORS if not (blank and separator == "\n"))


def seen_dials(layout: Layout, base: Layout) -> Layout:
    """Set the dials that a layout's markup does not show back to the base's."""
    return replace(layout, **{name: getattr(base, name) for name in UNSEEN[layout.markup]})
