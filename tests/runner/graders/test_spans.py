"""What was read as the answer is exactly the answer, whatever stands around it."""

import pytest

from .keys import graded, grader, options_key


@pytest.mark.parametrize(
    ("reply", "extracted"),
    [
        ('{"answer": "B"}', "B"),
        ('{"answer": "B", "why": "not A"}', "B"),
        ('```json\n{"choice": "Paris"}\n```', "Paris"),
        ("Question: 1\nB\nQuestion: which one?", "B"),
        ("The answer is A. Wait, that is wrong. The answer is B.", "B"),
    ],
)
def test_the_span_of_an_answer_ends_where_the_answer_does(reply: str, extracted: str) -> None:
    grade = graded(grader("choice"), reply, options_key())
    assert (grade.passed, grade.extracted) == (True, extracted)
