"""What data holds that order, labels and layout could break: each case with the outcome that is right for it."""

import json
from collections import Counter
from dataclasses import replace

import pytest
from prt.perturbations.generator import Generator
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.layouts import FORMAT_SEVERITIES
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Example, Gold, Layout, Message, Question, Subject
from prt.perturbations.rendering.closing import closing_line
from prt.perturbations.rendering.labels import answer_key_labels, label_map, label_range
from prt.perturbations.rendering.render import misread, render
from prt.perturbations.variant import Variant

ALL = Format(kind=FORMAT_SEVERITIES["hard"], variants=8)
LABELS = Format(kind=("labels",), variants=8)
FOUR = ("north", "east", "south", "west")


def variants(options: tuple[str, ...], generator: Generator, base: Layout | None = None, **parts: str) -> list[Variant]:
    question = Question(parts.pop("text", "Which?"), options, answer_form="label", **parts)  # type: ignore[arg-type]
    gold = Gold((0,)) if options else Gold(texts=("iron",))
    return perturb(Subject("1", question, base or Layout(), gold=gold), [generator], seed=2)


def shown(variant: Variant) -> str:
    return render(variant.question, variant.layout)[-1].content


def applied(drawn: list[Variant]) -> list[Variant]:
    return [variant for variant in drawn if variant.outcome == "applied"]


LIKERT = ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")


@pytest.mark.parametrize(
    "options",
    [
        ("True", "False"),
        ("Yes", "No"),
        LIKERT,
        ("x", "y", "x"),
        ("x", "y", "z", "None of the above"),
        ("All of the above", "x", "y"),
        ("I only", "II only", "I and III only"),
        ("12", "21", "1,200", "-3.5"),
        ("A", "B", "C"),
        ("only one",),
        ("", " ", "x"),
        ("x\r\n", "\ty", "z  "),
        ("{labels}", "{{x}}", "</options>", "- y: 'z'", "```"),
        ("שלום", "سلام", "👩‍👩‍👧", "e\u0301", "Straße", "ıİ", "中文"),
        tuple(f"text {number}" for number in range(60)),
        ("word " * 2000, "x"),
    ],
    ids=lambda options: f"{len(options)} like {options[0][:12]!r}",
)
def test_whatever_the_options_a_format_keeps_them_in_order_under_unique_labels_that_the_prompt_names(
    options: tuple[str, ...],
) -> None:
    drawn = applied(variants(options, ALL))
    assert drawn
    for variant in drawn:
        labels = answer_key_labels(variant.question, variant.layout)
        assert variant.question.options == options
        assert variant.permutation == tuple(range(len(options)))
        assert len(set(labels)) == len(options)
        assert closing_line(variant.question, variant.layout).endswith(f" {label_range(labels)}.")
        assert closing_line(variant.question, variant.layout) in shown(variant)
        assert misread(variant.question, variant.layout) == ""


@pytest.mark.parametrize("count", [2, 3, 9, 10, 26, 27, 60])
def test_any_number_of_options_changes_places_and_every_label_leads_back_to_its_option(count: int) -> None:
    options = tuple(f"text {number}" for number in range(count))
    for variant in variants(options, Reorder(kind="random", variants=min(count - 1, 3))):
        assert variant.outcome == "applied"
        back = label_map(variant.question, variant.layout, variant.permutation)
        labels = answer_key_labels(variant.question, variant.layout)
        assert {label: options[option] for label, option in back.items()} == dict(
            zip(labels, variant.question.options, strict=True)
        )


@pytest.mark.parametrize("generator", [Reorder(), Reorder(kind="cyclic"), Format(), LABELS])
def test_items_with_more_and_fewer_options_have_the_same_conditions(generator: Generator) -> None:
    drawn = [variants(FOUR[:count], generator) for count in (0, 1, 2, 3, 4)]
    assert len({tuple(variant.condition for variant in each) for each in drawn}) == 1


def test_each_slot_has_as_many_conditions_as_the_item_has_options() -> None:
    for count in (2, 3, 4):
        drawn = variants(FOUR[:count], Reorder(kind="each_slot"))
        assert [variant.condition for variant in drawn] == [f"reorder.{slot + 1}" for slot in range(count)]


def test_over_a_dataset_a_model_that_always_says_a_is_right_once_in_as_many_as_there_are_options() -> None:
    right = Counter[bool]()
    for number in range(40):
        question = Question(f"Which is {number}?", FOUR, answer_form="label")
        item = Subject(str(number), question, gold=Gold((number * number % 3,)))
        for variant in perturb(item, [Reorder(kind="each_slot")], seed=1):
            back = label_map(variant.question, variant.layout, variant.permutation)
            right[back["A"] in item.gold.options] += 1
    assert right[True] / right.total() == 1 / 4


