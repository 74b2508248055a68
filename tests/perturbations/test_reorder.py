"""Reorder: another order of options, gold tracked by index, whatever the options are."""

from collections import Counter
from collections.abc import Sequence

import pytest
from prt.perturbations.generators.kinds import ReorderKind
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Example, Gold, Question, Subject
from prt.perturbations.rendering.labels import label_map
from prt.perturbations.variant import Variant

FOUR = ("w", "x", "y", "z")
KINDS: tuple[ReorderKind, ...] = ("balanced", "cyclic", "each_slot", "random", "reverse", "length", "alphabet")


def subject(
    options: Sequence[str], *gold: int, text: str = "Which?", item_id: str = "1", instruction: str = ""
) -> Subject:
    question = Question(text, tuple(options), instruction=instruction, answer_form="label")
    return Subject(item_id, question, gold=Gold(options=gold))


def variants(item: Subject, kind: ReorderKind = "balanced", count: int = 1, seed: int = 0) -> list[Variant]:
    return perturb(item, [Reorder(kind=kind, variants=count)], seed=seed)


def only(item: Subject, kind: ReorderKind = "balanced", seed: int = 0) -> Variant:
    (variant,) = variants(item, kind, seed=seed)
    return variant


def slots_of(gold: int, seeds: range, options: Sequence[str] = FOUR) -> Counter[int]:
    return Counter(only(subject(options, gold), seed=seed).permutation.index(gold) for seed in seeds)


@pytest.mark.parametrize("kind", KINDS)
def test_the_options_shown_are_those_of_the_permutation(kind: ReorderKind) -> None:
    item = subject(("sss", "tt", "rrrrr", "q"), 2)
    for variant in variants(item, kind):
        assert variant.outcome == "applied"
        assert variant.question.options == tuple(item.question.options[option] for option in variant.permutation)
        assert variant.permutation != (0, 1, 2, 3)
        labels = label_map(variant.question, variant.layout, variant.permutation)
        assert {variant.question.options["ABCD".index(label)] for label, option in labels.items() if option == 2} == {
            "rrrrr"
        }


def test_the_order_is_recorded_as_an_edit_in_labels() -> None:
    (edit,) = only(subject(FOUR, 0), "reverse").edits
    assert (edit.part, edit.before, edit.after, edit.kind) == ("options", "A B C D", "D C B A", "reverse")


@pytest.mark.parametrize(("options", "reason"), [((), "no options"), (("x",), "one option only")])
@pytest.mark.parametrize("kind", KINDS)
def test_fewer_than_two_options_have_no_order(kind: ReorderKind, options: tuple[str, ...], reason: str) -> None:
    (variant,) = variants(subject(options), kind)
    assert (variant.outcome, variant.reason) == ("not_applicable", reason)


@pytest.mark.parametrize("kind", KINDS)
def test_options_that_are_all_equal_have_no_other_order(kind: ReorderKind) -> None:
    assert {variant.outcome for variant in variants(subject(("x", "x", "x"), 1), kind)} == {"not_applicable"}


@pytest.mark.parametrize("count", [2, 10, 26, 60])
@pytest.mark.parametrize("kind", KINDS)
def test_any_number_of_options_can_change_places(kind: ReorderKind, count: int) -> None:
    options = [f"option text {count - number:02}{'!' * (count - number)}" for number in range(count)]
    outcomes = {variant.outcome for variant in variants(subject(options, 1), kind)}
    assert "applied" in outcomes
    assert outcomes <= {"applied", "unchanged"}


@pytest.mark.parametrize("options", [("True", "False"), ("Yes", "No")])
def test_two_answers_swap(options: tuple[str, str]) -> None:
    assert only(subject(options, 0)).question.options == (options[1], options[0])


@pytest.mark.parametrize(
    "options", [("1", "2", "3", "4"), ("Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree")]
)
def test_options_in_an_order_of_their_own_may_change_places_and_are_tagged(options: tuple[str, ...]) -> None:
    variant = only(subject(options, 0))
    assert variant.outcome == "applied"
    assert [edit.kind for edit in variant.edits] == ["ordered"]


def test_equal_options_are_tracked_by_index() -> None:
    for seed in range(20):
        variant = only(subject(("x", "y", "x", "z"), 2), "random", seed=seed)
        assert variant.question.options != ("x", "y", "x", "z")
        assert sorted(variant.permutation) == [0, 1, 2, 3]


