"""The options of one row: their texts, and how the row itself names them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ...perturbations.rendering.labels import option_labels


@dataclass(frozen=True, slots=True)
class OptionSet:
    """Options in the order of the data.

    Attributes:
        texts: Their texts.
        labels: One label each: the data's own, or A, B, C, …
        own: Whether the labels are the data's own.
        names: Further names that an answer may use: the columns that the options came from; may be empty.
    """

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    own: bool = False
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, texts: Sequence[str], names: Sequence[str] = ()) -> "OptionSet":
        """Options that the data doesn't label."""
        return cls(tuple(texts), default_labels(len(texts)), names=tuple(names))

    def twins(self, indices: Sequence[int]) -> tuple[int, ...]:
        """These options, and each that has the same text as one of them."""
        texts = {self.texts[index] for index in indices}
        return tuple(index for index, text in enumerate(self.texts) if text in texts)


@cache
def default_labels(count: int) -> tuple[str, ...]:
    """A, B, C, … for options that the data doesn't label."""
    return option_labels("A", count)
