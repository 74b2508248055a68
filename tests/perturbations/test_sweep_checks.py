"""The checks of the sweep over real data: each finds what it looks for, and nothing where all is well."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from prt.perturbations import Format, Gold, Layout, Question, Reorder, Subject, Typo, perturb, render
from prt.perturbations.generators.kinds import FormatKind

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "sweep_checks.py"
QUESTION = Question(
    'Which of 12 metals, not "soft ones", melts at -38.8 °C and is sold to Helen (https://a.b)?',
    ("iron", "mercury", "tin", "Both A and C"),
    answer_form="label",
)
SUBJECT = Subject("item", QUESTION, gold=Gold((1,)))


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sweep_checks", SCRIPT)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["sweep_checks"] = module
    spec.loader.exec_module(module)
    return module


checks = script()


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("12", "21", "number"),
        ("-38.8", "38.8", "number"),
        ("not ", "", "negation"),
        ("soft ones", "soft one", "quoted text"),
        ("Helen", "Hellen", "name"),
        ("https://a.b", "https://a.c", "url"),
    ],
)
def test_an_altered_token_is_found(before: str, after: str, kind: str) -> None:
    altered = replace(QUESTION, text=QUESTION.text.replace(before, after))
    assert any(found.startswith(kind) for found in checks.altered_tokens(QUESTION, altered, QUESTION.options))


def test_words_that_carry_nothing_may_change() -> None:
    (variant,) = perturb(SUBJECT, [Typo(rate=1.0)], seed=1)
    assert variant.outcome == "applied"
    assert list(checks.altered_tokens(QUESTION, variant.question, QUESTION.options)) == []
    assert list(checks.unfaithful_edits(QUESTION, variant)) == []
    assert list(checks.unfaithful_edits(QUESTION, replace(variant, edits=variant.edits[1:]))) != []


@pytest.mark.parametrize("kind", ["labels", "option_separator", "markdown", "xml", "json", "yaml", "extreme"])
def test_the_label_of_the_right_option_is_read_off_the_prompt(kind: FormatKind) -> None:
    for seed in range(8):
        (ordered,) = perturb(SUBJECT, [Reorder()], seed=seed)
        moved = Subject("item", ordered.question, gold=Gold((ordered.question.options.index("mercury"),)))
        for variant in perturb(moved, [Format(kind=(kind,))], seed=seed):
            if variant.outcome == "applied":
                prompt = render(variant.question, variant.layout)[-1].content
                shown = checks.shown_options(prompt, variant.layout, variant.question)
                right = checks.right_labels(shown, QUESTION.options, (1,))
                assert [shown[label] for label in right] == ["mercury"]
                assert len(shown) == len(QUESTION.options)


def test_an_option_that_names_others_is_the_same_only_where_it_names_the_same() -> None:
    shown = {"A": "tin", "B": "mercury", "C": "iron", "D": "Both A and C"}
    assert checks.right_labels(shown, QUESTION.options, (3,)) == {"D"}
    assert checks.right_labels(shown | {"D": "Both A and B"}, QUESTION.options, (3,)) == set()


def test_a_label_is_no_label_of_a_longer_option() -> None:
    options = ("a hen", "a hen house", "hen")
    prompt = render(Question("Which?", options, answer_form="label"), Layout())[-1].content
    shown = checks.shown_options(prompt, Layout(), Question("Which?", options))
    assert shown == {"A": "a hen", "B": "a hen house", "C": "hen"}
