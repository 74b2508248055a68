"""Frames: other words around a question, and none inside what it asks about."""

import random
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.frame_table import (
    ANY_LEAD_INS,
    CLOSINGS,
    INSTRUCTION_LEAD_INS,
    QUESTION_LEAD_INS,
    QUESTION_THANKS,
    REWRITES,
)
from prt.perturbations.generators.frames import Frames, frames_for
from prt.perturbations.perturb import perturb
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.question import Gold, Question, Subject
from prt.perturbations.rendering.closing import closing_line
from prt.perturbations.seeds import rng_for

PLAIN = Question("What is the capital of the country?", ("Oslo", "Rome"), answer_form="label")


def chance(seed: int) -> random.Random:
    return rng_for(seed=seed, generator="paraphrase", version=1, parameters="{}", item_id="item", number=1)


def draft(question: Question, *, seed: int = 0, earlier: tuple[Draft, ...] = ()) -> Draft:
    return Frames().draft(Subject("item", question), Draw(1, chance(seed), earlier))


def forms(text: str) -> list[str]:
    framed = frames_for(Subject("item", Question(text)))
    return [frame.question.text for frame in framed if frame.edits[0].kind == "question form"]


def test_it_is_a_generator_of_checked_variants() -> None:
    generator: Generator = Frames(variants=2)
    assert (generator.name, generator.version, generator.tier, generator.variants) == ("paraphrase", 1, "checked", 2)
    assert generator.parameters() == {"kind": "frames"}


def test_there_are_frames_enough_and_none_twice() -> None:
    sentences = (*ANY_LEAD_INS, *QUESTION_LEAD_INS, *QUESTION_THANKS, *INSTRUCTION_LEAD_INS)
    assert len(set(sentences)) == len(sentences)
    assert len(sentences) + len(REWRITES) >= 40
    assert all(len(listed) == len(set(listed)) for listed in CLOSINGS.values())


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("What is the capital of the country?", "What's the capital of the country?"),
        ("who is the guy with arrows in it?", "who's the guy with arrows in it?"),
        ("How many eggs does she sell?", "What number of eggs does she sell?"),
        ("how many players can a team have?", "what number of players can a team have?"),
        ("How many people are there in the room?", "What is the number of people in the room?"),
        ("How many cats were there in the house?", "What was the number of cats in the house?"),
        ("How much money is left?", "What amount of money is left?"),
        ("How old is she?", "What age is she?"),
        ("How often does it rain?", "With what frequency does it rain?"),
        ("Why is the sky blue?", "For what reason is the sky blue?"),
        ("What kind of animal is it?", "What type of animal is it?"),
        ("In which year did it end?", "In what year did it end?"),
        ("Which of the following is a mammal?", "Which of these is a mammal?"),
        ("Who wrote the book?", "Who was it that wrote the book?"),
        ("He has eggs. Some break. How many eggs are left?", "He has eggs. Some break. What number of eggs are left?"),
    ],
)
def test_a_question_form_has_another_that_asks_the_same(text: str, other: str) -> None:
    assert other in forms(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "How many are left?",
            "How many more does she need?",
            "How many of them are red?",
            "How many years old is he?",
        ),
        *(
            "How many times did it ring?",
            "How many days later did it end?",
            "How fast is it?",
            "Who is he?",
            "What is happening?",
        ),
        *("WHAT IS THE CAPITAL?", "Why don't they go?", "Who writes books?", "Tell me what is the matter."),
        *('"What is the matter?" she asked. Did he answer?',),
    ],
)
def test_where_the_grammar_is_not_sure_the_form_stays(text: str) -> None:
    assert forms(text) == []


def test_every_frame_that_is_offered_for_plain_questions_passes_the_check() -> None:
    for text in (
        "How many eggs does she sell for $2 in Paris?",
        "Which of the following isn't $x^2$?",
        "It is made of ",
    ):
        for form in ("label", "number", "text", "none"):
            question = replace(PLAIN, text=text, answer_form=form, instruction="Use no more than 5 words.")
            subject = Subject("item", question)
            framed = list(frames_for(subject))
            assert len(framed) >= len(ANY_LEAD_INS)
            assert [frame for frame in framed if altered_protected(subject, question, frame.question)] == []


def test_frames_are_drawn_without_repetition_until_none_is_left() -> None:
    every = len(list(frames_for(Subject("item", PLAIN))))
    variants = perturb(Subject("item", PLAIN), [Frames(variants=every + 2)], seed=3)
    applied = [variant for variant in variants if variant.outcome == "applied"]
    assert len({variant.question for variant in applied}) == every
    assert [variant.reason for variant in variants[every:]] == [
        f"no further frame fits this item; {every} were used"
    ] * 2


def test_no_kind_of_frame_crowds_the_others_out() -> None:
    kinds = [draft(PLAIN, seed=seed).edits[0].kind for seed in range(90)]
    assert {kind: kinds.count(kind) > 15 for kind in kinds} == {
        "frame": True,
        "question form": True,
        "closing line": True,
    }


def test_a_statement_or_a_text_to_complete_is_only_introduced() -> None:
    for text in ("The best way to save money is to ", "Water boils and then it becomes ____.", "we met at the station"):
        edits = [
            edit for frame in frames_for(Subject("item", Question(text, answer_form="none"))) for edit in frame.edits
        ]
        assert {edit.kind for edit in edits} == {"frame"}
        assert {edit.after.strip() for edit in edits} == set(ANY_LEAD_INS)
        assert {(edit.start, edit.before) for edit in edits} == {(0, "")}


