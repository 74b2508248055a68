"""The guide's examples run, and its tables name what there is."""

import doctest
import re
from pathlib import Path
from typing import get_args

from prt.perturbations.generators.control import ControlKind
from prt.perturbations.generators.kinds import FormatKind, ReorderKind
from prt.perturbations.variant import Outcome

GUIDE = Path(__file__).parents[2] / "docs" / "perturbations.md"


def section(title: str) -> str:
    return re.split(r"^## ", GUIDE.read_text(encoding="utf-8").partition(f"\n## {title}")[2], flags=re.MULTILINE)[0]


def test_every_example_of_the_guide_runs() -> None:
    failed, attempted = doctest.testfile(str(GUIDE), module_relative=False, encoding="utf-8")
    assert failed == 0
    assert attempted > 10


def test_every_kind_and_outcome_stands_in_a_table() -> None:
    for title, words in (
        ("What a variant", get_args(Outcome)),
        ("reorder", get_args(ReorderKind)),
        ("format", get_args(FormatKind)),
        ("control", get_args(ControlKind)),
    ):
        rows = " ".join(line for line in section(title).splitlines() if line.startswith("| `"))
        assert set(words) <= set(re.findall(r"`(\w+)`", rows)), title
