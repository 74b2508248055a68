"""Replies in many styles and languages, and what a careful person reads in them."""

import re
from collections.abc import Callable, Iterator

import pytest
from prt.runner.graders.choosing import choose
from prt.runner.graders.options import Options

from .keys import data, options_shown

Read = Callable[[str, Options], int | None]


def rows() -> Iterator[tuple[str, Options, int | None, str]]:
    for group in data("choice_answers.json"):
        options = options_shown(group["options"], group["labels"])
        for reply, right in group["replies"]:
            yield reply, options, right, group["style"]


ROWS = list(rows())


def carefully(reply: str, options: Options) -> int | None:
    return choose(reply, options).option


def by_first_letter(reply: str, options: Options) -> int | None:
    """How not to read: the first thing that looks like a label."""
    found = re.search(r"\b[A-J]\b", reply)
    return options.labels.get(found.group().lower()) if found else None


def by_last_letter(reply: str, options: Options) -> int | None:
    """How not to read either: the last one."""
    found = re.findall(r"\b[A-J]\b", reply)
    return options.labels.get(found[-1].lower()) if found else None


def misread(read: Read) -> list[tuple[str, str, int | None, int | None]]:
    readings = ((style, reply, right, read(reply, options)) for reply, options, right, style in ROWS)
    return [reading for reading in readings if reading[2] != reading[3]]


def test_every_reply_is_read_as_a_careful_person_reads_it() -> None:
    assert misread(carefully) == []


def test_an_option_is_never_read_where_a_careful_person_reads_none_or_another() -> None:
    assert [reading for reading in misread(carefully) if reading[3] is not None] == []


@pytest.mark.parametrize("read", [by_first_letter, by_last_letter])
def test_a_naive_reader_fails_the_same_replies(read: Read) -> None:
    wrong = misread(read)
    assert len(wrong) > 200
    assert len([reading for reading in wrong if reading[3] is not None]) > 50


def test_what_cannot_be_told_has_a_reason() -> None:
    assert all(choose(reply, options).reason for reply, options, right, _ in ROWS if right is None)


def test_the_span_shows_where_the_answer_stands() -> None:
    for reply, options, right, _ in ROWS:
        choice = choose(reply, options)
        if right is None or choice.span is None:
            continue
        start, end = choice.span
        assert 0 <= start < end <= len(reply)


def test_there_are_many_styles_and_languages() -> None:
    assert len(ROWS) > 600
    assert len({style for *_, style in ROWS}) > 20
