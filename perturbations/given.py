"""What a caller gives, checked where it is given: a mistake is one sentence of what was found and what is allowed."""

from collections.abc import Sequence
from typing import TypeVar

Word = TypeVar("Word", bound=str)


def words_given(owner: str, name: str, given: object, allowed: Sequence[Word]) -> tuple[Word, ...]:
    """Give the words of a parameter that takes several, in the order of the allowed ones.

    Args:
        owner: The generator, as messages name it.
        name: The parameter.
        given: A tuple or list of words.
        allowed: All words that there are.

    Raises:
        TypeError: For anything else than a tuple or list; a text is told apart.
        ValueError: Without any word, or with one that is not allowed.
    """
    one = f"{owner}: {name} is one or more of {', '.join(allowed)}"
    values = tuple_given(owner, name, given, f"({allowed[0]!r},)")
    if not values or any(each not in allowed for each in values):
        raise ValueError(f"{one}; found {', '.join(map(str, values)) or 'none'}")
    return tuple(word for word in allowed if word in values)


def check_word(owner: str, name: str, given: object, allowed: Sequence[str]) -> None:
    """Refuse what is none of the allowed words.

    Raises:
        ValueError: With what was found and what is allowed.
    """
    if given not in allowed:
        raise ValueError(f"{owner}: {name} is one of {', '.join(allowed)}; found {given!r}")


def tuple_given(owner: str, name: str, given: object, example: str) -> tuple[object, ...]:
    """Give a parameter as the tuple that it is, or that a list makes.

    Raises:
        TypeError: For anything else; for a text, whose characters nobody means, with how to write it.
    """
    if isinstance(given, tuple | list):
        return tuple(given)
    what = "a text" if isinstance(given, str) else f"of the type {type(given).__name__}"
    raise TypeError(f"{owner}: {name} is {given!r}, {what}; write a tuple, such as {example}")


def check_rate(owner: str, rate: object, of: str) -> None:
    """Refuse what is no share.

    Raises:
        TypeError: For what is no number.
        ValueError: For a number outside 0 to 1.
    """
    allowed = f"it is a share of {of}, from 0 to 1"
    if isinstance(rate, bool) or not isinstance(rate, int | float):
        raise TypeError(f"{owner}: rate is {rate!r}, no number; {allowed}")
    if not 0 <= rate <= 1:
        raise ValueError(f"{owner}: rate is {rate}; {allowed}")


def check_variants(owner: str, variants: object) -> None:
    """Refuse what is no number of variants.

    Raises:
        TypeError: For what is no whole number.
        ValueError: For less than one.
    """
    if isinstance(variants, bool) or not isinstance(variants, int):
        raise TypeError(f"{owner}: variants is {variants!r}; it is a whole number, 1 at least")
    if variants < 1:
        raise ValueError(f"{owner}: variants is {variants}; it is 1 at least")
