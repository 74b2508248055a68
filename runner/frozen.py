"""The variants of a bundle's file by item, on the disk; and of each item, what a config is compared with."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from ..perturbations.bundle import Bundle, BundleFile
from ..perturbations.perturb import BASELINE
from ..perturbations.variant import Variant
from .encoding import encoded, variant_groups
from .spool import Groups


class Frozen:
    """The variants of a bundle.

    Attributes:
        whole: The bundle; its variants stand in the order of the groups.
        groups: Its variants by item, the baseline first.
    """

    def __init__(self) -> None:
        """Begin with no item."""
        self.groups: Groups[Variant] = variant_groups()
        self.whole = Bundle(0, (), self.groups.in_order)
        self._numbers: dict[tuple[str, ...], int] = {}
        self._conditions = array("I")

    def append(self, item_id: str, lines: Iterable[tuple[str, Variant]]) -> None:
        """Take an item's variants, each with its line."""
        ordered = sorted(lines, key=lambda each: each[1].condition != BASELINE)
        for line, _ in ordered:
            self.groups.in_order.append_record(encoded(line))
        self.groups.end(item_id)
        conditions = tuple(sorted(variant.condition for _, variant in ordered[1:]))
        self._conditions.append(self._numbers.setdefault(conditions, len(self._numbers)))

    def conditions(self, place: int) -> tuple[str, ...]:
        """The conditions of an item, by its place among the groups, sorted; its first variant not among them."""
        return [*self._numbers][self._conditions[place]]


def read_frozen(path: Path) -> Frozen:
    """Read a bundle's file, once.

    Raises:
        BundleFormatError: It is no bundle, or no longer the one that was written.
        OSError: It can't be read.
    """
    file = BundleFile(path)
    frozen = Frozen()
    scattered: dict[str, list[tuple[str, Variant]]] = {}
    for item_id, lines in groupby(file.lines(), lambda each: each[1].item_id):
        if item_id in frozen.groups:
            scattered.setdefault(item_id, []).extend(lines)
        else:
            frozen.append(item_id, lines)
    frozen.whole = file.whole(frozen.groups.in_order)
    return gathered(frozen, scattered, file) if scattered else frozen


def gathered(frozen: Frozen, scattered: Mapping[str, Sequence[tuple[str, Variant]]], file: BundleFile) -> Frozen:
    """The same with the variants of an item that stand apart from its others in the file; prt writes none so."""
    whole = Frozen()
    texts = frozen.groups.in_order.records()
    for item_id in frozen.groups:
        own = [(next(texts).decode("utf-8", "surrogatepass"), variant) for variant in frozen.groups[item_id]]
        whole.append(item_id, [*own, *scattered.get(item_id, ())])
    whole.whole = file.whole(whole.groups.in_order)
    return whole


def grouped(variants: Iterable[Variant]) -> Iterator[tuple[str, Iterable[Variant]]]:
    """Variants by item, where those of each stand together."""
    return groupby(variants, attrgetter("item_id"))
