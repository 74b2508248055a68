"""Answers in ten styles and nine languages, and what a careful person reads in them."""

from collections import Counter
from collections.abc import Iterator

import pytest
from prt.runner.graders.choosing import choose
from prt.runner.graders.plain import Choice

from .keys import data, options_shown

LABELS = tuple("ABCD")
STYLES = 10
Row = tuple[str, str, str, str | None]


def rows() -> Iterator[Row]:
    """Language, style, reply, and the label that is meant; None where nothing can be told."""
    for language, group in data("answers_by_language.json").items():
        for style, replies in group["styles"].items():
            for reply, label in replies:
                yield language, style, reply, label


ROWS = list(rows())
OPTIONS = {
    language: options_shown(group["options"], LABELS) for language, group in data("answers_by_language.json").items()
}


def read(row: Row) -> Choice:
    language, _, reply, _ = row
    return choose(reply, OPTIONS[language])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[1]}: {row[2][:30]}")
def test_an_answer_is_read_as_it_is_meant(row: Row) -> None:
    choice, (*_, reply, label) = read(row), row
    assert (None if choice.option is None else LABELS[choice.option]) == label
    if label is None:
        assert choice.reason
    else:
        assert choice.span is not None
        assert reply[slice(*choice.span)].strip()


def test_each_language_has_each_style() -> None:
    assert len(ROWS) >= 300
    cells = Counter((language, style) for language, style, *_ in ROWS)
    assert len({style for _, style in cells}) == STYLES
    assert len(cells) == STYLES * len(OPTIONS) >= STYLES * 9
