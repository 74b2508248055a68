"""What a report says, apart from how it looks: the figures, what is missing, and the items that flip most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from pydantic import JsonValue as Json
from pydantic import TypeAdapter

from ..stats import ConditionSummary, ControlResponse, CorrectedRate, Estimate, Positions, Summary

REPORT_SCHEMA_VERSION = 1

NOT_ASKED = frozenset({"unchanged", "not_applicable", "rejected"})
"""Causes of what is left out that a generator or a reviewer gave: there was nothing to ask."""

Untold = Literal["", "unread", "always_right", "always_wrong"]
Role = Literal["perturbation", "rerun", "stress", "control"]
GateVerdict = Literal["passed", "failed", "undecided"]
GateEffect = Literal["pass", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Source:
    """What was analysed.

    Attributes:
        kind: A run of prt, or results made elsewhere.
        name: The run's id, or the file.
        model: The model as it was configured; empty for a file.
        resolved_models: The model names that the endpoint gave back, sorted.
        store: The results database; empty for a file.
        state: `complete`, `incomplete`, `stopped` or `running`; `complete` for a file.
        reason: Why a run is not complete; empty otherwise.
        started_at: ISO 8601; empty for a file.
        dataset_sha256: SHA-256 of the dataset's or results' bytes.
        grader: The grader's name; empty for a file.
        judge: The model that judged the answers; empty where none did.
        prt_version: Version of prt that ran it.
        provider: What was asked: `openai`, `local`, `http`, `python` or `replay`; empty for a file.
    """

    kind: Literal["run", "file"]
    name: str
    model: str = ""
    resolved_models: tuple[str, ...] = ()
    store: str = ""
    state: str = "complete"
    reason: str = ""
    started_at: str = ""
    dataset_sha256: str = ""
    grader: str = ""
    judge: str = ""
    prt_version: str = ""
    provider: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Cells of one condition that have no result, by cause.

    Attributes:
        cause: `unchanged`, `not_applicable`, `rejected`, `error`, `judge_error`, `not_counted` (a status that the
            config counts as missing), `not_graded` or `no_reply`.
        reason: What the generator, the grader or the endpoint said; empty where the cause says it all.
        n: How many cells.
    """

    cause: str
    reason: str
    n: int


@dataclass(frozen=True, slots=True)
class StatusCounts:
    """How the replies of one condition were read; the sum is the number of replies and failed calls."""

    graded: int = 0
    unparsed: int = 0
    truncated: int = 0
    refused: int = 0
    error: int = 0
    judge_error: int = 0


def asked_of_none(left_out: "Sequence[LeftOut]") -> bool:
    """Whether what is left out says that no item could be asked: something is, and none for want of a result."""
    return bool(left_out) and all(each.cause in NOT_ASKED for each in left_out)


@dataclass(frozen=True, slots=True)
class ConditionFinding:
    """One condition against the baseline.

    Attributes:
        role: A perturbation counts in the headline; a rerun is the noise floor; stress stands apart. A control is no
            such finding: `ControlFinding`.
        summary: The paired figures.
        statuses: How its replies were read; None where the results were made elsewhere.
        left_out: What is missing, and why.
        parsed_change: The change among items whose answer was read under both; None where the results were made
            elsewhere.
        severity: Mean share of eligible words edited, over the applied variants; None where no words are edited.
        generator: Name of the generator; empty where the results were made elsewhere.
        parameters: The generator's resolved parameters; None where the results were made elsewhere.
    """

    role: Role
    summary: ConditionSummary
    statuses: StatusCounts | None = None
    left_out: tuple[LeftOut, ...] = ()
    parsed_change: Estimate | None = None
    severity: float | None = None
    generator: str = ""
    parameters: Mapping[str, Json] | None = None

    @property
    def applied_to_none(self) -> bool:
        """Whether it is known that no item could be asked under this condition."""
        return asked_of_none(self.left_out)


@dataclass(frozen=True, slots=True)
class PositionsFinding:
    """Whether the model favours the slot in which an option is shown.

    Attributes:
        labels: The label of each slot, as the originals show it.
        conditions: The conditions that differ from the baseline in the order of the options alone; all figures are over
            these.
        items: Items with options; `figures.n` of them had their right option shown in two slots or more.
        figures: The figures of each slot, the test and the verdict.
        untold: Why no favourite could show in these results, whatever the verdict: no answer was read, all are right,
            or all are wrong; empty where one could.
    """

    labels: tuple[str, ...]
    conditions: tuple[str, ...]
    items: int
    figures: Positions
    untold: Untold = ""


