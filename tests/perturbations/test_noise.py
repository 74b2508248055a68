"""Noise: how much of which kind, of what tier, and when none may be made."""

from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest
from prt.perturbations import Example, Gold, Message, Noise, Question, Subject, Typo, Variant, compose, perturb
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.kinds import UNRATED_KINDS, NoiseKind
from prt.perturbations.generators.noise import KINDS, MISSING, STRESS_KINDS
from prt.perturbations.generators.typo import SEVERITIES, mistaken_count
from prt.perturbations.protection.parts import apply_edits

ALL: tuple[NoiseKind, ...] = get_args(NoiseKind)
LETTERS_ASKED = "the question is about spelling, letters, case or sound"
PLAIN = "The large machine carries boxes along narrow roads. It stops often, but never for long. Where does it go?"
GAPS = PLAIN.count(" ")


def variants(question: Question | str, *kinds: NoiseKind, many: int = 12, rate: float = 1.0) -> list[Variant]:
    asked = Question(question) if isinstance(question, str) else question
    return perturb(Subject("item", asked), [Noise(kind=kinds, rate=rate, variants=many)], seed=0)


def noisy(question: Question | str, *kinds: NoiseKind, many: int = 12, rate: float = 1.0) -> set[str]:
    drawn = variants(question, *kinds, many=many, rate=rate)
    return {each.question.text for each in drawn if each.outcome == "applied"}


def test_it_is_a_generator_and_its_tier_is_that_of_its_worst_kind() -> None:
    generator: Generator = Noise(kind=("punctuation", "spacing"), variants=3)
    assert (generator.name, generator.version, generator.tier, generator.variants) == ("noise", 1, "checked", 3)
    assert generator.parameters() == {"kind": ["spacing", "punctuation"], "rate": 0.05, "parts": ["text"]}
    assert Noise().kind == ("spacing", "punctuation")
    assert Noise().rate == SEVERITIES["mild"]
    for kind in ALL:
        assert Noise(kind=(kind,)).tier == ("stress" if kind in STRESS_KINDS else "checked")
        assert Noise(kind=("spacing", kind)).tier == Noise(kind=(kind,)).tier
    assert {"caps", "ocr", "homoglyphs", "distractor"} == STRESS_KINDS


def test_a_composition_with_a_kind_of_stress_is_stress() -> None:
    assert compose([Typo(), Noise(kind=("ocr",))]).tier == "stress"
    assert compose([Typo(), Noise()]).tier == "checked"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rate": 1.1}, r"rate is 1.1; it is a share of places, from 0 to 1"),
        ({"rate": float("nan")}, r"rate is nan"),
        ({"kind": ()}, r"kind is one or more of spacing, .*; found none"),
        ({"kind": ("typo",)}, r"kind is one or more of spacing, .*; found typo"),
        ({"parts": ("options",)}, r"parts is one or more of text, .*; found options"),
    ],
)
def test_parameters_outside_their_range_are_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Noise(**parameters)  # type: ignore[arg-type] # wrong on purpose


def test_every_kind_has_a_reason() -> None:
    assert set(KINDS) == set(MISSING) == set(ALL)


@pytest.mark.parametrize("kind", ALL)
def test_a_rate_of_zero_changes_nothing(kind: NoiseKind) -> None:
    (variant,) = variants('It isn\'t "so". The end?', kind, many=1, rate=0)
    assert (variant.outcome, variant.reason) == ("unchanged", "the rate is 0")
    assert variant.question.text == 'It isn\'t "so". The end?'


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5, 1.0])
def test_the_rate_is_the_share_of_the_places_of_each_kind(rate: float) -> None:
    (variant,) = variants(PLAIN, "spacing", "punctuation", "case", many=1, rate=rate)
    kinds = [edit.kind for edit in variant.edits]
    assert kinds.count("case") == mistaken_count(rate, 3)
    assert kinds.count("spacing") == mistaken_count(rate, GAPS + 1)
    assert kinds.count("punctuation") == min(mistaken_count(rate, 4), 3)
    assert variant.severity == kinds.count("case") / 3


def test_severity_is_told_where_words_are_edited_and_only_there() -> None:
    for kind in ALL:
        (variant,) = variants(PLAIN.replace("It", "'It'"), kind, many=1, rate=0.3)
        assert variant.outcome == "applied"
        assert (variant.severity is None) == (kind not in {"case", "caps", "ocr", "homoglyphs"}), kind


