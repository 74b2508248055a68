"""What a comparison of runs says, apart from how it looks."""

from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import TypeAdapter

from ...stats import Estimate, HypothesisTest, PairedFigures, Verdict
from ..findings import Answer, GateResult

COMPARISON_SCHEMA_VERSION = 1

Weight = Literal["refusal", "caution", "warning", "note"]
"""What a caveat does: a refusal ends the comparison, a caution does unless it is allowed, a warning stands in the first
lines, and a note says what was compared."""
ClaimName = Literal["overall", "model", "perturbation_effect", "infrastructure"]
Kind = Literal["error", "judge_error", "unparsed", "truncated", "refused"]
KINDS: tuple[Kind, ...] = ("error", "judge_error", "unparsed", "truncated", "refused")


@dataclass(frozen=True, slots=True)
class Version:
    """One of the runs that are compared, over what they all hold alike.

    Attributes:
        given: What it is called here: as the person called it, or its id where that will mean another run later
            (`latest`), or is the name of both runs.
        run: The run's id.
        name: The run's name.
        model: The model as it was configured.
        resolved_models: The model names that the endpoint gave back, sorted.
        fingerprints: What the endpoint called the machinery behind its replies, sorted.
        store: The results database.
        state: `complete`, `incomplete`, `stopped`, `running` or `cut off`.
        started_at: ISO 8601.
        grader: The grader's name.
        judge: The model that judged the answers; empty where none did.
        items: Items of the run.
        repeats: How often each prompt was asked.
        baseline_rate: Pass rate under the original prompts.
        robust_rate: Share of the items that pass under the original and every variant.
        prt_version: Version of prt that ran it.
    """

    given: str
    run: str
    name: str
    model: str
    resolved_models: tuple[str, ...]
    fingerprints: tuple[str, ...]
    store: str
    state: str
    started_at: str
    grader: str
    judge: str
    items: int
    repeats: int
    baseline_rate: Estimate
    robust_rate: Estimate
    prt_version: str