@dataclass(frozen=True, slots=True)
class ControlFinding:
    """One control: a condition whose right answers are not the dataset's.

    Attributes:
        response: Whether the answers follow the change, over the items whose answers were read under both.
        statuses: How its replies were read.
        left_out: What is missing, and why.
        generator: Name of the generator.
        parameters: Its resolved parameters.
    """

    response: ControlResponse
    statuses: StatusCounts
    left_out: tuple[LeftOut, ...] = ()
    generator: str = ""
    parameters: Mapping[str, Json] | None = None

    @property
    def applied_to_none(self) -> bool:
        """Whether it is known that no item could be asked under this control."""
        return self.statuses == StatusCounts() and asked_of_none(self.left_out)


@dataclass(frozen=True, slots=True)
class Answer:
    """One reply as it was read.

    Attributes:
        text: The reply.
        passed: The verdict; None where there is none.
        status: How it was judged.
        extracted: What was read as the answer.
        reason: Why none was read, or why there is no reply.
        span: Where `extracted` stands in the text, as code-point offsets.
    """

    text: str
    passed: bool | None
    status: str
    extracted: str | None
    reason: str = ""
    span: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class FlippedItem:
    """An item whose result differs from its baseline under at least one condition.

    Attributes:
        item_id: The item.
        flips: Under how many conditions its result differs from the baseline's.
        compared: Of how many.
        gold: What counts as right, in words.
        condition: The first condition under which it flips.
        prompt: The prompt under the baseline.
        variant_prompt: The prompt under that condition.
        baseline: The baseline's answer.
        variant: The answer under that condition.
    """

    item_id: str
    flips: int
    compared: int
    gold: str
    condition: str
    prompt: str
    variant_prompt: str
    baseline: Answer
    variant: Answer


@dataclass(frozen=True, slots=True)
class Correction:
    """The pass rates as people would give them, by a calibration of the judge that graded.

    Attributes:
        file: The calibration, as the user named it.
        judge: The judge in words; empty where the calibration does not say which it is of.
        sensitivity: Share of what people pass that the judge passes too, among the labels.
        specificity: Share of what people fail that the judge fails too.
        rates: The baseline and each condition, without controls; over the answers that were judged, so without those
            that are truncated, refused or empty. No corrected figure where the judge is no better than chance.
        is_clustered: Whether repeats or clusters make the effective number of items another one.
        notes: What a reader has to know of this calibration.
    """

    file: str
    judge: str
    sensitivity: Estimate
    specificity: Estimate
    rates: tuple[CorrectedRate, ...]
    is_clustered: bool
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Latency:
    """How long answers took, each from the beginning of the attempt that answered; of these calls, not of others.

    Attributes:
        n: Answers that were timed; those of files and batches are not.
        p50_s: Seconds within which half of them came, by nearest rank: one of the times observed. None where n is 0.
        p90_s: Likewise nine of ten.
        p99_s: Likewise 99 of 100.
    """

    n: int
    p50_s: float | None
    p90_s: float | None
    p99_s: float | None


@dataclass(frozen=True, slots=True)
class ConditionUsage:
    """What the current replies under one condition took, of the model under test; failures that were mended are not in.

    Attributes:
        condition: The condition; empty for all together.
        replies: Cells that have a reply, failed calls among them.
        failed: Those whose call failed.
        reused: Those taken from an earlier run, which cost nothing this time.
        calls: Calls made for them, retries included, by whichever run made them.
        with_tokens: Replies whose tokens are known; the sums and the cost are over these.
        prompt_tokens: Tokens in.
        completion_tokens: Tokens out.
        cost: What these tokens cost by the config's prices, reused replies included; None without prices or tokens.
        latency: How long the answers took.
    """

    condition: str
    replies: int
    failed: int
    reused: int
    calls: int
    with_tokens: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None
    latency: Latency


@dataclass(frozen=True, slots=True)
class JudgeUsage(ConditionUsage):
    """What the judge's replies on a run's answers took, under all conditions; of equal prompts there is one reply.

    Attributes:
        model: The judge's name.
        no_cost: Why it is not known what its replies cost; empty where it is, or where nothing has a price.
    """

    model: str = ""
    no_cost: str = ""


