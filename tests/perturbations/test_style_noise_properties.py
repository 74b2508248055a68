"""What holds for style and noise whatever the question: any text, any kinds, any seed."""

from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations import Example, Gold, Message, Noise, Question, Style, Subject, Variant, compose, perturb
from prt.perturbations.canonical import canonical_json
from prt.perturbations.generator import Generator
from prt.perturbations.generators.kinds import NoiseKind, StyleKind
from prt.perturbations.generators.noise_marks import plain_marks
from prt.perturbations.lexicon.contractions import written_out
from prt.perturbations.lexicon.graphemes import may_cut
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.protection.parts import apply_edits, text_parts
from prt.perturbations.variant import Outcome

STYLE_KINDS: tuple[StyleKind, ...] = get_args(StyleKind)
NOISE_KINDS: tuple[NoiseKind, ...] = get_args(NoiseKind)
ANY_PART = ("text", "instruction", "context", "system")
PIECES = st.sampled_from(
    [
        *("What is the color of it?", "How many eggs does she sell?", "Please find the area.", "It is not 'so'."),
        *("Which of the following is a mammal?", "Find the value of x", "who wrote the book", "Is José\u0301 here?"),
        *(
            "don't",
            "they're",
            "the organization",
            "5–10 km",
            "$x^2$",
            "12",
            "https://a.b",
            "{x}",
            "____",
            "“quoted”",
            '"it\'s"',
        ),
        *("\n", "\r\n", "\t", "  ", " - ", ".", ",", "?!", "...", "(A)", "I.", "```", "a | b | c", "x = 1"),
        *(
            "Straße",
            "kapıyı İş",
            "e\u0301te\u0301",
            "\U0001f468\u200d\U0001f469",
            "🏳️‍🌈",
            "각",
            "\u1100\u1161",
            "这是什么？",
            "ما هي؟",
        ),
        *("\ud800", "\udc00", "\u200b", "\ufeff", "\x00", "\x85", "\u2028", "กำ", "क्ष", "🇩🇪🇫🇷", "👍🏽"),
    ]
)
TEXTS = st.one_of(
    st.lists(PIECES, max_size=8).map(" ".join),
    st.lists(PIECES | st.text(st.characters(exclude_categories=()), max_size=4), max_size=8).map("".join),
    st.text(st.characters(exclude_categories=()), max_size=40),
)
QUESTIONS = st.builds(
    Question,
    text=TEXTS,
    options=st.lists(TEXTS, max_size=3).map(tuple),
    system=TEXTS,
    instruction=TEXTS,
    context=st.lists(TEXTS, max_size=2).map(tuple),
    examples=st.lists(st.builds(Example, text=TEXTS, answer=TEXTS), max_size=1).map(tuple),
    history=st.lists(st.builds(Message, role=st.just("user"), content=TEXTS), max_size=1).map(tuple),
    template=st.sampled_from([None, None, "{question}", "{instruction}\n{options}", "{{question}}", "no field"]),
)
SUBJECTS = st.builds(
    Subject,
    item_id=st.sampled_from(["item", "", "ü"]),
    question=QUESTIONS,
    gold=st.builds(Gold, texts=st.lists(TEXTS, max_size=1).map(tuple)),
    protect=st.sampled_from([(), ("the",)]),
)
GENERATORS: st.SearchStrategy[Style | Noise] = st.one_of(
    st.builds(
        Style,
        kind=st.lists(st.sampled_from(STYLE_KINDS), min_size=1, unique=True).map(tuple),
        parts=st.sampled_from([("text",), ("text", "instruction"), ANY_PART]),
        variants=st.just(2),
    ),
    st.builds(
        Noise,
        kind=st.lists(st.sampled_from(NOISE_KINDS), min_size=1, unique=True).map(tuple),
        rate=st.sampled_from([0.05, 0.3, 1.0]),
        parts=st.sampled_from([("text",), ANY_PART]),
        variants=st.just(2),
    ),
)


def plain(text: str) -> str:
    return plain_marks(written_out(text))


def boundaries(text: str) -> set[int]:
    """Where grapheme clusters begin, by another implementation of UAX #29."""
    return {match.start() for match in regex.finditer(r"\X", text)} | {0, len(text)}


def surrogates(question: Question) -> list[str]:
    return [letter for text in text_parts(question).values() for letter in text if "\ud800" <= letter <= "\udfff"]


def is_sound(subject: Subject, variant: Variant) -> None:
    original, made = subject.question, variant.question
    assert apply_edits(original, variant.edits) == made
    assert made != original
    assert replace(made, **{name: getattr(original, name) for name in ANY_PART}) == original
    assert surrogates(made) == surrogates(original)
    assert variant.severity is None or 0 <= variant.severity <= 1
    before = text_parts(original)
    for edit in variant.edits:
        assert edit.before != edit.after
        assert {edit.start, edit.start + len(edit.before)} <= boundaries(before[edit.part])
    if altered_protected(subject, original, made):
        forms = [edit for edit in variant.edits if edit.kind in {"contract", "expand", "mark form"}]
        others = apply_edits(original, [edit for edit in variant.edits if edit not in forms])
        assert forms
        assert altered_protected(subject, original, others) is None
        rest, after = text_parts(others), text_parts(made)
        assert all(plain(rest[part]) == plain(text) for part, text in after.items())


