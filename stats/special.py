"""The functions of `scipy.special`, without the rest of that package.

Importing the package also loads wrappers for other libraries' arrays, and with these numpy's tools for tests and for
Fortran: eight times the time that the functions themselves take, and 20 MiB of memory, which each report would pay for.
"""

import sys
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from types import ModuleType

PACKAGE = "scipy.special"
FUNCTIONS = f"{PACKAGE}._ufuncs"
NEEDED = ("betainc", "betaincinv", "betaln", "chdtrc", "ndtr", "ndtri", "stdtrit", "xlog1py", "xlogy")


@cache
def special() -> ModuleType:
    """A module with the functions that the statistics need: the compiled one alone, or where it has them not, all."""
    if PACKAGE not in sys.modules:
        try:
            functions = compiled()
        except ImportError:
            return import_module(PACKAGE)
        if all(hasattr(functions, name) for name in NEEDED):
            return functions
    return import_module(PACKAGE)


def compiled() -> ModuleType:
    """Load the compiled functions into a package that is not run, and is not left to whoever imports it next.

    Raises:
        ImportError: This scipy has them elsewhere.
    """
    spec = find_spec(PACKAGE)
    if spec is None:
        raise ModuleNotFoundError(f"there is no {PACKAGE}", name=PACKAGE)
    sys.modules[PACKAGE] = module_from_spec(spec)
    try:
        return import_module(FUNCTIONS)
    finally:
        del sys.modules[PACKAGE]
