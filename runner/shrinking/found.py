"""What a search came to, as it is shown to people and given to programs."""

from dataclasses import dataclass
from typing import Literal

from ...perturbations.delta_debugging import Guarantee
from ...perturbations.variant import Edit, Variant
from ...stats import Estimate
from ..findings import Answer

State = Literal["found", "unconfirmed", "gone", "stopped"]
"""`found`: these changes flip the item. `unconfirmed`: asked again, they don't. `gone`: nor do all of them, by now, or
the baseline has another result than in the run. `stopped`: before the end; `reason` says why."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One prompt, and what came of it.

    Attributes:
        prompt: The user message.
        variant: What it is made of.
        passed: Answers that pass.
        n: Answers that pass or fail; a reply without a result is neither.
        answers: All of them, in the order of the samples.
    """

    prompt: str
    variant: Variant
    passed: int
    n: int
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The fewest changes that are known to flip an item.

    Attributes:
        run: The run's id.
        item_id: The item.
        condition: The condition.
        gold: What counts as right, in words.
        state: How the search ended.
        reason: Why it is not `found`; empty otherwise.
        to_pass: Whether the item passes with the changes and fails without them; else the other way round.
        repeats: How often each prompt is asked at most; most of the answers decide.
        total: Changes that the variant consists of.
        changes: Those that are enough, each as the edits that can't be parted; inside a text by whole words.
        guarantee: What is known of them: `smallest`, `one_minimal` (none can be left out) or `none`.
        baseline: The original, asked anew; None where it was not.
        whole: The whole variant, asked anew; None where it was not.
        shrunk: The original with these changes alone; None where they are the whole variant.
        again: The same with replies that had no part in the search; None where replies don't vary, or it was stopped.
        again_flips: How often these flip, with its interval.
        subsets: Subsets of the changes tried.
        unfit: Of these, how many were not asked, since they would ask something else or could not be graded.
        calls: Calls made.
        reused: Replies that the store had.
    """

    run: str
    item_id: str
    condition: str
    gold: str
    state: State
    reason: str
    to_pass: bool
    repeats: int
    total: int
    changes: tuple[tuple[Edit, ...], ...]
    guarantee: Guarantee
    baseline: Asked | None
    whole: Asked | None
    shrunk: Asked | None
    again: Asked | None
    again_flips: Estimate | None
    subsets: int
    unfit: int
    calls: int
    reused: int
