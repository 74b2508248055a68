"""The root finder, and what the statistics load of scipy."""

import subprocess
import sys
from math import cos, exp, log

import pytest
import scipy.special  # type: ignore[import-untyped]  # scipy ships no type information
from hypothesis import given
from hypothesis import strategies as st
from prt.stats.numeric import find_root, two_sided_z
from prt.stats.special import NEEDED, special
from prt.stats.tango import upper_limit
from scipy.optimize import brentq  # type: ignore[import-untyped]  # scipy ships no type information


@given(st.integers(1, 10**6), st.data(), st.sampled_from([1.28, 1.96, 3.3]))
def test_tango_limits_are_those_of_another_root_finder(n: int, data: st.DataObject, z: float) -> None:
    worse = data.draw(st.integers(0, n))
    better = data.draw(st.integers(0, n - worse))
    limit = upper_limit(worse, better, n, z)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("prt.stats.tango.find_root", lambda function, low, high: brentq(function, low, high, xtol=1e-15))
        assert limit == pytest.approx(upper_limit(worse, better, n, z), abs=1e-12)


def test_roots_are_found_to_the_last_bits_wherever_they_lie() -> None:
    assert find_root(cos, 0.0, 3.0) == pytest.approx(1.5707963267948966, abs=1e-15)
    assert find_root(lambda x: x**3 - 2.0, 0.0, 2.0) == pytest.approx(2.0 ** (1 / 3), abs=1e-15)
    assert find_root(lambda x: 1e12 - x**2, 0.0, 1e9) == pytest.approx(1e6, rel=1e-15)
    assert find_root(lambda x: exp(-x) - 1e-9, 0.0, 100.0) == pytest.approx(9.0 * log(10.0), rel=1e-12)


def test_a_step_is_found_where_it_is() -> None:
    assert find_root(lambda x: -1.0 if x < 0.3 else 1.0, 0.0, 1.0) == pytest.approx(0.3, abs=2e-15)


def test_an_end_may_be_the_root() -> None:
    assert find_root(lambda x: x, 0.0, 1.0) == 0.0
    assert find_root(lambda x: x - 1.0, 0.0, 1.0) == 1.0


def test_without_a_change_of_sign_there_is_no_root_to_find() -> None:
    with pytest.raises(ValueError, match="no change of sign between 1"):
        find_root(lambda x: x, 1.0, 2.0)


def told_by(program: str) -> str:
    """What a program prints that begins with nothing loaded."""
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_scipy_loads_when_a_figure_is_computed_and_no_more_of_it_than_that_takes() -> None:
    program = (
        "import sys, prt.stats as stats\n"
        "parts = {'scipy.special', 'scipy.special._ufuncs', 'scipy.optimize', 'scipy.stats', 'numpy.f2py'}\n"
        "loaded = lambda: sorted(parts & set(sys.modules))\n"
        "before = loaded()\n"
        "stats.summarise(stats.Outcomes.from_array([[1, 0, 1], [1, 1, 0], [0, 1, 1], [1, 0, -1]]))\n"
        "print(before, loaded())"
    )
    assert told_by(program) == "[] ['scipy.special._ufuncs']"


def test_who_imports_scipy_afterwards_has_all_of_it() -> None:
    program = (
        "from prt.stats.numeric import two_sided_z\n"
        "early = two_sided_z(0.95)\n"
        "import scipy.stats, scipy.special\n"
        "print(early == scipy.special.ndtri(0.975) == scipy.stats.norm.ppf(0.975), scipy.special.logsumexp([0.0]))"
    )
    assert told_by(program) == "True 0.0"


def test_where_scipy_has_its_functions_elsewhere_the_whole_package_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(hasattr(scipy.special, name) for name in NEEDED)
    monkeypatch.delitem(sys.modules, "scipy.special")
    monkeypatch.setattr("prt.stats.special.FUNCTIONS", "scipy.special.moved_elsewhere")
    whole = special.__wrapped__()
    assert whole.__name__ == "scipy.special"
    assert whole.ndtri(0.975) == two_sided_z(0.95)


def test_a_module_that_lacks_a_function_does_not_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "scipy.special")
    monkeypatch.setattr("prt.stats.special.NEEDED", (*NEEDED, "logsumexp"))
    assert special.__wrapped__().__name__ == "scipy.special"
