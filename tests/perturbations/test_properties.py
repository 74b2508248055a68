"""What holds for every question whatever: any text, any options, any layout."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.bundle import Bundle, read_bundle, records, write_bundle
from prt.perturbations.canonical import canonical_json
from prt.perturbations.compose import compose
from prt.perturbations.generator import Generator
from prt.perturbations.generators.control import Control
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.frames import Frames
from prt.perturbations.generators.keyboards import Keyboard
from prt.perturbations.generators.kinds import NoiseKind, StyleKind
from prt.perturbations.generators.mistakes import Operation
from prt.perturbations.generators.noise import Noise
from prt.perturbations.generators.paraphrase_file import Paraphrase, ParaphraseFile
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.generators.rerun import Rerun
from prt.perturbations.generators.style import Style
from prt.perturbations.generators.typo import Typo
from prt.perturbations.perturb import baseline_variant, perturb
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.protection.parts import apply_edits, text_parts
from prt.perturbations.question import Example, Gold, Layout, Message, Question, Subject
from prt.perturbations.rendering.labels import answer_key_labels, label_map, label_range
from prt.perturbations.rendering.render import misread, render


def existing(drawn: Subject) -> Gold:
    """The right options that the question has."""
    return Gold(options=tuple(option for option in drawn.gold.options if option < len(drawn.question.options)))


GENERATORS: Sequence[Generator] = (
    Reorder(variants=2),
    Reorder(kind="cyclic"),
    Reorder(kind="each_slot"),
    Reorder(kind="random"),
    Reorder(kind="reverse"),
    Reorder(kind="length", variants=2),
    Reorder(kind="alphabet"),
    Reorder(of="examples"),
    Reorder(of="context", kind="reverse"),
    Format(variants=2),
    Format(kind=("markdown", "xml", "json", "yaml", "labels")),
    Format(kind=("extreme",)),
    Rerun(),
    compose([Reorder(), Format()]),
)
PARTS = ("text", "instruction", "context", "system")
ALL_STYLES: tuple[StyleKind, ...] = get_args(StyleKind)
ALL_NOISE: tuple[NoiseKind, ...] = get_args(NoiseKind)
OPERATIONS: tuple[Operation, ...] = get_args(Operation)
TYPOS: Sequence[Typo] = tuple(
    Typo(rate=rate, layout=keyboard, parts=PARTS, operations=OPERATIONS, variants=2)
    for rate, keyboard in zip((0.05, 0.5, 1.0), get_args(Keyboard), strict=True)
)
WORDINGS: Sequence[Generator] = (
    *TYPOS,
    Frames(variants=3),
    Style(variants=2),
    *(Style(kind=(kind,), parts=PARTS) for kind in ALL_STYLES),
    Noise(variants=2),
    *(Noise(kind=(kind,), rate=0.5, parts=PARTS) for kind in ALL_NOISE),
)
"""Generators of words: their edits are recorded by place, and replay."""
COMPOSED: Sequence[Generator] = (
    compose([Frames(), Typo(rate=0.5)]),
    compose([Reorder(), Typo(rate=0.5)]),
    compose([Format(), Reorder(), Typo(rate=0.5, parts=PARTS)]),
    compose([Reorder(), Reorder(kind="random", variants=2), Format(kind=("labels",))]),
    compose([Style(kind=ALL_STYLES), Noise(kind=("spacing", "punctuation", "case")), Typo()]),
)
STILL: Sequence[Generator] = (
    Typo(rate=0.0, parts=PARTS, operations=OPERATIONS),
    *(Noise(kind=(kind,), rate=0.0, parts=PARTS) for kind in ALL_NOISE),
)
"""Generators at a rate of 0."""
WORDS = st.sampled_from(
    [
        "Both A and B",
        "None of the above",
        "A",
        "b",
        "1",
        "12",
        "I and III only",
        "(C)",
        "option B",
        "True",
        "",
        " ",
        "x; y",
        "two\nlines",
        "{options}",
        "# heading",
        "```",
        "</option>",
        "\r\n",
        "\ud800",
        "é",
        "e\u0301",
        "🏳️‍🌈",
        "word " * 400,
    ]
)
UNICODE = st.sampled_from(
    [
        *("e\u0301\u0302", "\u0301lone", "👨\u200d👩\u200d👧", "\u200d", "\ufeff", "\u202eabc", "\ud83d", "\udc00"),
        *("שלום", "مرحبا بكم", "東京都", "ประเทศไทย", "한국어", "ßtraße", "İstanbul ısı", "ﬁne", "Ⓐ", "\U0001d538"),
        *("\0", "\x07", "\x1b[0m", "\x85", "\u2028", "\t", "\r", "\u00ad", "\ufffd", "\U0010ffff"),
    ]
)
SPEECH = st.sampled_from(
    [
        *("Which", "planet", "is", "the", "largest", "impossible", "receive", "not", "never", "colour", "isn't"),
        *("what's", "It’s", "12", "3.5", "$5", "$\\Delta H$", "https://a.b", "`code`", '"quoted words"', "Paris", "I"),
        *("How many", "Could you", "Please", "Name", "List", "?", "?", ".", ".", ",", "—", "\n", "\n\n", "A.", "____"),
        *("statement", "{x}"),
    ]
)
SENTENCES = st.lists(st.one_of(SPEECH, SPEECH, SPEECH, UNICODE), min_size=1, max_size=14).map(" ".join)
TEXTS = st.one_of(WORDS, SENTENCES, st.text(max_size=20), st.lists(WORDS, max_size=3).map(" ".join))
OPTIONS = st.one_of(
    st.lists(TEXTS, max_size=6),
    st.lists(st.text(max_size=5), min_size=20, max_size=60),
    st.integers(2, 5).map(lambda count: [f"text {number}" for number in range(count)]),
).map(tuple)
QUESTIONS = st.builds(
    Question,
    text=TEXTS,
    options=OPTIONS,
    system=TEXTS,
    instruction=TEXTS,
    context=st.lists(TEXTS, max_size=2).map(tuple),
    examples=st.lists(
        st.builds(
            Example,
            text=TEXTS,
            options=st.lists(TEXTS, max_size=3).map(tuple),
            answer=st.one_of(st.integers(-1, 4), TEXTS),
        ),
        max_size=2,
    ).map(tuple),
    history=st.lists(st.builds(Message, role=st.sampled_from(["user", "assistant"]), content=TEXTS), max_size=2).map(
        tuple
    ),
    answer_form=st.sampled_from(["label", "number", "text", "none"]),
    answer_instruction=st.one_of(st.none(), TEXTS, st.just("Give {labels}.")),
    template=st.one_of(st.none(), st.none(), st.just("{instruction}\n{question}\n{options}\n{answer}"), TEXTS),
)
LAYOUTS = st.builds(
    Layout,
    markup=st.sampled_from(["plain", "plain", "markdown", "xml", "json", "yaml", "json_line"]),
    labels=st.sampled_from(["A", "a", "1", "i", "I"]),
    wrapper=st.sampled_from(["A.", "A)", "(A)", "[A]", "A:"]),
    option_separator=st.sampled_from(["\n", " | ", "; "]),
    descriptor_case=st.sampled_from(["title", "upper", "lower", "none"]),
    descriptor_separator=st.sampled_from([": ", " - ", "\n"]),
    field_separator=st.sampled_from(["\n\n", "\n"]),
)
SUBJECTS = st.builds(
    Subject,
    item_id=TEXTS,
    question=QUESTIONS,
    layout=LAYOUTS,
    gold=st.builds(Gold, options=st.lists(st.integers(0, 5), max_size=2, unique=True).map(tuple)),
).map(lambda drawn: replace(drawn, gold=existing(drawn)))

WORDED = SUBJECTS.flatmap(
    lambda subject: SENTENCES.map(lambda text: replace(subject, question=replace(subject.question, text=text)))
)
"""Subjects whose text has words to change."""


@settings(deadline=None, max_examples=50)
@given(SUBJECTS, st.integers(0, 2**63))
@example(Subject("1", Question("q", ("x", "x", "y", "Both A and B", "None of the above"))), 0)
@example(Subject("", Question("", tuple("ab" * 30), template="")), 1)
def test_any_question_gets_an_outcome_and_what_is_applied_is_sound(subject: Subject, seed: int) -> None:
    drawn = perturb(subject, GENERATORS, seed=seed)
    original = subject.question
    for variant in drawn:
        shown = variant.question
        labels = answer_key_labels(shown, variant.layout)
        assert sorted(variant.permutation) == list(range(len(original.options)))
        assert len(set(labels)) == len(labels) == len(original.options)
        assert len(label_map(shown, variant.layout, variant.permutation)) == len(labels)
        assert bool(variant.reason) == (variant.outcome != "applied")
        moved = {part: getattr(original, part) for part in ("options", "examples", "context")}
        assert replace(shown, **moved) == original
        assert Counter(shown.examples) == Counter(original.examples)
        assert Counter(shown.context) == Counter(original.context)
        rewritten = {edit.part for edit in variant.edits if edit.kind == "label_reference"}
        for slot, option in enumerate(variant.permutation):
            assert shown.options[slot] == original.options[option] or f"options[{option}]" in rewritten
        derived = original.answer_form == "label" and original.answer_instruction is original.template is None
        if labels and derived:
            assert f", {label_range(labels)}." in render(shown, variant.layout)[-1].content
        if variant.generator == "format" and variant.outcome == "applied":
            assert misread(shown, variant.layout) == ""
    prompts = [render(v.question, v.layout) for v in drawn if v.outcome == "applied" and v.generator != "rerun"]
    assert len({*prompts, render(original, subject.layout)}) == len(prompts) + 1
    assert len({variant.condition for variant in drawn}) == len(drawn)


def lone_surrogates(text: str) -> int:
    return sum("\ud800" <= character <= "\udfff" for character in text)


@settings(deadline=None, max_examples=50)
@given(WORDED, st.integers(0, 2**63))
@example(Subject("1", Question("Is Naïve not \ud83dgood? Isn't it?", ("yes", "no"), answer_form="label")), 3)
def test_words_change_where_the_edits_say_and_nowhere_else(subject: Subject, seed: int) -> None:
    original = subject.question
    for generator in WORDINGS:
        drawn = perturb(subject, [generator], seed=seed)
        asked = [variant for variant in drawn if variant.outcome == "applied"]
        for variant in asked:
            shown = variant.question
            textual = [edit for edit in variant.edits if edit.part in text_parts(original)]
            assert variant.edits
            if not textual:
                shown = replace(shown, answer_instruction=original.answer_instruction)
            assert apply_edits(original, textual) == shown
            before, after = ("".join(text_parts(question).values()) for question in (original, shown))
            assert lone_surrogates(after) <= lone_surrogates(before)
            assert variant.severity is None or 0 < variant.severity <= 1
        prompts = [render(variant.question, variant.layout) for variant in asked]
        assert len({*prompts, render(original, subject.layout)}) == len(prompts) + 1


@settings(deadline=None, max_examples=50)
@given(WORDED, st.integers(0, 2**63))
def test_typos_and_frames_keep_what_the_check_protects(subject: Subject, seed: int) -> None:
    for variant in perturb(subject, [*TYPOS, Frames(variants=3)], seed=seed):
        assert variant.outcome != "rejected" or variant.reason.startswith("duplicate of ")
        assert altered_protected(subject, subject.question, variant.question) is None


@settings(deadline=None, max_examples=50)
@given(WORDED, st.integers(0, 2**63))
def test_the_gold_is_where_its_content_stands_after_any_composition(subject: Subject, seed: int) -> None:
    original = subject.question
    for variant in perturb(subject, COMPOSED, seed=seed):
        shown, labels = variant.question, answer_key_labels(variant.question, variant.layout)
        places = label_map(shown, variant.layout, variant.permutation)
        assert sorted(variant.permutation) == list(range(len(original.options)))
        rewritten = any(edit.kind == "label_reference" for edit in variant.edits)
        for label, option in zip(labels, shown.options, strict=True):
            assert option == original.options[places[label]] or rewritten
        assert replace(shown, options=()).examples == original.examples
        assert bool(variant.reason) == (variant.outcome != "applied")


@settings(deadline=None, max_examples=50)
@given(WORDED, st.integers(0, 2**63))
def test_a_rate_of_0_changes_nothing(subject: Subject, seed: int) -> None:
    for generator in STILL:
        (variant,) = perturb(subject, [generator], seed=seed)
        assert variant.outcome in {"unchanged", "not_applicable"}
        assert (variant.question, variant.layout, variant.edits) == (subject.question, subject.layout, ())


@settings(deadline=None, max_examples=25)
@given(WORDED, TEXTS, TEXTS, st.integers(0, 2**63))
def test_any_paraphrase_has_an_outcome_and_stands_verbatim(subject: Subject, one: str, other: str, seed: int) -> None:
    rows = (Paraphrase(one), Paraphrase(other, instruction=one))
    for variant in perturb(subject, [ParaphraseFile(paraphrases={subject.item_id: rows}, variants=3)], seed=seed):
        if variant.outcome == "applied":
            assert variant.question.text in {one, other}
        assert bool(variant.reason) == (variant.outcome != "applied")


@settings(deadline=None, max_examples=25)
@given(WORDED, st.integers(0, 2**63))
def test_a_control_names_another_right_answer(subject: Subject, seed: int) -> None:
    for variant in perturb(subject, [Control(variants=2)], seed=seed):
        assert (variant.gold is None) == (variant.outcome != "applied")
        if variant.gold is not None:
            assert variant.gold != subject.gold
            assert apply_edits(subject.question, variant.edits) == variant.question


@settings(deadline=None, max_examples=12)
@given(WORDED, st.integers(0, 9))
def test_what_is_listed_later_or_drawn_more_often_changes_nothing_before(subject: Subject, seed: int) -> None:
    few, more = Typo(rate=0.5, variants=1), Typo(rate=0.5, variants=4)
    alone = perturb(subject, [Reorder(), few], seed=seed)
    assert perturb(subject, [Reorder(), few, *WORDINGS[-3:], *COMPOSED], seed=seed)[: len(alone)] == alone
    assert perturb(subject, [Reorder(), more], seed=seed)[: len(alone)] == alone


@settings(deadline=None, max_examples=6)
@given(st.lists(SUBJECTS, min_size=1, max_size=3, unique_by=lambda subject: subject.item_id), st.integers(0, 9))
def test_variants_depend_on_their_item_and_the_seed_alone(subjects: list[Subject], seed: int) -> None:
    listed = [*GENERATORS, *WORDINGS, *COMPOSED]
    forwards = {subject.item_id: canonical_json(perturb(subject, listed, seed=seed)) for subject in subjects}
    for subject in reversed(subjects[::2]):
        assert canonical_json(perturb(subject, listed, seed=seed)) == forwards[subject.item_id]


@settings(deadline=None, max_examples=12)
@given(st.lists(SUBJECTS, max_size=2), st.integers())
def test_a_bundle_reads_back_as_it_was_written(subjects: list[Subject], seed: int) -> None:
    drawn = [
        variant
        for subject in subjects
        for variant in (baseline_variant(subject), *perturb(subject, GENERATORS, seed=1))
    ]
    bundle = Bundle(seed, records(GENERATORS), tuple(drawn))
    with tempfile.TemporaryDirectory() as folder:
        first, second = Path(folder, "a.jsonl"), Path(folder, "b.jsonl")
        hashed = write_bundle(first, bundle)
        assert read_bundle(first) == bundle
        assert write_bundle(second, read_bundle(first)) == hashed
        assert first.read_bytes() == second.read_bytes()
