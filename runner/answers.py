"""The answers of a run as codes, so that equal ones can be counted."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..stats import Outcomes

UNREAD = -1

AnswerCodes = NDArray[np.signedinteger[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What was read in each reply.

    Attributes:
        codes: Items × conditions × repeats: equal for equal answers to one item, −1 where none was read.
        conditions: The names of the conditions.
    """

    codes: AnswerCodes
    conditions: tuple[str, ...]

    def of(self, outcomes: Outcomes) -> AnswerCodes:
        """The codes of the conditions of some outcomes, in their layout."""
        if outcomes.conditions == self.conditions:
            return self.codes
        return self.codes[:, [self.conditions.index(name) for name in outcomes.conditions]]
