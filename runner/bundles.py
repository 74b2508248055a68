"""Frozen bundles of variants: reading one for a run, and proving that it belongs to these items."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ..perturbations.bundle import Bundle, BundleFormatError, read_bundle
from ..perturbations.question import Question
from ..perturbations.variant import Variant
from .config.loading import LoadedConfig
from .errors import BundleError, Problem
from .plan import BASELINE
from .problems import SHOWN
from .records import Item


def frozen_variants(loaded: LoadedConfig, items: Sequence[Item]) -> dict[str, tuple[Variant, ...]]:
    """Read the bundle that a config names.

    Args:
        loaded: The config.
        items: The items of the run; the bundle may hold more.

    Returns:
        Each item's variants as they were frozen, the baseline first.

    Raises:
        BundleError: It can't be read, lacks an item, or was made from another wording of one.
    """
    path = Path(loaded.config.bundle or "")
    by_item = grouped(opened(loaded.base / path, str(path)))
    problems = list(mismatches(by_item, items, str(path)))
    if problems:
        rest = len(problems) - SHOWN
        more = [Problem(f"and {rest} more items that do not fit")] if rest > 0 else []
        raise BundleError(*problems[:SHOWN], *more)
    return {item.id: tuple(by_item[item.id]) for item in items}


def opened(path: Path, shown: str) -> Bundle:
    """Read a bundle's file."""
    try:
        return read_bundle(path)
    except BundleFormatError as error:
        raise BundleError(Problem(error.message, path=shown, line=error.line)) from None
    except OSError as error:
        advice = "`prt perturb` writes one"
        raise BundleError(Problem(f"can't be read ({error.strerror}); {advice}", path=shown, key="bundle")) from None


def grouped(bundle: Bundle) -> dict[str, list[Variant]]:
    """The variants by item, the baseline first."""
    by_item: dict[str, list[Variant]] = {}
    for variant in bundle.variants:
        by_item.setdefault(variant.item_id, []).append(variant)
    for variants in by_item.values():
        variants.sort(key=lambda variant: variant.condition != BASELINE)
    return by_item


def mismatches(by_item: Mapping[str, Sequence[Variant]], items: Sequence[Item], path: str) -> Iterator[Problem]:
    """Say which items the bundle was not made from."""
    for item in items:
        variants = by_item.get(item.id, ())
        baseline = variants[0].question if variants and variants[0].condition == BASELINE else None
        if baseline is None:
            yield Problem(
                f"the bundle has no variants of the item {item.id!r}; `prt perturb` writes it anew", path=path
            )
        elif baseline != item.question:
            parts = ", ".join(differing(baseline, item.question))
            yield Problem(
                f"the item {item.id!r} was frozen with another {parts}; `prt perturb` writes the bundle anew", path=path
            )


def differing(one: Question, other: Question) -> list[str]:
    """The parts in which two questions differ."""
    return [part for part in Question.__slots__ if getattr(one, part) != getattr(other, part)]