def test_unrated_kinds_change_all_there_is_at_any_rate() -> None:
    assert {"quotes", "caps", "distractor"} == UNRATED_KINDS
    text = "Ann's \"hat\" isn't Bob's."
    assert noisy(text, "quotes", rate=0.05) == noisy(text, "quotes", rate=1.0) == {"Ann’s “hat” isn’t Bob’s."}


def test_all_kinds_that_find_a_place_are_in_one_variant() -> None:
    (variant,) = variants(PLAIN, "spacing", "quotes", "case", many=1, rate=0.3)
    assert {edit.kind for edit in variant.edits} == {"spacing", "case"}
    (variant,) = variants("Ann's hat.", *ALL, many=1, rate=1.0)
    assert {edit.kind for edit in variant.edits} >= {"mark form", "spacing"}


def test_edits_never_overlap_and_nothing_is_put_in_beside_another() -> None:
    for each in variants('So "it" isn\'t his?\nThe rnodern man, though - he knows.\r\nYes.', *ALL, many=20, rate=0.9):
        for one, other in pairwise(each.edits):
            end = one.start + len(one.before)
            assert end < other.start or (end == other.start and one.before and other.before)


def test_variants_differ_and_say_when_there_are_no_more() -> None:
    assert len(noisy(PLAIN, "spacing", many=20, rate=0.1)) == 20
    drawn = variants("Ann's hat.", "quotes", many=3)
    assert [each.outcome for each in drawn] == ["applied", "not_applicable", "not_applicable"]
    assert drawn[1].reason == "no further noise of these kinds was found; 1 were used"


def test_more_variants_leave_the_first_ones_as_they_were() -> None:
    assert variants(PLAIN, "spacing", "punctuation", many=6)[:2] == variants(PLAIN, "spacing", "punctuation", many=2)


def test_only_the_last_user_turn_gets_noise_and_other_parts_where_they_are_named() -> None:
    question = Question(
        PLAIN,
        system=PLAIN,
        instruction=PLAIN,
        context=(PLAIN, "12"),
        history=(Message("user", PLAIN), Message("assistant", PLAIN)),
        examples=(Example(PLAIN, answer="something"),),
        options=("wide roads", "narrow paths"),
    )
    (variant,) = variants(question, "spacing", many=1)
    assert replace(variant.question, text=PLAIN) == question
    named = Noise(kind=("spacing",), rate=1.0, parts=("instruction", "context", "system"))
    (variant,) = perturb(Subject("item", question), [named], seed=0)
    assert {edit.part for edit in variant.edits} == {"instruction", "context[0]", "context[1]", "system"}
    assert replace(variant.question, instruction=PLAIN, context=question.context, system=PLAIN) == question


def test_a_part_that_the_users_template_leaves_out_gets_no_noise() -> None:
    question = Question(PLAIN, instruction=PLAIN, template="Q: {question}")
    generator = Noise(kind=("case",), rate=1.0, parts=("text", "instruction"))
    (variant,) = perturb(Subject("item", question), [generator], seed=0)
    assert {edit.part for edit in variant.edits} == {"text"}
    hidden = Noise(kind=("case",), parts=("instruction",))
    (variant,) = perturb(Subject("item", question), [hidden], seed=0)
    assert (variant.outcome, variant.reason) == ("not_applicable", "there is no text in instruction")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "there is no text in text"),
        (" \n\t ", "there is no text in text"),
        ("Is color spelled with a u?", LETTERS_ASKED),
        ("How many commas does it take?", "the question is about spaces or marks"),
        ("Where do the quotation marks go?", "the question is about spaces or marks"),
    ],
)
@pytest.mark.parametrize("kind", ALL)
def test_where_no_noise_may_be_made_it_says_why(text: str, why: str, kind: NoiseKind) -> None:
    (variant,) = variants(text, kind, many=1)
    assert (variant.outcome, variant.reason) == ("not_applicable", why)


def test_what_is_separated_by_commas_is_no_question_about_commas() -> None:
    assert noisy("Name the rivers, separated by commas.", "spacing")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("什么颜色", "spacing"),
        ("这个颜色是什么", "case"),
        ("这个颜色是什么？", "caps"),
        ("ما هي عاصمة فرنسا", "case"),
        ("这个颜色是什么？", "ocr"),
        ("какая столица", "homoglyphs"),
        ("Qual è la capitale della Francia?", "distractor"),
        ("no marks here", "quotes"),
        ("no marks here", "punctuation"),
        ("all small here.", "case"),
    ],
)
def test_a_kind_that_finds_no_place_is_not_applicable(text: str, kind: NoiseKind) -> None:
    (variant,) = variants(text, kind, many=1)
    if kind == "spacing":
        assert noisy(text, kind) == {"什么颜色 ", "什么颜色  "}
    else:
        assert (variant.outcome, variant.reason) == ("not_applicable", MISSING[kind])


