"""All variants of an item: named, checked, without duplicates, and the same wherever the item stands."""

from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from prt.perturbations.canonical import canonical_json
from prt.perturbations.compose import compose
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.generators.rerun import Rerun
from prt.perturbations.generators.typo import Typo
from prt.perturbations.perturb import REDRAWS, baseline_variant, perturb
from prt.perturbations.question import Gold, Layout, Question, Subject
from prt.perturbations.variant import Tier

OPTIONS = ("north", "east", "south", "west")
ITEM = Subject("1", Question("Which direction is it?", OPTIONS, answer_form="label"), gold=Gold(options=(2,)))
GENERATORS: tuple[Generator, ...] = (
    Reorder(variants=2),
    Format(variants=2),
    Typo(variants=2),
    Rerun(),
    Reorder(kind="each_slot"),
    compose([Reorder(), Typo()]),
)


@dataclass(kw_only=True)
class Scripted:
    """Gives the texts of a list, one after the other, and draws chance for each if it is to."""

    name: ClassVar[str] = "scripted"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "checked"

    texts: list[str]
    by_chance: bool = True
    variants: int = 1
    asked: int = 0

    def parameters(self) -> dict[str, object]:
        return {}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        text = self.texts[min(self.asked, len(self.texts) - 1)]
        self.asked += 1
        if self.by_chance:
            draw.rng.random()
        return Draft("applied", question=replace(subject.question, text=text))


class BrokenError(Exception):
    """What a faulty generator raises."""


@dataclass(frozen=True)
class Broken:
    """Fails."""

    name: ClassVar[str] = "broken"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "checked"
    variants: ClassVar[int] = 1

    def parameters(self) -> dict[str, object]:
        return {}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        raise BrokenError(subject.item_id, draw.number)


def items(count: int) -> list[Subject]:
    return [
        replace(
            ITEM,
            item_id=f"item {number}",
            question=replace(ITEM.question, text=f"Which direction has number {number}?"),
        )
        for number in range(count)
    ]


def test_the_baseline_is_the_original_under_its_own_condition() -> None:
    variant = baseline_variant(replace(ITEM, layout=Layout(labels="i")))
    assert (variant.condition, variant.generator, variant.outcome, variant.tier) == (
        "baseline",
        "baseline",
        "applied",
        "guaranteed",
    )
    assert (variant.question, variant.layout) == (ITEM.question, Layout(labels="i"))
    assert variant.permutation == (0, 1, 2, 3)


def test_conditions_are_generator_and_number_in_the_order_listed() -> None:
    conditions = [variant.condition for variant in perturb(ITEM, GENERATORS, seed=1)]
    assert conditions == [
        "reorder.1",
        "reorder.2",
        "format.1",
        "format.2",
        "typo.1",
        "typo.2",
        "rerun.1",
        "reorder.3",
        "reorder.4",
        "reorder.5",
        "reorder.6",
        "reorder+typo.1",
    ]


def test_a_condition_means_the_same_generator_for_items_of_any_number_of_options() -> None:
    generators = [Reorder(kind="each_slot"), Reorder(kind="reverse")]
    for count in (0, 2, 5):
        options = tuple(f"text {number}" for number in range(count))
        item = replace(ITEM, question=replace(ITEM.question, options=options), gold=Gold(options=(1,) if count else ()))
        parameters = {variant.condition: variant.parameters for variant in perturb(item, generators, seed=1)}
        assert parameters.pop("reorder.1") == '{"kind":"reverse"}'
        assert set(parameters.values()) == {'{"kind":"each_slot"}'}
        assert len(parameters) == max(1, count)


def test_two_generators_that_no_numbering_keeps_apart_are_refused() -> None:
    with pytest.raises(ValueError, match="reorder is listed twice"):
        perturb(ITEM, [Reorder(kind="each_slot"), Reorder(kind="each_slot")], seed=1)


def test_a_generator_listed_twice_goes_on_where_it_stopped() -> None:
    assert perturb(ITEM, [Typo(variants=2)], seed=1) == perturb(ITEM, [Typo(), Typo()], seed=1)


def test_the_same_seed_makes_the_same_variants_and_another_makes_others() -> None:
    assert perturb(ITEM, GENERATORS, seed=1) == perturb(ITEM, GENERATORS, seed=1) != perturb(ITEM, GENERATORS, seed=2)


