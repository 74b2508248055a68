"""Questions written out as chat messages, in a layout."""

from collections.abc import Callable
from dataclasses import replace

from ..question import Layout, Message, Question
from .closing import closing_line
from .document import OPTIONS, Tree, displayed, document, example_tree, options_tree
from .markdown import read_markdown, write_markdown
from .markup import read_json, read_xml, read_yaml, write_json, write_json_line, write_xml, write_yaml
from .plain import content_pieces, content_text, item_texts, marks, plain_pieces, read_plain, write_plain
from .template import fill_template

MARKUPS: dict[str, tuple[Callable[[Tree], str], Callable[[str], Tree]]] = {
    "markdown": (write_markdown, read_markdown),
    "xml": (write_xml, read_xml),
    "json": (write_json, read_json),
    "yaml": (write_yaml, read_yaml),
    "json_line": (write_json_line, read_json),
}
MARKUP_WORDS = {"plain": "plain text", "json_line": "json"}
"""Markups whose name is no word for them."""


def render(question: Question, layout: Layout) -> tuple[Message, ...]:
    """Write a question as chat messages: the system prompt where there is one, the history, then the user message.

    A pure function that fails for no question and no layout.
    """
    system = (Message("system", question.system),) if question.system else ()
    return (*system, *question.history, Message("user", user_text(question, layout)))


def user_text(question: Question, layout: Layout) -> str:
    """Write the user message: by the user's template where there is one, else by the layout."""
    if question.template is not None:
        return fill_template(question.template, template_parts(question, layout))
    tree = document(question, layout)
    if layout.markup == "plain":
        return write_plain(tree, layout)
    return MARKUPS[layout.markup][0](displayed(tree, layout))


def template_parts(question: Question, layout: Layout) -> dict[str, str]:
    """Write each part of a question for a template, in plain text and without its name."""
    plain = replace(layout, markup="plain")
    examples = (content_text("example", example_tree(example, plain), plain) for example in question.examples)
    return {
        "instruction": question.instruction,
        "context": plain.field_separator.join(question.context),
        "examples": plain.field_separator.join(examples),
        "question": question.text,
        "options": content_text(OPTIONS, options_tree(question.options, plain), plain),
        "answer": closing_line(question, plain),
    }


def misread(question: Question, layout: Layout) -> str:
    """Say why a question can't be shown in a layout: reading it back would not give the same texts.

    Returns:
        The reason as a clause; empty where the user message provably reads back as it was meant. Plain text is read by
        a reader who knows the layout and which parts there are; of a user's own template, only the options are read.
    """
    if question.template is not None:
        same = not question.options or options_read_back(question, replace(layout, markup="plain"))
        return "" if same else "an option holds what would stand between options"
    tree = document(question, layout)
    same = plain_reads_back(tree, layout) if layout.markup == "plain" else markup_reads_back(tree, layout)
    markup = MARKUP_WORDS.get(layout.markup, layout.markup)
    return "" if same else f"a text of the question can't stand in {markup} and be read back unchanged"


def plain_reads_back(tree: Tree, layout: Layout) -> bool:
    """Whether plain text gives back the texts that were written, and can be read in no other way."""
    try:
        return read_plain(write_plain(tree, layout), marks(plain_pieces(tree, layout))) == item_texts(tree)
    except ValueError:
        return False


def options_read_back(question: Question, layout: Layout) -> bool:
    """Whether options that stand by themselves give back the texts that were written."""
    tree = options_tree(question.options, layout)
    between = marks(content_pieces(OPTIONS, tree, layout))
    try:
        return read_plain(content_text(OPTIONS, tree, layout), between) == [*question.options]
    except ValueError:
        return False


def markup_reads_back(tree: Tree, layout: Layout) -> bool:
    """Whether a markup's own reader gives back the parts that were written."""
    shown = displayed(tree, layout)
    write, read = MARKUPS[layout.markup]
    try:
        return read(write(shown)) == shown
    except (SyntaxError, ValueError):  # the first is what `ParseError` of XML is
        return False