@pytest.mark.parametrize("generator", [Reorder(of="options"), ALL])
def test_of_a_conversation_only_the_last_turn_changes(generator: Generator) -> None:
    history = (Message("user", "Hello.\nA. x\nB. y"), Message("assistant", "Hello."))
    question = Question("Which?", FOUR, history=history, system="Be brief.", answer_form="label")
    item = Subject("1", question, gold=Gold((0,)))
    before = render(question, Layout())
    for variant in applied(perturb(item, [generator], seed=1)):
        after = render(variant.question, variant.layout)
        assert after[:-1] == before[:-1]
        assert after[-1] != before[-1]


@pytest.mark.parametrize("text", ["", " ", "\n", "\u200b"])
@pytest.mark.parametrize("generator", [Reorder(), Format()])
def test_a_question_without_words_has_an_order_and_a_layout_all_the_same(text: str, generator: Generator) -> None:
    (variant,) = variants(FOUR, generator, text=text)
    assert variant.outcome == "applied"
    assert variant.question.text == text


@pytest.mark.parametrize(
    ("labels", "option", "becomes"),
    [
        ("1", "Both 1 and 2", "Both 3 and 4"),
        ("a", "a and c only", "b and d only"),
        ("i", "Neither i nor iii", "Neither ii nor iv"),
        ("A", "Both (a) and (b)", "Both (c) and (d)"),
        ("1", "I and III only", "I and III only"),
        ("A", "1 and 2 only", "1 and 2 only"),
    ],
)
def test_an_option_that_names_others_follows_them_under_any_labels(labels: str, option: str, becomes: str) -> None:
    base = replace(Layout(), labels=labels)  # type: ignore[arg-type]  # the styles above
    (variant,) = variants(("north", "east", "south", option), Reorder(kind="reverse"), base)
    assert variant.question.options == (becomes, "south", "east", "north")


def test_a_numeral_that_may_be_a_statement_or_a_label_is_left_alone() -> None:
    (variant,) = variants(("I and III only", "II only", "none"), Reorder(), Layout(labels="I"))
    assert variant.outcome == "not_applicable"
    assert "names itself, so its letters may be something else" in variant.reason


@pytest.mark.parametrize(
    "instruction", ["Answer with a letter (A–D).", "Choose one of (A)-(D).", "Reply A, B, C or D."]
)
def test_an_instruction_that_names_all_labels_keeps_them_and_lets_the_order_change(instruction: str) -> None:
    (moved,) = variants(FOUR, Reorder(), instruction=instruction)
    assert moved.outcome == "applied"
    drawn = applied(variants(FOUR, LABELS, instruction=instruction))
    assert {variant.layout.labels for variant in drawn} == {"A"}
    assert len(drawn) == 4


def test_an_instruction_for_more_options_than_there_are_keeps_the_labels_and_lets_the_order_change() -> None:
    (moved,) = variants(FOUR[:3], Reorder(), instruction="Answer with a letter (A–D).")
    assert moved.outcome == "applied"
    assert {each.layout.labels for each in applied(variants(FOUR[:3], LABELS, instruction="Answer (A–D)."))} == {"A"}


def test_right_options_are_all_found_again_where_several_are_right() -> None:
    item = Subject("1", Question("Which two?", FOUR, answer_form="label"), gold=Gold((1, 2)))
    for variant in perturb(item, [Reorder(variants=5), LABELS], seed=1):
        back = label_map(variant.question, variant.layout, variant.permutation)
        right = {label for label, option in back.items() if option in item.gold.options}
        at = answer_key_labels(variant.question, variant.layout)
        assert {variant.question.options[at.index(label)] for label in right} == {"east", "south"}


def test_a_shuffled_option_keeps_its_bytes_and_a_markup_gives_them_back() -> None:
    options = ('say "no"', "a: b # c", "<b>&amp;", "x\\n", "it's")
    question = Question("Which?", options, answer_form="label")
    item = Subject("1", question, Layout(markup="json"), gold=Gold((0,)))
    (variant,) = perturb(item, [Reorder(kind="reverse")], seed=0)
    assert [*json.loads(shown(variant))["Options"].values()] == [*reversed(options)]


def test_examples_keep_the_labels_of_the_question_and_their_own_answers_in_every_layout() -> None:
    examples = (Example("Which is cold?", ("sun", "ice", "fire"), 1),)
    question = Question("Which?", FOUR, examples=examples, answer_form="label")
    item = Subject("1", question, gold=Gold((3,)))
    for variant in applied(perturb(item, [Reorder(), LABELS], seed=4)):
        second = answer_key_labels(variant.question, variant.layout)[1]
        assert f"Answer: {second}\n" in shown(variant)
        assert variant.question.examples == examples
