"""Reorder of few-shot examples and of passages: every one of them once, or a reason to leave them alone."""

from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from prt.perturbations.compose import compose
from prt.perturbations.generators.kinds import PartKind, ReorderKind, ReorderPart
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.generators.typo import Typo
from prt.perturbations.options.part_references import Part
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Example, Gold, Layout, Question, Subject
from prt.perturbations.rendering.render import render
from prt.perturbations.variant import Variant

PARTS: tuple[Part, ...] = get_args(Part)
KINDS: tuple[PartKind, ...] = get_args(PartKind)
SHOTS = (
    Example("How warm is it?", ("hot", "cold"), 1),
    Example("How wet is it?", ("dry", "wet"), 0),
    Example("How far is it?", ("near", "far"), 1),
)
PASSAGES = ("The sun is hot.", "Ice is cold.", "Rain is wet.")
QUESTION = Question(
    "Which holds?", ("x", "y", "z"), instruction="Choose.", context=PASSAGES, examples=SHOTS, answer_form="label"
)


def variants(question: Question, of: ReorderPart, kind: ReorderKind | None = None, count: int = 1) -> list[Variant]:
    item = Subject("1", question, gold=Gold((0,)))
    return perturb(item, [Reorder(of=of, kind=kind, variants=count)], seed=3)


def only(question: Question, of: ReorderPart, kind: ReorderKind | None = None) -> Variant:
    (variant,) = variants(question, of, kind)
    return variant


def parts_of(question: Question, of: Part) -> tuple[Example | str, ...]:
    return question.examples if of == "examples" else question.context


@pytest.mark.parametrize("of", PARTS)
@pytest.mark.parametrize("kind", [None, *KINDS])
def test_every_part_is_shown_once_in_another_place_and_nothing_else_changes(of: Part, kind: PartKind | None) -> None:
    variant = only(QUESTION, of, kind)
    assert variant.outcome == "applied"
    assert Counter(parts_of(variant.question, of)) == Counter(parts_of(QUESTION, of))
    assert parts_of(variant.question, of) != parts_of(QUESTION, of)
    same = {"examples": QUESTION.examples} if of == "examples" else {"context": QUESTION.context}
    assert replace(variant.question, **same) == QUESTION
    assert variant.permutation == (0, 1, 2)


@pytest.mark.parametrize("of", PARTS)
def test_the_edit_says_which_part_stands_where(of: Part) -> None:
    variant = only(QUESTION, of)
    (edit,) = variant.edits
    assert (edit.part, edit.start, edit.before, edit.kind) == (of, 0, "1 2 3", "random")
    shown = [parts_of(QUESTION, of)[int(place) - 1] for place in edit.after.split()]
    assert tuple(shown) == parts_of(variant.question, of)


def test_what_changes_places_is_among_the_parameters_and_options_are_what_they_were() -> None:
    assert Reorder().parameters() == {"kind": "balanced"}
    assert Reorder(of="examples").parameters() == {"of": "examples", "kind": "random"}
    assert Reorder(of="context") == Reorder(of="context", kind="random")


@pytest.mark.parametrize("of", PARTS)
@pytest.mark.parametrize("kind", sorted(set(get_args(ReorderKind)) - set(KINDS)))
def test_orders_of_options_are_refused(of: Part, kind: ReorderKind) -> None:
    with pytest.raises(ValueError, match=f"reorder: {kind} is an order of options; for {of} choose random, reverse"):
        Reorder(of=of, kind=kind)


@pytest.mark.parametrize("of", PARTS)
def test_rotations_are_all_drawn_before_none_is_left(of: Part) -> None:
    drawn = variants(QUESTION, of, "cyclic", 3)
    assert len({parts_of(variant.question, of) for variant in drawn[:2]}) == 2
    name = {"examples": "examples", "context": "passages"}[of]
    assert drawn[2].reason == f"all rotations of 3 {name} are used"


@pytest.mark.parametrize("of", PARTS)
def test_all_orders_are_drawn_before_none_is_left(of: Part) -> None:
    drawn = variants(QUESTION, of, "random", 6)
    assert len({parts_of(variant.question, of) for variant in drawn[:5]}) == 5
    name = {"examples": "examples", "context": "passages"}[of]
    assert (drawn[5].outcome, drawn[5].reason) == ("not_applicable", f"all orders of 3 {name} are used")