def test_neither_order_nor_subset_of_the_items_changes_a_variant() -> None:
    drawn = {item.item_id: canonical_json(perturb(item, GENERATORS, seed=1)) for item in items(12)}
    for item in items(12)[::-3]:
        assert canonical_json(perturb(item, GENERATORS, seed=1)) == drawn[item.item_id]


def test_items_of_the_same_text_have_draws_of_their_own() -> None:
    drawn = {perturb(replace(ITEM, item_id=str(number)), [Typo()], seed=1)[0].question.text for number in range(20)}
    assert len(drawn) > 5


def test_more_variants_leave_the_first_ones_as_they_were() -> None:
    for generator in (Reorder, Format, Typo):
        few, many = (perturb(ITEM, [generator(variants=count)], seed=1) for count in (2, 5))
        assert many[:2] == few


def test_generators_listed_later_change_nothing_before_them() -> None:
    assert perturb(ITEM, GENERATORS, seed=1)[:6] == perturb(ITEM, GENERATORS[:3], seed=1)


def test_a_variant_that_repeats_another_is_rejected_and_names_it() -> None:
    first, second = perturb(
        ITEM, [Scripted(texts=["Where is it?"]), Scripted(texts=["Where is it?"], by_chance=False)], seed=1
    )
    assert first.outcome == "applied"
    assert (second.outcome, second.reason) == ("rejected", "duplicate of scripted.1")


def test_a_variant_that_repeats_one_of_another_generator_is_rejected() -> None:
    last = perturb(ITEM, [Reorder(kind="reverse"), Reorder(kind="reverse"), Reorder(kind="each_slot")], seed=1)
    assert [variant.reason for variant in last[:2]] == ["", "no further order of the kind reverse"]
    backwards = replace(ITEM, question=replace(ITEM.question, options=OPTIONS[:2]), gold=Gold(options=(0,)))
    drawn = perturb(backwards, [Reorder(kind="reverse"), Reorder(kind="random")], seed=1)
    assert (drawn[1].outcome, drawn[1].reason) == ("rejected", "duplicate of reorder.1")


def test_a_variant_that_is_the_original_is_unchanged() -> None:
    (variant,) = perturb(ITEM, [Scripted(texts=[ITEM.question.text])], seed=1)
    assert (variant.outcome, variant.reason) == ("unchanged", "the prompt is the same as the original")
    assert (variant.question, variant.edits) == (ITEM.question, ())


def test_a_repeated_draft_is_drawn_again_while_chance_has_a_part_in_it() -> None:
    generator = Scripted(texts=["Where is it?", "Where is it?", "Where is it?", "What direction is it?"], variants=2)
    drawn = perturb(ITEM, [generator], seed=1)
    assert [variant.outcome for variant in drawn] == ["applied", "applied"]
    assert generator.asked == 4


@pytest.mark.parametrize(("by_chance", "asked"), [(True, 1 + REDRAWS), (False, 2)])
def test_redrawing_ends(by_chance: bool, asked: int) -> None:  # noqa: FBT001 - a case
    generator = Scripted(texts=["Where is it?"], by_chance=by_chance, variants=2)
    drawn = perturb(ITEM, [generator], seed=1)
    assert [variant.outcome for variant in drawn] == ["applied", "rejected"]
    assert generator.asked == asked


def test_a_change_of_protected_text_is_rejected_and_stays_readable() -> None:
    (variant,) = perturb(ITEM, [Scripted(texts=["Which direction is it not?"])], seed=1)
    assert variant.outcome == "rejected"
    assert "not" in variant.reason
    assert variant.question.text == "Which direction is it not?"


def test_an_error_of_a_generator_is_not_swallowed() -> None:
    with pytest.raises(BrokenError):
        perturb(ITEM, [Broken()], seed=1)


def test_an_item_that_a_generator_does_not_apply_to_keeps_its_original() -> None:
    bare = replace(ITEM, question=Question("Why?"), gold=Gold(texts=("so",)))
    for variant in perturb(bare, [Reorder(), Reorder(kind="each_slot"), Format(kind=("labels",))], seed=1):
        assert (variant.outcome, variant.question) == ("not_applicable", bare.question)
        assert variant.reason.startswith("no options")
        assert variant.permutation == ()
