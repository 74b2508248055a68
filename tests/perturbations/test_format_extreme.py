"""Extreme formats and severities of format: tiers apart, every message proven to read back."""

from dataclasses import replace

import pytest
from prt.perturbations.compose import compose
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.layouts import EXTREMES, FORMAT_SEVERITIES
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Example, Gold, Layout, Question, Subject
from prt.perturbations.rendering.render import misread, user_text
from prt.perturbations.variant import Variant

QUESTION = Question("Which?", ("north", "east"), instruction="Choose.", answer_form="label")
ASKED = "Answer with the letter of the correct option, A or B."
EXTREME = Format(kind=("extreme",), variants=len(EXTREMES))


def drawn(question: Question, base: Layout | None = None) -> list[Variant]:
    item = Subject("1", question, base or Layout(), gold=Gold((0,)))
    return perturb(item, [EXTREME], seed=5)


def test_all_extreme_layouts_are_drawn_each_once_and_then_none_is_left() -> None:
    item = Subject("1", QUESTION)
    variants = perturb(item, [Format(kind=("extreme",), variants=len(EXTREMES) + 1)], seed=1)
    assert {user_text(variant.question, variant.layout) for variant in variants[:-1]} == {
        f"Choose. Which? A. north B. east {ASKED}",
        f"Choose. Question:Which? Options:A. north B. east {ASKED}",
        f"Choose.\tQuestion\tWhich?\tOptions\tA. north\tB. east\t{ASKED}",
        f"Choose.QuestionWhich?OptionsA. northB. east{ASKED}",
        "Choose.\n\n\n\n\n\n\n\nQuestion\n\n\nWhich?\n\n\n\n\n\n\n\nOptions\nA. north\n\n\n\nB. east\n\n\n\n\n\n\n\n"
        + ASKED,
        f"Choose. || QUESTION :: Which? || OPTIONS :: A. north ## B. east || {ASKED}",
        f'{{"i":"Choose.","q":"Which?","o":{{"A":"north","B":"east"}},"f":"{ASKED}"}}',
    }
    assert variants[-1].outcome == "not_applicable"
    assert variants[-1].reason == "no further layout of the kinds extreme looks different"


def test_an_extreme_layout_is_of_the_tier_stress_and_no_other_is() -> None:
    assert EXTREME.tier == "stress"
    assert {variant.tier for variant in drawn(QUESTION)} == {"stress"}
    assert {Format(kind=kinds).tier for kinds in FORMAT_SEVERITIES.values()} == {"guaranteed"}
    assert compose([Reorder(), EXTREME]).tier == "stress"


def test_extreme_layouts_stand_apart() -> None:
    with pytest.raises(ValueError, match=r"extreme layouts are of the tier stress; list them apart"):
        Format(kind=("labels", "extreme"))


def test_every_edit_says_that_it_is_extreme() -> None:
    for variant in drawn(QUESTION):
        assert variant.outcome == "applied"
        assert {edit.kind for edit in variant.edits} == {"extreme"}


def test_labels_and_wrapper_are_those_of_the_baseline() -> None:
    for variant in drawn(QUESTION, Layout(labels="i", wrapper="(A)")):
        assert (variant.layout.labels, variant.layout.wrapper) == ("i", "(A)")


@pytest.mark.parametrize(
    "question",
    [
        replace(QUESTION, text="See A. Of them, which?", options=("a\tb", "c d")),
        replace(QUESTION, options=("x B. y", "||", "##")),
        replace(QUESTION, text="OptionsA. \t\t Options"),
        replace(QUESTION, context=("p r", "q"), examples=(Example("e", ("u", "v"), 1),)),
        replace(QUESTION, text="\ud83d\ude00 \\ \" '", options=("\n", "")),
    ],
)
def test_an_extreme_layout_that_would_not_read_back_is_not_drawn(question: Question) -> None:
    variants = drawn(question)
    used = [variant for variant in variants if variant.outcome == "applied"]
    assert 0 < len(used) < len(EXTREMES)
    for variant in used:
        assert variant.question == question
        assert misread(question, variant.layout) == ""


def test_a_template_leaves_the_option_separator_to_be_extreme() -> None:
    question = replace(QUESTION, template="{question}\n{options}\n{answer}")
    texts = {variant.layout.option_separator for variant in drawn(question) if variant.outcome == "applied"}
    assert texts == {"", " ", "\t", " ## ", "\n\n\n\n"}


def test_severities_grow_from_separators_to_markups() -> None:
    mild, medium, hard = (set(FORMAT_SEVERITIES[severity]) for severity in ("mild", "medium", "hard"))
    assert mild == {"separators", "case"}
    assert medium - mild == {"labels", "option_separator"}
    assert hard - medium == {"markdown", "xml", "json", "yaml"}
    assert mild < medium < hard
    assert set(Format().kind) == medium