@pytest.mark.parametrize("last", ["None of the above", "All of the above", "Both of the above", "None of these"])
@pytest.mark.parametrize("kind", ["balanced", "cyclic", "random", "reverse"])
def test_an_option_that_speaks_of_all_others_stays_last(kind: ReorderKind, last: str) -> None:
    for seed in range(10):
        variant = only(subject(("x", "y", "z", last), 0), kind, seed)
        assert variant.outcome == "applied"
        assert variant.permutation[3] == 3


def test_all_of_the_above_in_the_middle_is_not_applicable() -> None:
    variant = only(subject(("x", "All of the above", "y"), 0))
    assert variant.outcome == "not_applicable"
    assert variant.reason == "an option that is not last speaks of those above it: 'All of the above'"


def test_one_option_beside_none_of_the_above_has_no_other_order() -> None:
    variant = only(subject(("x", "None of the above"), 0))
    assert (variant.outcome, variant.reason) == ("not_applicable", "no two different options that may change places")


def test_both_a_and_b_follows_its_options() -> None:
    variant = only(subject(("x", "y", "z", "Both A and B"), 0), "reverse")
    assert variant.question.options == ("Both C and D", "z", "y", "x")
    assert [edit.kind for edit in variant.edits] == ["reverse", "label_reference"]
    assert (variant.edits[1].part, variant.edits[1].before, variant.edits[1].after) == (
        "options[3]",
        "Both A and B",
        "Both C and D",
    )


def test_a_and_c_only_follows_its_options() -> None:
    assert "C and D only" in only(subject(("x", "y", "z", "B and A only"), 0), "reverse").question.options


def test_an_unclear_reference_is_not_applicable() -> None:
    variant = only(subject(("x", "y", "Both A and R"), 0))
    assert (variant.outcome, variant.reason) == ("not_applicable", "an option may name others by label: 'Both A and R'")


def test_statement_numbers_are_not_rewritten() -> None:
    options = ("I only", "II only", "I and III only", "I, II, and III")
    variant = only(subject(options, 2, text="Statement I: p. Statement II: q. Statement III: r. Which hold?"))
    assert variant.outcome == "applied"
    assert sorted(variant.question.options) == sorted(options)


@pytest.mark.parametrize("text", ["Why, unlike option B, are they true?", "Is (C) true?"])
def test_a_question_that_names_a_label_is_not_applicable(text: str) -> None:
    variant = only(subject(FOUR, 0, text=text))
    assert variant.outcome == "not_applicable"
    assert "names an option's label" in variant.reason


def test_an_instruction_that_names_all_labels_keeps_no_order() -> None:
    assert only(subject(FOUR, 0, instruction="Answer with one of (A)-(D).")).outcome == "applied"


def test_the_above_inside_an_option_is_not_applicable() -> None:
    assert only(subject(("x", "The opposite of the option above", "y"), 0)).outcome == "not_applicable"


@pytest.mark.parametrize("options", [("A", "B", "C"), ("b", "q", "r")])
def test_options_that_are_labels_themselves_are_not_applicable(options: tuple[str, ...]) -> None:
    variant = only(subject(options, 0))
    assert (variant.outcome, "is itself a label" in variant.reason) == ("not_applicable", True)


def test_options_that_are_numbers_change_places_under_letters() -> None:
    assert only(subject(("7", "12", "3"), 0)).outcome == "applied"


def test_examples_keep_their_own_order() -> None:
    examples = (Example("e", ("u", "v", "t"), 1),)
    item = Subject("1", Question("q", FOUR, examples=examples), gold=Gold((0,)))
    assert only(item).question.examples == examples


def test_with_several_right_options_one_of_them_is_balanced() -> None:
    slots: Counter[int] = Counter()
    for seed in range(200):
        order = only(subject(FOUR, 1, 3), seed=seed).permutation
        slots.update((order.index(1), order.index(3)))
    assert set(slots) == {0, 1, 2, 3}
    assert max(slots.values()) < 2 * min(slots.values())


@pytest.mark.parametrize("gold", [(), (3,)])
def test_without_a_right_option_that_may_move_any_order_is_drawn(gold: tuple[int, ...]) -> None:
    assert only(subject(("x", "y", "z", "None of the above"), *gold)).outcome == "applied"


def test_items_do_not_all_get_the_same_order() -> None:
    for kind in ("balanced", "random", "cyclic"):
        orders = {only(subject(FOUR, 0, item_id=str(number)), kind).permutation for number in range(50)}
        assert len(orders) >= 3


