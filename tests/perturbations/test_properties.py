"""What holds for every question whatever: any text, any options, any layout."""

import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.bundle import Bundle, read_bundle, records, write_bundle
from prt.perturbations.canonical import canonical_json
from prt.perturbations.compose import compose
from prt.perturbations.generator import Generator
from prt.perturbations.generators.format import Format
from prt.perturbations.generators.reorder import Reorder
from prt.perturbations.generators.rerun import Rerun
from prt.perturbations.perturb import baseline_variant, perturb
from prt.perturbations.question import Example, Gold, Layout, Message, Question, Subject
from prt.perturbations.rendering.labels import answer_key_labels, label_map, label_range
from prt.perturbations.rendering.render import misread, render

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
TEXTS = st.one_of(WORDS, st.text(max_size=20), st.lists(WORDS, max_size=3).map(" ".join))
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
)


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


@settings(deadline=None, max_examples=12)
@given(st.lists(SUBJECTS, min_size=1, max_size=3, unique_by=lambda subject: subject.item_id), st.integers(0, 9))
def test_variants_depend_on_their_item_and_the_seed_alone(subjects: list[Subject], seed: int) -> None:
    forwards = {subject.item_id: canonical_json(perturb(subject, GENERATORS, seed=seed)) for subject in subjects}
    for subject in reversed(subjects):
        assert canonical_json(perturb(subject, GENERATORS, seed=seed)) == forwards[subject.item_id]


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
