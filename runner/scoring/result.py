"""What a row comes to: its pairs, its parts, its score, or the reason why it has none."""

from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from ...stats import robustness_score
from .rows import Line

Reference = Literal["given", "written"]


@dataclass(frozen=True, slots=True)
class Pair:
    """The original and one variant.

    Attributes:
        condition: The variant's kind and number: `typo.1`.
        prompt: The variant's prompt; empty where it is not told.
        response: The answer to it; empty where it is not told.
        correctness: How right that is, 0 to 1.
        robustness: How far both answers say the same, 0 to 1.
        drop: The original's correctness − the variant's.
    """

    condition: str
    prompt: str
    response: str
    correctness: float
    robustness: float
    drop: float


@dataclass(frozen=True, slots=True)
class MissingPair:
    """A variant without a result, and why, as a clause."""

    condition: str
    reason: str


@dataclass(frozen=True, slots=True)
class RowParts:
    """What the score of a row is made of.

    Attributes:
        weight: What it counts in the pooled score.
        base_response: The answer to the original; empty where it is not told.
        base_correctness: How right that is, 0 to 1.
        pairs: The pairs, one at least.
        missing: The variants without a result.
        reference: Whether the reference answer was given or written; None where there is none.
        cluster: What the row belongs to; empty where not given.
    """

    weight: float
    base_response: str
    base_correctness: float
    pairs: tuple[Pair, ...]
    missing: tuple[MissingPair, ...] = ()
    reference: Reference | None = None
    cluster: str = ""

    @property
    def robustness(self) -> float:
        """Mean robustness over the pairs."""
        return fmean(pair.robustness for pair in self.pairs)

    @property
    def drop(self) -> float:
        """Mean drop in correctness over the pairs; negative where variants do better."""
        return fmean(pair.drop for pair in self.pairs)

    @property
    def score(self) -> float:
        """The robustness score, 0 to 1."""
        score = robustness_score([pair.robustness for pair in self.pairs], [pair.drop for pair in self.pairs])
        if score is None:
            raise ValueError("a row without a pair has no score")
        return score


@dataclass(frozen=True, slots=True)
class Scored:
    """One row of the output.

    Attributes:
        id: The row's `input_id`, as far as it could be read; an item's id for a run.
        line: Where it stands; None for an item of a run.
        parts: What its score is made of; None where it has none.
        reason: Why it has none, as a clause; empty where it has one.
    """

    id: str
    line: Line | None
    parts: RowParts | None
    reason: str = ""
