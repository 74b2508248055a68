"""Compositions: all changes of all steps or none, in the order given."""

import random
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from prt.perturbations.compose import Composition, compose
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.generators.rerun import Rerun
from prt.perturbations.generators.typo import Typo
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Gold, Layout, Question, Subject
from prt.perturbations.variant import Edit, Outcome, Tier, Variant

OPTIONS = ("north", "east", "south", "west")
ITEM = Subject("1", Question("Which direction?", OPTIONS, answer_form="label"), gold=Gold(options=(2,)))


@dataclass(frozen=True, kw_only=True)
class Fixed:
    """Gives the same draft always."""

    name: ClassVar[str] = "fixed"
    version: ClassVar[int] = 3

    outcome: Outcome = "applied"
    text: str = ""
    severity: float | None = None
    tier: Tier = "checked"
    variants: int = 1

    def parameters(self) -> dict[str, object]:
        return {"text": self.text}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        text = subject.question.text + self.text * draw.number
        question = replace(subject.question, text=text) if self.text else None
        edits = (Edit("text", 0, "", self.text, "fixed"),) if self.text else ()
        return Draft(self.outcome, "why" * (not self.text), question=question, edits=edits, severity=self.severity)


def only(*generators: Generator, item: Subject = ITEM) -> Variant:
    (variant,) = perturb(item, [compose(generators)], seed=5)
    return variant


def test_one_generator_stays_what_it_is() -> None:
    assert compose([Rerun()]) == Rerun()


@pytest.mark.parametrize("steps", [(), (Rerun(),)])
def test_fewer_than_two_are_no_composition(steps: tuple[Generator, ...]) -> None:
    with pytest.raises(ValueError, match=f"found {len(steps)}"):
        Composition(steps)


def test_a_composition_is_named_after_its_steps_and_carries_their_versions() -> None:
    variant = only(Reorder(), Fixed(text=" so"))
    assert (variant.condition, variant.generator, variant.version) == ("reorder+fixed.1", "reorder+fixed", 1)
    assert variant.parameters == (
        '{"steps":[{"generator":"reorder","parameters":{"kind":"balanced"},"version":2},'
        '{"generator":"fixed","parameters":{"text":" so"},"version":3}]}'
    )


@pytest.mark.parametrize(
    ("tiers", "weakest"),
    [
        (("guaranteed", "checked"), "checked"),
        (("stress", "checked"), "stress"),
        (("guaranteed", "guaranteed"), "guaranteed"),
    ],
)
def test_the_tier_is_the_weakest(tiers: tuple[Tier, ...], weakest: Tier) -> None:
    assert Composition(tuple(Fixed(tier=tier) for tier in tiers)).tier == weakest


def test_the_steps_follow_one_another() -> None:
    variant = only(Fixed(text=" so"), Fixed(text=" then"))
    assert variant.question.text == "Which direction? so then"
    assert [edit.after for edit in variant.edits] == [" so", " then"]


def test_options_layout_and_words_change_together() -> None:
    variant = only(Reorder(kind="reverse"), Format(kind=("json",)), Typo(rate=1.0))
    assert variant.outcome == "applied"
    assert variant.question.options == OPTIONS[::-1]
    assert variant.layout == Layout(markup="json")
    assert variant.question.text != ITEM.question.text
    assert variant.permutation == (3, 2, 1, 0)
    assert variant.severity is not None


def test_orders_compose() -> None:
    variant = only(Reorder(kind="reverse"), Reorder(kind="alphabet"))
    assert variant.question.options == ("east", "north", "south", "west")
    assert variant.permutation == (1, 0, 2, 3)


def test_a_later_step_knows_where_the_right_option_went() -> None:
    item = replace(ITEM, gold=Gold(options=(0,)))
    drawn = perturb(item, [compose([Reorder(kind="reverse"), Reorder(kind="each_slot")])], seed=1)
    assert [variant.permutation.index(0) for variant in drawn] == [0, 1, 2, 3]


def test_a_label_reference_follows_order_and_then_labels() -> None:
    item = replace(ITEM, question=replace(ITEM.question, options=("north", "east", "south", "Both A and B")))
    shown = {
        perturb(item, [compose([Reorder(kind="reverse"), Format(kind=("labels",))])], seed=seed)[0].question.options[0]
        for seed in range(40)
    }
    assert shown == {"Both C and D", "Both c and d", "Both 3 and 4", "Both iii and iv", "Both III and IV"}


@pytest.mark.parametrize("outcome", ["not_applicable", "rejected"])
@pytest.mark.parametrize("first", [True, False])
def test_a_step_that_fails_fails_the_whole_with_its_reason(outcome: Outcome, first: bool) -> None:  # noqa: FBT001 - a case
    steps: list[Generator] = [Fixed(text=" so"), Fixed(outcome=outcome)]
    variant = only(*(steps[::-1] if first else steps))
    assert (variant.outcome, variant.reason) == (outcome, "fixed: why")


def test_a_step_that_changes_nothing_leaves_the_others() -> None:
    variant = only(Fixed(outcome="unchanged"), Fixed(text=" so"))
    assert (variant.outcome, variant.question.text) == ("applied", "Which direction? so")


def test_steps_that_all_change_nothing_leave_the_original() -> None:
    assert only(Fixed(outcome="unchanged"), Fixed(outcome="unchanged")).outcome == "unchanged"


def test_a_step_that_alters_protected_text_rejects_the_whole() -> None:
    variant = only(Reorder(), Fixed(text=" not 7 times "))
    assert variant.outcome == "rejected"
    assert variant.reason.startswith("fixed: ")


def test_there_are_as_many_variants_as_the_step_with_the_most_has_and_others_start_over() -> None:
    drawn = perturb(ITEM, [compose([Fixed(text=" so", variants=2), Fixed(text=" then", variants=3)])], seed=1)
    assert [variant.question.text for variant in drawn] == [
        "Which direction? so then",
        "Which direction? so so then then",
        "Which direction? so then then then",
    ]


def test_a_step_with_as_many_variants_as_options_decides_the_number() -> None:
    assert Composition((Reorder(kind="each_slot"), Fixed(text=" so"))).variants is None
    assert len(perturb(ITEM, [compose([Reorder(kind="each_slot"), Fixed(text=" so")])], seed=1)) == 4


@pytest.mark.parametrize(
    ("first", "second", "both"), [(None, None, None), (0.1, None, 0.1), (None, 0.2, 0.2), (0.5, 0.5, 0.75)]
)
def test_severities_combine_as_shares_of_words(first: float | None, second: float | None, both: float | None) -> None:
    assert only(Fixed(text=" so", severity=first), Fixed(text=" then", severity=second)).severity == both


def test_composing_takes_all_chance_from_its_draw() -> None:
    composition = Composition((Reorder(kind="random"), Format()))
    drafts = [composition.draft(ITEM, Draw(1, random.Random(3))) for _ in range(2)]  # noqa: S311 - reproducible draws
    assert drafts[0] == drafts[1]
