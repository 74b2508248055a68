"""Numbers in ten styles and nine languages, and what a careful person reads in them."""

from collections.abc import Iterator

import pytest
from prt.runner.graders.number_words import english_numbers
from prt.runner.graders.number_words_elsewhere import other_number
from prt.runner.graders.numerals import as_text
from prt.runner.graders.quantity import quantity

from .keys import data

Row = tuple[str, str, str, str | None]


def rows() -> Iterator[Row]:
    """Language, style, reply, and the number that is meant; None where nothing can be told."""
    for language, styles in data("number_answers_by_language.json").items():
        for style, replies in styles.items():
            for reply, number in replies:
                yield language, style, reply, number


ROWS = list(rows())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}, {row[1]}: {row[2][:30]}")
def test_a_number_is_read_as_it_is_meant(row: Row) -> None:
    *_, reply, number = row
    read = quantity(reply)
    assert (None if read.value is None else as_text(read.value)) == number
    assert (read.reason == "") == (number is not None)
    if read.span is not None:
        assert reply[slice(*read.span)].strip()


def test_there_are_many_numbers_in_many_languages() -> None:
    assert len(ROWS) >= 160
    assert len({language for language, *_ in ROWS}) >= 9


def spoken(text: str) -> list[str | None]:
    return [None if number.value is None else as_text(number.value) for number in english_numbers(text)]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("twenty-one", ["21"]),
        ("two hundred and five", ["205"]),
        ("twelve hundred", ["1200"]),
        ("a hundred and one thousand two hundred thirty-four", ["101234"]),
        ("one million two hundred thousand", ["1200000"]),
        ("half a dozen", ["6"]),
        ("half a million", ["500000"]),
        ("two and three quarters", ["2.75"]),
        ("one point five zero two", ["1.502"]),
        ("two thirds", ["2/3"]),
        ("five or six", ["5", "6"]),
        ("twenty and five", ["20", "5"]),
        ("one two three", [None, None, None]),
        ("nineteen eighty-four", [None, None]),
    ],
)
def test_english_words_add_up(words: str, numbers: list[str | None]) -> None:
    assert spoken(words) == numbers


@pytest.mark.parametrize(
    "text",
    ["someone", "threes", "one's", "a three-legged stool", "mid-twenty", "hundreds of people", "a few", "second"],
)
def test_words_that_only_look_like_numbers_are_none(text: str) -> None:
    assert spoken(text) == []


@pytest.mark.parametrize("number", [*range(120), 999, 1000, 1001, 12_345, 999_999, 1_000_000, 20_030_040])
def test_every_number_is_read_back_from_its_words(number: int) -> None:
    assert spoken(in_words(number)) == [str(number)]
    assert spoken(in_words(number).replace(" and ", " ")) == [str(number)]


UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(number: int) -> str:
    """A number in words, written by other means than it is read by."""
    if number < 20:
        return UNITS.split()[number]
    if number < 100:
        return TENS.split()[number // 10 - 2] + (f"-{in_words(number % 10)}" if number % 10 else "")
    size, name = next(pair for pair in ((10**6, "million"), (1000, "thousand"), (100, "hundred")) if number >= pair[0])
    rest = f"{' and ' if size == 100 else ' '}{in_words(number % size)}" if number % size else ""
    return f"{in_words(number // size)} {name}{rest}"


@pytest.mark.parametrize(
    ("word", "number"),
    [
        ("zwölf", "12"), ("dix-sept", "17"), ("veinte", "20"), ("quindici", "15"), ("dezoito", "18"), ("八十五", "85"),
        ("三百零二个", "302"), ("一万二千", "12000"), ("二〇二四年", "2024"), ("treinta y dos", None),
        ("cent vingt", None), ("achtung", None), ("三角形", None), ("十百", None), ("万", None),
    ],
)  # fmt: skip
def test_words_of_other_languages_are_read_whole_or_not_at_all(word: str, number: str | None) -> None:
    found = other_number(word, 0)
    assert (None if found is None or found.value is None else as_text(found.value)) == number


def test_a_word_of_another_language_counts_only_where_a_number_is_asked_for() -> None:
    assert quantity("Die Antwort ist acht.").value == 8
    assert quantity("The elf took three cents, mille grazie. Dix.").value == 3
