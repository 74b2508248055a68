"""Texts in the cells of CSV files, which no spreadsheet takes for a formula."""

import re

FORMULA = re.compile(r"[\s\x00-\x1f]*[=+\-@＝＋－＠]|[\t\r\n]")
NUMBER = re.compile(r"[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?%?")
MARK = "'"


def defused(text: str) -> str:
    """A text that may begin like a formula with an apostrophe before it, by which spreadsheets take it for a text.

    Formulas begin with `=`, `+`, `-` or `@`, also as full-width signs or after blanks; spreadsheets may leave out a tab
    or a line break before them. A number, such as `-5`, is left as it is.
    """
    return f"{MARK}{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text