@pytest.mark.parametrize("of", PARTS)
def test_the_reverse_is_one_order(of: Part) -> None:
    first, second = variants(QUESTION, of, "reverse", 2)
    assert parts_of(first.question, of) == parts_of(QUESTION, of)[::-1]
    assert (second.outcome, second.reason) == ("not_applicable", "no further order of the kind reverse")


def test_parts_that_read_alike_backwards_are_unchanged_by_the_reverse() -> None:
    variant = only(replace(QUESTION, context=("It is.", "It is not.", "It is.")), "context", "reverse")
    assert (variant.outcome, variant.reason) == ("unchanged", "the passages are in this order already (reverse)")


@pytest.mark.parametrize(
    ("change", "of", "reason"),
    [
        ({"examples": ()}, "examples", "no examples"),
        ({"examples": SHOTS[:1]}, "examples", "one example only"),
        ({"examples": SHOTS[:1] * 3}, "examples", "no two different examples that may change places"),
        ({"context": ()}, "context", "no passages"),
        ({"context": PASSAGES[:1]}, "context", "one passage only"),
        ({"context": PASSAGES[:1] * 3}, "context", "no two different passages that may change places"),
        (
            {"text": "What does the passage above say?"},
            "context",
            "the question speaks of a passage by its place or number: 'passage above'",
        ),
        (
            {"instruction": "Answer as in the last example."},
            "examples",
            "the instruction speaks of an example by its place or number: 'last example'",
        ),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_parts_that_must_stay_are_left_alone(change: dict[str, object], of: Part, reason: str, kind: PartKind) -> None:
    variant = only(replace(QUESTION, **change), of, kind)  # type: ignore[arg-type]  # fields by name
    assert (variant.outcome, variant.reason) == ("not_applicable", reason)


def test_equal_parts_are_told_apart_by_their_place() -> None:
    twice = replace(QUESTION, context=("It is.", "It is not.", "It is."))
    for variant in variants(twice, "context", "random", 2):
        assert variant.outcome == "applied"
        assert sorted(map(int, variant.edits[0].after.split())) == [1, 2, 3]


def test_examples_in_another_order_keep_the_labels_of_the_question() -> None:
    item = Subject("1", QUESTION, Layout(labels="1"))
    (variant,) = perturb(item, [Reorder(of="examples", kind="reverse")], seed=0)
    shown = render(variant.question, variant.layout)[-1].content
    assert [line for line in shown.split("\n") if line.startswith("Answer:")] == ["Answer: 2", "Answer: 1", "Answer: 2"]
    assert "1. x\n2. y\n3. z" in shown


def test_items_do_not_all_get_the_same_order() -> None:
    for of in PARTS:
        generator = Reorder(of=of)
        orders = {perturb(Subject(str(n), QUESTION), [generator], seed=1)[0].edits[0].after for n in range(40)}
        assert len(orders) == 5


def test_after_the_passages_moved_words_in_them_may_change_and_every_step_is_checked() -> None:
    item = Subject("1", QUESTION, gold=Gold((0,)))
    chain = compose([Reorder(of="context", kind="reverse"), Typo(parts=("context",), rate=1.0), Reorder()])
    item = replace(item, question=replace(QUESTION, context=("The planet is warm.", "The winter is cold.")))
    (variant,) = perturb(item, [chain], seed=1)
    assert (variant.condition, variant.outcome) == ("reorder+typo+reorder.1", "applied")
    assert variant.question.context[0].startswith("The w")
    assert {edit.part for edit in variant.edits} == {"context", "context[0]", "context[1]", "options"}


def test_options_examples_and_passages_are_numbered_as_one_generator_and_compose() -> None:
    item = Subject("1", QUESTION, gold=Gold((0,)))
    drawn = perturb(item, [Reorder(), Reorder(of="examples"), Reorder(of="context")], seed=1)
    assert [variant.condition for variant in drawn] == ["reorder.1", "reorder.2", "reorder.3"]
    assert [variant.outcome for variant in drawn] == ["applied"] * 3
