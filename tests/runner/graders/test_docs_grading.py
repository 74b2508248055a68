"""Each example of the page on grading, graded."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from prt.runner import graders
from prt.runner.graders.choosing import choose
from prt.runner.graders.numerals import as_text
from prt.runner.graders.quantity import quantity
from prt.runner.records import Status

from .keys import CITIES, LETTERS, graded, grader, options_shown, texts_key

PAGE = (Path(__file__).parents[3] / "docs" / "grading.md").read_text(encoding="utf-8")


def examples(kind: str) -> list[tuple[str, str, str]]:
    """The right answer, the reply and the reading of each line in the blocks of a kind."""
    blocks = re.findall(rf"^```{kind}(?: ([^\n]+))?\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return [(gold, *line.split(" => ")) for gold, block in blocks for line in block.splitlines()]


@pytest.mark.parametrize(("_", "reply", "reading"), examples("choice"))
def test_an_option_of_the_page_is_read_as_it_says(_: str, reply: str, reading: str) -> None:
    option = choose(reply, options_shown(CITIES, LETTERS[:4])).option
    assert ("-" if option is None else CITIES[option]) == reading


@pytest.mark.parametrize(("_", "reply", "reading"), examples("numeric"))
def test_a_number_of_the_page_is_read_as_it_says(_: str, reply: str, reading: str) -> None:
    value = quantity(reply).value
    assert ("-" if value is None else as_text(value)) == reading


@pytest.mark.parametrize("name", ["exact", "contains"])
def test_a_text_of_the_page_is_graded_as_it_says(name: str) -> None:
    found = examples(name)
    assert found
    for gold, reply, verdict in found:
        assert graded(grader(name), reply, texts_key(gold)).passed is (verdict == "right"), reply


def test_the_page_names_every_status_and_every_grader() -> None:
    for status in Status.__args__:  # type: ignore[attr-defined]  # a Literal has its values there
        assert f"| `{status}` |" in PAGE
    for name in ("choice", "numeric", "exact", "contains", "regex", "python"):
        assert f"## `{name}`" in PAGE


def test_the_examples_of_the_modules_say_what_they_do() -> None:
    names = [module.name for module in pkgutil.iter_modules(graders.__path__) if module.name != "sandbox_child"]
    found = [doctest.testmod(importlib.import_module(f"prt.runner.graders.{name}")) for name in names]
    assert sum(result.failed for result in found) == 0
    assert sum(result.attempted for result in found) >= 6
