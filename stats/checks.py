"""Checks of arguments that several statistics share; each failure is one sentence."""

from operator import index
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike

from .numeric import FloatArray


def check_fraction(name: str, value: float) -> None:
    """Refuse a value that is not strictly between 0 and 1.

    Args:
        name: The argument's name, for the message.
        value: What was given.

    Raises:
        ValueError: If `value` is not strictly between 0 and 1 (NaN included).
    """
    if not 0.0 < value < 1.0:
        raise ValueError(f"{name} must lie strictly between 0 and 1 (0.05 means 5%), got {value!r}")


def whole_number(name: str, value: SupportsIndex) -> int:
    """Read a count.

    Args:
        name: The argument's name, for the message.
        value: What was given; integers of numpy are integers too.

    Returns:
        The count as an `int`.

    Raises:
        ValueError: If `value` is negative or not an integer.
    """
    try:
        count = index(value)
    except TypeError:
        count = -1
    if count < 0:
        raise ValueError(f"{name} must be a whole number of at least 0, got {value!r}")
    return count


def finite_values(name: str, values: ArrayLike) -> FloatArray:
    """Read one number an item.

    Args:
        name: The argument's name, for the message.
        values: What was given.

    Returns:
        A one-dimensional array of floats.

    Raises:
        ValueError: If it is not one-dimensional, or a value is no finite number.
    """
    given = np.asarray(values)
    if given.ndim != 1 or given.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold one number an item, got {given.dtype} of shape {given.shape}")
    numbers = given.astype(np.float64)
    if not np.isfinite(numbers).all():
        place = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise ValueError(f"{name} must be finite numbers, got {given[place]} at place {place}; leave missing items out")
    return numbers


def item_rates(name: str, values: ArrayLike) -> FloatArray:
    """Read one rate an item.

    Args:
        name: The argument's name, for the message.
        values: What was given.

    Returns:
        A one-dimensional array of floats between 0 and 1.

    Raises:
        ValueError: If it is not one-dimensional, or a value is not between 0 and 1.
    """
    rates = finite_values(name, values)
    outside = (rates < 0.0) | (rates > 1.0)
    if outside.any():
        raise ValueError(f"{name} must lie between 0 and 1, got {rates[outside][0]}")
    return rates


def check_runs(runs: float) -> float:
    """Refuse a number of runs below 1.

    Args:
        runs: Runs an item, on average.

    Returns:
        The number given.

    Raises:
        ValueError: If it is below 1 or no finite number.
    """
    if not 1.0 <= runs < float("inf"):
        raise ValueError(f"runs must be a number of at least 1, got {runs!r}")
    return runs
