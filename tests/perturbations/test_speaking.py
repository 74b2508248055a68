"""What a text says about options: labels and places are found, ordinary words are left alone."""

import pytest
from prt.perturbations.options.references import label_references
from prt.perturbations.options.speaking import labels_bound, order_bound
from prt.perturbations.question import Layout, Message, Question
from prt.perturbations.rendering.labels import option_labels

FOUR = ("w", "x", "y", "z")
SPEAKING = [
    "Why, unlike option B, are the others true?",
    "Compare options A and C.",
    "Which is better than choice (D)?",
    "Is answer B right?",
    "Pick A or C.",
    "Say why (B) is wrong.",
    "Why is [C] wrong?",
    "Which word begins with the letter D?",
    "Consider:\nA. one\nB. two\nWhich fits?",
    "What does option A say?",
    "Why, unlike option b, are they true?",
    "Compare choices (a) and (c).",
]
SILENT = [
    "Which vitamin, C or K, is it?",
    "Points A and B lie on a line.",
    "P(A) = 0.3. What is P(B)?",
    "A train leaves. Choose: A train is fast.",
    "Pick the best answer: A 45-year-old man coughs.",
    "I ask, which is it? The answer I gave is lost.",
    "Use the C language.",
    "Statement I is true; statement II is not.",
    "Which of the following options is right?",
    "Cells of type B and plan D",
    "Which is the option a customer chooses?",
    "Which word has the letter 'b' in it twice?",
    "In part (a), what follows from (b)?",
    "",
]


@pytest.mark.parametrize("text", SPEAKING)
def test_words_that_name_a_label_fix_order_and_labels(text: str) -> None:
    question = Question(text, FOUR)
    assert order_bound(question, Layout()).startswith("the question names an option's label: ")
    assert labels_bound(question, Layout())


@pytest.mark.parametrize("text", SILENT)
def test_letters_in_prose_are_no_references(text: str) -> None:
    assert order_bound(Question(text, FOUR), Layout()) == labels_bound(Question(text, FOUR), Layout()) == ""


@pytest.mark.parametrize(
    "instruction",
    [
        "Answer with A, B, C or D.",
        "Choose one of (A)-(D).",
        "Choose from (A–D).",
        "Reply A/B/C/D",
        "Give a letter from A to D.",
        "Options A through D are given.",
        "Answer with a letter (A–F).",
        "Choose A, B, C, D, or E.",
        "Give the letter (A, B, C, D, E, F, G, H, I, or J).",
        "A, B, C, D?",
    ],
)
def test_words_that_name_every_label_fix_the_labels_but_no_order(instruction: str) -> None:
    question = Question("q", FOUR, instruction=instruction)
    assert order_bound(question, Layout()) == ""
    assert labels_bound(question, Layout()).startswith("the instruction names an option's label: ")


def test_a_range_of_some_labels_fixes_the_order() -> None:
    assert order_bound(Question("q", FOUR, instruction="Choose among options A-C."), Layout())
    assert order_bound(Question("q", FOUR, instruction="Choose among options B-F."), Layout())


@pytest.mark.parametrize(
    "instruction",
    ["A if it follows, B if not, else C.", "A: yes, B: no", "A = true, B = false, C = unknown", "Answer B if unsure."],
)
def test_an_instruction_that_explains_labels_fixes_the_order(instruction: str) -> None:
    assert order_bound(Question("q", FOUR, instruction=instruction), Layout())


def test_a_question_about_a_and_b_as_variables_is_not_taken_for_an_explanation_of_labels() -> None:
    assert order_bound(Question("A = 5 and B = 7. What is their sum?", FOUR), Layout()) == ""


@pytest.mark.parametrize(
    "text",
    [
        "Take the first option.",
        "Which of the last two options holds?",
        "Is the former alternative true?",
        "the second answer choice",
    ],
)
def test_a_place_among_the_options_fixes_the_order_but_no_labels(text: str) -> None:
    question = Question(text, FOUR)
    assert order_bound(question, Layout()).startswith("the question speaks of an option by its place: ")
    assert labels_bound(question, Layout()) == ""


@pytest.mark.parametrize("text", ["the drug of first choice", "the last answer", "your first impression"])
def test_other_firsts_and_lasts_are_left_alone(text: str) -> None:
    assert order_bound(Question(text, FOUR), Layout()) == ""


@pytest.mark.parametrize(
    ("question", "part"),
    [
        (Question("q", FOUR, system="Prefer option B."), "the system prompt"),
        (Question("q", FOUR, answer_instruction="Say B if unsure."), "the answer instruction"),
        (Question("q", FOUR, template="{question}\nOption A is odd."), "the template"),
        (Question("q", FOUR, context=("Option C was added later.",)), "a passage"),
        (Question("q", FOUR, history=(Message("user", "What of option D?"),)), "an earlier turn"),
    ],
)
def test_every_text_around_the_options_is_looked_at(question: Question, part: str) -> None:
    assert order_bound(question, Layout()).startswith(part)


def test_the_field_for_labels_in_the_users_line_names_none() -> None:
    question = Question("q", FOUR, answer_instruction="Answer {labels} only.")
    assert order_bound(question, Layout()) == labels_bound(question, Layout()) == ""


def test_labels_are_those_of_the_layout() -> None:
    question = Question("Compare option 2 with the rest.", FOUR)
    assert order_bound(question, Layout()) == ""
    assert order_bound(question, Layout(labels="1"))


def test_letters_beyond_the_last_option_are_no_labels() -> None:
    assert order_bound(Question("Compare option C with the rest.", ("x", "y")), Layout()) == ""


def test_ranges_name_what_lies_between() -> None:
    (reference,) = {found.labels for found in label_references("options (A)-(C)", option_labels("A", 4))}
    assert reference == {"A", "B", "C"}


def test_without_labels_nothing_is_named() -> None:
    assert label_references("option A", ()) == ()
