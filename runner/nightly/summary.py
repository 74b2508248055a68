"""What a night came to: the row of the history, which stays when replies are removed."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Literal

from pydantic import JsonValue as Json
from pydantic import TypeAdapter

from ...stats import Estimate
from ..store.nights import Night

SUMMARY_VERSION = 1

Rule = Literal["spending", "e_process"]
NightVerdict = Literal["first", "quiet", "alarm", "incomplete"]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the sequential rule said: is the night proven worse, so that all nights together hold alpha?

    Attributes:
        rule: `spending`: the exact sign-flip test against the stored baseline at this look's level; `e_process`: the
            evidence of all nights, each against a reference of its own.
        look: How many nights were decided since the baseline was pinned, or the evidence begun; this one included.
        alpha: The chance of any false alarm over all looks.
        level: What the p-value is held against at this look: its part of alpha; alpha itself for the e-process.
        pvalue: One-sided: worse. For the e-process 1/(largest E so far).
        alarm: Whether it is at most the level.
        n: Items with a result on both sides.
        units: What is independent of one another: clusters, or items where nothing is clustered.
        worse: Units with fewer passes than their reference tonight, over all conditions together.
        better: Units with more.
        method: The test by name.
        fewest: So many units that got worse, and none better, are the fewest that could be proven at this look.
        e_value: E after this night; None for `spending`.
        peak_log: Natural logarithm of the largest E so far; None for `spending`.
        total_worse: Units that were worse, added up over all looks of an e-process; else 0.
        total_better: Those that were better.
    """

    rule: Rule
    look: int
    alpha: float
    level: float
    pvalue: float | None
    alarm: bool
    n: int
    units: int
    worse: int
    better: int
    method: str
    fewest: int
    e_value: float | None = None
    peak_log: float | None = None
    total_worse: int = 0
    total_better: int = 0

    @property
    def decidable(self) -> bool:
        """Whether there are units enough for an alarm at this look at all."""
        return self.rule == "e_process" or self.units >= self.fewest


@dataclass(frozen=True, slots=True)
class Against:
    """Tonight compared with another run, over the items and conditions of both.

    Attributes:
        name: What that run is: the baseline's name, `night 3`, or the reference model.
        run: Its id.
        change: Change of the mean over conditions, item by item.
        robustness_change: Change of what is lost under the variants, among answers that were read in both; below 0
            tonight is less robust.
        pvalue: Exact sign-flip test of no change, two-sided and not adjusted for the nights before.
        causes: Which of model, perturbation effect and infrastructure is worse by this night alone, a sentence each.
        notes: What makes the comparison less than fair, a sentence each.
    """

    name: str
    run: str
    change: Estimate
    robustness_change: Estimate
    pvalue: float | None
    causes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ConditionNight:
    """One condition tonight against the same one of the stored baseline or the fresh reference.

    Attributes:
        condition: Its name.
        change: Change of its rate, with Newcombe's interval.
        verdict: `regressed` and so on, Holm-adjusted over the conditions of this night alone.
        holm_p: That p-value.
    """

    condition: str
    change: Estimate
    verdict: str
    holm_p: float | None


@dataclass(frozen=True, slots=True)
class Flip:
    """A result that this item never had under this condition on any night before.

    Attributes:
        item_id: The item.
        condition: The condition.
        passes: Whether it passes now; with repeats, in most of them.
    """

    item_id: str
    condition: str
    passes: bool


@dataclass(frozen=True, slots=True)
class JudgeAsked:
    """What the judge of a night's answers took.

    Attributes:
        calls: Calls, retries included.
        prompt_tokens: Tokens in of these calls.
        completion_tokens: Tokens out.
        cost: What they cost; None where that is not known.
        no_cost: Why it is not known, where anything has a price; else empty.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None
    no_cost: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the night took, and what is missing. Calls, tokens and cost are those of the models under test.

    Attributes:
        cells: Cells of the run, and of the reference's run where there is one.
        missing: Those without a result.
        statuses: Replies of the run by status: `graded`, `unparsed`, `truncated`, `refused`, `error`, `judge_error`.
        calls: Calls made by this command, retries included.
        prompt_tokens: Tokens in of these calls.
        completion_tokens: Tokens out.
        cost: What they cost; None without `prices`.
        currency: What costs are in.
        judge: What the judge of the answers took beside that; None where none was asked.
    """

    cells: int
    missing: int
    statuses: dict[str, int]
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None = None
    currency: str = ""
    judge: JudgeAsked | None = None


