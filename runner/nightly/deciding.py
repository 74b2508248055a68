"""What a night came to: its figures, the comparison with its reference and with last night, and the decision."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ...stats import Outcomes, PairedTable
from ..analysis import read_results_of
from ..comparing.findings import Caveat, ClaimName, Comparison
from ..comparing.versions import Named, compare_pair
from ..comparing.versions import Settings as Pairing
from ..config.nightly import NightlyConfig
from ..findings import JudgeUsage, Report
from ..store.read import StoredRun
from .flips import first_flips
from .rule import decide_fresh, decide_stored, process_of, units_table
from .summary import (
    SUMMARY_VERSION,
    Against,
    Asked,
    ConditionNight,
    Decision,
    GateOutcome,
    History,
    JudgeAsked,
    NightSummary,
)

CAUSES: tuple[ClaimName, ...] = ("model", "perturbation_effect", "infrastructure")


@dataclass(frozen=True, slots=True)
class Side:
    """A run that tonight is held against.

    Attributes:
        name: What it is: the baseline's name, the reference model, or `night 3`.
        run: The run.
        key: Tells it from other references.
    """

    name: str
    run: StoredRun
    key: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """How nights are decided.

    Attributes:
        alpha: The chance of any false alarm over all nights.
        margin: The largest drop that would not matter.
        nightly: The section of the config.
    """

    alpha: float
    margin: float
    nightly: NightlyConfig


def headline(run: StoredRun) -> Outcomes:
    """A run's results under the baseline and the perturbations: no rerun, stress or control."""
    results = read_results_of(run, usage=False)
    return results.outcomes.select(results.named("perturbation"))


def told(
    series: str, run: StoredRun, report: Report, *, cells: int, missing: int, reference: Report | None = None
) -> NightSummary:
    """What is known of a night before it is compared with anything.

    Args:
        series: The series.
        run: Tonight's run.
        report: What it says.
        cells: Cells of tonight, those of a fresh reference with them.
        missing: Those without a result.
        reference: The report of the fresh reference's run; None where there is none.
    """
    record, overall = run.record, report.summary.overall
    complete = record.state == "complete"
    return NightSummary(
        schema_version=SUMMARY_VERSION,
        series=series,
        night=0,
        run=record.id,
        state=record.state,
        reason=record.reason,
        verdict="first" if complete else "incomplete",
        started_at=record.started_at.isoformat(timespec="seconds"),
        model=report.source.model,
        resolved_models=report.source.resolved_models,
        fingerprints=tuple(sorted({each.fingerprint for each in run.machinery() if each.fingerprint})),
        baseline_rate=overall.baseline_rate,
        robust_rate=overall.robust_rate,
        asked=asked(report, reference, cells=cells, missing=missing),
        gates=gate_outcomes(report),
        notes=report.notes,
    )


def asked(report: Report, reference: Report | None, *, cells: int, missing: int) -> Asked:
    """What the runs of a night took."""
    usages = [each.usage for each in (report, reference) if each is not None and each.usage is not None]
    costs = [usage.total.cost for usage in usages]
    return Asked(
        cells=cells,
        missing=missing,
        statuses=statuses(report),
        calls=sum(usage.total.calls for usage in usages),
        prompt_tokens=sum(usage.total.prompt_tokens for usage in usages),
        completion_tokens=sum(usage.total.completion_tokens for usage in usages),
        cost=sum(cost for cost in costs if cost is not None) if costs and None not in costs else None,
        currency=next((usage.currency for usage in usages if usage.currency), ""),
        judge=judge_asked([usage.judge for usage in usages if usage.judge is not None]),
    )


def judge_asked(judges: Sequence[JudgeUsage]) -> JudgeAsked | None:
    """What the judge took in the runs of a night; None where none was asked."""
    if not judges:
        return None
    costs = [each.cost for each in judges if each.replies > each.failed]
    return JudgeAsked(
        calls=sum(each.calls for each in judges),
        prompt_tokens=sum(each.prompt_tokens for each in judges),
        completion_tokens=sum(each.completion_tokens for each in judges),
        cost=sum(cost for cost in costs if cost is not None) if costs and None not in costs else None,
        no_cost=next((each.no_cost for each in judges if each.no_cost), ""),
    )


