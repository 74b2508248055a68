"""Questions written out as chat messages, in a layout."""

from collections.abc import Callable
from dataclasses import replace
from xml.etree.ElementTree import ParseError

from ..question import Layout, Message, Question
from .closing import closing_line
from .document import OPTIONS, Tree, displayed, document, example_tree, options_tree
from .markdown import read_markdown, write_markdown
from .markup import read_json, read_xml, read_yaml, write_json, write_xml, write_yaml
from .plain import content_text, write_plain
from .template import fill_template

MARKUPS: dict[str, tuple[Callable[[Tree], str], Callable[[str], Tree]]] = {
    "markdown": (write_markdown, read_markdown),
    "xml": (write_xml, read_xml),
    "json": (write_json, read_json),
    "yaml": (write_yaml, read_yaml),
}


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
    """Say why a question can't be shown in a layout's markup: reading it back would not give the same texts.

    Returns:
        The reason as a clause; empty where the user message provably reads back as it was meant, and for plain text and
        a user's own template, which promise no structure.
    """
    if question.template is not None or layout.markup == "plain":
        return ""
    tree = displayed(document(question, layout), layout)
    write, read = MARKUPS[layout.markup]
    try:
        same = read(write(tree)) == tree
    except (ParseError, ValueError):
        same = False
    return "" if same else f"a text of the question can't stand in {layout.markup} and be read back unchanged"