@settings(max_examples=200)
@given(SUBJECTS, GENERATORS, st.integers(0, 2**63))
@example(Subject("1", Question("")), Style(), 0)
@example(Subject("1", Question(" \n ")), Noise(), 0)
@example(Subject("1", Question("\ud83d\ude00. What is the color of it?")), Style(kind=STYLE_KINDS), 0)
@example(Subject("1", Question("a b", ("a b",))), Noise(rate=1.0), 0)
@example(
    Subject("1", Question("...", context=("It is what we all have been waiting for.",))), Noise(kind=NOISE_KINDS), 0
)
def test_any_question_gets_an_outcome_and_what_is_applied_is_sound(
    subject: Subject, generator: Style | Noise, seed: int
) -> None:
    drawn = perturb(subject, [generator], seed=seed)
    assert drawn == perturb(subject, [generator], seed=seed)
    assert len(drawn) == generator.variants
    for variant in drawn:
        assert variant.outcome in set(get_args(Outcome)) - {"rejected"}
        assert bool(variant.reason) == (variant.outcome != "applied")
        if variant.outcome == "applied":
            is_sound(subject, variant)
        else:
            assert variant.question == subject.question
    assert len({canonical_json(each.question) for each in drawn if each.outcome == "applied"}) == sum(
        each.outcome == "applied" for each in drawn
    )


@given(SUBJECTS, st.lists(st.sampled_from(NOISE_KINDS), min_size=1), st.integers(0, 9))
def test_a_rate_of_zero_changes_nothing(subject: Subject, kinds: list[NoiseKind], seed: int) -> None:
    (variant,) = perturb(subject, [Noise(kind=tuple(kinds), rate=0)], seed=seed)
    assert variant.outcome in {"unchanged", "not_applicable"}
    assert variant.question == subject.question
    assert variant.edits == ()


@settings(max_examples=60)
@given(SUBJECTS, st.integers(0, 9))
def test_compositions_fail_for_no_question(subject: Subject, seed: int) -> None:
    generators: list[Generator] = [
        compose([Style(kind=STYLE_KINDS, parts=ANY_PART), Noise(kind=NOISE_KINDS, rate=0.3)]),
        compose([Noise(kind=("quotes", "line_ends")), Style(kind=("contractions", "casual"))]),
    ]
    for variant in perturb(subject, generators, seed=seed):
        assert variant.outcome in {"applied", "not_applicable", "unchanged"}
        assert variant.question.options == subject.question.options


@settings(max_examples=12)
@given(st.lists(SUBJECTS, min_size=2, max_size=3, unique_by=lambda each: each.item_id), st.integers(0, 9))
def test_variants_depend_on_their_item_and_the_seed_alone(subjects: list[Subject], seed: int) -> None:
    generators: list[Generator] = [Style(kind=STYLE_KINDS), Noise(kind=NOISE_KINDS)]
    first = [canonical_json(perturb(subject, generators, seed=seed)) for subject in subjects]
    again = [canonical_json(perturb(subject, generators, seed=seed)) for subject in reversed(subjects)]
    assert first == again[::-1]


@given(TEXTS)
def test_a_text_is_cut_only_between_what_is_read_as_characters(text: str) -> None:
    assert {offset for offset in range(len(text) + 1) if may_cut(text, offset)} <= boundaries(text)


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("ab", [0, 1, 2]),
        ("e\u0301a", [0, 2, 3]),
        ("a\r\nb", [0, 1, 3, 4]),
        ("👍🏽!", [0, 2, 3]),
        ("🏳️‍🌈", [0, 4]),
        ("🇩🇪!", [0, 2, 3]),
        ("\u1100\u1161\u11a8가", [0, 3, 4]),
        ("각가", [0, 1, 2]),
        ("กำ", [0, 2]),
        ("क्षa", [0, 3, 4]),
        ("\ud83d\ude00", [0, 2]),
        ("", [0]),
    ],
)
def test_where_texts_may_be_cut(text: str, offsets: list[int]) -> None:
    assert [offset for offset in range(len(text) + 1) if may_cut(text, offset)] == offsets


@pytest.mark.parametrize(("title", "kinds"), [("style", STYLE_KINDS), ("noise", NOISE_KINDS)])
def test_every_kind_stands_in_a_table_of_the_guide(title: str, kinds: tuple[str, ...]) -> None:
    guide = (Path(__file__).parents[2] / "docs" / "perturbations.md").read_text(encoding="utf-8")
    section = guide.partition(f"\n## {title}:")[2].partition("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows if row.split("`")[1] in kinds] == [row.split("`")[1] for row in rows]
    assert {row.split("`")[1] for row in rows} == set(kinds)


def test_a_generator_that_cuts_by_code_points_is_caught() -> None:
    """The twin: what the property on grapheme clusters must refuse."""
    text = "e\u0301te\u0301"
    assert 1 not in boundaries(text)
    assert not may_cut(text, 1)
