"""Compare stored runs: the first is the reference, each other is held against it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...stats import Outcomes, baseline_rate, robust_rate
from ..analysis import Results, read_results_of
from ..config.impact import ImpactConfig
from ..config.schema import AnalysisConfig
from ..graders.judges import judge_name
from ..store.baselines import LATEST
from ..store.read import StoredRun
from ..store.runs import state_now
from .aligning import Aligned, align
from .changed import most_changed
from .claims import claims_of, condition_changes
from .evidence import Evidence, gather
from .fairness import Sides, caveats_of, is_same_run, refuse_unfair
from .findings import (
    COMPARISON_SCHEMA_VERSION,
    Caveat,
    Claim,
    Comparison,
    ConditionChange,
    Version,
    VersionsComparison,
)
from .impact import impact_of
from .matching import match_runs
from .words import conclusion, versions_conclusion


@dataclass(frozen=True, slots=True)
class Named:
    """A run, and what the person called it."""

    given: str
    run: StoredRun

    def lasting(self, others: "Sequence[Named]") -> "Named":
        """The same by its id, where what it was called will mean another run later, or means another one beside it."""
        run = self.run.record
        shared = any(each.given == self.given and not is_same_run(each.run, self.run) for each in others)
        return replace(self, given=run.id) if self.given == LATEST or shared else self


@dataclass(frozen=True, slots=True)
class Settings:
    """How runs are compared.

    Attributes:
        alpha: Significance level; None for that of the later run's config.
        margin: The largest drop that would not matter; None for that of the later run's config.
        allow: Whether what is unfair is compared all the same, as far as it can be.
        impact: Requests a day and so on; None for that of the later run's config.
        changed: How many items that changed are shown at most.
    """

    alpha: float | None = None
    margin: float | None = None
    allow: bool = False
    impact: ImpactConfig | None = None
    changed: int = 5


@dataclass(frozen=True, slots=True)
class _Held:
    """One version held against the reference, before anything is said of it."""

    named: Named
    sides: Sides
    aligned: Aligned
    caveats: tuple[Caveat, ...]
    impact: ImpactConfig | None


def compare_pair(before: Named, after: Named, settings: Settings | None = None) -> Comparison:
    """Compare a later run with an earlier one.

    Args:
        before: The earlier run; its store must be open.
        after: The later.
        settings: How.

    Raises:
        UsageError: They can't be compared, or should not be.
        StoreError: A store can't be read.
    """
    (comparison,) = compare_all(before, [after], settings or Settings())
    return comparison


def compare_versions(reference: Named, others: Sequence[Named], settings: Settings | None = None) -> VersionsComparison:
    """Compare several versions with one reference; all p-values are adjusted over all of them together.

    Args:
        reference: The reference; its store must be open.
        others: The versions.
        settings: How.

    Raises:
        UsageError: Some can't be compared, or should not be.
        StoreError: A store can't be read.
    """
    comparisons = tuple(compare_all(reference, others, settings or Settings()))
    before = comparisons[0].before
    said = [(each.after.given, each.claim("overall").verdict, each.claim("overall").change) for each in comparisons]
    return VersionsComparison(
        COMPARISON_SCHEMA_VERSION,
        before,
        versions_conclusion(before.given, said, comparisons[0].margin),
        any(each.is_worse for each in comparisons),
        comparisons,
    )


def compare_all(reference: Named, others: Sequence[Named], settings: Settings) -> list[Comparison]:
    """Hold each version against the reference.

    Args:
        reference: The reference.
        others: The versions, at least one.
        settings: How.
    """
    every = (reference, *others)
    reference, *others = (each.lasting(every) for each in every)
    first = AnalysisConfig.model_validate(others[0].run.record.config.get("analysis", {}))
    alpha = first.alpha if settings.alpha is None else settings.alpha
    margin = first.margin if settings.margin is None else settings.margin
    held = _held(reference, others, settings)
    evidence = [gather(each.aligned, alpha=alpha, margin=margin) for each in held]
    claims = claims_of(evidence, alpha=alpha, margin=margin)
    conditions = condition_changes(evidence, [each.aligned.generators for each in held], alpha=alpha, margin=margin)
    return [
        _comparison(reference, each, found, answers, changes, settings=settings, alpha=alpha, margin=margin)
        for each, found, answers, changes in zip(held, evidence, claims, conditions, strict=True)
    ]


def _held(reference: Named, others: Sequence[Named], settings: Settings) -> list[_Held]:
    """Hold each version against the reference; the results of none are kept beyond what both hold alike."""
    results = read_results_of(reference.run, usage=False)
    return [_held_one(reference, results, each, settings) for each in others]


def _held_one(reference: Named, results: Results, after: Named, settings: Settings) -> _Held:
    """Hold one version against the reference."""
    theirs = results if is_same_run(reference.run, after.run) else read_results_of(after.run, usage=False)
    sides = Sides(reference.run, after.run, match_runs((reference.run, results), (after.run, theirs)))
    caveats = caveats_of(sides)
    refuse_unfair(caveats, allow=settings.allow)
    aligned = align(results, theirs, sides.match)
    stored = after.run.record.config.get("impact")
    impact = settings.impact or (None if stored is None else ImpactConfig.model_validate(stored))
    return _Held(after, sides, aligned, caveats, impact)


def _comparison(
    reference: Named,
    held: _Held,
    evidence: Evidence,
    claims: tuple[Claim, ...],
    conditions: tuple[ConditionChange, ...],
    *,
    settings: Settings,
    alpha: float,
    margin: float,
) -> Comparison:
    """Put together what is said of one version."""
    level, (before, after) = 1.0 - alpha, held.aligned.counted
    names = reference.given, held.named.given
    impact = None
    if held.impact is not None:
        impact = impact_of(held.impact, held.aligned, conditions, claims, level=level)
    return Comparison(
        schema_version=COMPARISON_SCHEMA_VERSION,
        before=_version(reference, before, level),
        after=_version(held.named, after, level),
        alpha=alpha,
        margin=margin,
        conclusion=conclusion(*names, claims, conditions, margin=margin),
        is_worse="regressed" in {*(each.verdict for each in claims), *(each.verdict for each in conditions)},
        claims=claims,
        conditions=conditions,
        kinds=evidence.kinds,
        items=len(before.items),
        units=held.aligned.units,
        max_t_method=evidence.counted.max_t.method,
        changed=most_changed((reference.run, held.named.run), (before, after), shown=settings.changed),
        caveats=held.caveats,
        impact=impact,
    )


def _version(named: Named, outcomes: Outcomes, level: float) -> Version:
    """Say what a run is, with its rates over what is compared."""
    run, record = named.run, named.run.record
    machinery = run.machinery()
    return Version(
        given=named.given,
        run=record.id,
        name=record.name,
        model=str(record.environment.get("model", "")),
        resolved_models=tuple(sorted({each.model for each in machinery if each.model})),
        fingerprints=tuple(sorted({each.fingerprint for each in machinery if each.fingerprint})),
        store=run.store.place,
        state=state_now(run.store, record),
        started_at=record.started_at.isoformat(timespec="seconds"),
        grader=str(record.grader.get("name", "")),
        judge=judge_name(record.grader),
        items=len(outcomes.items),
        repeats=record.repeats,
        baseline_rate=baseline_rate(outcomes, level=level),
        robust_rate=robust_rate(outcomes, level=level),
        prt_version=record.prt_version,
    )