def test_a_lead_in_stands_on_its_own_line_before_several_lines() -> None:
    framed = list(frames_for(Subject("item", Question("What is\nthe matter?", answer_form="none"))))
    assert framed[0].question.text == f"{ANY_LEAD_INS[0]}\nWhat is\nthe matter?"


def test_an_instruction_of_the_users_is_introduced_and_never_reworded() -> None:
    question = Question("it is red", instruction="Say what color it is.", answer_form="none")
    changed = [
        frame.question.instruction
        for frame in frames_for(Subject("item", question))
        if frame.question.instruction != question.instruction
    ]
    assert changed == [f"{lead_in} Say what color it is." for lead_in in INSTRUCTION_LEAD_INS]


@pytest.mark.parametrize(("count", "labels"), [(2, "A or B"), (3, "A to C"), (5, "A to E")])
def test_the_derived_closing_line_is_reworded_and_keeps_its_labels(count: int, labels: str) -> None:
    question = replace(PLAIN, options=("Oslo", "Rome", "Bern", "Lima", "Cairo")[:count])
    subject = Subject("item", question)
    lines = [
        closing_line(frame.question, subject.layout)
        for frame in frames_for(subject)
        if frame.edits[0].kind == "closing line"
    ]
    assert len(lines) == len(CLOSINGS["label"])
    assert all(line.endswith(f"{labels}.") for line in lines)
    assert closing_line(question, subject.layout) not in lines
    edits = [frame.edits[0] for frame in frames_for(subject) if frame.edits[0].kind == "closing line"]
    assert {edit.after for edit in edits} == set(lines)
    assert all(altered_protected(subject, question, frame.question) is None for frame in frames_for(subject))


def test_a_closing_line_of_the_users_stays() -> None:
    question = replace(PLAIN, answer_instruction="Say {labels}.")
    assert {frame.question.answer_instruction for frame in frames_for(Subject("item", question))} == {"Say {labels}."}


def test_a_part_that_the_users_template_leaves_out_is_not_reworded() -> None:
    question = replace(PLAIN, template="{question}", instruction="Say which is right.")
    kinds = {(frame.edits[0].part) for frame in frames_for(Subject("item", question))}
    assert kinds == {"text"}


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        (Question(" \n"), "there is no text"),
        (
            Question("L'oggetto era incartato nella plastica.", ("Era delicato.", "Era piccolo.")),
            "frames are English; ",
        ),
        (Question("Quale di queste cose è la causa?"), "frames are English; the language of this text is it"),
        (Question("¿Cuál es la capital de este país?"), "frames are English; the language of this text is es"),
        (
            Question("Ürün balonlu naylonla paketlenmişti."),
            "frames are English; the language of this text is not clear",
        ),
        (Question("该物品用气泡包装纸包着。"), "frames are English; the language of this text is Han"),
        (Question("Ho tossito molto. What was the cause?", ("Era tardi.",)), "frames are English; "),
        (
            Question("Ofis kapalıydı. What was the effect?"),
            "frames are English; the language of this text is not clear",
        ),
        (Question("办公室关门了。 What was the cause?"), "frames are English; the language of this text is not clear"),
        (Question("What was the cause?", ("Kırılgandı çok", "Küçüktü biraz")), "frames are English; "),
        (Question("machete"), "frames are English; the language of this text is not clear"),
        (Question("12 + 5 ="), "frames are English; the language of this text is not clear"),
        (
            Question(
                "from typing import List\n\ndef near(the: List) -> bool:\n    return the one that is in this list\n"
            ),
            "the text begins with code",
        ),
    ],
)
def test_what_is_not_plain_english_is_not_applicable(question: Question, reason: str) -> None:
    drafted = draft(question)
    assert drafted.outcome == "not_applicable"
    assert drafted.reason.startswith(reason)


def test_options_speak_for_a_text_too_short_to_tell() -> None:
    assert draft(Question("machete", ("it is used to cut the grass", "it is used to eat with"))).outcome == "applied"


def test_an_option_that_is_a_word_of_a_frame_is_not_given_away() -> None:
    question = Question(
        "What is the name of this part of the letter?", ("question", "answer", "following"), answer_form="none"
    )
    for seed in range(30):
        drafted = draft(question, seed=seed)
        assert drafted.question is not None
        assert not any(option in drafted.question.text.replace(question.text, "") for option in question.options)


@pytest.mark.parametrize("piece", ["\n", " ", "?", "? ", '"', "is it? ", "a", ".\n"])
def test_no_text_takes_more_than_linear_time(piece: str) -> None:
    text = f"What is the one that was here{piece * (20_000 // len(piece))}x"
    started = time.process_time()
    draft(Question(text))
    assert time.process_time() - started < 4


@given(
    text=st.text(max_size=80) | st.sampled_from(["What is the {}?", "How many {} are there in it?", "$5 {"]),
    seed=st.integers(0, 2**32),
)
@settings(max_examples=150, deadline=None)
def test_for_any_text_a_draft_is_deterministic_and_keeps_what_is_protected(text: str, seed: int) -> None:
    question = Question(f"{text} is the one that was here", ("a choice", text), answer_form="label")
    subject = Subject("item", question, gold=Gold(options=(0,)))
    drafted = Frames().draft(subject, Draw(1, chance(seed)))
    assert drafted == Frames().draft(subject, Draw(1, chance(seed)))
    if drafted.outcome == "applied":
        assert drafted.question is not None
        assert drafted.question != question
        assert altered_protected(subject, question, drafted.question) is None
    else:
        assert drafted.reason
