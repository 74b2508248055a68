"""Every phrasing of an answer over items of many kinds: how often a wrong one passes, and a right one fails."""

from dataclasses import dataclass

import pytest
from prt.runner.graders import prove

from .keys import LETTERS, graded, grader, options_key

ITEMS = (
    ("Lyon", "Paris", "Marseille", "Nice"),
    ("increases", "decreases", "stays the same", "cannot be predicted"),
    ("Yes", "No"),
    ("True", "False"),
    ("12", "21", "102", "-12"),
    ("3.5 m/s", "35 m/s", "0.35 m/s", "3.5 km/s", "53 m/s"),
    ("She left because it rained.", "She left because it was late.", "She stayed."),
    ("an apple", "a pear", "the apple", "no fruit at all"),
    ("Guilty", "Not guilty", "Guilty of fraud", "Neither guilty nor innocent"),
    (r"$\frac{1}{2}$", r"$\frac{2}{3}$", "$x^2$", r"$\sqrt{x}$"),
    ("positive", "negative", "neutral"),
    ("both of them", "none of the above", "only the first", "only the second"),
    ("大阪", "東京", "京都"),
    ("берлин", "вена", "берн", "прага", "рим", "париж", "осло", "киев", "минск", "рига"),
)

# {label} and {text} are the option that is answered; {other} and {another} are labels of others.
PLAIN = (
    "{label}",
    "({label})",
    "{label}.",
    "**{label}**",
    "{label}. {text}",
    "({label}) {text}",
    "Answer: {label}",
    "The answer is {label}.",
    "The answer is ({label}) {text}.",
    "The correct answer is {label}, since all else is out.",
    "Let us look at each of them.\n\nANSWER: {label}",
    "I would pick {label} — the others do not hold.",
    "I think it is {label}.",
    "So the answer must be {label}.",
    "$\\boxed{{{label}}}$",
    "<think>Is it {other}? The answer is {other}.</think>\n{label}",
    '{{"answer": "{label}"}}',
    "{label} is the correct answer.",
    "Antwort: {label}",
    "La réponse est {label}.",
    "La respuesta correcta es la {label}.",
    "答案是{label}。",
    "정답: {label}",
    "Ответ: {label}",
    "Not {other}, but {label}.",
    "I considered ({other}), but it is incorrect. Final answer: {label}.",
    "The answer is {other}. Wait, that is wrong. The answer is {label}.",
    "Option {other} is wrong. The answer is {label}.",
    "The answer is {label}, not {other}.",
    "{other} is tempting.\n\n{label}",
)
UNDECIDED = (
    "{label} or {other}",
    "Either {label} or {other} could be right.",
    "The answer is {label} or {other}.",
    "Both {label} and {other} are correct.",
    "The answer is not {label}.",
    "Is the answer {label}?",
    "If the answer were {label}, it would say so.",
    "{label} is incorrect.",
    "I don't know.",
    "The answer is {label}. Wait, that's wrong.",
)


@dataclass(frozen=True)
class Tally:
    right: int
    passed: int
    wrong: int
    false_passes: tuple[str, ...]


def replies(phrasing: str, item: tuple[str, ...]) -> list[tuple[str, int]]:
    """The phrasing with each option in turn, and which."""
    labels = LETTERS[: len(item)]
    return [(phrasing.format(label=labels[n], text=item[n], other=labels[n - 1]), n) for n in range(len(item))]


def tally(phrasing: str) -> Tally:
    judge = grader("choice")
    verdicts = [
        (graded(judge, reply, options_key(item, gold=(gold,))).passed, answered == gold, reply)
        for item in ITEMS
        for reply, answered in replies(phrasing, item)
        for gold in range(len(item))
    ]
    return Tally(
        right=sum(right for _, right, _ in verdicts),
        passed=sum(bool(passed) for passed, right, _ in verdicts if right),
        wrong=sum(not right for _, right, _ in verdicts),
        false_passes=tuple(reply for passed, right, reply in verdicts if passed and not right),
    )


@pytest.mark.parametrize("phrasing", PLAIN)
def test_a_plain_answer_passes_where_it_is_right_and_nowhere_else(phrasing: str) -> None:
    counted = tally(phrasing)
    assert counted.false_passes == ()
    assert counted.passed == counted.right > 0
    assert counted.wrong > counted.right


@pytest.mark.parametrize("phrasing", UNDECIDED)
def test_a_reply_that_decides_for_nothing_passes_nowhere(phrasing: str) -> None:
    judge = grader("choice")
    for item in ITEMS:
        for reply, _ in replies(phrasing, item):
            statuses = {graded(judge, reply, options_key(item, gold=(gold,))).status for gold in range(len(item))}
            assert statuses == {"unparsed"}, reply


@pytest.mark.parametrize("labels", [LETTERS, tuple("abcdefghij"), tuple(f"{n}" for n in range(1, 11))])
def test_every_item_of_the_table_is_proved_before_it_is_asked(labels: tuple[str, ...]) -> None:
    judge = grader("choice")
    reasons = [prove(judge, options_key(item, gold=(0,), labels=labels)) for item in ITEMS]
    assert reasons == [None] * len(ITEMS)
