"""Whatever a caller gives by mistake is refused in one sentence that says what was found and what is allowed."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from prt.perturbations import (
    Control,
    Format,
    Frames,
    Gold,
    Noise,
    Paraphrase,
    ParaphraseFile,
    Question,
    Reorder,
    Rerun,
    Style,
    Subject,
    Typo,
    compose,
    perturb,
)

SUBJECT = Subject("q1", Question("Which city is the capital?", ("Paris", "Rome")), gold=Gold(options=(0,)))
MINE = {"q1": (Paraphrase("Name the capital."),)}
MAKERS: dict[str, Callable[..., Any]] = {
    "reorder": Reorder,
    "format": Format,
    "typo": Typo,
    "style": Style,
    "noise": Noise,
    "paraphrase": Frames,
    "rerun": Rerun,
    "control": Control,
}


def mistaken(value: Any) -> Any:
    """A value of a type that a signature does not allow."""
    return value


@pytest.mark.parametrize("name", MAKERS)
def test_every_generator_makes_one_variant_or_more(name: str) -> None:
    for wrong in (0, -1):
        with pytest.raises(ValueError, match=f"^{name}: variants is {wrong}; it is 1 at least$"):
            MAKERS[name](variants=wrong)
    for other in ("2", 1.5, True):
        with pytest.raises(TypeError, match=rf"^{name}: variants is {other!r}; it is a whole number, 1 at least$"):
            MAKERS[name](variants=other)
    assert MAKERS[name](variants=3).variants == 3


def test_so_do_paraphrases_of_a_file() -> None:
    with pytest.raises(ValueError, match=r"^paraphrase: variants is 0"):
        ParaphraseFile(paraphrases=MINE, variants=0)
    for wrong in ("Name it.", ["Name it."], None):
        with pytest.raises(TypeError, match=r"^paraphrase: those of the item 'q1' are .*; write a tuple of Paraphrase"):
            ParaphraseFile(paraphrases=mistaken({"q1": wrong}))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Noise(kind=mistaken("quotes")), r"noise: kind is 'quotes', a text; write a tuple, such as \('spacing"),
        (lambda: Style(parts=mistaken("text")), r"style: parts is 'text', a text; write a tuple, such as \('text',\)"),
        (lambda: Format(kind=mistaken("labels")), r"format: kind is 'labels', a text; write a tuple"),
        (lambda: Typo(operations=mistaken("delete")), r"typo: operations is 'delete', a text; write a tuple"),
        (lambda: Control(kinds=mistaken("logic")), r"control: kinds is 'logic', a text; write a tuple"),
        (lambda: Noise(kind=mistaken(5)), r"noise: kind is 5, of the type int; write a tuple"),
        (lambda: Typo(rate=mistaken("a")), r"typo: rate is 'a', no number; it is a share of words, from 0 to 1"),
        (lambda: Noise(rate=mistaken(None)), r"noise: rate is None, no number; it is a share of places, from 0 to 1"),
        (lambda: Question("x", options=mistaken("AB")), r"Question: options is 'AB', a text; write a tuple, such as"),
        (lambda: Question("x", context=mistaken({"a"})), r"Question: context is \{'a'\}, of the type set; write a"),
        (lambda: Question(mistaken(5)), r"Question: text is 5, of the type int; write a text"),
        (lambda: Gold(options=mistaken(0)), r"Gold: options is 0, of the type int; write a tuple, such as \(0,\)"),
        (lambda: Gold(texts=mistaken("Paris")), r"Gold: texts is 'Paris', a text; write a tuple, such as \('Paris',"),
        (lambda: Subject("q", Question("x"), protect=mistaken(".*")), r"Subject: protect is '\.\*', a text; write a"),
    ],
)
def test_what_is_of_another_type_is_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}"):
        make()


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Reorder(kind=mistaken("foo")), r"reorder: kind is one of balanced, cyclic, .*; found 'foo'"),
        (lambda: Reorder(of=mistaken("answers")), r"reorder: of is one of options, examples, context; found 'answers'"),
        (lambda: Typo(layout=mistaken("dvorak")), r"typo: layout is one of qwerty, azerty, qwertz; found 'dvorak'"),
        (lambda: Noise(kind=mistaken((["quotes"],))), r"noise: kind is one or more of spacing, .*; found \['quotes'\]"),
        (lambda: Format(kind=mistaken(("toml", 1))), r"format: kind is one or more of separators, .*; found toml, 1"),
        (
            lambda: Question("x", answer_form=mistaken("lable")),
            r"Question: answer_form is one of label, number, text, none; found 'lable'",
        ),
    ],
)
def test_what_is_not_among_the_words_is_refused(make: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}"):
        make()


def test_lists_are_taken_for_the_tuples_that_they_mean() -> None:
    listed, meant = Question("x", options=mistaken(["a", "b"])), Question("x", options=("a", "b"))
    assert (listed, hash(listed)) == (meant, hash(meant))
    assert Noise(kind=mistaken(["quotes"])) == Noise(kind=("quotes",))
    assert Typo(parts=mistaken(["text"])) == Typo()
    assert Gold(options=mistaken([1])) == Gold(options=(1,))


@pytest.mark.parametrize("wrong", [Reorder(), "reorder", None, {Reorder()}])
def test_generators_stand_in_a_list(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"^perturb takes a list of generators, such as \[Reorder\(\), Typo\(\)\]; "):
        perturb(SUBJECT, mistaken(wrong), seed=1)
    with pytest.raises(TypeError, match=r"^compose takes a list of generators"):
        compose(mistaken(wrong))


def test_a_class_is_told_from_a_generator() -> None:
    with pytest.raises(TypeError, match=r"found the class Reorder; write Reorder\(\)$"):
        perturb(SUBJECT, mistaken([Reorder]), seed=1)
    with pytest.raises(TypeError, match=r"found 'typo'$"):
        perturb(SUBJECT, mistaken(["typo"]), seed=1)


@pytest.mark.parametrize("option", [2, 5, -1])
def test_a_right_option_that_there_is_not_is_refused(option: int) -> None:
    wrong = replace(SUBJECT, gold=Gold(options=(0, option)))
    with pytest.raises(ValueError, match=rf"^item 'q1': gold.options holds {option}; allowed are indices from 0 to 1$"):
        perturb(wrong, [Reorder()], seed=1)


def test_a_question_without_options_has_no_right_option() -> None:
    free = replace(SUBJECT, question=Question("Why?"))
    with pytest.raises(ValueError, match="allowed are texts, as the question has no options"):
        perturb(free, [Typo()], seed=1)


@pytest.mark.parametrize(
    ("subject", "sentence"),
    [
        (Question("x"), "a Subject is needed, such as "),
        (Subject(mistaken(1), Question("x")), "Subject: item_id is 1; write a str"),
        (Subject("q1", mistaken("x")), "Subject: question is 'x'; write a Question"),
        (replace(SUBJECT, question=Question("x", options=mistaken((1, 2)))), "item 'q1': options holds 1, which is"),
        (replace(SUBJECT, gold=mistaken(0)), "Subject: gold is 0; write a Gold"),
    ],
)
def test_a_subject_is_made_of_its_parts(subject: object, sentence: str) -> None:
    with pytest.raises(TypeError, match=f"^{sentence}"):
        perturb(mistaken(subject), [Typo()], seed=1)
