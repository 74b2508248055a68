"""Questions as plain text: names, separators, casing and label wrappers as the layout says."""

from ..question import Layout
from .document import CLOSING, INSTRUCTION, OPTIONS, Tree, cased


def write_plain(tree: Tree, layout: Layout) -> str:
    """Write the parts as plain text; a part that stands alone has no name, as there is nothing to tell it from."""
    if len(tree) == 1:
        return content_text(*tree[0], layout)
    return layout.field_separator.join(part_text(name, content, layout) for name, content in tree)


def part_text(name: str, content: "str | Tree", layout: Layout) -> str:
    """Write one part behind its name; the instruction, the closing line and a whole example speak for themselves."""
    text = content_text(name, content, layout)
    unnamed = layout.descriptor_case == "none" or name in {INSTRUCTION, CLOSING}
    if unnamed or (name != OPTIONS and not isinstance(content, str)):
        return text
    separator = layout.descriptor_separator
    if name == OPTIONS and "\n" in layout.option_separator:
        separator = separator.rstrip() + "\n"
    return cased(name, layout) + separator + text


def content_text(name: str, content: "str | Tree", layout: Layout) -> str:
    """Write a part without its name."""
    if isinstance(content, str):
        return content
    if name == OPTIONS:
        return layout.option_separator.join(f"{label} {text}" for label, text in content)
    return layout.field_separator.join(part_text(inner, text, layout) for inner, text in content)
