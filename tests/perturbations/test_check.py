"""The independent check: what was altered is found, whoever altered it; what was not altered passes."""

from dataclasses import replace

import pytest
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.question import Example, Gold, Message, Question, Subject


def reason(before: str, after: str, *options: str) -> str | None:
    question = Question(before, options)
    return altered_protected(Subject("item", question), question, replace(question, text=after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("what is the capital of this land", "what is teh captal of this land"),
        ("is 12 more than 5", "Here is a question: is 12 more than 5"),
        ("why is it red", "for what reason is it red"),
        ("see https://a.b now", "see https://a.b noww"),
        ("a cat and a dog", "Look at this: a cat and a dog"),
    ],
)
def test_a_change_outside_protected_text_passes(before: str, after: str) -> None:
    assert reason(before, after) is None


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("it is 12 today", "it is 21 today", "number"),
        ("from 3 to 7 today", "from 7 to 3 today", "number"),
        ("it is not red", "it is red", "negation"),
        ("at least two of them", "at most two of them", "quantifier"),
        ("see https://a.b now", "see https://a.c now", "url"),
        ("in Paris there", "in Pairs there", "name"),
        ('he said "go home" there', 'he said "go hmoe" there', "quote"),
        (r"for $\Delta H$ there", r"for $\Dleta H$ there", "latex"),
        ("is Statement I true", "is Statement II true", "label"),
        ("let x be red", "let xx be red", "variable"),
        ("the 5 cats", "the 15 cats", "number"),
    ],
)
def test_a_change_of_protected_text_is_named(before: str, after: str, told: str) -> None:
    found = reason(before, after)
    assert found is not None
    assert told in found
    assert found.endswith("in text")


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ("is it not red there", "new negation: 'not' in text"),
        ("is it all red there", "new quantifier: 'all' in text"),
        ("is it 7 red there", "new number: '7' in text"),
        ("is it red there, a lion", "new answer: 'a lion' in text"),
        ('is it "red" there', "new quote: '\"red\"' in text"),
    ],
)
def test_new_text_that_carries_meaning_is_named(after: str, told: str) -> None:
    assert reason("is it red there", after, "a lion", "grass") == told


def test_a_protected_word_may_not_hide_in_a_longer_one() -> None:
    assert reason("is no cat here", "is nocturnal cat here") is not None


def test_every_text_part_and_the_closing_line_are_checked() -> None:
    original = Question(
        "is it red",
        instruction="Use 3 words.",
        context=("He has 4 cats.", "He has 5 dogs."),
        system="Be 6.",
        answer_form="text",
    )
    subject = Subject("item", original)
    changes = {
        "instruction": replace(original, instruction="Use 2 words."),
        "context[1]": replace(original, context=("He has 4 cats.", "He has 6 dogs.")),
        "system": replace(original, system="Be 7."),
        "answer_instruction": replace(original, answer_instruction="Give the answer in many words."),
    }
    for path, variant in changes.items():
        found = altered_protected(subject, original, variant)
        assert found is not None
        assert found.endswith(f"in {path}")


def test_structure_may_not_change() -> None:
    original = Question(
        "is it red", ("yes", "no"), examples=(Example("q", answer="a"),), history=(Message("user", "hello"),)
    )
    subject = Subject("item", original, gold=Gold(options=(0,)))
    assert altered_protected(subject, original, original) is None
    assert altered_protected(subject, original, replace(original, options=("no", "yes"))) == "the options changed"
    assert altered_protected(subject, original, replace(original, examples=())) == "the examples changed"
    assert altered_protected(subject, original, replace(original, history=())) == "the history changed"
    assert altered_protected(subject, original, replace(original, answer_form="number")) == "the answer form changed"
    assert altered_protected(subject, original, replace(original, template="{question}")) == "the template changed"
    more = replace(original, context=("new",))
    assert altered_protected(subject, original, more) == "a context passage was added or taken away"
