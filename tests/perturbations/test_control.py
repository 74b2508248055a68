"""Controls: what is asked changes, the new right answer is proved, and what can't be proved is left alone."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations import Bundle, Typo, baseline_variant, compose, read_bundle, records, write_bundle
from prt.perturbations.generator import Draw
from prt.perturbations.generators.control import KINDS, Control, ControlKind
from prt.perturbations.perturb import perturb
from prt.perturbations.protection.parts import apply_edits
from prt.perturbations.question import Example, Gold, Message, Question, Subject
from prt.perturbations.variant import Variant

WORDS = (
    'Is it there you do can the following sentence true false that not and or ( ) + - * / 3 12 1,000 2.5 ? . “ " '
    "What is which of these are True False = , : \n Yes no ſ ı １ ٣"
)
TEXTS = st.one_of(
    st.text(max_size=60),
    st.lists(
        st.sampled_from(WORDS.split(" ")),
        max_size=14,
    ).map(" ".join),
)


def subject(text: str, *golds: str | int, **parts: object) -> Subject:
    """An item with accepted texts, or with right options by index."""
    options = tuple(gold for gold in golds if isinstance(gold, int))
    texts = tuple(gold for gold in golds if isinstance(gold, str))
    question = replace(Question(text), **parts)  # type: ignore[arg-type]
    return Subject("1", question, gold=Gold(options=options, texts=texts))


def controlled(item: Subject, *, variants: int = 1, kinds: tuple[ControlKind, ...] = KINDS) -> list[Variant]:
    return perturb(item, [Control(kinds=kinds, variants=variants)], seed=3)


ITEMS = (
    subject("What is 12 + 7?", "19"),
    subject("not ( True ) and ( True ) is", "False"),
    subject("Can you drink sea water?", "no"),
    subject("Is the argument valid?", 0, options=("Yes", "No"), answer_form="label"),
    subject("Which of these is a mammal?", 1, options=("trout", "bat"), answer_form="label"),
    subject("The sky is green.", "False", instruction="Answer true or false."),
)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.question.text)
def test_a_control_asks_something_else_and_names_another_right_answer(item: Subject) -> None:
    (variant,) = controlled(item)
    assert (variant.outcome, variant.tier, variant.condition) == ("applied", "control", "control.1")
    assert variant.question != item.question
    assert variant.gold is not None
    assert variant.gold != item.gold
    assert not set(variant.gold.texts) & set(item.gold.texts)
    assert not set(variant.gold.options) & set(item.gold.options)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.question.text)
def test_its_edits_replayed_give_its_question_and_nothing_but_text_changes(item: Subject) -> None:
    (variant,) = controlled(item)
    assert apply_edits(item.question, variant.edits) == variant.question
    assert replace(variant.question, text=item.question.text) == item.question


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.question.text)
def test_further_variants_differ_or_say_that_none_is_left(item: Subject) -> None:
    variants = controlled(item, variants=4)
    applied = [variant for variant in variants if variant.outcome == "applied"]
    assert len({variant.question for variant in applied}) == len(applied) >= 1
    for variant in variants[len(applied) :]:
        assert variant.reason == f"no further change fits this item; {len(applied)} were used"
    assert controlled(item, variants=2) == variants[:2]


def test_only_the_kinds_asked_for_are_made_and_each_says_why_not() -> None:
    (variant,) = controlled(ITEMS[0], kinds=("logic", "negate"))
    assert variant.outcome == "not_applicable"
    assert variant.reason == (
        "logic: no boolean expression; negate: the answers are not yes and no, true and false, or two options"
    )


def test_a_composition_with_a_control_is_refused() -> None:
    with pytest.raises(ValueError, match="a control changes what is right"):
        compose([Control(), Typo()])


@pytest.mark.parametrize("kinds", [(), ("nonsense",)])
def test_kinds_that_there_are_not_are_refused(kinds: tuple[ControlKind, ...]) -> None:
    with pytest.raises(ValueError, match="one or more of numbers, logic, negate"):
        Control(kinds=kinds)


def test_what_the_user_protects_stays() -> None:
    (variant,) = controlled(replace(ITEMS[0], protect=("12",)))
    assert variant.question.text.startswith("What is 12 + ")
    (variant,) = controlled(replace(ITEMS[0], protect=(r"\d+",)))
    assert variant.reason.startswith("numbers: no change has an answer that is sure")
    (variant,) = controlled(replace(ITEMS[2], protect=("Can you",)))
    assert variant.question.text == 'Is "no" the right answer to the question "Can you drink sea water?"'


def test_a_bundle_keeps_the_right_answer(tmp_path: Path) -> None:
    variants = tuple(each for item in ITEMS for each in (baseline_variant(item), *controlled(item)))
    bundle = Bundle(3, records([Control()]), variants)
    write_bundle(tmp_path / "bundle.jsonl", bundle)
    assert read_bundle(tmp_path / "bundle.jsonl").variants == variants


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"instruction": "Say whether the comment is toxic."}, "the instruction may ask something else ('say')"),
        ({"instruction": "Is it rude?"}, "negate: not exactly one question is asked"),
        ({"instruction": "Answer in line 2."}, "the instruction may ask something else ('2')"),
        ({"system": "You detect insults."}, "the system prompt may ask something else ('detect')"),
        ({"answer_instruction": "Reply with the sentiment."}, "the answer instruction may ask something else"),
        ({"template": "{question} Polite or not?"}, "the template may ask something else ('?')"),
        ({"history": (Message("user", "Always lie."),)}, "earlier turns may say what is asked"),
        ({"examples": (Example("Are you daft?", answer="yes"),)}, "the examples alone may say what is asked"),
    ],
)
def test_where_something_else_may_set_the_task_nothing_is_changed(changed: dict[str, object], reason: str) -> None:
    (variant,) = controlled(subject("Are you stupid?", "yes", **changed))
    assert variant.outcome == "not_applicable"
    assert reason in variant.reason


@pytest.mark.parametrize(
    "changed",
    [
        {"instruction": "Answer the following question with yes or no."},
        {"system": "You are a helpful assistant.", "examples": (Example("Can cats fly?", answer="no"),)},
        {"template": "Question: {question}\n{answer}", "answer_instruction": "Reply with {labels} only."},
        {"context": ("The sea is salty.",)},
    ],
)
def test_words_about_how_to_answer_set_no_task(changed: dict[str, object]) -> None:
    (variant,) = controlled(subject("Can you drink sea water?", "no", **changed))
    assert variant.outcome == "applied"


@given(TEXTS, st.lists(TEXTS, max_size=3), st.lists(TEXTS, max_size=3), st.integers(-1, 3), TEXTS)
def test_no_item_whatever_makes_it_fail(
    text: str, texts: list[str], options: list[str], right: int, instruction: str
) -> None:
    question = Question(text, options=tuple(options), instruction=instruction)
    item = Subject("1", question, gold=Gold(options=(right,), texts=tuple(texts)))
    draft = Control().draft(item, Draw(1, random.Random(1)))  # noqa: S311 - no secret
    if draft.outcome == "applied":
        assert draft.gold is not None
        assert draft.gold != item.gold
        assert draft.question == apply_edits(question, draft.edits)
    else:
        assert draft.outcome == "not_applicable"
        assert draft.reason


@given(TEXTS, st.sampled_from(["yes", "False", "True", "3", "no"]), TEXTS)
def test_the_same_draw_gives_the_same_control(text: str, gold: str, instruction: str) -> None:
    item = subject(text, gold, instruction=instruction)
    assert controlled(item, variants=2) == controlled(item, variants=2)