@dataclass(frozen=True, slots=True)
class GateOutcome:
    """What a gate of the config decided.

    Attributes:
        gate: The gate in words.
        verdict: `passed`, `failed` or `undecided`.
        fails: Whether it fails the night.
        reason: Why, in a sentence.
    """

    gate: str
    verdict: str
    fails: bool
    reason: str


@dataclass(frozen=True, slots=True)
class NightSummary:
    """Everything that is kept of a night.

    Attributes:
        schema_version: Version of this structure.
        series: The series: the config's name.
        night: The night's number, from 1; 0 before it has one.
        run: Id of its run.
        state: `complete`, `incomplete` or `stopped`, as the run ended.
        reason: Why it is not complete.
        verdict: `first` (there is nothing to compare with yet), `quiet`, `alarm`, `incomplete`.
        started_at: When the run began, ISO 8601 in UTC.
        model: The model as it was configured.
        resolved_models: The model names that the endpoint gave back, sorted.
        fingerprints: What the endpoint said of the system behind them, sorted; empty where it says nothing.
        baseline_rate: Pass rate of the original prompts.
        robust_rate: Share of items that pass under the original and every variant.
        baseline: The stored baseline or the fresh reference that was decided against: its name; empty on a first night.
        reference_run: Id of that run; empty on a first night.
        reference_key: Tells one reference from another: evidence is added up only where it is the same.
        pinned: Whether this night was pinned as the baseline.
        restarted: Whether looks are counted anew from this night.
        decision: What the rule said; None on a first or incomplete night.
        reference: Tonight against the baseline or the reference; None likewise.
        last_night: Tonight against the last complete night; None where there is none, or its results were removed.
        conditions: Each condition against the baseline or the reference.
        first_flips: Results that were never seen before.
        asked: What it took.
        gates: What the config's gates decided.
        notes: What a reader has to know beside the figures.
    """

    schema_version: int
    series: str
    night: int
    run: str
    state: str
    reason: str
    verdict: NightVerdict
    started_at: str
    model: str
    resolved_models: tuple[str, ...]
    fingerprints: tuple[str, ...]
    baseline_rate: Estimate
    robust_rate: Estimate
    asked: Asked
    baseline: str = ""
    reference_run: str = ""
    reference_key: str = ""
    pinned: bool = False
    restarted: bool = False
    decision: Decision | None = None
    reference: Against | None = None
    last_night: Against | None = None
    conditions: tuple[ConditionNight, ...] = ()
    first_flips: tuple[Flip, ...] = ()
    gates: tuple[GateOutcome, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def failed_gates(self) -> tuple[GateOutcome, ...]:
        """The gates that fail the night."""
        return tuple(each for each in self.gates if each.fails)

    @property
    def exit_code(self) -> int:
        """3 where the night is not complete, 1 for an alarm or a failed gate, else 0."""
        if self.verdict == "incomplete":
            return 3
        return 1 if self.verdict == "alarm" or self.failed_gates else 0

    @property
    def started(self) -> datetime:
        """When the run began."""
        return datetime.fromisoformat(self.started_at)


@dataclass(frozen=True, slots=True)
class History:
    """The nights of a series so far, the first one first."""

    nights: tuple[NightSummary, ...] = ()

    @property
    def complete(self) -> tuple[NightSummary, ...]:
        """Those that were decided, the first night with them."""
        return tuple(each for each in self.nights if each.verdict != "incomplete")

    def looks(self, reference_key: str) -> tuple[NightSummary, ...]:
        """The decided nights against one reference, since looks were last counted anew.

        Nights against another one in between change nothing: who goes back to a reference goes on with its looks.
        """
        found: list[NightSummary] = []
        for night in self.complete:
            if night.restarted:
                found.clear()
            if night.decision is not None and night.reference_key == reference_key:
                found.append(night)
        return tuple(found)


def read_history(nights: list[Night]) -> History:
    """The summaries of nights that are stored."""
    adapter = summary_adapter()
    return History(tuple(adapter.validate_python(night.summary) for night in nights))


def summary_json(summary: NightSummary) -> dict[str, Json]:
    """A summary as the store keeps it."""
    written: dict[str, Json] = summary_adapter().dump_python(summary, mode="json")
    return written


def night_schema() -> dict[str, Any]:
    """The JSON Schema of a night."""
    schema = summary_adapter().json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


@cache
def summary_adapter() -> TypeAdapter[NightSummary]:
    """What reads and writes summaries; made once, where one is wanted."""
    return TypeAdapter(NightSummary)
