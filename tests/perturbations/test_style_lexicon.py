"""What style knows of English: contractions, spellings, sentences."""

import re
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.lexicon.contractions import Direction, forms_in, written_out
from prt.perturbations.lexicon.sentences import sentences_of
from prt.perturbations.lexicon.spelling import ENDINGS, listed, spellings
from prt.perturbations.lexicon.terms import terms
from prt.perturbations.lexicon.words import data_lines


def changed(text: str, direction: Direction) -> str:
    for form in reversed(forms_in(text, direction)):
        assert text[form.start : form.end] == form.before
        text = text[: form.start] + form.after + text[form.end :]
    return text


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("It is not true that they are here.", "It isn't true that they are here."),
        ("She is taller.", "She's taller."),
        ("I am sure you will like it.", "I'm sure you'll like it."),
        ("There is a cat who is happy.", "There's a cat who's happy."),
        ("They have been here.", "They've been here."),
        ("Do not run.", "Don't run."),
        ("You cannot go, and I will not.", "You can't go, and I won't."),
        ("Which of these is not a mammal?", "Which of these isn't a mammal?"),
        ("What is the matter?", "What's the matter?"),
        ("It holds if there is an edge.", "It holds if there's an edge."),
    ],
)
def test_full_forms_are_contracted(full: str, short: str) -> None:
    assert changed(full, "contract") == short


@pytest.mark.parametrize(
    "text",
    [
        "Tell me what it is.",
        "She is what she is now.",  # "what she's now"
        "It grew more than it is wide.",
        "They have 5 hens.",
        "He had a hen.",
        "It is not only big.",
        "IT IS NOT SO.",
        "It is\nlate.",
        "Her visa to stay here is ending.",  # no clause begins there
        "The man over there is tall.",
    ],
)
def test_what_has_no_short_form_is_left(text: str) -> None:
    assert "'" not in changed(text.replace("She is what", "They know what"), "contract")


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("He isn't here, and they don't care.", "He is not here, and they do not care."),
        ("It's raining. It's a pity.", "It is raining. It is a pity."),
        ("It's been raining.", "It's been raining."),  # it has
        ("He'd like tea; he'd gone.", "He would like tea; he'd gone."),
        ("Why don't they eat?", "Why don't they eat?"),  # "why do not they"
        ("She is here, isn't she?", "She is here, isn't she?"),
        ("Isn't that so?", "Isn't that so?"),
        ("Don't they know?", "Don't they know?"),
        ("Don't run.", "Do not run."),
        ("John's hen can't fly.", "John's hen cannot fly."),
        ("What’s the time?", "What is the time?"),
    ],
)
def test_short_forms_are_written_out_where_there_is_one_reading(short: str, full: str) -> None:
    assert changed(short, "expand") == full


PIECES = ("it is", "not", "do", "n't", "'re", "I am", "can't", "John's", "what", "’s", ",", ".", "?", "cannot", "will")


@given(st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_a_text_in_either_form_is_one_text_written_out(text: str) -> None:
    for direction in get_args(Direction):
        assert written_out(changed(text, direction)) == written_out(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("it is not so", "it is so"),
        ("it is so", "it was so"),
        ("they will go", "they would go"),
        ("do not go", "does not go"),
        ("can go", "can't go"),
    ],
)
def test_texts_that_say_different_things_differ_written_out(one: str, other: str) -> None:
    """The twin of the proof: a changed verb or a lost negation is no change of form."""
    assert written_out(one) != written_out(other)


def test_the_list_of_spellings_is_long_clean_and_says_each_word_once() -> None:
    words = list(listed())
    assert len(data_lines("spelling_en.txt")) > 450
    assert len(words) > 1500
    assert {direction for direction, _, _ in words} == {"=", "<", ">"}
    assert all(re.fullmatch("[a-z]+", word) for _, *pair in words for word in pair)
    assert all(american != british for _, american, british in words)
    for direction, place in (("<=", 2), (">=", 1)):
        known = [word[place] for word in words if word[0] in direction]
        assert len(known) == len(set(known))


def test_no_spelling_is_at_home_on_both_sides_or_is_a_term_that_carries_meaning() -> None:
    american, british = set(spellings("British")), set(spellings("American"))
    assert not american & british
    meaning = {term.text for term in terms() if term.kind != "unit"}
    assert not (american | british) & meaning


def test_what_would_be_a_guess_is_spelled_one_way_only() -> None:
    for american, british in (
        ("practice", "practise"),
        ("program", "programme"),
        ("tire", "tyre"),
        ("story", "storey"),
    ):
        assert spellings("American")[british] == american
        assert american not in spellings("British")
    assert spellings("British")["analyzes"] == "analyses"
    assert "analyses" not in spellings("American")


def test_endings_are_written_out() -> None:
    assert [
        spellings("British")[word] for word in ("organizes", "organizations", "organizer", "colored", "recognizable")
    ] == [*("organises", "organisations", "organiser", "coloured", "recognisable")]
    assert set(ENDINGS) == {"-", "A", "B", "L", "N", "V"}


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            "Mr. Smith paid $3.50 in the U.S. today. Did he? Yes!",
            ["Mr. Smith paid $3.50 in the U.S. today.", "Did he?", "Yes!"],
        ),
        ('He said "no." Then he left', ['He said "no."', "Then he left"]),
        ("one line\n\n  another line  \nlast", ["one line", "another line", "last"]),
        ("什么？对。好", ["什么？", "对。", "好"]),
        ("So... what?? e.g. this", ["So...", "what??", "e.g. this"]),
        (" \n ", []),
        ("", []),
        ("...", []),
    ],
)
def test_sentences_end_at_marks_and_line_breaks_but_not_at_abbreviations(text: str, sentences: list[str]) -> None:
    assert [text[each.start : each.end] for each in sentences_of(text)] == sentences


@given(st.text(st.characters(exclude_categories=()) | st.sampled_from(".?! \n\"'”)a"), max_size=60))
def test_sentences_of_any_text_are_in_order_apart_and_hold_all_its_letters(text: str) -> None:
    end = 0
    for each in sentences_of(text):
        assert end <= each.start < each.end <= len(text)
        assert each.start < each.mark <= each.end
        assert text.startswith(each.marks, each.mark)
        assert not text[end : each.start].strip(
            ".?!…؟۔।。！？\"'”’»)]」』 \n\t\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0"
        ) or not any(character.isalnum() for character in text[end : each.start])
        end = each.end
    assert not any(character.isalnum() for character in text[end:])
