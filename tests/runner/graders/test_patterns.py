"""Patterns are compiled when they are first used, and nothing else about them differs."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.graders.patterns import Part, Pattern

WRITTEN = "a+|b(?=c)"


def counting(text: str) -> tuple[Callable[[], str], list[str]]:
    calls: list[str] = []

    def write() -> str:
        calls.append(text)
        return text

    return write, calls


def test_a_pattern_is_written_once_and_not_before_it_is_used() -> None:
    write, calls = counting(WRITTEN)
    pattern = Pattern(write)
    assert calls == []
    assert [found.group() for found in pattern.finditer("abca")] == ["a", "b", "a"]
    assert pattern.sub("-", "aab") == "-b"
    assert calls == [WRITTEN]


def test_a_part_is_written_once_and_not_before_a_pattern_that_holds_it_is_used() -> None:
    write, calls = counting("x|y")
    part = Part(write)
    first, second = Pattern(lambda: rf"(?:{part})1"), Pattern(lambda: rf"(?:{part})2")
    assert calls == []
    assert first.match("x1") is not None
    assert second.match("y2") is not None
    assert second.match("y1") is None
    assert calls == ["x|y"]


def test_a_pattern_that_can_not_be_compiled_says_so_when_it_is_used() -> None:
    pattern = Pattern(lambda: "(")
    with pytest.raises(re.error):
        pattern.search("x")


@given(st.text("abcX", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_it_finds_what_a_compiled_pattern_finds(text: str, start: int, stop: int) -> None:
    plain, lazy = re.compile(WRITTEN, re.IGNORECASE), Pattern(lambda: WRITTEN, re.IGNORECASE)
    for ours, theirs in ((lazy.search, plain.search), (lazy.match, plain.match), (lazy.fullmatch, plain.fullmatch)):
        one, other = ours(text, start, stop), theirs(text, start, stop)
        assert (one and one.span()) == (other and other.span())
    spans = [found.span() for found in lazy.finditer(text, start, stop)]
    assert spans == [found.span() for found in plain.finditer(text, start, stop)]
