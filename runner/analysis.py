"""Results to Outcomes to Findings. Every figure comes from `stats`; here it is decided what goes into which figure."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..perturbations.variant import Variant
from ..stats import ConditionSummary, Estimate, Outcomes, Summary, summarise
from .config.schema import AnalysisConfig
from .controls import control_responses
from .findings import (
    REPORT_SCHEMA_VERSION,
    ConditionFinding,
    ControlFinding,
    LeftOut,
    Report,
    Role,
    Source,
    StatusCounts,
)
from .flipped import most_flipped
from .graders.choice import ChoiceGrader
from .headline import summarise_headline
from .legend import parameters_of
from .plan import BASELINE, RERUN
from .positions import Orders, find_positions
from .records import Item
from .results.table import CODES, ResultsTable
from .store.read import GradedCell, StoredRun


@dataclass(slots=True)
class Tally:
    """What is known of one condition besides its results."""

    role: Role
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    errors: Counter[tuple[str, str]] = field(default_factory=Counter)
    severities: list[float] = field(default_factory=list)
    repeats: int = 1
    applied: int = 0
    replied: int = 0
    generator: str = ""
    parameters: str = "{}"

    def add_variant(self, variant: Variant) -> None:
        """Count one variant by its outcome."""
        if variant.outcome == "applied":
            self.applied += 1
            if variant.severity is not None:
                self.severities.append(variant.severity)
        else:
            self.outcomes[variant.outcome, variant.reason] += 1

    def add_cell(self, cell: GradedCell) -> None:
        """Count one reply by how it was read."""
        self.replied += 1
        if cell.grade is None:
            self.errors["not_graded", ""] += 1
            return
        self.statuses[cell.grade.status] += 1
        if cell.grade.passed is None:
            missing = cell.grade.status in {"error", "judge_error"}
            cause = cell.grade.status if missing else "not_counted"
            reason = cell.grade.reason if missing else cell.grade.status
            self.errors[cause, reason] += 1

    def left_out(self) -> tuple[LeftOut, ...]:
        """All that has no result, the largest cause first."""
        causes = self.outcomes + self.errors
        if self.applied * self.repeats > self.replied:
            causes["no_reply", "not asked yet"] = self.applied * self.repeats - self.replied
        return tuple(LeftOut(cause, reason, n) for (cause, reason), n in causes.most_common())

    def status_counts(self) -> StatusCounts:
        """How the replies were read."""
        return StatusCounts(**self.statuses)

    def severity(self) -> float | None:
        """Mean share of eligible words edited."""
        return float(np.mean(self.severities)) if self.severities else None


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """All of a run's results in columns.

    Attributes:
        outcomes: Every condition, the baseline first.
        parsed: The same with every result missing that was not read from an answer.
        answers: (item, condition, repeat, canonical answer) rows.
        tallies: What is known of each condition besides.
        orders: In which orders options were shown.
    """

    outcomes: Outcomes
    parsed: Outcomes
    answers: Sequence[tuple[str, str, int, str | None]]
    tallies: dict[str, Tally]
    orders: Orders

    def named(self, *roles: Role) -> list[str]:
        """The conditions of some roles, in order, without the baseline."""
        return [name for name in self.outcomes.variants if self.tallies[name].role in roles]


def analyse_run(run: StoredRun) -> Report:
    """Analyse a stored run as its config says.

    Args:
        run: The run; its store must be open.

    Returns:
        The report, with the items that flip most.

    Raises:
        StoreError: The store can't be read.
    """
    config = AnalysisConfig.model_validate(run.record.config.get("analysis", {}))
    results = read_results_of(run)
    headline, reruns = results.named("perturbation"), results.named("rerun")
    summary = summarise_headline(
        results.outcomes, headline, reruns, alpha=config.alpha, margin=config.margin, answers=results.answers
    )
    apart = [*reruns, *results.named("stress")]
    others = summarise(results.outcomes.select(apart), alpha=config.alpha, margin=config.margin).conditions
    baseline = results.tallies[BASELINE]
    return Report(
        schema_version=REPORT_SCHEMA_VERSION,
        source=source_of(run),
        summary=summary,
        conditions=findings(results, summary.conditions, config.alpha),
        not_compared=not_compared(summary),
        apart=findings(results, others, config.alpha),
        baseline_statuses=baseline.status_counts(),
        baseline_left_out=baseline.left_out(),
        positions=find_positions(
            results.outcomes.select(headline),
            results.orders,
            results.answers if run.record.grader.get("name") == ChoiceGrader.name else None,
            parsed=results.parsed,
            alpha=config.alpha,
        ),
        controls=control_findings(results, config.alpha),
        flipped=most_flipped(run, results.outcomes.select(headline)),
        notes=tuple(drift_notes(run)),
    )


def analyse_table(table: ResultsTable, *, alpha: float, margin: float) -> Report:
    """Analyse results that were made elsewhere.

    Args:
        table: The results.
        alpha: Significance level.
        margin: The largest drop that would not matter, as a rate.

    Returns:
        The report; there are no prompts to show.
    """
    outcomes = table.outcomes()
    headline = [name for name in outcomes.variants if name not in table.reruns]
    summary = summarise_headline(outcomes, headline, table.reruns, alpha=alpha, margin=margin)
    apart = summarise(outcomes.select(table.reruns), alpha=alpha, margin=margin)
    return Report(
        schema_version=REPORT_SCHEMA_VERSION,
        source=Source(kind="file", name=table.name, dataset_sha256=table.sha256),
        summary=summary,
        conditions=tuple(ConditionFinding("perturbation", each) for each in summary.conditions),
        not_compared=not_compared(summary),
        apart=tuple(ConditionFinding("rerun", each) for each in apart.conditions),
        notes=table.notes,
    )


def not_compared(summary: Summary) -> tuple[str, ...]:
    """The conditions without any paired item, which count in no figure over all variants."""
    return tuple(each.condition for each in summary.conditions if not each.n)


def read_results_of(run: StoredRun) -> Results:
    """Read a run's results into columns."""
    items = list(run.items())
    orders = Orders.of(items)
    tallies = tally_variants(orders.watching(run.variants()), run.record.repeats)
    conditions = [BASELINE, *(name for name in tallies if name != BASELINE)]
    rows = {item.id: number for number, item in enumerate(items)}
    columns = {name: number for number, name in enumerate(conditions)}
    cells: NDArray[np.int8] = np.full((len(items), len(conditions), run.record.repeats), -1, dtype=np.int8)
    parsed = cells.copy()
    answers: list[tuple[str, str, int, str | None]] = []
    for cell in run.graded_cells():
        tallies[cell.condition].add_cell(cell)
        if cell.grade is None:
            continue
        at = rows[cell.item_id], columns[cell.condition], cell.repeat
        cells[at] = CODES[cell.grade.passed]
        if cell.grade.status == "graded":
            parsed[at] = cells[at]
        answers.append((cell.item_id, cell.condition, cell.repeat, cell.grade.answer))
    names = tuple(rows), tuple(conditions), clusters_of(items)
    return Results(Outcomes(cells, *names), Outcomes(parsed, *names), answers, tallies, orders)


