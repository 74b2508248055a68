"""Every example in the docstrings and in the guide runs and prints what it says."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import prt.stats
import pytest

MODULES = sorted(module.name for module in pkgutil.iter_modules(prt.stats.__path__))
FUNCTIONS = [name for name in prt.stats.__all__ if name.islower()]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_print_what_they_say(name: str) -> None:
    module = importlib.import_module(f"prt.stats.{name}")
    failed, _ = doctest.testmod(module)
    assert failed == 0


def test_the_examples_of_the_guide_print_what_they_say() -> None:
    guide = Path(__file__).parents[2] / "docs" / "statistics.md"
    failed, attempted = doctest.testfile(str(guide), module_relative=False, encoding="utf-8")
    assert (failed, attempted > 0) == (0, True)


def test_the_guide_names_every_public_function() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "statistics.md").read_text(encoding="utf-8")
    assert [name for name in FUNCTIONS if f"`{name}`" not in guide] == []


def test_every_public_function_has_an_example() -> None:
    assert [name for name in FUNCTIONS if ">>>" not in (getattr(prt.stats, name).__doc__ or "")] == []


def test_every_public_name_is_listed_once_and_in_order() -> None:
    assert list(prt.stats.__all__) == sorted(set(prt.stats.__all__))
