"""What the judge of a run's answers took, beside what the model under test took, and both together."""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import NDArray

from .config.limits import PricesConfig
from .config.pricing import stored_prices
from .costs import NO_PRICES
from .engine.spent import NO_TOKENS
from .findings import ConditionUsage, JudgeUsage, TogetherUsage, Usage
from .graders.judges import judge_name
from .store.columns import VariantColumns
from .store.judge_replies import read_judge_replies
from .store.read import StoredRun
from .usage import COUNTED, Counting, took, usage_of


@dataclass(frozen=True, slots=True, eq=False)
class _AllTogether:
    """Replies that are counted under no condition."""

    conditions: Sequence[str] = ("",)
    condition: NDArray[np.integer] = field(default_factory=lambda: np.zeros(1, dtype=np.int32))


def usage_with_judge(run: StoredRun, variants: VariantColumns) -> Usage | None:
    """Count what the current replies of a run took, and the replies of its judge.

    Args:
        run: The run; its store must be open.
        variants: The variants of its suite.

    Returns:
        What each condition took, all of them, the judge, and all together; None where there is no reply yet.

    Raises:
        StoreError: The store can't be read.
    """
    usage, name = usage_of(run, variants), judge_name(run.record.grader)
    if usage is None or not name:
        return usage
    prices = judge_prices(run)
    currency = usage.currency or ("" if prices is None else prices.currency)
    judge = judge_usage(run, name, prices)
    total = usage.total
    costs = [each.cost for each in (total, judge) if each.replies > each.failed]
    return replace(
        usage,
        currency=currency,
        judge=replace(judge, no_cost=why_no_cost(judge, has_price=prices is not None) if currency else ""),
        together=TogetherUsage(
            calls=total.calls + judge.calls,
            prompt_tokens=total.prompt_tokens + judge.prompt_tokens,
            completion_tokens=total.completion_tokens + judge.completion_tokens,
            cost=None if not currency or None in costs else sum(cost or 0.0 for cost in costs),
        ),
        no_cost=why_no_cost(total, has_price=bool(usage.currency)) if currency else "",
    )


def judge_usage(run: StoredRun, name: str, prices: PricesConfig | None) -> JudgeUsage:
    """Count what the replies of a run's judge took.

    Args:
        run: The run; its store must be open.
        name: The judge's name.
        prices: What its tokens cost; None where that is not known.
    """
    counting = Counting(_AllTogether())
    for read in read_judge_replies(run):
        counting.add(read)
    usage = counting.usage(prices)
    found = took("", np.zeros(len(COUNTED), dtype=np.int64), [], None) if usage is None else usage.total
    return JudgeUsage(**{each.name: getattr(found, each.name) for each in fields(found)}, model=name)


def judge_prices(run: StoredRun) -> PricesConfig | None:
    """What the tokens of a run's judge cost by the run's config; None where that says nothing, or of another judge."""
    grade, graded = run.record.config.get("grade"), run.record.grader.get("model")
    block = grade.get("model") if isinstance(grade, dict) else None
    if not isinstance(block, dict) or not isinstance(graded, dict):
        return None
    if any(block.get(key) != graded.get(key) for key in ("provider", "name")):
        return None
    priced = stored_prices(run.record.config)
    return next((priced.price_of(each) for each in priced.others), None)


def why_no_cost(found: ConditionUsage, *, has_price: bool) -> str:
    """Why it is not known what replies cost; empty where it is, and where nothing was answered."""
    if found.cost is not None or found.replies == found.failed:
        return ""
    return NO_TOKENS if has_price else NO_PRICES
