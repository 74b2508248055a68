"""What a number of items can see, in sentences."""

from collections.abc import Iterator

from ..sight import Sight
from .text import points


def sight_lines(sight: Sight) -> Iterator[str]:
    """What the items can see."""
    judged = "1 variant" if sight.variants == 1 else f"{sight.variants} variants judged together"
    judged += f" at {sight.alpha:g}"
    yield f"What {sight.items} items can see if {sight.flip_rate:.0%} flip, {judged}:"
    if sight.detectable is None:
        yield f"  no change is found with {sight.power:.0%} power: even if all flips go one way, they are too few"
    else:
        size = points(sight.detectable).lstrip("+")
        yield f"  smallest change found with {sight.power:.0%} power: {size} points (exact McNemar, Bonferroni)"
    yield f"  fewest flips, all one way, that can clear the bar: {sight.fewest_flips}"
    wanted = f"{100 * sight.change:g} points"
    if sight.items_needed is None or sight.power_here is None:
        yield f"  a change of {wanted} can't come from {sight.flip_rate:.0%} flips; give a larger flip rate"
    else:
        yield f"  chance of finding a change of {wanted}: {sight.power_here:.1%} (exact, over all numbers of flips)"
        yield f"  items needed for a change of {wanted} with {sight.power:.0%} power: {sight.items_needed:,}"
    yield f"  items that rule out a drop of {100 * sight.margin:g} points if none flips: {sight.items_for_margin}"
