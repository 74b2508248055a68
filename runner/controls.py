"""What becomes of a model's answers under the controls, where another answer is right than in the dataset."""

from collections.abc import Sequence

from ..stats import ControlResponse, Outcomes, control_response
from .answers import Answers


def control_responses(
    parsed: Outcomes, answers: Answers, conditions: Sequence[str], *, alpha: float
) -> tuple[ControlResponse, ...]:
    """Measure for each control whether the answers follow the change.

    Args:
        parsed: Results that were read from an answer, missing elsewhere; the baseline first.
        answers: What was read in each reply.
        conditions: The controls among the conditions.
        alpha: Significance level; intervals have the level 1 − alpha.

    Returns:
        One response a control, in the order given.
    """
    controls = parsed.select(conditions)
    codes = answers.of(controls)
    return tuple(control_response(controls, name, codes, level=1 - alpha) for name in conditions)