@pytest.mark.parametrize("gold", [0, 3])
def test_over_many_items_the_right_option_stands_in_each_slot_equally_often(gold: int) -> None:
    orders = (only(subject(FOUR, gold, item_id=f"item {number}")).permutation for number in range(800))
    counts = Counter(order.index(gold) for order in orders)
    assert sum((count - 200) ** 2 / 200 for count in counts.values()) < 16.27  # p = .001 at 3 degrees of freedom


def test_variants_of_one_item_differ() -> None:
    orders = [variant.permutation for variant in variants(subject(("x", "y", "z"), 0), "random", 5)]
    assert len(set(orders)) == 5


@pytest.mark.parametrize("kind", ["balanced", "random"])
@pytest.mark.parametrize(("options", "orders"), [(("x", "y"), 1), (("x", "y", "z"), 5), (("x", "x", "y"), 2)])
def test_where_all_orders_are_used_no_further_one_is_drawn(
    kind: ReorderKind, options: tuple[str, ...], orders: int
) -> None:
    drawn = variants(subject(options, 0), kind, orders + 2)
    assert [variant.outcome for variant in drawn] == ["applied"] * orders + ["not_applicable"] * 2
    assert drawn[-1].reason == f"all orders of {len(options)} options are used"


def test_all_rotations_come_before_none_is_left() -> None:
    drawn = variants(subject(FOUR, 0), "cyclic", 4)
    assert {variant.permutation for variant in drawn[:3]} == {(1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)}
    assert (drawn[3].outcome, drawn[3].reason) == ("not_applicable", "all rotations of 4 options are used")


@pytest.mark.parametrize(("kind", "orders"), [("reverse", 1), ("length", 2), ("alphabet", 2)])
def test_sorting_kinds_have_so_many_orders(kind: ReorderKind, orders: int) -> None:
    outcomes = [variant.outcome for variant in variants(subject(("rr", "s", "qqq"), 0), kind, 3)]
    assert outcomes == ["applied"] * orders + ["not_applicable"] * (3 - orders)


def test_options_sorted_already_are_unchanged() -> None:
    variant = only(subject(("q", "r", "s"), 0), "alphabet")
    assert (variant.outcome, variant.reason) == ("unchanged", "the options are in this order already (alphabet)")


def test_each_slot_has_a_variant_for_every_slot() -> None:
    drawn = variants(subject(FOUR, 2), "each_slot")
    assert [variant.condition for variant in drawn] == ["reorder.1", "reorder.2", "reorder.3", "reorder.4"]
    assert [variant.permutation.index(2) for variant in drawn] == [0, 1, 2, 3]
    assert len({variant.permutation for variant in drawn} | {(0, 1, 2, 3)}) == 5


@pytest.mark.parametrize("count", [2, 3, 4, 5, 9, 26])
def test_a_model_that_always_says_a_is_right_exactly_once_in_each_slot_of_an_item(count: int) -> None:
    for gold in range(count):
        drawn = variants(subject([f"text {number}" for number in range(count)], gold), "each_slot")
        right = [label_map(variant.question, variant.layout, variant.permutation)["A"] == gold for variant in drawn]
        assert sum(right) / len(right) == 1 / count


def test_of_two_options_the_variant_with_the_right_one_in_its_own_slot_is_the_original() -> None:
    assert [variant.outcome for variant in variants(subject(("x", "y"), 0), "each_slot")] == ["unchanged", "applied"]


def test_each_slot_needs_a_right_option_that_may_move() -> None:
    for gold in ((), (2,)):
        (reason,) = {
            variant.reason for variant in variants(subject(("x", "y", "None of the above"), *gold), "each_slot")
        }
        assert reason == "no option that may move is known to be right"


def test_the_slot_of_an_option_that_stays_is_not_applicable() -> None:
    drawn = variants(subject(("x", "y", "None of the above"), 0), "each_slot")
    assert (drawn[2].outcome, drawn[2].reason) == ("not_applicable", "the right option can't stand in place 3")


def test_each_slot_refuses_a_number_of_variants() -> None:
    with pytest.raises(ValueError, match="as many variants as an item has options"):
        Reorder(kind="each_slot", variants=3)
    with pytest.raises(ValueError, match="needs a number of variants"):
        Reorder(kind="random", variants=None)
