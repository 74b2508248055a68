"""From a figure with its interval to a verdict: proven bad, proven good, neither, or too few items to tell."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from ...stats import Estimate, PairedTable, drop_exact, tango_interval, zero_flip_items
from ..config.gates import Rule
from ..findings import GateVerdict
from .measuring import Measure, exact_too

Shown = Literal["bad", "good", "neither"]
MOST_ITEMS = 10_000_000
EXACT_UP_TO = 500


@dataclass(frozen=True, slots=True)
class Terms:
    """How sure a gate has to be.

    Attributes:
        alpha: Chance of a false alarm of the whole gate.
        tests: Subjects that share it, where the gate fails on proof.
        min_n: Fewest units that may decide.
    """

    alpha: float
    tests: int
    min_n: int

    def level(self, rule: Rule) -> float:
        """Level of the intervals.

        A gate that fails on proof shares its chance of a false alarm among its subjects (Bonferroni). One that fails
        without proof passes only if every subject is proven, so that the chance to pass wrongly is that of one.
        """
        return 1.0 - self.alpha / self.tests if rule.reading == "fail_if" else 1.0 - self.alpha


@dataclass(frozen=True, slots=True)
class Decision:
    """What is decided of one subject.

    Attributes:
        verdict: The verdict.
        shown: What the interval shows: the bad, the good or neither.
        figure: The figure with the interval that decided.
        too_few: Why there are too few items, in a clause; empty otherwise.
        enough: Items that would decide it: where there are too few, or at these rates where neither is shown.
        unconfirmed: The exact p-value that did not confirm what the interval shows; None otherwise.
    """

    verdict: GateVerdict
    shown: Shown
    figure: Estimate
    too_few: str = ""
    enough: int | None = None
    unconfirmed: float | None = None


def decide(rule: Rule, measure: Measure, terms: Terms, *, higher: bool) -> Decision:
    """Decide a gate on one subject.

    Args:
        rule: What the gate asks.
        measure: The figure.
        terms: How sure it has to be.
        higher: Whether more of the figure is better.

    Returns:
        The verdict. A gate that fails on proof passes where neither is shown, one that fails without proof fails there;
        both are undecided where no result of so many items could have decided otherwise.
    """
    figure = measure.at(terms.level(rule))
    if measure.n == 0 or figure.low is None:
        return Decision("undecided", "neither", figure, "there is nothing to decide on")
    if measure.units < terms.min_n and not rule.one_is_proof:
        return Decision("undecided", "neither", figure, f"`min_n` is {terms.min_n}", terms.min_n)
    shown = what_is_shown(rule, figure, higher=higher)
    if rule.reading == "fail_if" and shown == "bad":
        return proven(rule, measure, figure, 1.0 - terms.level(rule))
    if rule.reading == "fail_unless" and shown != "neither":
        return Decision("failed" if shown == "bad" else "passed", shown, figure)
    return unproven(rule, measure, figure, shown)


def proven(rule: Rule, measure: Measure, figure: Estimate, alpha: float) -> Decision:
    """Fail a gate on an interval that lies beyond the bound, unless an exact test of single results says otherwise."""
    if rule.side == "worse" and measure.table is not None:
        p = drop_exact(measure.table, rule.bound).pvalue
        if p is not None and p > alpha:
            return Decision("passed", "neither", figure, unconfirmed=p)
    return Decision("failed", "bad", figure)


def unproven(rule: Rule, measure: Measure, figure: Estimate, shown: Shown) -> Decision:
    """Decide without the proof that a gate looks for, if so many items could have given it."""
    level = figure.level or 0.0
    could = Could(rule, level)
    if measure.foreseeable and not could.decide(measure.units, measure.before):
        return Decision("undecided", shown, figure, could.why(measure.before), could.enough(measure.before))
    verdict: GateVerdict = "passed" if rule.reading == "fail_if" else "failed"
    return Decision(verdict, shown, figure, enough=at_these_rates(rule, measure, level) if shown == "neither" else None)


def what_is_shown(rule: Rule, figure: Estimate, *, higher: bool) -> Shown:
    """Where an interval lies: beyond the bound, on its good side, or across it."""
    low, high = figure.low or 0.0, figure.high or 0.0
    if rule.side == "worse":
        drop_low, drop_high = (-high, -low) if higher else (low, high)
        return "bad" if drop_low > rule.bound else "good" if drop_high < rule.bound else "neither"
    if rule.side == "above":
        return "bad" if low > rule.bound else "good" if high <= rule.bound else "neither"
    return "bad" if high < rule.bound else "good" if low >= rule.bound else "neither"


@dataclass(frozen=True, slots=True)
class Could:
    """What so many items could decide at the most, whatever their results.

    Attributes:
        rule: What the gate asks.
        level: Level of its interval.
    """

    rule: Rule
    level: float

    def decide(self, units: int, before: float | None = None) -> bool:
        """Whether the clearest result there can be would decide the gate otherwise than no result does.

        Args:
            units: Independent items.
            before: The rate that a drop starts from; 1 where it is not known yet.
        """
        if units < 1:
            return False
        if self.rule.side == "worse":
            if self.rule.reading == "fail_unless":
                return units >= zero_flip_items(self.rule.bound, (1.0 - self.level) / 2.0)
            lost = round((1.0 if before is None else before) * units)
            return drop_is_proven(lost, units, self.rule.bound, self.level)
        best = self._rate_at_its_clearest(units)
        return what_is_shown(self.rule, best, higher=True) == ("bad" if self.rule.reading == "fail_if" else "good")

    def _rate_at_its_clearest(self, units: int) -> Estimate:
        at_top = (self.rule.side == "above") == (self.rule.reading == "fail_if")
        return exact_too(units if at_top else 0, units, self.level)

    def enough(self, before: float | None = None) -> int | None:
        """Fewest items that could decide; None where no number could."""
        if (
            self.rule.side == "worse"
            and self.rule.reading == "fail_if"
            and before is not None
            and before <= self.rule.bound
        ):
            return None
        return fewest(lambda units: self.decide(units, before))

    def why(self, before: float | None = None) -> str:
        """Why fewer can't, in a clause."""
        bound = self.rule.bound
        if self.rule.side == "worse":
            if self.rule.reading == "fail_unless":
                return f"even without a single flip they can't rule out a drop of {100 * bound:g} points"
            if before is not None and before <= bound:
                return f"{100 * before:.1f}% can't fall by more than {100 * bound:g} points"
            return "not even the loss of all that passes would prove a drop"
        clearest = "all" if (self.rule.side == "above") == (self.rule.reading == "fail_if") else "none"
        what = "prove that it is" if self.rule.reading == "fail_if" else "rule out that it is"
        return f"not even {clearest} of them would {what} {self.rule.side} {100 * bound:g}%"


