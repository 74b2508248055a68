"""What becomes of a model's answers under the controls, where another answer is right than in the dataset."""

from collections.abc import Sequence

from ..stats import ControlResponse, Outcomes, code_answers, control_response

AnswerRows = Sequence[tuple[str, str, int, str | None]]


def control_responses(
    parsed: Outcomes, answers: AnswerRows, conditions: Sequence[str], *, alpha: float
) -> tuple[ControlResponse, ...]:
    """Measure for each control whether the answers follow the change.

    Args:
        parsed: Results that were read from an answer, missing elsewhere; the baseline first.
        answers: (item, condition, repeat, canonical answer) rows.
        conditions: The controls among the conditions.
        alpha: Significance level; intervals have the level 1 − alpha.

    Returns:
        One response a control, in the order given.
    """
    controls = parsed.select(conditions)
    codes = code_answers(answers, controls)
    return tuple(control_response(controls, name, codes, level=1 - alpha) for name in conditions)
