"""Variants in atomic changes: none is the original, all are the variant, and any of them are a question to be asked."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations import (
    Edit,
    Example,
    Format,
    Frames,
    Generator,
    Gold,
    Layout,
    Message,
    Paraphrase,
    ParaphraseFile,
    Question,
    Reorder,
    Subject,
    Typo,
    Variant,
    baseline_variant,
    compose,
    perturb,
    render,
)
from prt.perturbations.changes import Split, Taken, Trade, in_words, rebuilt, unfit
from prt.perturbations.protection.parts import edited_text
from prt.perturbations.rendering.labels import answer_key_labels
from prt.perturbations.splitting import order_of, replays, split, trades, word_edits

from .test_properties import GENERATORS, LAYOUTS, QUESTIONS, SUBJECTS, TEXTS

TEXT = "Which large planet from the outer system has the strongest magnetic field of them all?"
REWORDED = "Of all large planets from the outer system, which one has the strongest magnetic field?"
PLANETS = ("Mars", "Jupiter", "Venus", "Saturn")
PARAPHRASES = ParaphraseFile(paraphrases={"q": (Paraphrase(REWORDED),)})
QUESTION = Question(TEXT, PLANETS, instruction="Think of the planets of today.", answer_form="label")
SUBJECT = Subject("q", QUESTION, gold=Gold(options=(1,)))
EVERY: Sequence[Generator] = (
    *GENERATORS,
    Typo(rate=0.4, parts=("text", "instruction", "context", "system")),
    Typo(rate=0.4, operations=("misspelling", "transpose", "insert")),
    Frames(variants=3),
    PARAPHRASES,
    compose([PARAPHRASES, Typo(rate=0.3), Format()]),
    compose([Frames(), Typo(rate=0.3)]),
    compose([Reorder(), Format(kind=("labels",)), Typo()]),
)


def made_of(subject: Subject, *generators: Generator, seed: int = 1) -> Iterator[Split]:
    original = baseline_variant(subject)
    for variant in perturb(subject, generators, seed=seed):
        if variant.outcome == "applied":
            yield split(original, variant)


def one_of(subject: Subject, *generators: Generator, seed: int = 1) -> Split:
    return next(made_of(subject, compose(generators), seed=seed))


def subsets(count: int, seed: int) -> list[tuple[int, ...]]:
    """Every subset of few changes, some of many."""
    if count <= 4:
        return [chosen for size in range(count + 1) for chosen in combinations(range(count), size)]
    rng = Random(seed)  # noqa: S311 - no secret is drawn
    some = [tuple(sorted(rng.sample(range(count), rng.randint(1, count - 1)))) for _ in range(6)]
    return [(), *some, tuple(range(count))]


def check_ends(parts: Split) -> None:
    """No change is the original and all are the variant, as they are sent and graded."""
    for made, meant in (
        (rebuilt(parts, ()), parts.baseline),
        (rebuilt(parts, range(len(parts.changes))), parts.variant),
    ):
        assert (made.question, made.layout) == (meant.question, meant.layout)
        assert render(made.question, made.layout) == render(meant.question, meant.layout)
        assert made.permutation == (meant.permutation or tuple(range(len(meant.question.options))))


def check_between(parts: Split, made: Variant) -> None:
    """What some changes make can be rendered and graded: each option once, under its own index and label."""
    question = made.question
    labels = answer_key_labels(question, made.layout)
    assert sorted(made.permutation) == list(range(len(question.options)))
    assert len(set(labels)) == len(labels) == len(question.options)
    canonical = {option: question.options[place] for place, option in enumerate(made.permutation)}
    known = [
        {option: each.question.options[place] for place, option in enumerate(each.permutation or canonical)}
        for each in (parts.baseline, parts.variant)
    ]
    assert canonical in known
    assert render(question, made.layout)


@settings(max_examples=40)
@given(SUBJECTS, st.integers(0, 2**63))
@example(SUBJECT, 1)
@example(
    replace(SUBJECT, question=replace(QUESTION, options=("Mars", "Venus", "Both A and B", "None of the above"))), 3
)
@example(
    Subject("q", replace(QUESTION, system=TEXT, context=(TEXT, TEXT), template="{question}\n{options}\n{answer}")), 2
)
def test_any_part_of_any_variant_is_a_question_between_the_original_and_the_variant(
    subject: Subject, seed: int
) -> None:
    for parts in made_of(subject, *EVERY, seed=seed):
        check_ends(parts)
        for chosen in subsets(len(parts.changes), seed):
            check_between(parts, rebuilt(parts, chosen))


@settings(max_examples=60)
@given(QUESTIONS, QUESTIONS, LAYOUTS, LAYOUTS, st.integers(0, 2**31))
@example(
    Question("What does option B say?", ("x", "y", "z"), answer_instruction="Answer with A, B or C."),
    Question("What does option 2 say?", ("x", "z", "y"), answer_instruction="Answer with 1, 2 or 3."),
    Layout(),
    Layout(labels="1"),
    7,
)
@example(
    Question("q", context=("a", "b", "a"), examples=(Example("1"), Example("2"))),
    Question("q", context=("a", "a", "b"), examples=(Example("2"), Example("1"))),
    Layout(),
    Layout(),
    7,
)
def test_a_generator_of_the_users_own_may_change_whatever_it_likes(
    before: Question, after: Question, layout: Layout, other: Layout, seed: int
) -> None:
    original = baseline_variant(Subject("q", before, layout))
    count = len(after.options)
    order = tuple(Random(seed).sample(range(count), count))  # noqa: S311 - no secret is drawn
    parts = split(original, replace(original, question=after, layout=other, permutation=order, edits=()))
    check_ends(parts)
    for chosen in subsets(len(parts.changes), seed):
        made = rebuilt(parts, chosen)
        assert sorted(made.permutation) == list(range(len(made.question.options)))
        assert len(set(answer_key_labels(made.question, made.layout))) == len(made.question.options)
        assert made.question.options in {before.options, after.options} or set(made.question.options) == set(
            after.options
        )


@given(TEXTS, TEXTS)
@example("one two three", "one 2 three 4")
@example("a b", " c")
@example("", "new")
def test_the_runs_of_words_that_differ_make_one_text_of_the_other(old: str, new: str) -> None:
    if old != new:
        edits = word_edits("text", old, new, "words")
        assert edited_text(old, edits) == new
        assert edited_text(old, ()) == old
        for edit in edits:
            widened = in_words(edit, old)
            assert edited_text(old, (widened,)) == edited_text(old, (edit,))


@given(st.permutations(list(range(7))), st.sets(st.integers(0, 6)))
def test_any_trades_of_places_make_a_permutation_and_all_of_them_the_one_meant(
    order: list[int], left_out: set[int]
) -> None:
    every = list(trades("options", order))
    assert len(every) <= len(order) - 1
    question = Question("q", tuple("abcdefg"))
    baseline = baseline_variant(Subject("q", question))
    parts = split(
        baseline,
        replace(
            baseline,
            question=replace(question, options=tuple(question.options[i] for i in order)),
            permutation=tuple(order),
        ),
    )
    assert [change.steps for change in parts.changes] == [(trade,) for trade in every]
    made = rebuilt(parts, [number for number in range(len(every)) if number not in left_out])
    assert sorted(made.question.options) == sorted(question.options)
    assert made.question.options == tuple(question.options[index] for index in made.permutation)


def test_an_order_with_equal_elements_moves_no_more_than_it_must() -> None:
    assert order_of("aba", "aab") == (0, 2, 1)
    assert order_of("aab", "aab") == (0, 1, 2)
    assert order_of("ab", "ac") == ()


def test_each_typo_is_a_change_and_stays_what_the_generator_recorded() -> None:
    parts = one_of(SUBJECT, Typo(rate=0.5))
    assert [change.edits for change in parts.changes] == [(edit,) for edit in parts.variant.edits]
    assert parts.reworded == frozenset()
    half = rebuilt(parts, (0, 2))
    assert half.edits == (parts.variant.edits[0], parts.variant.edits[2])
    assert half.severity is None


def test_a_paraphrase_falls_into_runs_of_words() -> None:
    parts = one_of(SUBJECT, PARAPHRASES)
    assert len(parts.changes) > 3
    assert parts.reworded == {"text"}
    assert {edit.kind for change in parts.changes for edit in change.edits} == {"paraphrase"}
    assert all(edit.before != TEXT for change in parts.changes for edit in change.edits)


def test_edits_of_one_generator_upon_another_fall_into_runs_of_words_too() -> None:
    parts = one_of(SUBJECT, Frames(), Typo(rate=0.5))
    assert not replays(TEXT, parts.variant.edits, parts.variant.question.text)
    assert len(parts.changes) > 2


def test_the_dials_of_a_layout_are_turned_one_by_one() -> None:
    parts = one_of(SUBJECT, Format(), seed=5)
    turned = {change.edits[0].part for change in parts.changes}
    assert len(turned) == len(parts.changes) > 1
    assert all(part.startswith("layout.") for part in turned)
    for number, change in enumerate(parts.changes):
        layout = rebuilt(parts, (number,)).layout
        name = change.edits[0].part.removeprefix("layout.")
        assert layout == replace(parts.baseline.layout, **{name: getattr(parts.variant.layout, name)})


@pytest.mark.parametrize("generators", [(Reorder(kind="reverse"),), (Format(kind=("labels",)),)])
def test_options_that_name_others_move_and_are_rewritten_at_once(generators: tuple[Generator, ...]) -> None:
    """Alone, "Both B and C" would name other options than it means."""
    question = replace(QUESTION, options=("Mars", "Jupiter", "Both A and B", "Venus"))
    split_up = [
        parts
        for seed in range(8)
        for parts in made_of(Subject("q", question, gold=Gold(options=(1,))), *generators, seed=seed)
        if any(edit.kind == "label_reference" for edit in parts.variant.edits)
    ]
    assert split_up
    for parts in split_up:
        steps = [change.steps for change in parts.changes if any(step.part == "options" for step in change.steps)]
        (together,) = steps
        assert Taken("options") in together
        relabelled = parts.variant.layout.labels != parts.baseline.layout.labels
        assert (Taken("layout.labels") in together) == relabelled


def test_a_closing_line_that_names_the_labels_changes_with_them_and_one_that_does_not_by_itself() -> None:
    base = baseline_variant(Subject("q", replace(QUESTION, answer_instruction="Answer with A, B, C or D.")))
    moved = replace(base.layout, labels="1", wrapper="A)")
    named = replace(base.question, answer_instruction="Answer with 1, 2, 3 or 4.")
    free = replace(base.question, answer_instruction="Name the planet.")
    bound = split(base, replace(base, question=named, layout=moved))
    assert [{step.part for step in change.steps} for change in bound.changes] == [
        {"answer_instruction", "layout.labels"},
        {"layout.wrapper"},
    ]
    filled = replace(base, question=replace(base.question, answer_instruction="Pick from {labels}."))
    other = split(filled, replace(filled, question=replace(free, answer_instruction="Say {labels}."), layout=moved))
    assert len(other.changes) == 3


def test_a_text_that_follows_an_option_to_its_new_label_changes_with_the_order() -> None:
    base = baseline_variant(Subject("q", replace(QUESTION, text="Is option B larger than Venus?")))
    swapped = replace(
        base.question, text="Is option A larger than Venus?", options=("Jupiter", "Mars", "Venus", "Saturn")
    )
    (change,) = split(base, replace(base, question=swapped, permutation=(1, 0, 2, 3))).changes
    assert {step.part for step in change.steps} == {"text", "options"}


def test_passages_examples_and_turns_in_another_order_trade_places() -> None:
    base = baseline_variant(
        Subject(
            "q",
            replace(
                QUESTION,
                context=("one", "two", "three"),
                examples=(Example("x"), Example("y")),
                history=(Message("user", "hi"), Message("assistant", "ho")),
            ),
        )
    )
    turned = replace(
        base.question,
        context=("three", "one", "two"),
        examples=base.question.examples[::-1],
        history=base.question.history[::-1],
    )
    parts = split(base, replace(base, question=turned))
    found = [step for change in parts.changes for step in change.steps]
    assert found == [
        Trade("context", 2, 0),
        Trade("context", 0, 1),
        Trade("examples", 1, 0),
        Trade("history", 1, 0),
    ]
    assert rebuilt(parts, (0,)).question.context == ("three", "two", "one")


def test_a_negation_that_moves_is_not_lost_in_between() -> None:
    before, after = "Which of these planets is not large?", "Not large is which of these planets?"
    subject = Subject("q", Question(before))
    base = baseline_variant(subject)
    parts = split(base, replace(base, question=Question(after), edits=(Edit("text", 0, before, after, "paraphrase"),)))
    reasons = {chosen: unfit(parts, rebuilt(parts, chosen), subject) for chosen in ((), (0,), (1,), (0, 1))}
    assert [chosen for chosen, reason in reasons.items() if not reason] == [(), (0, 1)]
    assert "'not' is missing" in reasons[1,]
    assert "'not' is new" in reasons[0,]


def test_changes_that_a_markup_can_only_bear_together_are_not_asked_alone() -> None:
    subject = Subject("q", Question("Say\n# a heading\nnow", ("x", "y")))
    base = baseline_variant(subject)
    variant = replace(
        base, question=replace(subject.question, text="Say\n a heading\nnow"), layout=Layout(markup="markdown")
    )
    parts = split(base, variant)
    reasons = {chosen: unfit(parts, rebuilt(parts, chosen), subject) for chosen in ((), (0,), (1,), (0, 1))}
    assert [chosen for chosen, reason in reasons.items() if reason] == [(1,)]
    assert "markdown" in reasons[1,]


@pytest.mark.parametrize(
    ("edit", "widened"),
    [
        (Edit("text", 7, "r", "t", "replace"), Edit("text", 6, "large", "ltrge", "replace")),
        (Edit("text", 6, "", "x", "insert"), Edit("text", 6, "large", "xlarge", "insert")),
        (Edit("text", 0, "", "Now: ", "frame"), Edit("text", 0, "", "Now: ", "frame")),
        (Edit("text", 5, " ", "", "spacing"), Edit("text", 5, " ", "", "spacing")),
    ],
)
def test_an_edit_inside_a_word_is_shown_by_the_word(edit: Edit, widened: Edit) -> None:
    text = "Which large planet?"
    if edit.before == "r":
        edit = replace(edit, before="a")
    assert in_words(edit, text) == widened
