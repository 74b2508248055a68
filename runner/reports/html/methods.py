"""How the figures of a report are reckoned: formulas and sources, for those figures that it shows."""

from collections.abc import Iterator
from dataclasses import dataclass

from ...findings import Report


@dataclass(frozen=True, slots=True)
class Method:
    """One figure.

    Attributes:
        name: What it is called in the report.
        formula: How it is reckoned, a line each.
        says: What it is for, and what it can't say.
        source: Who published it; empty for plain counting.
    """

    name: str
    formula: tuple[str, ...]
    says: str
    source: str = ""


CHANGE = Method(
    "Change and its interval (Newcombe, method 10)",
    (
        "change = (c − b) / n = p1 − p2;   a both pass, b pass → fail, c fail → pass, d both fail, n = a + b + c + d",
        "low  = change − √((p1 − l1)² − 2φ(p1 − l1)(u2 − p2) + (u2 − p2)²)",
        "high = change + √((u1 − p1)² − 2φ(u1 − p1)(p2 − l2) + (p2 − l2)²)",
    ),
    "p1 and p2 are the variant's and the baseline's rate on the same items, l and u their Wilson limits, φ the "
    "correlation of the paired results with ad − bc lowered by n/2 where it is positive.",
    "R. G. Newcombe (1998), Stat. Med. 17, 2635–2650",
)
CLUSTERED = Method(
    "Intervals over repeats and clusters: effective sample size",
    ("n_eff = p(1 − p)·n / v", "change: the same limits as above, each rate at its effective sample size"),
    "v is the variance of the item means; with clusters, the cluster takes the place of the item. Runs of one "
    "prompt and items of one document are never taken for independent.",
    "L. Kish (1965), Survey Sampling; G. Y. Zou, A. Donner (2008), Stat. Med. 27, 1693–1702; E. Miller (2024), "
    "arXiv:2411.00640",
)
MCNEMAR = Method(
    "Test of no change (McNemar, exact)",
    ("p = min(1, 2·P(X ≤ min(b, c))),   X ~ Bin(b + c, ½)",),
    "Without a change, flips go either way alike. It says nothing of how large a change is.",
    "Q. McNemar (1947), Psychometrika 12, 153–157",
)
SIGN_FLIPS = Method(
    "Test of no change over repeats or clusters (sign flips, exact)",
    ("p = share of all sign patterns with |Σ ±S_i| ≥ |Σ S_i|",),
    "S_i: passes of item i, or of a cluster, under the variant minus those under the baseline. With one run an item "
    "this is the exact McNemar test.",
    "R. A. Fisher (1935), The Design of Experiments; E. J. G. Pitman (1937), J. R. Stat. Soc. Suppl. 4, 119–130",
)
HOLM = Method(
    "Several variants (Holm)",
    ("the i-th smallest of m p-values × (m − i + 1), none below a smaller one",),
    "Holds the chance of even one false alarm to α, however the variants depend on one another.",
    "S. Holm (1979), Scand. J. Stat. 6, 65–70",
)
MARGIN = Method(
    "No worse than the margin (Tango)",
    (
        "z(D) = (c − b − nD) / √(n(2q + D(1 − D)));   limits: the D for which z(D) = ±z",
        "q = (√(B² − 4AC) − B) / 2A,   A = 2n,   B = (2n − (c − b))D − (b + c),   C = −bD(1 − D)",
    ),
    "“No worse” needs the lower limit above −margin. It does not say that nothing changed.",
    "T. Tango (1998), Stat. Med. 17, 891–908",
)
RATES = Method(
    "Rates, robust rate, fully stable share, flip rate (Wilson)",
    ("(p + z²/2n ± z√(p(1 − p)/n + z²/4n²)) / (1 + z²/n)",),
    "Items are the units. Within 3 units of 0 or of n the outer limit is the exact one-sided limit. Robust rate: items "
    "that pass under the baseline and under every variant, among those with a result under all. Fully stable: items "
    "whose every result equals their baseline's, right or wrong.",
    "E. B. Wilson (1927), J. Am. Stat. Assoc. 22, 209–212; L. D. Brown, T. T. Cai, A. DasGupta (2001), Stat. Sci. 16, "
    "101–133",
)
CHURN = Method(
    "Noise floor and flips that the wording caused (repeats)",
    (
        "flip rate F = mean[ȳ0(1 − ȳ1) + ȳ1(1 − ȳ0)],   floor N_j = mean[2k/(k − 1) · ȳ_j(1 − ȳ_j)]",
        "caused = F − (N_0 + N_1)/2",
    ),
    "ȳ is the share of an item's k runs that pass. Caused estimates E(p1 − p0)² and can fall below 0 by luck.",
    "W. Hoeffding (1948), Ann. Math. Stat. 19, 293–325 (unbiased estimates from pairs)",
)
EXCESS = Method(
    "Flips beyond those of the original asked again (rerun)",
    ("excess = flip rate of the variant − flip rate of the rerun, paired on the same items",),
    "The interval is that of a change, with the two flip indicators as the paired results.",
)
QUANTILES = Method(
    "Latency",
    ("the smallest observed time that at least 50%, 90%, 99% of the answers do not exceed (nearest rank)",),
    "It describes the answers of this run; no interval is given, since calls in flight together are not independent.",
)


def methods(report: Report) -> Iterator[Method]:
    """The methods of the figures that a report shows, in the order in which they come up."""
    summary = report.summary
    by_item = summary.repeats == 1 and summary.clusters is None
    if report.compared:
        yield CHANGE
        if not by_item:
            yield CLUSTERED
        yield MCNEMAR if by_item else SIGN_FLIPS
        yield HOLM
        yield MARGIN
    if summary.overall.baseline_rate.n:
        yield RATES
    if any(each.summary.churn for each in report.conditions):
        yield CHURN
    elif any(each.summary.excess for each in report.conditions):
        yield EXCESS
    if report.usage is not None and report.usage.total.latency.n:
        yield QUANTILES
