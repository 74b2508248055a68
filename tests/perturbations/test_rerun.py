"""Rerun: the original once more, and nothing else."""

from prt.perturbations.generators.rerun import Rerun
from prt.perturbations.perturb import perturb
from prt.perturbations.question import Layout, Question, Subject
from prt.perturbations.rendering.render import render

ITEM = Subject("1", Question("q", ("x", "y"), system="s", answer_form="label"), Layout(labels="i"))


def test_a_rerun_asks_the_very_same_prompt() -> None:
    (variant,) = perturb(ITEM, [Rerun()], seed=1)
    assert variant.outcome == "applied"
    assert render(variant.question, variant.layout) == render(ITEM.question, ITEM.layout)
    assert variant.permutation == (0, 1)
    assert variant.edits == ()
    assert variant.severity is None


def test_reruns_are_no_duplicates_of_one_another() -> None:
    drawn = perturb(ITEM, [Rerun(variants=3), Rerun()], seed=1)
    assert [(variant.condition, variant.outcome) for variant in drawn] == [
        (f"rerun.{number}", "applied") for number in (1, 2, 3, 4)
    ]


def test_an_item_without_text_is_rerun_too() -> None:
    (variant,) = perturb(Subject("1", Question("")), [Rerun()], seed=1)
    assert variant.outcome == "applied"
