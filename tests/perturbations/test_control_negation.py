"""Negated questions: each form says the opposite in sure grammar, and is proved by taking the negation out again."""

from dataclasses import replace

import pytest
from prt.perturbations.generators.control import Control
from prt.perturbations.generators.control_asking import asked_question
from prt.perturbations.generators.control_restored import opposite_answer
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Gold, Question, Subject
from prt.perturbations.variant import Variant


def negated(text: str, gold: str = "Yes", *, variants: int = 1, instruction: str = "") -> list[Variant]:
    item = Subject("1", Question(text, instruction=instruction), gold=Gold(texts=(gold,)))
    return perturb(item, [Control(kinds=("negate",), variants=variants)], seed=1)


@pytest.mark.parametrize(
    ("text", "plainest"),
    [
        ("Can you drink sea water?", "Is it false that you can drink sea water?"),
        ("is there a word with q without u", "is it false that there is a word with q without u"),
        ("Do they still make films?", "Is it false that they still make films?"),
        ("Do you have to pay for it?", "Is it false that you have to pay for it?"),
        ("Could he have been there?", "Is it false that he could have been there?"),
        ("Does it cost money?", "Is it false that it does cost money?"),
        ("Am I the only guest here?", "Is it false that I am the only guest here?"),
        ("In 2020, did he win the race?", "In 2020, is it false that he did win the race?"),
        (
            "If you follow these steps, do you return to the start? Take 3 steps.",
            "If you follow these steps, is it false that you return to the start? Take 3 steps.",
        ),
        ('Is this claim plausible? "Cats bark."', 'Is this claim implausible? "Cats bark."'),
        ("Is the argument invalid?", "Is the argument valid?"),
        ("Is it true that bats are blind?", "Is it false that bats are blind?"),
        ("Is it incorrect that cats bark?", "Is it correct that cats bark?"),
        (
            "Is Paris the capital of France?",
            'Is "No" the right answer to the question "Is Paris the capital of France?"',
        ),
        (
            "does ethanol take more energy than it makes",
            'Is "No" the right answer to the question "does ethanol take more energy than it makes"?',
        ),
        (
            'He slept. Did the "king" sleep as well?',
            'He slept. Is “No” the right answer to the question “Did the "king" sleep as well?”',
        ),
        (
            "Q: Did the cat sit on the mat?\nA:",
            'Q: Is "No" the right answer to the question "Did the cat sit on the mat?"\nA:',
        ),
    ],
)
def test_the_plainest_form_that_fits_comes_first(text: str, plainest: str) -> None:
    (variant,) = negated(text)
    assert variant.question.text == plainest
    assert variant.gold == Gold(texts=("No",))


@pytest.mark.parametrize(
    "text",
    [
        "Is there no way to do this?",  # its yes and no are no one's sure guess
        "Are you not tired of this?",
        "Can you drink it and is it legal?",  # two clauses
        "Do you want to go or not?",
        "Can you tell me whether Rome is in Italy?",  # asks whether it is
        "Do you know if Rome is in Italy?",
        "Could you please say that this is right?",
        "Do you people live in this town?",
        "Is the statement always true?",  # "always false" is not its opposite
        "Is it true that bats are blind, or is it false?",
        "is i can only imagine based on a true story?",  # a title
        "is there will be blood based on a book?",
        "Is It Follows a good film?",
    ],
)
def test_where_a_plain_form_would_not_be_sure_the_question_is_asked_about(text: str) -> None:
    (variant,) = negated(text)
    assert variant.question.text == f'Is "No" the right answer to the question "{text}"'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("What is the capital of France?", "no yes/no question by its form"),
        ("Which of these is right, is it A?", "no yes/no question by its form"),
        ("It is cold here, isn't it?", "no yes/no question by its form"),
        ("Is X true? Is Y true as well?", "not exactly one question is asked"),
        ("The cat sat on the mat.", "not exactly one question is asked"),
        ("In the U.S. is it legal to smoke?", "no yes/no question by its form"),
        ("Tell me if the comment is toxic: Are you stupid?", "what stands before the question may ask something else"),
        ("Are you stupid? Say whether the comment is toxic.", "the text may ask something else ('say')"),
        ("Please classify the comment. Are you stupid?", "the text may ask something else ('classify')"),
        ("Is Paris in France? Answer yes if it is, no otherwise.", "the text says when to give which answer"),
        ("È vero che il cielo è verde?", "negation is for English"),
        ('Is the word “no” or "yes" here?', "no change has an answer that is sure"),
    ],
)
def test_what_is_not_surely_one_yes_no_question_is_left_alone(text: str, reason: str) -> None:
    (variant,) = negated(text)
    assert variant.outcome == "not_applicable"
    assert reason in variant.reason


@pytest.mark.parametrize(
    ("gold", "other"), [("Yes", "No"), ("yes", "no"), ("NO", "YES"), (" no. ", " yes. "), ("No", "Yes")]
)
def test_the_other_answer_is_written_as_the_gold_is(gold: str, other: str) -> None:
    (variant,) = negated("Can you drink sea water?", gold)
    assert variant.gold == Gold(texts=(other,))


@pytest.mark.parametrize("gold", ["maybe", "Yes, it can", "", "yes no"])
def test_other_answers_have_no_opposite(gold: str) -> None:
    assert negated("Can you drink sea water?", gold)[0].outcome == "not_applicable"


def test_golds_that_contradict_each_other_have_no_opposite() -> None:
    item = Subject("1", Question("Can you drink sea water?"), gold=Gold(texts=("yes", "no")))
    assert perturb(item, [Control()], seed=1)[0].outcome == "not_applicable"
    alike = replace(item, gold=Gold(texts=("yes", "Yes.")))
    assert perturb(alike, [Control()], seed=1)[0].gold == Gold(texts=("no", "No."))


