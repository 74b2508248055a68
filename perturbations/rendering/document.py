"""The parts of a question as a tree of named texts: what all layouts write out, each in its own way."""

from ..question import Example, Layout, Question
from .closing import closing_line
from .labels import label, option_labels, wrapped

Tree = tuple[tuple[str, "str | Tree"], ...]
"""Names and contents in order; a content is a text, or further names and contents."""

OPTIONS = "options"
INSTRUCTION = "instruction"
CLOSING = "answer format"
SHORT_KEYS = {
    INSTRUCTION: "i",
    "context": "c",
    "example": "e",
    "question": "q",
    OPTIONS: "o",
    "answer": "a",
    CLOSING: "f",
}
"""Keys of the parts where they are shortened; a number stays behind its key."""


def document(question: Question, layout: Layout) -> Tree:
    """Give the parts of the user message that are not empty, in the order in which they are written."""
    parts: list[tuple[str, str | Tree]] = [(INSTRUCTION, question.instruction)]
    parts += numbered("context", question.context)
    parts += numbered("example", tuple(example_tree(example, layout) for example in question.examples))
    parts += [(OPTIONS, options_tree(question.options, layout)), (CLOSING, closing_line(question, layout))]
    before, after = parts[:-2], parts[-2:]
    return (*filled(before), ("question", question.text), *filled(after))


def filled(parts: list[tuple[str, "str | Tree"]]) -> Tree:
    """Leave out what is empty."""
    return tuple((name, content) for name, content in parts if content)


def numbered(name: str, contents: "tuple[str | Tree, ...]") -> list[tuple[str, "str | Tree"]]:
    """Name each of several contents: the name alone for one, `name 1`, `name 2` for more."""
    if len(contents) == 1:
        return [(name, contents[0])]
    return [(f"{name} {number}", content) for number, content in enumerate(contents, 1)]


def example_tree(example: Example, layout: Layout) -> Tree:
    """Give the parts of a worked example, its answer in the labels in use."""
    answer = example.answer
    if isinstance(answer, int) and 0 <= answer < len(example.options):
        answer = label(layout.labels, answer)
    options = filled([(OPTIONS, options_tree(example.options, layout))])
    return (("question", example.text), *options, ("answer", str(answer)))


def options_tree(options: tuple[str, ...], layout: Layout) -> Tree:
    """Give options under their labels: wrapped where a person reads them, bare where they are keys of a structure."""
    labels = option_labels(layout.labels, len(options))
    if layout.markup in {"plain", "markdown"}:
        labels = tuple(wrapped(bare, layout.wrapper) for bare in labels)
    return tuple(zip(labels, options, strict=True))


def cased(name: str, layout: Layout) -> str:
    """Write a part's name in the layout's casing; `none` gives the name as it is where a name is needed."""
    match layout.descriptor_case:
        case "title":
            return name.title()
        case "upper":
            return name.upper()
        case "lower" | "none":
            return name


def displayed(tree: Tree, layout: Layout) -> Tree:
    """Give the same tree under the names that are written."""
    shown: list[tuple[str, str | Tree]] = []
    for name, content in tree:
        inner = content if isinstance(content, str) or name == OPTIONS else displayed(content, layout)
        shown.append((written_key(name, layout), inner))
    return tuple(shown)


def written_key(name: str, layout: Layout) -> str:
    """Write a part's name as a heading or a key; keys of a structure have no spaces."""
    match layout.markup:
        case "markdown":
            return cased(name, layout)
        case "json_line":
            part = name.rstrip("0123456789")
            return SHORT_KEYS[part.rstrip()] + name.removeprefix(part)
        case _:
            return cased(name, layout).replace(" ", "_")
