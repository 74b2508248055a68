"""The proof of a draft: a generator that moves, loses, doubles or alters something is caught, whatever it claims."""

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from prt.perturbations.compose import checked_draft
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.protection.proof import unproved
from prt.perturbations.question import Example, Gold, Layout, Question, Subject
from prt.perturbations.variant import Tier

QUESTION = Question(
    "Which of them is red?",
    ("north", "east", "south", "Both A and B"),
    context=("Ice is cold.", "The sun is hot.", "Rain is wet."),
    examples=(Example("e", ("u", "v"), 1), Example("f", ("s", "t"), 0)),
    answer_form="label",
)
ITEM = Subject("1", QUESTION, gold=Gold((1,)))


@dataclass(frozen=True, kw_only=True)
class Twin:
    """What a generator made, spoilt."""

    name: ClassVar[str] = "twin"
    version: ClassVar[int] = 1

    whole: Generator
    spoil: Callable[[Draft], Draft]
    tier: Tier = "guaranteed"
    variants: int | None = 1

    def parameters(self) -> dict[str, object]:
        """None."""
        return {}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """The draft of the generator, spoilt."""
        return self.spoil(self.whole.draft(subject, draw))


def checked(generator: Generator, item: Subject = ITEM) -> Draft:
    return checked_draft(generator, item, Draw(1, random.Random(1)))  # noqa: S311 - reproducible draws, not secrets


def question_of(draft: Draft) -> Question:
    assert draft.question is not None
    return draft.question


def with_options(*options: str) -> Callable[[Draft], Draft]:
    return lambda draft: replace(draft, question=replace(question_of(draft), options=options))


def with_context(*passages: str) -> Callable[[Draft], Draft]:
    return lambda draft: replace(draft, question=replace(question_of(draft), context=passages))


REVERSED = Reorder(kind="reverse")
EXAMPLES = Reorder(of="examples", kind="reverse")
PASSAGES = Reorder(of="context", kind="reverse")


@pytest.mark.parametrize("generator", [REVERSED, EXAMPLES, PASSAGES, Reorder(), Format(), Format(kind=("labels",))])
def test_what_the_generators_of_structure_make_is_proven(generator: Generator) -> None:
    assert checked(generator).outcome == "applied"


def test_the_reverse_renames_the_option_that_names_others() -> None:
    assert question_of(checked(REVERSED)).options == ("Both C and D", "south", "east", "north")


@pytest.mark.parametrize(
    ("whole", "spoil", "reason"),
    [
        (REVERSED, with_options("Both A and B", "south", "east", "north"), "option 4 changed"),
        (REVERSED, with_options("Both B and D", "south", "east", "north"), "option 4 changed"),
        (REVERSED, with_options("Neither C nor D", "south", "east", "north"), "option 4 changed"),
        (REVERSED, with_options("Both C and D", "south", "south", "north"), "option 2 changed: 'east' to 'south'"),
        (REVERSED, with_options("Both C and D", "east", "south", "north"), "option 3 changed: 'south' to 'east'"),
        (REVERSED, with_options("Both C and D", "south ", "east", "north"), "option 3 changed: 'south' to 'south '"),
        (
            REVERSED,
            with_options("Both C and D", "south", "east"),
            "the order [3, 2, 1, 0] is no permutation of the options",
        ),
        (REVERSED, lambda draft: replace(draft, permutation=(3, 2, 1, 1)), "the order [3, 2, 1, 1] is no permutation"),
        (REVERSED, lambda draft: replace(draft, permutation=(3, 2, 1)), "the order [3, 2, 1] is no permutation"),
        (REVERSED, lambda draft: replace(draft, permutation=None), "option 1 changed: 'north' to 'Both C and D'"),
        (REVERSED, lambda draft: replace(draft, permutation=(2, 3, 1, 0)), "option 3 changed"),
        (
            REVERSED,
            lambda draft: replace(draft, question=replace(question_of(draft), text="Which of them is  red?")),
            "the text changed, where order and layout alone may",
        ),
        (EXAMPLES, lambda draft: replace(draft, example_order=None), "the examples changed, where order and layout"),
        (
            EXAMPLES,
            lambda draft: replace(draft, example_order=(0, 0)),
            "the order [0, 0] is no permutation of the examples",
        ),
        (
            EXAMPLES,
            lambda draft: replace(draft, question=replace(QUESTION, examples=QUESTION.examples[:1] * 2)),
            "the examples changed",
        ),
        (
            EXAMPLES,
            lambda draft: replace(
                draft, question=replace(QUESTION, examples=(QUESTION.examples[1], Example("e", ("v", "u"), 1)))
            ),
            "the examples changed",
        ),
        (
            PASSAGES,
            lambda draft: replace(draft, context_order=(2, 0, 1)),
            "the context changed, where order and layout",
        ),
        (
            PASSAGES,
            with_context("Rain is wet.", "The sun is hot."),
            "the order [2, 1, 0] is no permutation of the context",
        ),
        (PASSAGES, with_context("Rain is wet.", "The sun is hot.", "Ice is  cold."), "the context changed"),
        (PASSAGES, with_context(*["The sun is hot."] * 3), "the context changed"),
        (
            Format(kind=("labels",)),
            lambda draft: replace(draft, question=QUESTION, layout=Layout(labels="1")),
            "option 4 changed: 'Both A and B' to 'Both A and B'",
        ),
        (
            Format(),
            lambda draft: replace(draft, question=replace(QUESTION, text="# red"), layout=Layout(markup="markdown")),
            "the text changed",
        ),
    ],
)
def test_a_wrong_twin_is_rejected(whole: Generator, spoil: Callable[[Draft], Draft], reason: str) -> None:
    draft = checked(Twin(whole=whole, spoil=spoil))
    assert draft.outcome == "rejected"
    assert draft.reason.startswith(reason)


def test_a_layout_in_which_a_question_can_not_be_read_back_is_rejected() -> None:
    heading = replace(ITEM, question=replace(QUESTION, text="# red"))
    draft = Draft("applied", layout=Layout(markup="markdown"))
    assert "can't stand in markdown" in unproved(heading, draft, "guaranteed")
    assert unproved(ITEM, draft, "guaranteed") == ""


def test_words_may_change_beside_a_new_order_unless_they_are_protected() -> None:
    moved = replace(QUESTION, context=("Rain is wwet.", "The sun is hot.", "Ice is cold."))
    draft = Draft("applied", question=moved, context_order=(2, 1, 0))
    assert unproved(ITEM, draft, "checked") == ""
    assert unproved(ITEM, draft, "guaranteed") == "the context changed, where order and layout alone may"
    worse = replace(draft, question=replace(moved, context=("Rain is not wet.", *moved.context[1:])))
    assert unproved(ITEM, worse, "checked") == "new negation: 'not' in context[2]"


def test_options_that_a_generator_of_words_changes_are_rejected() -> None:
    draft = Draft("applied", question=replace(QUESTION, options=("north", "east", "sotuh", "Both A and B")))
    assert unproved(ITEM, draft, "checked") == "option 3 changed: 'south' to 'sotuh'"


def test_an_option_more_or_less_is_rejected() -> None:
    for options in (QUESTION.options[:3], (*QUESTION.options, "west")):
        draft = Draft("applied", question=replace(QUESTION, options=options))
        assert unproved(ITEM, draft, "checked") == "an option was added or taken away"
