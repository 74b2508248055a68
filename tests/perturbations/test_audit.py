"""The audit finds what was altered, whoever altered it, and nothing where nothing was."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations import (
    Example,
    Format,
    Frames,
    Generator,
    Gold,
    Message,
    Noise,
    Question,
    Reorder,
    Style,
    Subject,
    Typo,
    Variant,
    baseline_variant,
    compose,
    perturb,
)
from prt.perturbations.audit import Audit, audit
from prt.perturbations.question import Layout

QUESTION = Question(
    "Which ship, built in 1911, did not reach New York with 2,224 people?",
    options=("Titanic", "Olympic", "Both A and B", "None of the above"),
    instruction="Choose one option. Do not guess.",
    context=("The Titanic sank on 15 April 1912.", "Tickets cost £7 at most."),
    examples=(Example("Which is red?", ("rust", "snow"), 0), Example("Which is not?", ("rust", "snow"), 1)),
    history=(Message("user", "Hello"),),
    answer_form="label",
)
SUBJECT = Subject("q", QUESTION, gold=Gold(options=(0,)), protect=("built",))
BASELINE = baseline_variant(SUBJECT)
TOKENS = audit(SUBJECT, BASELINE, words_move=False).tokens


def checked(variant: Variant, *, words_move: bool = False) -> Audit:
    return audit(SUBJECT, variant, words_move=words_move)


def with_text(text: str) -> Variant:
    return replace(BASELINE, question=replace(QUESTION, text=text))


def test_the_original_has_all_its_tokens() -> None:
    found = checked(BASELINE)
    assert (found.altered, found.golds, found.wrong_golds) == ((), 1, ())
    assert found.tokens > len(QUESTION.options) + len(QUESTION.examples) + len(QUESTION.history)


@pytest.mark.parametrize(
    "generator",
    [
        Typo(rate=1.0, parts=("text", "instruction", "context", "system"), variants=5),
        Reorder(kind="random", variants=5),
        Format(kind=("labels", "json", "markdown"), variants=5),
        Frames(variants=5),
        Style(kind=("polite", "terse", "casual", "contractions", "question", "spelling"), variants=5),
        Noise(kind=("spacing", "line_ends", "punctuation", "quotes", "case"), rate=0.5, variants=5),
        compose([Frames(), Reorder(), Format(kind=("labels",)), Typo(rate=0.5)]),
    ],
    ids=lambda generator: generator.name,
)
def test_what_generators_apply_keeps_every_token_and_every_right_label(generator: Generator) -> None:
    applied = [each for each in perturb(SUBJECT, [generator], seed=3) if each.outcome == "applied"]
    assert applied
    for variant in applied:
        assert checked(variant) == Audit(TOKENS, (), 1, ())


Twin = Callable[[Question], Question]


def text_twin(before: str, after: str, part: str = "text") -> Twin:
    return lambda question: replace(question, **{part: getattr(question, part).replace(before, after)})


WRONG_TWINS: list[tuple[str, Twin]] = [
    ("'1911' is missing in text", text_twin("1911", "1912")),
    ("'1911' is missing in text", text_twin("1911", "19110")),
    ("'not' is missing in text", text_twin("did not", "did")),
    ("'not' is missing in instruction", text_twin("Do not", "Do", "instruction")),
    ("'York' is missing in text", text_twin("New York", "New Yrok")),
    ("'built' is missing in text", text_twin("built", "bulit")),
    ("'2,224' is missing in text", lambda question: replace(question, text="With 2,224 people, " + question.text[:30])),
    ("2 texts became 1 in context", lambda question: replace(question, context=question.context[:1])),
    (
        "'at most' is missing in context",
        lambda question: replace(question, context=(question.context[0], "Tickets cost £7.")),
    ),
    (
        "option 1: 'Titanic' became 'Titanik'",
        lambda question: replace(question, options=("Titanik", *question.options[1:])),
    ),
    ("option 4: 'None of the above' became ''", lambda question: replace(question, options=question.options[:3])),
    (
        "no longer there: Example(text='Which is red?'",
        lambda question: replace(question, examples=question.examples[1:]),
    ),
    ("no longer there: Message(role='user', content='Hello'", lambda question: replace(question, history=())),
    ("no longer there: ('answer_form', 'label')", lambda question: replace(question, answer_form="text")),
]


@pytest.mark.parametrize(("clause", "twin"), WRONG_TWINS)
def test_a_wrong_twin_is_found(clause: str, twin: Twin) -> None:
    found = checked(replace(BASELINE, question=twin(QUESTION)))
    assert any(each.startswith(clause) for each in found.altered), found.altered
    assert found.tokens == TOKENS


def test_protected_texts_that_change_places_are_found_where_words_stay_and_borne_where_they_move() -> None:
    moved = with_text("With 2,224 people, which ship, built in 1911, did not reach New York?")
    assert checked(moved).altered
    assert checked(moved, words_move=True).altered == ()


def test_passages_may_change_places_whole() -> None:
    swapped = replace(BASELINE, question=replace(QUESTION, context=QUESTION.context[::-1]))
    assert checked(swapped).altered == ()


def test_passages_may_change_places_and_words_at_once() -> None:
    typed = (QUESTION.context[1].replace("Tickets", "Tikcets"), QUESTION.context[0].replace("sank", "sakn"))
    assert checked(replace(BASELINE, question=replace(QUESTION, context=typed))).altered == ()
    dearer = (typed[0].replace("7", "8"), typed[1])
    assert checked(replace(BASELINE, question=replace(QUESTION, context=dearer))).altered == (
        "'£7' is missing in context",
    )


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ('Is "this" not so?', "Is “this” not so?", True),
        ("It isn't 'so'", "It is not ‘so’", True),
        ("It will not do", "It won’t do", True),
        ("I cannot, and can't", "I can not, and cannot", True),
        ("I'm Ann's", "I am Ann's", True),
        ("5–10 — or so", "5-10 -- or so", True),
        ('Is "this" not so?', "Is “that” not so?", False),
        ("It isn't so", "It is so", False),
        ("It is not x, nor y", "It is not y, nor x", False),
    ],
)
def test_the_form_of_marks_and_of_a_negation_is_all_one(before: str, after: str, kept: bool) -> None:  # noqa: FBT001
    subject = Subject("q", Question(before))
    variant = replace(baseline_variant(subject), question=replace(subject.question, text=after))
    assert (audit(subject, variant, words_move=False).altered == ()) is kept


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("Which ship of 1911, built for 2224 people, didn't get to New York?", ""),
        ("Which ship, built in 1911, never came to New York with 2,224 people?", ""),
        ("Which ship, built in 1911, reached New York with 2,224 people?", "negation 'not' is missing in text"),
        ("Which ship, built in 1911, did not reach York with 2,224 people?", "name 'new' is missing in text"),
        ("Which ship, built in 1911, did not reach New York with people?", "number '2224' is missing in text"),
        ("Which ship, made in 1911, did not reach New York with 2,224 people?", "text 'built' is missing in text"),
    ],
)
def test_where_words_move_a_token_may_stand_as_another_of_its_class(text: str, clause: str) -> None:
    assert checked(with_text(text), words_move=True).altered == ((clause,) if clause else ())


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("Bring one cow and 5 km of rope", "1 cow, and rope of 5 kilometers, bring them", True),
        ("Bring 5 km of rope", "Bring 5 miles of rope", False),
        ('He said "go" in May', "In May “go” was said by him", True),
        ('He said "go" in May', "In May “stay” was said by him", False),
        ("He left in May", "He left in June", False),
        ("On Mar 20 he left", "He left on the 20th of Mar", False),
        ("On mar 20 he left", "He left in march, on the 20", True),
        ("You may rest on monday", "On Monday you can rest", True),
        ("You may rest on monday", "You can rest", False),
        ("Is every x in `f(x)` or U/L?", "Is each x in `f(x)` or u/l?", True),
        ("Is every x in `f(x)`?", "Is each y in `f(y)`?", False),
        ("Is the sea ice of the dog's owner thin?", "Is it thin, the SEA ice that the dog's owner has?", True),
        ("Is the sea ice thin?", "Is the ice thin?", False),
        ("No fewer than 3 cats", "At least 3 cats", True),
    ],
)
def test_classes_of_tokens_where_words_move(before: str, after: str, kept: bool) -> None:  # noqa: FBT001
    subject = Subject("q", Question(before, ("sea ice", "9")))
    variant = replace(baseline_variant(subject), question=replace(subject.question, text=after))
    assert (audit(subject, variant, words_move=True).altered == ()) is kept


def permuted(order: tuple[int, ...], options: tuple[str, ...], layout: Layout = SUBJECT.layout) -> Variant:
    return replace(BASELINE, question=replace(QUESTION, options=options), permutation=order, layout=layout)


def test_the_right_label_is_looked_for_by_what_stands_behind_it() -> None:
    right = permuted((1, 0, 2, 3), ("Olympic", "Titanic", "Both A and B", "None of the above"))
    assert checked(right).wrong_golds == ()
    unsaid = permuted((0, 1, 2, 3), right.question.options)
    assert checked(unsaid).wrong_golds == ("option 1: 'Titanic' became 'Olympic'",)
    assert len(checked(unsaid).altered) == 2


def test_options_that_name_others_are_read_in_the_labels_shown() -> None:
    rotated = ("Both A and B", "Titanic", "Olympic", "None of the above")
    assert checked(permuted((2, 0, 1, 3), rotated)).altered == ("option 3: 'Both A and B' became 'Both A and B'",)
    assert checked(permuted((2, 0, 1, 3), ("Both B and C", *rotated[1:]))).altered == ()
    numbered = Layout(labels="1")
    assert checked(permuted((2, 0, 1, 3), ("Both 2 and 3", *rotated[1:]), numbered)).altered == ()
    assert checked(permuted((2, 0, 1, 3), ("Either 2 and 3", *rotated[1:]), numbered)).altered != ()


def test_of_a_control_only_its_own_right_option_is_looked_for() -> None:
    control = replace(with_text("Which ship did reach it?"), tier="control", gold=Gold(options=(1,)))
    assert checked(control) == Audit(0, (), 1, ())
    swapped = replace(control, question=replace(control.question, options=("Titanic", "Oceanic", "c", "d")))
    assert checked(swapped).wrong_golds == ("option 2: 'Olympic' became 'Oceanic'",)


def test_without_options_there_is_no_label_to_be_wrong() -> None:
    subject = Subject("q", Question("How many?"), gold=Gold(texts=("3",)))
    assert audit(subject, baseline_variant(subject), words_move=False).golds == 0


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_are_compared_and_a_text_keeps_its_own_tokens(before: str, after: str) -> None:
    subject = Subject("q", Question(before, ("a", "b")), gold=Gold(options=(1,)))
    original = baseline_variant(subject)
    for words_move in (False, True):
        assert audit(subject, original, words_move=words_move).altered == ()
        changed = replace(original, question=replace(subject.question, text=after))
        assert (
            audit(subject, changed, words_move=words_move).tokens == audit(subject, original, words_move=False).tokens
        )
