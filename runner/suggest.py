"""Words for messages: the nearest of the known names, lists of names, and what was found, on one line."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

SHOWN = 60
NAMED = 12
"""Names that are told of those that there are."""
NEAR = 0.75
"""Least similarity of two words that begin differently."""


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that was probably meant, whatever its case and its `-` or `_`; None where none is near."""
    folded = {_fold(name): name for name in names}
    near = get_close_matches(_fold(word), folded, n=max(len(folded), 1))
    return next((folded[name] for name in near if _alike(_fold(word), name)), None)


def _alike(word: str, name: str) -> bool:
    """Whether two near words are alike in more than their endings, as `question` and `solution` are not."""
    return word[:1] == name[:1] or SequenceMatcher(None, name, word).ratio() >= NEAR


def _fold(word: str) -> str:
    return word.casefold().replace("-", "_").replace(" ", "_")


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """`; did you mean X?` to be appended to a sentence, or nothing."""
    near = nearest(word, names)
    return f"; did you mean `{near}`?" if near else ""


def listed(names: Iterable[str], last: str = "or") -> str:
    """Names in backticks, joined as in a sentence: `` `a`, `b` or `c` ``."""
    words = [f"`{name}`" for name in names]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def meant_or_known(word: str, names: Iterable[str]) -> str:
    """`; did you mean X?` to be appended to a sentence; where no name is near, which there are, and nothing if none."""
    known = list(names)
    if near := did_you_mean(word, known):
        return near
    if not known:
        return ""
    rest = len(known) - NAMED
    told = f"{', '.join(f'`{name}`' for name in known[:NAMED])} and {rest} more" if rest > 0 else listed(known, "and")
    return f"; there {'is' if len(known) == 1 else 'are'} {told}"


def printable(text: str) -> str:
    """A text without line breaks and control characters, a space for each."""
    return "".join(character if character.isprintable() else " " for character in text)


def shown(text: str) -> str:
    """A text in backticks: on one line, without control characters, cut after sixty characters."""
    line = printable(text)
    return f"`{line if len(line) <= SHOWN else line[: SHOWN - 1] + '…'}`"