@cache
def drop_is_proven(lost: int, units: int, margin: float, level: float) -> bool:
    """Whether the loss of so many items, and no gain, would prove a drop beyond the margin."""
    table = PairedTable(0, lost, 0, units - lost)
    upper = tango_interval(table, level=level).high
    if upper is None or upper >= -margin:
        return False
    if units > EXACT_UP_TO:  # so many losses at once lie where the two agree
        return True
    p = drop_exact(table, margin).pvalue
    return p is not None and p <= 1.0 - level


def fewest(decides: Callable[[int], bool]) -> int | None:
    """Fewest items that decide, where more never decide less; None where ten million do not."""
    high = 1
    while not decides(high):
        high *= 2
        if high > MOST_ITEMS:
            return None
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if decides(middle) else (middle, high)
    return high


def at_these_rates(rule: Rule, measure: Measure, level: float) -> int | None:
    """About how many items would show the bad or the good if their rates stayed what they are; None where untold."""
    if measure.table is not None:
        table, n = measure.table, measure.table.n
        if rule.side != "worse" or -(table.change or 0.0) == rule.bound:
            return None

        def shows(items: int) -> bool:
            lost, gained = (round(count * items / n) for count in (table.pass_to_fail, table.fail_to_pass))
            scaled = PairedTable(max(items - lost - gained, 0), lost, gained, 0)
            return what_is_shown(rule, tango_interval(scaled, level=level), higher=True) != "neither"

    elif measure.count is not None and measure.count != rule.bound * measure.n:
        count, n = measure.count, measure.n

        def shows(items: int) -> bool:
            return what_is_shown(rule, exact_too(round(count * items / n), items, level), higher=True) != "neither"

    else:
        return None
    return fewest(lambda items: items >= n and shows(items))