def clusters_of(items: Sequence[Item]) -> tuple[str, ...] | None:
    """What each item belongs to; None where no item says."""
    return tuple(item.cluster for item in items) if any(item.cluster for item in items) else None


def tally_variants(variants: Iterable[Variant], repeats: int) -> dict[str, Tally]:
    """Count the variants of each condition, in the order in which conditions first appear."""
    tallies: dict[str, Tally] = {BASELINE: Tally("perturbation", repeats=repeats)}
    for variant in variants:
        tally = tallies.get(variant.condition) or tallies.setdefault(
            variant.condition,
            Tally(role_of(variant), repeats=repeats, generator=variant.generator, parameters=variant.parameters),
        )
        tally.add_variant(variant)
    return tallies


def role_of(variant: Variant) -> Role:
    """What a condition is for; only a perturbation counts in the headline."""
    if variant.generator == RERUN:
        return "rerun"
    if variant.tier == "control":
        return "control"
    return "stress" if variant.tier == "stress" else "perturbation"


def findings(results: Results, summaries: Iterable[ConditionSummary], alpha: float) -> tuple[ConditionFinding, ...]:
    """Put beside each condition's figures what else is known of it."""
    every = tuple(summaries)
    read = results.parsed.select([each.condition for each in every])
    parsed = {each.condition: each.change for each in summarise(read, alpha=alpha).conditions}
    return tuple(finding(results.tallies[each.condition], each, parsed[each.condition]) for each in every)


def finding(tally: Tally, summary: ConditionSummary, parsed_change: Estimate) -> ConditionFinding:
    """One condition against the baseline, with what else is known of it."""
    return ConditionFinding(
        role=tally.role,
        summary=summary,
        statuses=tally.status_counts(),
        left_out=tally.left_out(),
        parsed_change=parsed_change,
        severity=tally.severity(),
        generator=tally.generator,
        parameters=parameters_of(tally.parameters),
    )


def control_findings(results: Results, alpha: float) -> tuple[ControlFinding, ...]:
    """What becomes of the answers under each control, with what else is known of it."""
    responses = control_responses(results.parsed, results.answers, results.named("control"), alpha=alpha)
    tallies = ((each, results.tallies[each.condition]) for each in responses)
    return tuple(
        ControlFinding(each, tally.status_counts(), tally.left_out(), tally.generator, parameters_of(tally.parameters))
        for each, tally in tallies
    )


def source_of(run: StoredRun) -> Source:
    """Say what was analysed."""
    record = run.record
    return Source(
        kind="run",
        name=record.id,
        model=str(record.environment.get("model", "")),
        resolved_models=run.resolved_models(),
        store=run.store.place,
        state=record.state,
        reason=record.reason,
        started_at=record.started_at.isoformat(timespec="seconds"),
        dataset_sha256=record.dataset_sha256,
        grader=str(record.grader.get("name", "")),
        prt_version=record.prt_version,
    )


def drift_notes(run: StoredRun) -> Iterable[str]:
    """Say what makes the conditions of a run hard to compare."""
    models = run.resolved_models()
    if len(models) > 1:
        yield f"The endpoint answered as {len(models)} models in this run: {', '.join(models)}."
