"""What an unquoted scalar of YAML means."""

import pytest
from prt.runner.config.yaml_scalars import Bent, reading, resolve


@pytest.mark.parametrize("raw", ["", "~", "null", "Null", "NULL"])
def test_an_empty_scalar_and_null_are_nothing(raw: str) -> None:
    assert resolve(raw) is None


@pytest.mark.parametrize(("raw", "value"), [("true", True), ("True", True), ("FALSE", False)])
def test_only_true_and_false_are_truth_values(raw: str, value: object) -> None:
    assert resolve(raw) is value


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("0", 0),
        ("-7", -7),
        ("+5", 5),
        ("1_000", 1000),
        ("0x1F", 31),
        ("-0b11", -3),
        ("18446744073709551615", 2**64 - 1),
    ],
)
def test_whole_numbers_are_read_as_yaml_writes_them(raw: str, value: int) -> None:
    assert resolve(raw) == value
    assert isinstance(resolve(raw), int)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("1.10", 1.1),
        ("5.", 5.0),
        (".5", 0.5),
        ("-.5", -0.5),
        ("1e-5", 1e-5),
        ("1E5", 1e5),
        ("1.e3", 1000.0),
        ("08.5", 8.5),
    ],
)
def test_numbers_with_a_point_or_an_exponent_are_numbers(raw: str, value: float) -> None:
    assert resolve(raw) == value
    assert isinstance(resolve(raw), float)


TEXTS = ["typo", "y", "nUll", "oN", "1.2.3", "0x", "0x_", "0o_", "-", ".", "-.", "1e", "e5", "=", "<<", "٣"]


@pytest.mark.parametrize("raw", [*TEXTS, "12:3x", "1:60", "2024-01-02 was fine"])
def test_everything_else_is_its_text(raw: str) -> None:
    assert resolve(raw) == raw


@pytest.mark.parametrize(
    ("raw", "told", "value"),
    [
        ("no", "the truth value false", False),
        ("On", "the truth value true", True),
        ("012", "the number 10", 12),
        ("-012", "the number -10", -12),
        ("09", "the number 9", 9),
        ("00", "the number 0", 0),
        ("0o17", "the number 15", None),
        ("12:30", "the number 750", None),
        ("-1:30", "the number -90", None),
        ("190:20:30.15", "the number 685230.15", None),
        ("2024-01-02", "a date", None),
        ("2024-1-2 10:00:00", "a date", None),
        ("2001-12-14t21:59:43.10-05:00", "a date", None),
        (".inf", "an infinite number", None),
        ("-.INF", "an infinite number", None),
        (".nan", "a number that is none (NaN)", None),
        ("1e999", "a number too large to hold", None),
        ("18446744073709551616", "a number of more than 64 bits", None),
        ("0" * 30, "a number of more than 64 bits", None),
        ("9" * 5000, "a number of more than 64 bits", None),
    ],
)
def test_what_yaml_reads_as_something_else_is_bent(raw: str, told: str, value: int | None) -> None:
    assert resolve(raw) == Bent(raw, told, value)


def test_a_reading_is_told_in_words() -> None:
    assert [reading(value) for value in (None, True, 1.5, 3, "a")] == [
        "nothing (null)",
        "the truth value true",
        "the number 1.5",
        "the number 3",
        "the text 'a'",
    ]
