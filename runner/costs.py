"""What models cost at the most, each by its own prices, before anything is spent; and in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .config.limits import PricesConfig

NO_PRICES = "no prices"
NO_LIMIT = "no limit on tokens out"
EXAMPLE = "`prices: {input: 0.40, output: 1.60}`"


@dataclass(frozen=True, slots=True)
class CostAtMost:
    """What one model costs at the most.

    Attributes:
        who: What it is: `the judge`.
        cost: Its cost, in the currency of the prices; None where that is not known.
        unknown: Why it is not known: `no prices`, or `no limit on tokens out`.
    """

    who: str
    cost: float | None
    unknown: str = ""


def cost_at_most(who: str, prices: PricesConfig | None, *, prompt: int | None, completion: int | None) -> CostAtMost:
    """What a model costs at the most.

    Args:
        who: What it is.
        prices: What its tokens cost; None where that is not known.
        prompt: Tokens in at the most; None where no limit on answers in the prompts is known.
        completion: Tokens out at the most; None where there is no limit.
    """
    if prices is None:
        return CostAtMost(who, None, NO_PRICES)
    if prompt is None or completion is None:
        return CostAtMost(who, None, NO_LIMIT)
    return CostAtMost(who, prices.cost(prompt, completion))


def all_together(costs: Sequence[CostAtMost]) -> float | None:
    """What all cost; None where that of any is not known."""
    known = [each.cost for each in costs if each.cost is not None]
    return sum(known) if costs and len(known) == len(costs) else None


def cost_lines(costs: Sequence[CostAtMost], currency: str) -> Iterator[str]:
    """What models cost, in sentences.

    Args:
        costs: What each costs.
        currency: What costs are in; empty where nothing has a price.
    """
    if not currency:
        yield f"  cost not known: {NO_PRICES}; {EXAMPLE} in the config, per million tokens, gives it"
        return
    total = all_together(costs)
    if total is not None:
        apart = ", ".join(f"{amount(each.cost or 0.0)} for {each.who}" for each in costs)
        yield f"  at most {amount(total)} {currency}, less what is stored already" + (
            f": {apart}" if len(costs) > 1 else ""
        )
        return
    for each in costs:
        whose = f" of {each.who}" if len(costs) > 1 else ""
        if each.cost is None and each.unknown == NO_LIMIT:
            yield f"  cost{whose} not known: {NO_LIMIT}"
        elif each.cost is None:
            yield f"  cost{whose} not known: {each.unknown}; `prices` in its block give it"
        else:
            yield f"  at most {amount(each.cost)} {currency} for {each.who}, less what is stored already"


def amount(cost: float) -> str:
    """`1,204.50`; of a small amount the two digits that count."""
    return f"{cost:,.2f}" if cost >= 0.1 or not cost else f"{cost:.2g}"
