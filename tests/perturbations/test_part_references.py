"""What a text says about examples and passages: one is singled out, or all are meant, or none is."""

from dataclasses import replace

import pytest
from prt.perturbations.options.part_references import Part, part_order_bound
from prt.perturbations.question import Example, Message, Question

SHOTS = (Example("How warm?", ("hot", "cold"), 1), Example("How wet?", answer="dry"))
QUESTION = Question("Which?", ("x", "y"), context=("The sun is hot.", "Ice is cold."), examples=SHOTS)

OF_A_PASSAGE = [
    "What does the passage above say?",
    "According to passage 2, why?",
    "As document [1] says, why?",
    "Do Passage A and Passage B agree?",
    "Compare texts I and II.",
    "What do documents (1) and (3) share?",
    "Which source #2 claims?",
    "In document number three, who?",
    "What is the last paragraph about?",
    "Why does the second short text differ?",
    "Read the following article.",
    "Summarise the article below.",
    "Is the claim of [2] right?",
    "Use the 2nd excerpt.",
    "Is the former source older?",
]
OF_NO_PASSAGE = [
    "What do the passages above say?",
    "Use the context below.",
    "Read the following documents.",
    "Is the text I wrote right?",
    "Which document is a man's?",
    "Which of these passages agree?",
    "In 1947, which documents were signed?",
    "Passage of time",
    "x[1] = 3",
    "",
]
OF_AN_EXAMPLE = [
    "Solve it like example 2.",
    "See the last example.",
    "As in the example above, answer.",
    "Use Example A.",
    "Take the answer of the previous question.",
    "Add the last answer to it.",
    "Is the solution above right?",
    "In the second worked example, why?",
]
OF_NO_EXAMPLE = [
    "Answer as in the examples above.",
    "Follow these examples.",
    "For example, 3 cats.",
    "Which animals, for example 3 cats, sleep?",
    "Which question was asked?",
    "Answer the following question.",
    "Give an example.",
]


@pytest.mark.parametrize("text", OF_A_PASSAGE)
def test_words_that_single_out_a_passage_fix_the_order(text: str) -> None:
    found = part_order_bound(replace(QUESTION, text=text), "context")
    assert found.startswith("the question speaks of a passage by its place or number: ")


@pytest.mark.parametrize("text", [*OF_NO_PASSAGE, *OF_NO_EXAMPLE])
def test_words_that_mean_all_passages_or_none_fix_no_order(text: str) -> None:
    assert part_order_bound(replace(QUESTION, text=text), "context") == ""


@pytest.mark.parametrize("text", OF_AN_EXAMPLE)
def test_words_that_single_out_an_example_fix_the_order(text: str) -> None:
    found = part_order_bound(replace(QUESTION, text=text), "examples")
    assert found.startswith("the question speaks of an example by its place or number: ")


@pytest.mark.parametrize("text", [*OF_NO_EXAMPLE, *OF_NO_PASSAGE])
def test_words_that_mean_all_examples_or_none_fix_no_order(text: str) -> None:
    assert part_order_bound(replace(QUESTION, text=text), "examples") == ""


@pytest.mark.parametrize(
    ("question", "of", "part"),
    [
        (replace(QUESTION, instruction="Use passage 1."), "context", "the instruction"),
        (replace(QUESTION, system="Use passage 1."), "context", "the system prompt"),
        (replace(QUESTION, answer_instruction="Cite [1] or [2]."), "context", "the answer instruction"),
        (replace(QUESTION, template="{question} See passage 1."), "context", "the template"),
        (replace(QUESTION, history=(Message("user", "And document 2?"),)), "context", "an earlier turn"),
        (replace(QUESTION, context=("Ice is cold.", "The passages above lie.")), "context", "a passage"),
        (replace(QUESTION, examples=(Example("Is passage 2 right?", answer="no"),)), "context", "an example"),
        (
            replace(QUESTION, examples=(*SHOTS, Example("Use the previous answer.", answer="5"))),
            "examples",
            "an example",
        ),
        (replace(QUESTION, examples=(*SHOTS, Example("Why?", ("as in example 1", "no"), 0))), "examples", "an example"),
        (
            replace(QUESTION, examples=(*SHOTS, Example("Why?", answer="see the answer above"))),
            "examples",
            "an example",
        ),
    ],
)
def test_every_text_is_looked_at(question: Question, of: Part, part: str) -> None:
    assert part_order_bound(question, of).startswith(f"{part} speaks of ")


def test_a_citation_inside_a_passage_names_none() -> None:
    assert part_order_bound(replace(QUESTION, context=("Ice is cold [3].", "The sun is hot [1].")), "context") == ""


@pytest.mark.parametrize(
    "passages",
    [("[1] Ice.", "[2] Sun."), ("1. Ice.", "2. Sun."), ("Doc 1: Ice.", "Doc 2: Sun."), ("#4. Ice", "#7. Sun")],
)
def test_passages_with_numbers_of_their_own_keep_their_order(passages: tuple[str, ...]) -> None:
    assert part_order_bound(replace(QUESTION, context=passages), "context") != ""


def test_times_and_decimals_at_the_beginning_are_no_numbers_of_passages() -> None:
    passages = ("10:30 is the time of one train.", "At 11:15 another leaves.", "1.5 km are left.")
    assert part_order_bound(replace(QUESTION, context=passages), "context") == ""


def test_passages_that_each_begin_a_list_have_no_numbers_of_their_own() -> None:
    assert part_order_bound(replace(QUESTION, context=("1. Mix. 2. Stir.", "1. Cut. 2. Eat.")), "context") == ""


@pytest.mark.parametrize(
    ("passages", "bound"),
    [
        (("The sun rises in the", "east and sets in the west."), True),
        (("The sun rises in the east.", "and it sets in the west."), False),
        (("The sun rises in the", "East of town."), False),
        (("", "east."), False),
        (("Le « soleil »", "et la lune"), True),
        (("the sun is hot", "ice is cold"), False),
    ],
)
def test_a_text_cut_in_pieces_keeps_its_order(passages: tuple[str, ...], *, bound: bool) -> None:
    found = part_order_bound(replace(QUESTION, context=passages), "context")
    assert found.startswith("a passage goes on where the one before it ends: ") is bound