def test_reasons_of_several_kinds_are_joined() -> None:
    (variant,) = variants("что", "case", "homoglyphs", many=1)
    assert variant.reason == f"{MISSING['case']}; {MISSING['homoglyphs']}"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (r"When is $\Delta H$ for CO(g) negative, as he says?", (r"$\Delta H$", "CO(g)")),
        ("Whether Statement I follows from 5–10 km and -3.5e-10 mol.", ("Statement I", "5–10 km", "-3.5e-10 mol")),
        ("Please visit https://a.b, then a.b@c.de.", ("https://a.b", "a.b@c.de")),
        ("There were 12 boxes on June 5, 2020, for 1.000,50 €.", ("12", "June 5, 2020", "1.000,50 €")),
        ("Complete the ____ with [MASK], {x} and <SPLIT>.", ("____", "[MASK]", "{x}", "<SPLIT>")),
        (
            "White plays rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 now.",
            ("/PPPPPPPP/RNBQKBNR w KQkq - 0 1",),
        ),
        ("The molecule CC(=O)Oc1ccccc1C(=O)O, and x, I and a.", ("CC(=O)Oc1ccccc1C(=O)O", "x", "I", " a")),
        ("It does not say `a  - b` or don't.", ("not", "`a  - b`")),
        ("| a | b |\n| c | d |\nWhat is this table about?", ("| a | b |\n| c | d |",)),
        ("name,age,town\nAnn,7,Rome\nWho is it?", ("name,age,town\nAnn,7,Rome",)),
        (
            "def f(x):\n    return x + 1\n\n\ndef g(x):\n    return f(x)\n",
            ("def f(x):\n    return x + 1\n\n\ndef g(x):\n    return f(x)",),
        ),
        ("```\nif  x:\n\ty()\n```\nWhat does it do?", ("```\nif  x:\n\ty()\n```",)),
        ("Janet said “it's 5 o'clock – now” and left.", ("it's 5 o'clock – now",)),
    ],
)
def test_what_must_not_change_stays_byte_equal(text: str, kept: tuple[str, ...]) -> None:
    for kinds in (("spacing", "line_ends", "punctuation", "quotes", "case"), ("caps", "ocr", "quotes"), ("line_ends",)):
        for each in variants(text, *kinds, many=8, rate=0.6):
            assert each.outcome != "rejected"
            assert [piece for piece in kept if piece not in each.question.text] == []


def test_options_and_gold_stay_where_they_stand_in_the_question() -> None:
    question = Question("Which animal eats purple grapes, a dog or a cat?", ("purple grapes", "nothing"))
    subject = Subject("item", question, gold=Gold(texts=("dog or a cat",)), protect=("eats",))
    for each in perturb(subject, [Noise(kind=("spacing", "caps"), rate=1.0, variants=6)], seed=0):
        assert "purple grapes" in each.question.text
        assert "dog or a cat" in each.question.text
        assert "eats" in each.question.text
        assert each.question.options == question.options


def test_noise_that_would_name_an_option_is_not_made() -> None:
    (variant,) = variants(Question("Which word is his?", ("the", "a", "of", "in")), "distractor", many=1)
    reason = "this noise would change protected text, or make some"
    assert (variant.outcome, variant.reason) == ("not_applicable", reason)


def test_in_a_composition_changed_marks_pass_and_the_next_step_works_on_them() -> None:
    generator = compose([Noise(kind=("quotes",)), Noise(kind=("spacing",), rate=1.0)])
    (variant,) = perturb(Subject("item", Question('Is "it" Ann\'s hat?')), [generator], seed=0)
    assert variant.outcome == "applied"
    assert "“it”" in variant.question.text
    assert "Ann’s" in variant.question.text


def test_another_generator_that_changes_quotation_marks_without_its_proof_is_rejected() -> None:
    """The twin: the same edit without the proof that it changes a form alone."""

    class Careless(Noise):
        def draft(self, subject: Subject, draw: Draw) -> Draft:
            return replace(super().draft(subject, draw), validated=False)

    (variant,) = perturb(Subject("item", Question('Is "it" so?')), [Careless(kind=("quotes",))], seed=0)
    assert variant.outcome == "rejected"
    assert "quote" in variant.reason


def test_the_record_of_edits_makes_the_variant() -> None:
    question = Question('So "it" isn\'t his?\nThe modern man, though - he knows.\r\nYes.')
    for each in variants(question, *ALL, many=20, rate=0.7):
        assert apply_edits(question, each.edits) == each.question
