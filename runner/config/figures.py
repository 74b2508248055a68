"""The figures of a report that a gate can be on, and what each is of."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

FigureName = Literal[
    "change",
    "parsed_change",
    "excess_flips",
    "pass_rate",
    "flip_rate",
    "answer_agreement",
    "pass_at_k",
    "pass_hat_k",
    "follows",
    "baseline_rate",
    "robustness_change",
    "robust_rate",
    "any_pass_rate",
    "fully_stable",
    "always_fails",
    "unread",
    "unparsed",
    "truncated",
    "refused",
    "errors",
    "position_effect",
    "spread",
    "pooled_flip_rate",
    "robustness_score",
    "cost",
    "calls",
    "tokens",
    "latency_p50_s",
    "latency_p90_s",
    "latency_p99_s",
]
Kind = Literal["difference", "rate", "point", "fact"]
Scope = Literal["condition", "together", "replies", "baseline", "slots", "control", "usage"]


@dataclass(frozen=True, slots=True)
class FigureKind:
    """What a gate has to know of a figure.

    Attributes:
        kind: A signed difference has a margin, a rate a bound; a point has a bound and no interval, and a fact needs
            none, since it is of this run alone.
        scope: What it is of: `condition` each condition against the baseline, `together` several conditions at once,
            `replies` how replies were read, `baseline` the original prompts alone, `slots` the places of options,
            `control` each control, `usage` what the run took.
        words: What it is called in sentences.
        higher: Whether more of it is better.
        between: Whether the same figure of two runs can be compared item by item.
        alone: Whether one run has it at all.
    """

    kind: Kind
    scope: Scope
    words: str
    higher: bool
    between: bool = False
    alone: bool = True


FIGURES: Mapping[str, FigureKind] = {
    "change": FigureKind("difference", "condition", "change", higher=True, between=True),
    "parsed_change": FigureKind("difference", "condition", "change among read answers", higher=True),
    "excess_flips": FigureKind("difference", "condition", "flips beyond those of the rerun", higher=False),
    "pass_rate": FigureKind("rate", "condition", "pass rate", higher=True, between=True),
    "flip_rate": FigureKind("rate", "condition", "flip rate", higher=False, between=True),
    "answer_agreement": FigureKind("rate", "condition", "answer agreement", higher=True, between=True),
    "pass_at_k": FigureKind("rate", "condition", "pass@k", higher=True),
    "pass_hat_k": FigureKind("rate", "condition", "pass^k", higher=True),
    "follows": FigureKind("rate", "control", "share that follows the control", higher=True),
    "baseline_rate": FigureKind("rate", "baseline", "baseline rate", higher=True, between=True),
    "robustness_change": FigureKind(
        "difference", "together", "change in robustness", higher=True, between=True, alone=False
    ),
    "robust_rate": FigureKind("rate", "together", "robust rate", higher=True, between=True),
    "any_pass_rate": FigureKind("rate", "together", "any-pass rate", higher=True, between=True),
    "fully_stable": FigureKind("rate", "together", "fully stable share", higher=True, between=True),
    "always_fails": FigureKind(
        "rate", "together", "share of items that fail under every condition", higher=False, between=True
    ),
    "unread": FigureKind("rate", "replies", "share of replies without a readable answer", higher=False, between=True),
    "unparsed": FigureKind("rate", "replies", "share of unparsed replies", higher=False, between=True),
    "truncated": FigureKind("rate", "replies", "share of truncated replies", higher=False, between=True),
    "refused": FigureKind("rate", "replies", "share of refused replies", higher=False, between=True),
    "errors": FigureKind("rate", "replies", "share of cells without a result", higher=False, between=True),
    "position_effect": FigureKind("rate", "slots", "effect of the slot of the right option", higher=False),
    "spread": FigureKind("point", "together", "spread", higher=False),
    "pooled_flip_rate": FigureKind("point", "together", "pooled flip rate", higher=False),
    "robustness_score": FigureKind("point", "together", "robustness score", higher=True),
    "cost": FigureKind("fact", "usage", "cost", higher=False),
    "calls": FigureKind("fact", "usage", "calls", higher=False),
    "tokens": FigureKind("fact", "usage", "tokens, in and out", higher=False),
    "latency_p50_s": FigureKind("fact", "usage", "median latency in seconds", higher=False),
    "latency_p90_s": FigureKind("fact", "usage", "90th percentile of latency in seconds", higher=False),
    "latency_p99_s": FigureKind("fact", "usage", "99th percentile of latency in seconds", higher=False),
}
"""Every figure that a gate can be on."""
