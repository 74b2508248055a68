"""How the figures of a comparison come about, in sentences, and the words that all of its reports use."""

from collections.abc import Iterator, Sequence

from ...stats import Verdict
from ..comparing.findings import Comparison, Impact, ImpactRow, KindChange
from ..comparing.impact import ALL
from ..plan import BASELINE
from .text import UNKNOWN, percent
from .wording import VERDICT_WORDS

KIND_NAMES = {
    "error": "failed calls",
    "judge_error": "not judged",
    "unparsed": "unparsed",
    "truncated": "truncated",
    "refused": "refused",
}


def verdict_word(verdict: Verdict, n: int) -> str:
    """The verdict as a table shows it."""
    return VERDICT_WORDS[verdict] if n else "no result"


def kind_verdict(kind: KindChange) -> str:
    """The verdict on a kind of reply, of which more is worse."""
    return {"regressed": "more", "improved": "fewer"}.get(kind.verdict, VERDICT_WORDS[kind.verdict])


def signed(value: float | None, *, digits: int = 0) -> str:
    """`+1,250` or `−3.2`: a number of failures, or money, always signed."""
    if value is None:
        return UNKNOWN
    rounded = round(value, digits)
    return f"{0:.{digits}f}" if rounded == 0 else f"{rounded:+,.{digits}f}".replace("-", "−")


def digits_for(values: Sequence[float | None]) -> int:
    """Decimals that show numbers of their size: none from 100 up, one below, two below 10."""
    largest = max((abs(value) for value in values if value is not None), default=0.0)
    return 0 if largest >= 100 else 1 if largest >= 10 else 2


def wording_of(row: ImpactRow) -> str:
    """What a row of the impact is about."""
    return {BASELINE: "as the original", ALL: "all, as users write"}.get(row.condition, row.condition)


def impact_cells(row: ImpactRow) -> tuple[str, ...]:
    """Share, requests, failures and cost a day with their limits, and whether the change is proven."""
    failures, cost = row.failures, row.cost
    cells = [percent(row.weight), f"{row.requests:,.0f}"]
    for figure in (failures,) if cost is None else (failures, cost):
        numbers = (figure.estimate, figure.low, figure.high)
        digits = digits_for(numbers)
        limits = (
            "" if figure.low is None else f"{signed(figure.low, digits=digits)} to {signed(figure.high, digits=digits)}"
        )
        cells += [signed(figure.estimate, digits=digits), limits]
    return (*cells, "proven" if row.proven else "unproven")


def impact_headings(impact: Impact, level: str) -> tuple[str, ...]:
    """The headings of `impact_cells`."""
    money = () if impact.cost_per_failure is None else (f"{impact.currency} a day", level)
    return ("share", "requests a day", "failures a day", level, *money, "change")


def impact_title(impact: Impact) -> str:
    """What the table of the impact shows."""
    cost = "" if impact.cost_per_failure is None else f", {impact.cost_per_failure:g} {impact.currency} a failure"
    weighed = "" if impact.is_weighted else "; each row as if all requests were written so"
    return f"Failures more (+) or fewer (−) of {impact.traffic:,.0f} requests a day{cost}{weighed}"


def impact_lines(impact: Impact) -> Iterator[str]:
    """How the impact is reckoned."""
    yield (
        "failures a day = requests a day × share × (earlier rate − later rate); its limits are those of the change, "
        "times the same. A share says how many requests are written so, by `impact.weights`; the original has what is "
        "left."
    )
    if impact.total is not None:
        yield (
            "The whole is one number an item in each run, its rates weighted by the shares; the interval is Newcombe's "
            "on item means of these, since changes under several wordings rise and fall together on the same items. It "
            "is proven where its interval leaves 0 out and a question or a wording above is proven."
        )
    yield from impact.notes


def method_lines(comparison: Comparison) -> Iterator[str]:
    """Say what each figure is, and what it can't say."""
    first = comparison.conditions[0].figures
    overall, model, robustness, _ = comparison.claims
    yield (
        f"change = later rate − earlier rate on the items that carry both, in points; "
        f"{100 * (1 - comparison.alpha):g}% interval: {first.change.method}."
    )
    yield (
        f"Overall: {overall.exact.method}, on each item's sum over the wordings; interval: {overall.change.method}. "
        "The item is the unit, since its results under several wordings rise and fall together."
    )
    yield (
        f"Model and perturbation effect leave out what could not be read in one of the runs, so that they don't show "
        f"what the infrastructure did. Model: {model.exact.method}. Perturbation effect: {robustness.exact.method}, of "
        f"each item's {robustness.change.method}."
    )
    if comparison.kinds:
        kind = comparison.kinds[0]
        yield (
            f"Infrastructure: {kind.exact.method}, on each item's number of such cells among those that have an "
            f"outcome in both runs; Holm over the kinds that occur; interval: {kind.change.method}."
        )
    yield (
        f"Verdicts go by Holm's adjusted p at {comparison.alpha:g} and the interval: the four questions are one "
        "family, the conditions another. Each holds alpha for a change in either direction, so that a false worse in "
        f"any of them stays at {comparison.alpha:g}."
    )
    if len(comparison.conditions) > 1:
        yield f"max-T: {comparison.max_t_method}."
    yield (
        f"no worse: the lower limit of {first.change_score.method} rules out a drop of {100 * comparison.margin:g} "
        "points or more. inconclusive: neither a change nor its absence is shown."
    )
    if comparison.units < comparison.items:
        yield f"Items of one cluster are not independent: intervals and tests rest on {comparison.units} clusters."
    yield "A proven change is one of what was compared: it says nothing of items or wordings that were not."