@dataclass(frozen=True, slots=True)
class Caveat:
    """Something that makes a comparison unfair, or that a reader of it has to know.

    Attributes:
        kind: What it is about: `items`, `texts`, `variants`, `conditions`, `grader`, `judge`, `model`, `parameters`,
            `prompt`, `several`, `repeats`, `drift`, `state`, `reused`, `same_run`, `rows` or `version`.
        weight: What it does.
        text: One sentence, with what to do where anything can be done.
    """

    kind: str
    weight: Weight
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One of the four questions that a comparison answers, with its answer.

    Attributes:
        name: `overall`: all wordings together, as the report counts. `model`: the original prompts, among answers that
            were read in both runs. `perturbation_effect`: what is lost under the variants, among such answers.
            `infrastructure`: whether a kind of failed or unreadable reply became more or less frequent.
        verdict: `regressed` is worse, in each of the four.
        change: The change with its interval; of `infrastructure` that of the kind of the smallest p-value, above 0
            where there is more of it.
        exact: The exact test of no change; of `infrastructure` that of this kind, its p-value adjusted for all kinds.
        holm_p: The p-value adjusted over the four questions (Holm), and over all versions where there are several.
        sentence: The answer in one sentence.
    """

    name: ClaimName
    verdict: Verdict
    change: Estimate
    exact: HypothesisTest
    holm_p: float | None
    sentence: str


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """One condition in both runs.

    Attributes:
        condition: Its name.
        generator: Its generator; empty for the baseline.
        verdict: The later run against the earlier, by Holm over the conditions.
        figures: All paired figures; "baseline" there is the earlier run, "variant" the later.
        holm_p: The exact p-value, Holm-adjusted over the conditions, and over all versions where there are several.
        max_t_p: The p-value adjusted over the conditions by flipping whole items.
        parsed_change: The change among answers that were read in both runs.
    """

    condition: str
    generator: str
    verdict: Verdict
    figures: PairedFigures
    holm_p: float | None
    max_t_p: float | None
    parsed_change: Estimate


@dataclass(frozen=True, slots=True)
class KindChange:
    """One kind of reply without a usable answer, over the cells that were answered or failed in both runs.

    Attributes:
        kind: `error` (a failed call), `judge_error` (not judged), `unparsed`, `truncated` or `refused`.
        verdict: `regressed` where there is provably more of it.
        before: How many of these cells it is in the earlier run.
        after: How many in the later.
        cells: How many cells there are.
        change: Change of its share, item by item, with its interval.
        exact: Exact sign-flip test over items, each with the sum over its cells.
        holm_p: Its p-value, Holm-adjusted over the kinds that occur.
    """

    kind: Kind
    verdict: Verdict
    before: int
    after: int
    cells: int
    change: Estimate
    exact: HypothesisTest
    holm_p: float | None


@dataclass(frozen=True, slots=True)
class ChangedItem:
    """An item that changed from one run to the other.

    Attributes:
        item_id: The item.
        worse: Under how many conditions it passes in the earlier run and fails in the later.
        better: Under how many the other way round.
        compared: Under how many it has results in both.
        condition: The first condition under which it changed.
        gold: What counts as right, in words.
        prompt: What was asked under that condition, in the later run.
        before: The earlier answer.
        after: The later answer.
    """

    item_id: str
    worse: int
    better: int
    compared: int
    condition: str
    gold: str
    prompt: str
    before: Answer
    after: Answer


@dataclass(frozen=True, slots=True)
class ImpactRow:
    """What the change under one condition makes of a day's requests.

    Attributes:
        condition: The condition; `baseline` for requests in the original wording; `all` for the whole.
        weight: The share of requests that is written so.
        requests: How many a day that is.
        proven: Whether the change is proven: for the whole, one of the questions has to be, and the interval has to
            leave 0 out.
        failures: Failures a day more (above 0) or fewer, with its interval.
        cost: What they cost a day; None without `cost_per_failure`.
    """

    condition: str
    weight: float
    requests: float
    proven: bool
    failures: Estimate
    cost: Estimate | None


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change means for a day's requests.

    Attributes:
        traffic: Requests a day.
        cost_per_failure: What one failure costs; None where that is not said.
        currency: What the cost is in.
        is_weighted: Whether `weights` say how users write. Where they don't, each row is what it would be if all
            requests were written so, and there is no row of the whole.
        rows: The conditions.
        total: All requests, as users write them; None without weights.
        notes: What a reader has to know.
    """

    traffic: float
    cost_per_failure: float | None
    currency: str
    is_weighted: bool
    rows: tuple[ImpactRow, ...]
    total: ImpactRow | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Comparison:
    """A later run against an earlier one.

    Attributes:
        schema_version: Version of this structure.
        before: The earlier run, or the reference.
        after: The later run.
        alpha: Significance level; intervals are those of level 1 − alpha.
        margin: The largest drop that would not matter, as a rate.
        conclusion: What is proven, in a sentence or two.
        is_worse: Whether anything is proven worse: one of the four questions, or a condition.
        claims: The four questions.
        conditions: The baseline and each condition that both runs hold.
        kinds: Replies without a usable answer, by kind; those that occur.
        items: Items that both runs hold alike.
        units: Independent units: clusters, or items.
        max_t_method: How `max_t_p` came about.
        changed: The items that changed most.
        caveats: What makes the comparison unfair, the gravest first.
        impact: What the change means for a day's requests; None where the config does not say how many there are.
        gates: What the later run's gates that are against this comparison say; see `Report.gates`.
    """

    schema_version: int
    before: Version
    after: Version
    alpha: float
    margin: float
    conclusion: str
    is_worse: bool
    claims: tuple[Claim, ...]
    conditions: tuple[ConditionChange, ...]
    kinds: tuple[KindChange, ...]
    items: int
    units: int
    max_t_method: str
    changed: tuple[ChangedItem, ...]
    caveats: tuple[Caveat, ...]
    impact: Impact | None = None
    gates: tuple[GateResult, ...] = ()

    def claim(self, name: ClaimName) -> Claim:
        """The answer to one of the four questions."""
        return next(each for each in self.claims if each.name == name)


@dataclass(frozen=True, slots=True)
class VersionsComparison:
    """Several later versions, each against the same reference.

    Attributes:
        schema_version: Version of this structure.
        reference: The reference.
        conclusion: What is proven of which version.
        is_worse: Whether anything is proven worse of any version.
        comparisons: One a version; their adjusted p-values are over all versions together.
    """

    schema_version: int
    reference: Version
    conclusion: str
    is_worse: bool
    comparisons: tuple[Comparison, ...]


@cache
def comparison_adapter() -> TypeAdapter[Comparison | VersionsComparison]:
    """Writes a comparison as JSON and gives its schema; made when it is first needed."""
    return TypeAdapter(Comparison | VersionsComparison)
