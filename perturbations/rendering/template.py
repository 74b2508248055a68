"""A user's own template for the user message: each field is filled once, and all else stands as it is written."""

import re
from collections.abc import Mapping

from ..question import Layout, Question
from .closing import closing_line

FIELDS = {
    "instruction": "instruction",
    "context": "context",
    "examples": "examples",
    "question": "question",
    "options": "options",
    "answer": "answer",
    "answer_instruction": "answer",
}
"""Fields of a template and the part each stands for."""
FIELD = re.compile(r"\{\{(\w+)\}\}|\{([A-Za-z_]\w*)\}")


def fill_template(template: str, parts: Mapping[str, str]) -> str:
    """Fill the fields of a template in one pass, so that braces in what is filled in are never read as fields.

    Args:
        template: The template; `{{word}}` stands for `{word}` itself, and other braces for themselves.
        parts: The text of each part in `FIELDS`' values.
    """

    def replacement(match: re.Match[str]) -> str:
        if match[1]:
            return "{" + match[1] + "}"
        return parts[FIELDS[match[2]]] if match[2] in FIELDS else match[0]

    return FIELD.sub(replacement, template)


def template_problems(template: str, question: Question) -> tuple[str, ...]:
    """Say what is wrong with a template for questions such as this one; empty where nothing is.

    Args:
        template: The user's template.
        question: A question with the parts that the template has to hold.

    Returns:
        One sentence a problem: a field that does not exist, or a part of the question that would be left out.
    """
    used = [match[2] for match in FIELD.finditer(template) if match[2]]
    unknown = [unknown_field(field) for field in dict.fromkeys(used) if field not in FIELDS]
    present = {FIELDS[field] for field in used if field in FIELDS}
    missing = [f"The template has no field {{{part}}}, {why}." for part, why in needed(question) if part not in present]
    return (*unknown, *missing)


def unasked_closing(template: str, question: Question) -> str:
    """Give the closing line that follows from the form of the answer, where a template leaves it out; else nothing."""
    used = {FIELDS.get(match[2]) for match in FIELD.finditer(template)}
    return "" if "answer" in used else closing_line(question, Layout())


def unknown_field(field: str) -> str:
    """Say what may stand instead of an unknown field."""
    fields = ", ".join(f"{{{name}}}" for name in dict.fromkeys(FIELDS.values()))
    itself = f"{{{{{field}}}}} stands for {{{field}}} itself"
    return f"The template has the unknown field {{{field}}}; fields are {fields}; {itself}."


def needed(question: Question) -> list[tuple[str, str]]:
    """Give the parts that a template may not leave out, each with the reason."""
    parts = [
        ("question", "so no question would be asked", True),
        ("options", "but the question has options", bool(question.options)),
        ("context", "but the question has context", bool(question.context)),
        ("instruction", "but an instruction is given", bool(question.instruction)),
        ("examples", "but examples are given", bool(question.examples)),
        ("answer", "but an answer instruction is given", bool(question.answer_instruction)),
    ]
    return [(part, why) for part, why, holds in parts if holds]