@dataclass(frozen=True, slots=True)
class TogetherUsage:
    """What the model under test and the judge of its answers took together.

    Attributes:
        calls: Calls, retries included.
        prompt_tokens: Tokens in.
        completion_tokens: Tokens out.
        cost: What these tokens cost; None where that is not known of both.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Usage:
    """What a run took.

    Attributes:
        conditions: One entry a condition that has a reply, the baseline first; of the model under test.
        total: All of these together, without the judge.
        currency: What costs are in; empty without prices.
        judge: What the judge of the answers took; None where none was asked.
        together: What model under test and judge took; None without a judge.
        no_cost: Why it is not known what the model under test cost, where the judge has a price; else empty.
    """

    conditions: tuple[ConditionUsage, ...]
    total: ConditionUsage
    currency: str = ""
    judge: JudgeUsage | None = None
    together: TogetherUsage | None = None
    no_cost: str = ""


@dataclass(frozen=True, slots=True)
class GateResult:
    """What one gate of the config says of one subject; a gate fails where it fails for any of its subjects.

    Attributes:
        gate: The gate in words.
        subject: What it is decided of: a condition, a generator, a cluster, or all of them together.
        verdict: `undecided` where there are too few items to decide.
        reason: Why, in one sentence with the figure, its interval, n and the method.
        estimate: The figure; None where it can't be estimated.
        low: Lower limit of the interval that the gate goes by; None where the figure carries none.
        high: Upper limit.
        n: What the figure rests on: items as a rule.
        level: Confidence level of the interval; higher than the report's where the gate has several subjects.
        method: The method by name.
        figure: The figure's name in the config.
        number: The gate's place in the config, from 1.
        effect: What it does to the exit code: `fail` makes it 1, `warn` is only said. That of an undecided gate is the
            config's choice.
        enough: How many items would decide it, where there are too few and a number can be told.
    """

    gate: str
    subject: str
    verdict: GateVerdict
    reason: str
    estimate: float | None
    low: float | None
    high: float | None
    n: int
    level: float | None = None
    method: str = ""
    figure: str = ""
    number: int = 1
    effect: GateEffect = "pass"
    enough: int | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report says.

    Attributes:
        schema_version: Version of this structure.
        source: What was analysed.
        summary: The figures over the conditions of the headline.
        conditions: One finding a condition of the headline, in the order of the config.
        not_compared: Those among them without any item to compare, whose n is 0; they count in no figure over all
            variants (`summary.overall`, Holm's adjustment and the bar).
        apart: Conditions that stand apart from the headline: reruns and stress.
        baseline_statuses: How the baseline's replies were read.
        baseline_left_out: Items without a baseline result, by cause.
        positions: Whether the model favours a slot; None where no item's right option was shown in two.
        controls: One finding a control; they enter no other figure.
        flipped: The items that flip most; empty where there are no prompts to show.
        correction: The pass rates corrected for the judge's error; None where no calibration is given.
        usage: Calls, tokens, cost and latency; None where no reply is known.
        notes: What a reader has to know beside the figures, one sentence each.
        gates: What the gates of the config say, in their order, one result for each subject of a gate.
    """

    schema_version: int
    source: Source
    summary: Summary
    conditions: tuple[ConditionFinding, ...]
    not_compared: tuple[str, ...] = ()
    apart: tuple[ConditionFinding, ...] = ()
    baseline_statuses: StatusCounts | None = None
    baseline_left_out: tuple[LeftOut, ...] = ()
    positions: PositionsFinding | None = None
    controls: tuple[ControlFinding, ...] = ()
    flipped: tuple[FlippedItem, ...] = ()
    correction: Correction | None = None
    usage: Usage | None = None
    notes: tuple[str, ...] = ()
    gates: tuple[GateResult, ...] = ()

    @property
    def compared(self) -> tuple[ConditionFinding, ...]:
        """The conditions of the headline that have an item to compare."""
        return tuple(each for each in self.conditions if each.summary.n)


@cache
def report_adapter() -> TypeAdapter[Report]:
    """What writes a report as JSON, and its schema; made once, where JSON is wanted."""
    return TypeAdapter(Report)
