"""No reply keeps a grader busy: four times the reply takes about four times the time, whatever is repeated in it."""

import math
import time
from collections.abc import Callable

import pytest
from prt.runner.graders import Grader
from prt.runner.graders.text import HEAD, TAIL
from prt.runner.records import AnswerKey

from .keys import data, graded, grader, options_key, texts_key

SIZE = 1_500
GROWTH = 4
MOST = 9.0
"""The ratio of the times: 4 is linear, 16 quadratic; what lies between is noise."""
NOISE_S = 0.02
"""What takes no longer than this has no ratio worth looking at."""
JUDGES = {
    "choice": (grader("choice"), options_key()),
    "multi": (grader("multi"), options_key(gold=(0, 1))),
    "label": (grader("label", labels=["Lyon", "Paris", "Nice"]), texts_key("Paris")),
    "json": (grader("json"), texts_key('{"a": 1}')),
    "exact": (grader("exact"), texts_key("Paris")),
    "contains": (grader("contains"), texts_key("Rome")),
    "regex": (grader("regex", pattern=r"answer is (\w+)\."), texts_key("Paris")),
    "numeric": (grader("numeric"), texts_key("51")),
}


def seconds(read: Callable[[str], object], text: str) -> float:
    """The time that this process takes."""
    start = time.process_time()
    read(text)
    return time.process_time() - start


def growth(read: Callable[[str], object], unit: str, size: int) -> float:
    """How many times as long the longer text takes: the least of three tries, or the first that is small enough."""
    short, long = unit * (size // len(unit)), unit * (GROWTH * size // len(unit))
    ratio = math.inf
    for _ in range(3):
        longer = seconds(read, long)
        ratio = min(ratio, longer / max(seconds(read, short), 1e-9) if longer > NOISE_S else 0)
        if ratio <= MOST:
            break
    return ratio


def reads(name: str) -> Callable[[str], object]:
    judge, key = JUDGES[name]
    return lambda text: graded(judge, text, key)


@pytest.mark.parametrize("name", JUDGES)
def test_the_time_grows_with_the_reply_and_no_faster(name: str) -> None:
    assert HEAD + TAIL > GROWTH * SIZE, "both sizes are read whole"
    assert {unit: ratio for unit in data("nasty_units.json") if (ratio := growth(reads(name), unit, SIZE)) > MOST} == {}


@pytest.mark.parametrize("unit", ["e\u0301", "<", "A\n", "the answer is ", "7"])
@pytest.mark.parametrize("name", JUDGES)
def test_a_long_reply_is_no_other_matter(name: str, unit: str) -> None:
    assert growth(reads(name), unit, 30_000) <= MOST


def test_a_reader_that_looks_from_each_place_to_the_end_is_found_out() -> None:
    def quadratic(text: str) -> int:
        return sum(text.count("x", start) for start in range(len(text)))

    assert growth(quadratic, "ab", 8_000) > MOST


@pytest.mark.parametrize(("judge", "key"), JUDGES.values(), ids=JUDGES)
def test_the_answer_at_the_end_of_a_megabyte_of_prose_is_found(judge: Grader, key: AnswerKey) -> None:
    prose = "The quick brown fox jumps over the lazy dog and finds nothing to eat.\n" * 14_000
    ends = {
        "choice": "The answer is B.",
        "multi": "The answer is A and B.",
        "label": "The answer is Paris.",
        "json": '{"a": 1}',
        "numeric": "The answer is 51.",
        "contains": "Rome.",
        "regex": "answer is Paris.",
    }
    grade = graded(judge, f"{prose}\n{ends.get(judge.name, '')}", key)
    assert (grade.status, grade.passed) == ("graded", judge.name in ends)
