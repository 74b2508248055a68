"""Nights made by hand."""

from prt.runner.nightly.summary import (
    SUMMARY_VERSION,
    Against,
    Asked,
    ConditionNight,
    Decision,
    Flip,
    GateOutcome,
    NightSummary,
    NightVerdict,
)
from prt.stats import Estimate

KEY = "ref"


def rate(estimate: float | None, n: int = 200) -> Estimate:
    """A rate with an interval of four points to each side."""
    if estimate is None:
        return Estimate(None, None, None, 0.95, 0, "Wilson score")
    return Estimate(estimate, estimate - 0.04, estimate + 0.04, 0.95, n, "Wilson score")


def decision(*, alarm: bool = False, look: int = 1, pvalue: float = 0.4, fewest: int = 6) -> Decision:
    return Decision(
        rule="spending",
        look=look,
        alpha=0.05,
        level=0.0304,
        pvalue=0.0001 if alarm else pvalue,
        alarm=alarm,
        n=200,
        units=200,
        worse=20 if alarm else 3,
        better=2,
        method="Item sign-flip exact, one-sided (worse)",
        fewest=fewest,
    )


def a_night(
    night: int,
    decided: Decision | None = None,
    *,
    verdict: NightVerdict | None = None,
    restarted: bool = False,
    key: str = KEY,
    flips: tuple[Flip, ...] = (),
    models: tuple[str, ...] = ("m-1",),
    fingerprints: tuple[str, ...] = (),
    causes: tuple[str, ...] = (),
    conditions: tuple[ConditionNight, ...] = (),
    gates: tuple[GateOutcome, ...] = (),
    asked: Asked | None = None,
    series: str = "triage",
    notes: tuple[str, ...] = (),
    rates: tuple[float | None, float | None] = (0.9, 0.8),
    pinned: bool = False,
) -> NightSummary:
    """A night of a series that ran on the day of its number in March."""
    change = rate(-0.08 if decided is not None and decided.alarm else -0.01)
    found: NightVerdict = "first" if decided is None else "alarm" if decided.alarm else "quiet"
    against = Against("the baseline triage", "triage-0", change, rate(0.0), 0.2, causes)
    return NightSummary(
        schema_version=SUMMARY_VERSION,
        series=series,
        night=night,
        run=f"triage-night-{night}",
        state="stopped" if verdict == "incomplete" else "complete",
        reason="the quota is used up" if verdict == "incomplete" else "",
        verdict=verdict or found,
        started_at=f"2026-03-{night:02d}T02:00:00+00:00",
        model="m",
        resolved_models=models,
        fingerprints=fingerprints,
        baseline_rate=rate(rates[0]),
        robust_rate=rate(rates[1]),
        asked=asked or Asked(800, 0, {"graded": 800}, 800, 40_000, 2_000, 0.0231, "USD"),
        baseline="the baseline triage",
        reference_run="triage-0",
        reference_key=key,
        pinned=pinned,
        restarted=restarted,
        decision=decided,
        reference=None if decided is None else against,
        conditions=conditions,
        first_flips=flips,
        gates=gates,
        notes=notes,
    )