def statuses(report: Report) -> dict[str, int]:
    """How the replies of a run were read, over all of its conditions."""
    each = [report.baseline_statuses, *(finding.statuses for finding in (*report.conditions, *report.apart))]
    each += [control.statuses for control in report.controls]
    names = ("graded", "unparsed", "truncated", "refused", "error", "judge_error")
    return {name: sum(getattr(counts, name) for counts in each if counts is not None) for name in names}


def gate_outcomes(report: Report) -> tuple[GateOutcome, ...]:
    """The gates that did not pass."""
    return tuple(
        GateOutcome(f"{each.gate} ({each.subject})", each.verdict, each.effect == "fail", each.reason)
        for each in report.gates
        if each.verdict != "passed"
    )


def decided(
    summary: NightSummary,
    tonight: StoredRun,
    history: History,
    settings: Settings,
    *,
    against: Side | None,
    last: Side | None,
    restarted: bool,
) -> NightSummary:
    """Decide a complete night.

    Args:
        summary: What `told` says of it.
        tonight: Its run.
        history: The nights before.
        settings: How nights are decided.
        against: The stored baseline or tonight's reference; None where there is none yet.
        last: The last complete night; None where there is none, or nothing is left of its results.
        restarted: Whether looks are counted anew from this night.

    Returns:
        The summary with its verdict.
    """
    beside = None if last is None else against_side(compared_with(last, tonight, settings), last)
    summary = replace(summary, restarted=restarted, last_night=beside)
    if against is None:
        return summary
    before, after = headline(against.run), headline(tonight)
    comparison = compared_with(against, tonight, settings)
    known = History() if restarted else history
    decision = decision_of(comparison, units_table(before, after), known, settings, key=against.key)
    return replace(
        summary,
        verdict="alarm" if decision.alarm else "quiet",
        baseline=against.name,
        reference_run=against.run.record.id,
        reference_key=against.key,
        decision=decision,
        reference=against_side(comparison, against),
        conditions=conditions_of(comparison),
        first_flips=first_flips(before, after, known.looks(against.key)),
    )


def compared_with(side: Side, tonight: StoredRun, settings: Settings) -> Comparison:
    """Tonight against another run; what would keep two runs from being compared is told as a note."""
    how = Pairing(alpha=settings.alpha, margin=settings.margin, allow=True, changed=0)
    return compare_pair(Named(side.name, side.run), Named("tonight", tonight), how)


def decision_of(
    comparison: Comparison, units: PairedTable, history: History, settings: Settings, *, key: str
) -> Decision:
    """What the sequential rule of the config says."""
    if settings.nightly.reference == "fresh":
        return decide_fresh(comparison.items, units, process_of(history, key), alpha=settings.alpha)
    look = 1 + len(history.looks(key))
    exact = comparison.claim("overall").exact
    return decide_stored(exact, units, look=look, alpha=settings.alpha, nights=settings.nightly.nights)


def against_side(comparison: Comparison, side: Side) -> Against:
    """A comparison as it is kept."""
    overall = comparison.claim("overall")
    causes = (comparison.claim(name) for name in CAUSES)
    return Against(
        name=side.name,
        run=side.run.record.id,
        change=overall.change,
        robustness_change=comparison.claim("perturbation_effect").change,
        pvalue=overall.exact.pvalue,
        causes=tuple(claim.sentence for claim in causes if claim.verdict == "regressed"),
        notes=tuple(caveat.text for caveat in comparison.caveats if is_noted(caveat, comparison)),
    )


def is_noted(caveat: Caveat, comparison: Comparison) -> bool:
    """Whether a reader of a night has to know this: what is unfair, and what the config has that it had not then."""
    of_config = caveat.kind in {"parameters", "prompt"} or (
        caveat.kind == "model" and comparison.before.model != comparison.after.model
    )
    return of_config or caveat.weight in {"caution", "warning"}


def conditions_of(comparison: Comparison) -> tuple[ConditionNight, ...]:
    """Each condition tonight against the same one of the reference."""
    return tuple(
        ConditionNight(each.condition, each.figures.change, each.verdict, each.holm_p) for each in comparison.conditions
    )


def numbers_of(statuses_of: Mapping[str, int]) -> str:
    """`12 unparsed, 2 refused`; empty where all were read."""
    return ", ".join(f"{count:,} {status}" for status, count in statuses_of.items() if count and status != "graded")
