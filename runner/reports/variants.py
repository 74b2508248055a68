"""Variants beside their originals: what changed, marked in the prompt as it is sent."""

from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ...perturbations.difference import marked_difference
from ...perturbations.rendering.render import user_text
from ...perturbations.variant import Variant
from .text import visible

STYLES = {"applied": "", "unchanged": "dim", "not_applicable": "dim", "rejected": "yellow"}


def print_variants(item_id: str, variants: Sequence[Variant], console: Console) -> None:
    """Print one item's original prompt and each of its variants with the differences marked.

    Args:
        item_id: The item.
        variants: The baseline first, then its variants.
        console: Where to.
    """
    original, *others = variants
    before = user_text(original.question, original.layout)
    console.print(Text(f"\n{visible(item_id)}", style="bold"))
    console.print(indented(Text(visible(before))))
    for variant in others:
        console.print(heading(variant))
        if variant.outcome == "applied":
            console.print(indented(marked(before, user_text(variant.question, variant.layout))))


def heading(variant: Variant) -> Text:
    """`typo.1 · applied · 9% of words`, or why there is nothing to ask."""
    parts = [visible(variant.condition), variant.outcome.replace("_", " ")]
    if variant.severity is not None:
        parts.append(f"{100 * variant.severity:.0f}% of eligible words")
    if variant.reason:
        parts.append(visible(variant.reason))
    return Text("  " + " · ".join(parts), style=f"bold {STYLES[variant.outcome]}".strip())


def marked(before: str, after: str) -> Text:
    """A text with what went in [-brackets-] and what came in {+braces+}; nothing marked where both are equal."""
    text = Text()
    for kind, words in marked_difference(before, after):
        shown = visible(words)
        if kind == "delete":
            text.append(f"[-{shown}-]", style="red")
        elif kind == "insert":
            text.append(f"{{+{shown}+}}", style="green")
        else:
            text.append(shown)
    return text


def indented(text: Text) -> Padding:
    """A text four columns to the right, wrapped lines too."""
    return Padding(text, (0, 0, 0, 4), expand=False)
