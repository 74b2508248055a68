"""What a number of items can see: power, the smallest change that is found, and how many items a change needs."""

from dataclasses import dataclass

from ..stats import detectable_change, fewest_flips, mcnemar_power, mcnemar_sample_size, zero_flip_items


@dataclass(frozen=True, slots=True)
class Sight:
    """What a number of items can see.

    Attributes:
        items: Paired items, if every variant applies to every item.
        variants: Variants judged together: those that apply to an item, or may once their paraphrases are written.
        flip_rate: The flip rate that is assumed.
        alpha: Significance level over all variants.
        power: Chance of finding a change that is asked for.
        detectable: The smallest change that is found with this power; None where no change of this flip rate is.
        fewest_flips: Fewest flips, all one way, that can clear the Bonferroni bar.
        change: The change that the user cares about.
        power_here: Chance that these items find it; None where no flip rate so low allows it.
        items_needed: Items that find it with this power at this flip rate; None where no flip rate so low allows it.
        margin: The largest drop that would not matter.
        items_for_margin: Items that rule out a drop of the margin if none flips.
    """

    items: int
    variants: int
    flip_rate: float
    alpha: float
    power: float
    detectable: float | None
    fewest_flips: int
    change: float
    power_here: float | None
    items_needed: int | None
    margin: float
    items_for_margin: int


def sight(
    items: int, *, variants: int, flip_rate: float, change: float, power: float, alpha: float, margin: float
) -> Sight:
    """Reckon what a number of items can see.

    Args:
        items: Paired items.
        variants: Variants judged together, at least one; the bar is alpha/variants.
        flip_rate: Share of items whose result is expected to differ under a variant, either way.
        change: The change that the user cares about, as a rate.
        power: Chance of finding it that is asked for.
        alpha: Significance level over all variants.
        margin: The largest drop that would not matter.

    Raises:
        ValueError: One of the rates is not between 0 and 1, or there is no variant.
    """
    needed = here = None
    if change <= flip_rate:
        drop, gain = (flip_rate + change) / 2, (flip_rate - change) / 2
        needed = mcnemar_sample_size(drop, gain, alpha=alpha / variants, power=power)
        here = mcnemar_power(items, drop, gain, alpha=alpha / variants)
    return Sight(
        items=items,
        variants=variants,
        flip_rate=flip_rate,
        alpha=alpha,
        power=power,
        detectable=detectable_change(items, flip_rate, alpha=alpha, power=power, variants=variants),
        fewest_flips=fewest_flips(alpha, variants),
        change=change,
        power_here=here,
        items_needed=needed,
        margin=margin,
        items_for_margin=zero_flip_items(margin, alpha / 2),
    )
