"""Checks of arguments that several statistics share; each failure is one sentence."""

from operator import index
from typing import SupportsIndex


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
