"""The guide's example runs, and what it says of bounds and defaults is so."""

import doctest
from pathlib import Path

from prt.perturbations.delta_debugging import MOST_SMALLER
from prt.runner.commands.shrink import EXIT_CODES
from prt.runner.shrinking.setting import REPEATS

GUIDE = Path(__file__).parents[3] / "docs" / "shrink.md"


def test_the_example_of_the_guide_runs() -> None:
    failed, attempted = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert attempted > 8


def test_the_guide_names_the_numbers_of_the_program() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    assert f"no more than {MOST_SMALLER} are left" in text
    assert REPEATS == 5
    assert "more than half of five replies" in text
    for code in EXIT_CODES.values():
        assert f"\n| {code} | " in text
