"""The package gives all that it names, and loads a generator when it is first used."""

import subprocess
import sys

import prt.perturbations
import pytest
from prt.perturbations import HOMES, Typo
from prt.perturbations.generators.typo import Typo as TypoAtHome

PROGRAM = """
import sys, prt.perturbations as library
loaded = lambda: sorted(name for name in sys.modules if name.startswith("prt.perturbations.generators.control"))
before = loaded()
library.Control
print(before, "prt.perturbations.generators.control" in loaded())
"""


def test_every_name_is_there() -> None:
    for name in prt.perturbations.__all__:
        assert getattr(prt.perturbations, name) is not None
    assert set(prt.perturbations.__all__) >= HOMES.keys()
    assert Typo is TypoAtHome


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Tpyo'"):
        prt.perturbations.Tpyo  # noqa: B018 - reading it is the test


def test_a_generator_loads_when_it_is_first_used() -> None:
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] True"
