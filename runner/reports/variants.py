"""Variants beside their originals: what changed, marked in the prompt as it is sent."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ...perturbations.difference import Mark, marked_difference
from ...perturbations.rendering.render import user_text
from ...perturbations.variant import Variant
from ..flipped import gold_words, own_gold_words
from ..records import Item
from .text import visible

MOVED = {"examples": "examples", "context": "passages"}
"""Parts whose new order an edit tells, and what they are called."""
STYLES = {"applied": "", "unchanged": "dim", "not_applicable": "dim", "rejected": "yellow"}


def print_variants(item: Item, variants: Sequence[Variant], console: Console) -> None:
    """Print what counts as right for one item, its original prompt, and its variants with their differences marked.

    Args:
        item: The item.
        variants: The baseline first, then its variants.
        console: Where to.
    """
    original, *others = variants
    console.print(Text(f"\n{visible(item.id)}", style="bold"))
    console.print(indented(Text(f"right: {visible(gold_words(item))}"), 2))
    console.print(indented(heading(original), 2))
    console.print(indented(Text(visible(user_text(original.question, original.layout)))))
    for variant in others:
        console.print(indented(heading(variant), 2))
        if variant.outcome == "applied":
            console.print(indented(styled(differences(original, variant))))


def heading(variant: Variant) -> Text:
    """`typo.1 · applied · 9% of eligible words`, or why there is nothing to ask."""
    parts = [visible(variant.condition), variant.outcome.replace("_", " ")]
    if variant.severity is not None:
        parts.append(f"{100 * variant.severity:.0f}% of eligible words")
    parts += [f"{MOVED[edit.part]} in the order {edit.after}" for edit in variant.edits if edit.part in MOVED]
    dials = dict.fromkeys(
        edit.part.removeprefix("layout.") for edit in variant.edits if edit.part.startswith("layout.")
    )
    if dials:
        parts.append("other " + ", ".join(dial.replace("_", " ") for dial in dials))
    if variant.gold is not None:
        parts.append(f"right: {visible(own_gold_words(variant, variant.gold))}")
    if variant.reason:
        parts.append(visible(variant.reason))
    return Text(" · ".join(parts), style=f"bold {STYLES[variant.outcome]}".strip())


def differences(original: Variant, variant: Variant) -> Iterable[tuple[Mark, str]]:
    """Mark what a variant says otherwise than its original; how it is laid out is shown and not marked.

    Both are written in the variant's layout, since a layout differs in signs everywhere, which no one can read as
    differences. Options, examples and passages in another order are marked line by line.
    """
    before, after = (user_text(each.question, variant.layout) for each in (original, variant))
    moved = variant.permutation and variant.permutation != tuple(range(len(variant.permutation)))
    if moved or any(edit.part in MOVED for edit in variant.edits):
        return line_differences(before, after, [*movable(original), *movable(variant)])
    return marked_difference(before, after)


def movable(variant: Variant) -> Iterator[str]:
    """The texts of a variant that may stand in another place than in its original."""
    question = variant.question
    for example in question.examples:
        yield from (example.text, *example.options)
    yield from (*question.options, *question.context)


def line_differences(before: str, after: str, moved: Sequence[str]) -> Iterator[tuple[Mark, str]]:
    """Mark whole lines where they show one of the texts that may have moved, and words in the others."""
    old, new = before.split("\n"), after.split("\n")
    number = 0
    for _, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        for marks in _line_marks(old[start:end], new[new_start:new_end], [*filter(None, moved)]):
            if number:
                yield "equal", "\n"
            number += 1
            yield from marks


def _line_marks(old: Sequence[str], new: Sequence[str], moved: Sequence[str]) -> Iterator[list[tuple[Mark, str]]]:
    """The marks of each line of one run of lines; a line that is replaced as a whole stands above its replacement."""
    if len(old) != len(new):
        for line in old:
            yield [("delete", line)]
        for line in new:
            yield [("insert", line)]
        return
    for was, becomes in zip(old, new, strict=True):
        if was != becomes and all(any(text in line for text in moved) for line in (was, becomes)):
            yield [("delete", was), ("equal", "\n"), ("insert", becomes)]
        else:
            yield marked_difference(was, becomes)


def marked(before: str, after: str) -> Text:
    """The words that differ between two texts, marked; nothing marked where both are equal."""
    return styled(marked_difference(before, after))


def styled(marks: Iterable[tuple[Mark, str]]) -> Text:
    """A text with what went in [-brackets-] and what came in {+braces+}."""
    text = Text()
    for kind, words in marks:
        shown = visible(words)
        if kind == "delete":
            text.append(f"[-{shown}-]", style="red")
        elif kind == "insert":
            text.append(f"{{+{shown}+}}", style="green")
        else:
            text.append(shown)
    return text


def indented(text: Text, columns: int = 4) -> Padding:
    """A text some columns to the right, wrapped lines too."""
    return Padding(text, (0, 0, 0, columns), expand=False)
