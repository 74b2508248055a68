"""Results to Outcomes to Findings. Every figure comes from `stats`; here it is decided what goes into which figure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..stats import ConditionSummary, Estimate, Outcomes, summarise
from .answers import UNREAD, AnswerCodes, Answers
from .config.gates import COMPARED
from .config.schema import AnalysisConfig
from .controls import control_responses
from .findings import (
    REPORT_SCHEMA_VERSION,
    ConditionFinding,
    ControlFinding,
    Correction,
    GateResult,
    Report,
    Role,
    Source,
    Usage,
)
from .flipped import most_flipped
from .graders.choice import ChoiceGrader
from .graders.judges import judge_name
from .headline import not_compared, summarise_headline
from .judge_usage import usage_with_judge
from .legend import parameters_of
from .orders import Order, Orders, may_differ_in_order_alone
from .plan import BASELINE
from .positions import find_positions
from .store.columns import STATUSES, Flags, VariantColumns, read_cells, read_firsts, read_payloads, read_variants
from .store.read import StoredRun, load_run
from .store.runs import WITHOUT_TEXTS, RunRecord
from .tallies import Tally, Tallying

if TYPE_CHECKING:
    from .config.gates import GateConfig
    from .gating.evidence import Evidence
    from .judging.calibration import Saved

GRADED = STATUSES.index("graded")


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """All of a run's results in columns.

    Attributes:
        outcomes: Every condition, the baseline first.
        parsed: The same with every result missing that was not read from an answer.
        answers: What was read in each reply.
        tallies: What is known of each condition besides.
        orders: In which orders options were shown.
        statuses: Items × conditions × repeats: the place of each grade's status in `STATUSES`; −1 where there is none.
        variants: The variants of the run's suite.
        usage: What the replies took; None where there is none yet, or it was not counted.
    """

    outcomes: Outcomes
    parsed: Outcomes
    answers: Answers
    tallies: dict[str, Tally]
    orders: Orders
    statuses: Flags
    variants: VariantColumns
    usage: Usage | None = None

    def named(self, *roles: Role) -> list[str]:
        """The conditions of some roles, in order, without the baseline."""
        return [name for name in self.outcomes.variants if self.tallies[name].role in roles]


def analyse_run(
    run: StoredRun,
    saved: "Saved | None" = None,
    *,
    results: Results | None = None,
    gates: Sequence["GateConfig"] | None = None,
    compared: StoredRun | None = None,
) -> Report:
    """Analyse a stored run as its config says, and decide its gates.

    Args:
        run: The run; its store must be open.
        saved: A calibration of its judge, by which its pass rates are corrected; None for none.
        results: Its results with its usage, where they are read already.
        gates: The gates to decide; those of its config where not given.
        compared: The run that gates against `compared` are about; None where there is none.

    Returns:
        The report, with the items that flip most.

    Raises:
        UsageError: The calibration is of another judge; or a gate names what is not there, or a run that is not.
        StoreError: The store can't be read.
    """
    config = AnalysisConfig.model_validate(run.record.config.get("analysis", {}))
    results, models = results or read_results_of(run), run.resolved_models()
    headline, reruns = results.named("perturbation"), results.named("rerun")
    summary = summarise_headline(
        results.outcomes, headline, reruns, alpha=config.alpha, margin=config.margin, answers=results.answers
    )
    apart = [*reruns, *results.named("stress")]
    others = summarise(results.outcomes.select(apart), alpha=config.alpha, margin=config.margin).conditions
    baseline = results.tallies[BASELINE]
    return Report(
        schema_version=REPORT_SCHEMA_VERSION,
        source=source_of(run, models),
        summary=summary,
        conditions=findings(results, summary.conditions, config.alpha),
        not_compared=not_compared(summary),
        apart=findings(results, others, config.alpha),
        baseline_statuses=baseline.statuses,
        baseline_left_out=baseline.left_out,
        positions=find_positions(
            results.outcomes.select(headline),
            results.orders,
            results.answers if reads_options(run) else None,
            parsed=results.parsed,
            alpha=config.alpha,
        ),
        controls=control_findings(results, config.alpha),
        flipped=most_flipped(run, results.outcomes.select(headline)),
        correction=corrected(run, saved, results.parsed.select([*headline, *apart]), level=summary.level),
        usage=results.usage,
        notes=(
            *drift_notes(models),
            *judge_notes(run.record),
            *adaptation_notes(run.record),
            *pruning_notes(run.record),
        ),
        gates=gate_results(run, results, gates, compared),
    )


def gate_results(
    run: StoredRun,
    results: Results,
    gates: Sequence["GateConfig"] | None,
    compared: StoredRun | None,
) -> tuple[GateResult, ...]:
    """What the gates of a run say; those of its config where none are given."""
    if gates is None and not run.record.config.get("gates"):
        return ()
    from .gating.evaluate import evaluate  # noqa: PLC0415 - most runs have no gates
    from .gating.of_run import own_gates  # noqa: PLC0415

    def other(name: str) -> "Evidence | None":
        found = compared if name == COMPARED else load_run(run.store, name)
        return None if found is None else evidence(found, read_results_of(found, usage=False))

    own = own_gates(run.record) if gates is None else gates
    return evaluate(own, evidence(run, results), other)


def evidence(run: StoredRun, results: Results) -> "Evidence":
    """What gates on a run are decided on."""
    from .gating.of_run import evidence_of  # noqa: PLC0415 - most runs have no gates

    return evidence_of(
        run.record,
        outcomes=results.outcomes,
        parsed=results.parsed,
        answers=results.answers,
        statuses=results.statuses,
        tallies=results.tallies,
        variants=results.variants,
        orders=results.orders,
        chooses=reads_options(run),
        usage=results.usage,
        alpha=AnalysisConfig.model_validate(run.record.config.get("analysis", {})).alpha,
    )


def corrected(run: StoredRun, saved: "Saved | None", judged: Outcomes, *, level: float) -> Correction | None:
    """The pass rates corrected by a calibration of the judge; None without one."""
    if saved is None:
        return None
    from .judging.correcting import correction_of  # noqa: PLC0415 - other reports need nothing that measures judges

    return correction_of(saved, run, judged, level=level)


def read_results_of(run: StoredRun, *, usage: bool = True) -> Results:
    """Read a run's results into columns.

    Args:
        run: The run; its store must be open.
        usage: Whether what its replies took is counted, too.

    Raises:
        StoreError: The store can't be read.
    """
    variants = read_variants(run)
    # Counting needs as much memory as the results do, so it comes before they take theirs.
    took = usage_with_judge(run, variants) if usage else None
    tallying = Tallying(variants)
    conditions = (BASELINE, *(name for name in variants.conditions if name != BASELINE))
    columns = np.array([conditions.index(name) for name in variants.conditions], dtype=np.intp)
    shape = len(variants.items), len(conditions), run.record.repeats
    cells: NDArray[np.int8] = np.full(shape, -1, dtype=np.int8)
    statuses = cells.copy()
    answers: AnswerCodes = np.full(shape, UNREAD, dtype=np.int8)
    for read in read_cells(run, variants, numbers=reads_options(run)):
        tallying.add(read)
        at = variants.item[read.variant], columns[variants.condition[read.variant]], read.repeat
        cells[at] = read.passed
        answers = answers.astype(np.promote_types(answers.dtype, read.answer.dtype), copy=False)
        answers[at] = read.answer
        statuses[at] = read.status
    tallies = tallying.tallies(read_firsts(run, variants), repeats=run.record.repeats)
    names = variants.items, conditions, variants.clusters if any(variants.clusters) else None
    outcomes = Outcomes(cells, *names)
    cells[statuses != GRADED] = -1
    return Results(
        outcomes,
        Outcomes(cells, *names),
        Answers(answers, conditions),
        tallies,
        read_orders(run, variants, tallies),
        statuses,
        variants,
        took,
    )


def reads_options(run: StoredRun) -> bool:
    """Whether the answers of a run are options, by their indices in the dataset."""
    return run.record.grader.get("name") == ChoiceGrader.name


def read_orders(run: StoredRun, variants: VariantColumns, tallies: Mapping[str, Tally]) -> Orders:
    """Read in which orders options were shown; nothing where no condition can differ in the order alone."""
    reordered = [name for name, tally in tallies.items() if may_differ_in_order_alone(tally.generator)]
    if not reordered:
        return Orders()
    orders = Orders([frozenset(item.gold.options) for item in run.items()])
    applied = np.array([outcome == "applied" for outcome, _ in variants.causes], dtype=bool)[variants.cause]
    for position, payload in read_payloads(run, [BASELINE, *reordered]):
        if applied[position]:
            orders.add(int(variants.item[position]), payload["condition"], Order.stored(payload))
    return orders


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
        statuses=tally.statuses,
        left_out=tally.left_out,
        parsed_change=parsed_change,
        severity=tally.severity,
        generator=tally.generator,
        parameters=parameters_of(tally.parameters),
    )


def control_findings(results: Results, alpha: float) -> tuple[ControlFinding, ...]:
    """What becomes of the answers under each control, with what else is known of it."""
    responses = control_responses(results.parsed, results.answers, results.named("control"), alpha=alpha)
    tallies = ((each, results.tallies[each.condition]) for each in responses)
    return tuple(
        ControlFinding(each, tally.statuses, tally.left_out, tally.generator, parameters_of(tally.parameters))
        for each, tally in tallies
    )


def source_of(run: StoredRun, resolved_models: tuple[str, ...]) -> Source:
    """Say what was analysed."""
    record = run.record
    return Source(
        kind="run",
        name=record.id,
        model=str(record.environment.get("model", "")),
        resolved_models=resolved_models,
        store=run.store.place,
        state=record.state,
        reason=record.reason,
        started_at=record.started_at.isoformat(timespec="seconds"),
        dataset_sha256=record.dataset_sha256,
        grader=str(record.grader.get("name", "")),
        judge=judge_name(record.grader),
        prt_version=record.prt_version,
        provider=str(record.model.get("provider", "")),
    )


def pruning_notes(run: RunRecord) -> Iterable[str]:
    """Say that the texts of a run's replies were removed."""
    if when := run.environment.get(WITHOUT_TEXTS):
        removed = f"The texts of the replies were removed on {str(when)[:10]} by `prt store prune`"
        yield f"{removed}; the grades are as they were."


def adaptation_notes(run: RunRecord) -> Iterable[str]:
    """Say what a model or the judge was not sent of what its config has, since it refused that."""
    for sentence in run.adaptations:
        block = "grade.model" if sentence.startswith("the judge ") else "model"
        yield f"By {block}.adapt: {sentence.rstrip('.')}."


def judge_notes(run: RunRecord) -> Iterable[str]:
    """Say who decided what passes, where that is a model, which errs itself."""
    if name := judge_name(run.grader):
        gives = "says pass" if "threshold" not in run.grader else f"gives a score of {run.grader['threshold']} or more"
        yield (
            f"An answer passes where the judge, {name}, {gives}. A judge errs, and its errors are in every rate here; "
            "docs/judging.md says how to measure them."
        )


def drift_notes(models: Sequence[str]) -> Iterable[str]:
    """Say what makes the conditions of a run hard to compare: it was answered by several models."""
    if len(models) > 1:
        yield f"The endpoint answered as {len(models)} models in this run: {', '.join(models)}."