@pytest.mark.parametrize(
    ("text", "instruction", "stated"),
    [
        ("The sky is green.", "Answer true or false.", 'The statement "The sky is green." is false.'),
        ("True or false: The sky is green.", "", 'True or false: The statement "The sky is green." is false.'),
        (
            "Water boils at 99.5 degrees. True or false?",
            "",
            'The statement "Water boils at 99.5 degrees." is false. True or false?',
        ),
        ("The sky is green.", "Decide whether the statement is true.", 'The statement "The sky is green." is false.'),
        (
            "is the sky green",
            "",
            'True or false: the right answer to the question "is the sky green" is "False".',
        ),
        (
            "True or false: is the sky green?",
            "",
            'True or false: The right answer to the question "is the sky green?" is "False".',
        ),
    ],
)
def test_what_is_true_or_false_is_stated_so_that_true_and_false_answer_it(
    text: str, instruction: str, stated: str
) -> None:
    (variant,) = negated(text, "False", instruction=instruction)
    assert (variant.question.text, variant.gold) == (stated, Gold(texts=("True",)))


@pytest.mark.parametrize(
    ("text", "instruction", "reason"),
    [
        ("Win a prize now.", "", "nothing says that a statement is to be judged"),
        ("The sky is green. The sea is red.", "Answer true or false.", "neither one question nor a statement"),
        ('He said "no".', "Answer true or false.", "neither one question nor a statement"),
        ("not ( True ) is", "Answer true or false.", "neither one question nor a statement"),
        ("Win a prize now.", "True or false: spam?", "the instruction may ask something else ('?')"),
        ("Win a prize now.", "True or false for spam.", "may ask something else ('spam')"),
    ],
)
def test_what_may_be_no_statement_is_not_said_to_be_false(text: str, instruction: str, reason: str) -> None:
    (variant,) = negated(text, "True", instruction=instruction)
    assert variant.outcome == "not_applicable"
    assert reason in variant.reason


def test_the_question_may_stand_in_the_instruction() -> None:
    (variant,) = negated("He scored in the third period.", instruction="Is the following sentence plausible?")
    assert variant.question.instruction == "Is the following sentence implausible?"
    assert variant.question.text == "He scored in the third period."
    assert variant.edits[0].part == "instruction"


@pytest.mark.parametrize(
    ("text", "options", "changed"),
    [
        ("Which of these is a mammal?", ("trout", "bat"), "Which of these is not a mammal?"),
        (
            "Which of the following animals are birds?",
            ("owls", "bats"),
            "Which of the following animals are not birds?",
        ),
        ("Which of these is not a mammal?", ("trout", "bat"), None),
        ("Which of these is a mammal?", ("trout", "bat", "eel"), None),
        ("Which of these is a mammal?", ("bat", "Bat "), None),
        ("Which of these is a mammal?", ("bat", "none of the above"), None),
        ("Which is a mammal?", ("trout", "bat"), None),
        ("Which of these is without legs?", ("trout", "bat"), None),
    ],
)
def test_of_two_options_the_other_one_is_what_the_right_one_is_not(
    text: str, options: tuple[str, ...], changed: str | None
) -> None:
    item = Subject("1", Question(text, options=options, answer_form="label"), gold=Gold(options=(1,)))
    (variant,) = perturb(item, [Control()], seed=1)
    assert (variant.question.text if variant.outcome == "applied" else None) == changed
    assert variant.gold == (None if changed is None else Gold(options=(0,)))


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("Can you drink sea water?", "Is it false that you can drink salt water?"),
        ("Can you drink sea water?", "Is it false that you could drink sea water?"),
        ("Can you drink sea water?", "Is it true that you can drink sea water?"),
        ("Can you drink sea water?", 'Is "Yes" the right answer to the question "Can you drink sea water?"'),
        ("Can you drink sea water?", "Can you drink sea water? Say the opposite."),
        (
            "Can you drink sea water?",
            'Is "No" the right answer to the question "Is it false that you can drink sea water?"',
        ),
        ("Is the argument valid?", "Is the argument void?"),
        ("Is the argument valid?", "Is the argument sound?"),
    ],
)
def test_the_proof_refuses_what_is_not_the_original_with_one_negation(text: str, changed: str) -> None:
    item = Subject("1", Question(text), gold=Gold(texts=("Yes",)))
    assert opposite_answer(item, replace(item.question, text=changed)) is None


def test_the_proof_refuses_a_change_beside_the_negation() -> None:
    item = Subject("1", Question("Can you drink sea water?", context=("Salt.",)), gold=Gold(texts=("Yes",)))
    changed = replace(item.question, text="Is it false that you can drink sea water?")
    assert opposite_answer(item, changed) == Gold(texts=("No",))
    assert opposite_answer(item, replace(changed, context=("Sweet.",))) is None
    assert opposite_answer(item, replace(changed, instruction="Think.")) is None


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Read this. Is it so?", "Is it so?"),
        ('He asked "Why?" at once. Is it so?', "Is it so?"),
        ("At 5 p.m. is it dark?", "At 5 p.m. is it dark?"),
        ("is it so", "is it so"),
        ("is it so. yes it is", None),
        ("Is it so?!?", None),
        ("", None),
    ],
)
def test_the_one_question_is_found_where_it_stands(text: str, sentence: str | None) -> None:
    asked = asked_question(Question(text))
    assert (asked and asked.sentence) == sentence
    if asked is not None:
        assert text[asked.start :].startswith(asked.sentence)
