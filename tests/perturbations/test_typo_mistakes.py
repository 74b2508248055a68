"""Single mistakes in single words, and the word lists that judge them."""

import random
import re

import pytest
from prt.perturbations.generators.keyboards import Keyboard, neighbours
from prt.perturbations.generators.mistakes import (
    OPERATIONS,
    Mistake,
    Operation,
    draw_mistake,
    is_harmless,
    keeps_affixes,
)
from prt.perturbations.lexicon.terms import terms
from prt.perturbations.lexicon.words import english_words, is_english_word, is_name, misspellings, names, stopwords
from prt.perturbations.seeds import rng_for

ALL: tuple[Operation, ...] = ("replace", "delete", "insert", "transpose")


def chance(seed: int) -> random.Random:
    return rng_for(seed=seed, generator="typo", version=1, parameters="{}", item_id="item", number=1)


@pytest.mark.parametrize(
    ("word", "other"),
    [
        *[("form", "from"), ("there", "three"), ("than", "then"), ("causal", "casual"), ("trial", "trail")],
        *[("diary", "dairy"), ("angel", "angle"), ("quite", "quiet"), ("united", "untied"), ("martial", "marital")],
        *[("scared", "sacred"), ("through", "though"), ("uninformed", "uniformed"), ("later", "latter")],
        *[("hoping", "hopping"), ("desert", "dessert"), ("breath", "breadth"), ("immoral", "immortal")],
        *[("defined", "defied"), ("cold", "cod"), ("goes", "doers"), ("neutral", "neural"), ("detailed", "derailed")],
        *[("mortality", "morality"), ("detective", "defective"), ("ways", "was"), ("pail", "paul"), ("parks", "paris")],
    ],
)
def test_a_mistake_that_makes_another_word_is_no_mistake(word: str, other: str) -> None:
    assert not is_harmless(word, other, set())
    assert not is_harmless(other, word, set())


@pytest.mark.parametrize(
    ("word", "mistaken"),
    [
        ("possible", "posible"),
        ("largest", "largst"),
        ("planet", "planwt"),
        ("system", "sysetm"),
        ("receive", "recieve"),
    ],
)
def test_a_mistake_that_makes_no_word_is_one(word: str, mistaken: str) -> None:
    assert is_harmless(word, mistaken, set())


@pytest.mark.parametrize(
    ("word", "other"), [("organization", "organisation"), ("realise", "realize"), ("Take", "TAke")]
)
def test_another_spelling_is_no_mistake(word: str, other: str) -> None:
    assert not is_harmless(word, other, set())


@pytest.mark.parametrize(
    ("word", "other"), [("cappello", "capello"), ("perro", "pero"), ("sonno", "sono"), ("nonno", "nono")]
)
def test_a_letter_is_not_doubled_where_that_may_make_a_word_of_another_language(word: str, other: str) -> None:
    assert not is_harmless(word, other, set())
    assert not is_harmless(other, word, set())
    assert is_harmless("planet", "plannet", set())
    assert is_harmless("their", "theiir", set())


def test_a_mistake_may_not_make_a_word_of_the_item() -> None:
    assert is_harmless("brine", "brne", set())
    assert not is_harmless("brine", "brne", {"brne"})


def test_a_mistake_may_not_make_a_negation_or_a_number_of_any_language() -> None:
    assert not is_harmless("does", "dos", set())
    assert not is_harmless("true", "tre", set())


@pytest.mark.parametrize(
    ("word", "mistaken"),
    [
        *[("impossible", "ipossible"), ("unlikely", "ulikely"), ("dishonest", "dihonest"), ("harmless", "harmess")],
        *[("nonlinear", "nnlinear"), ("hyperactive", "hypractive"), ("careful", "carefl")],
        *[("anti", "ani"), ("inter", "inyer"), ("under", "undder")],
    ],
)
def test_a_mistake_may_not_touch_an_affix_that_turns_the_meaning_round(word: str, mistaken: str) -> None:
    assert not keeps_affixes(word, mistaken)
    assert keeps_affixes(word, word)


def test_a_prefix_needs_a_stem_of_three_letters_behind_it() -> None:
    assert keeps_affixes("unit", "uint")
    assert not keeps_affixes("untie", "utnie")


@pytest.mark.parametrize("word", ["impossible", "unhappy", "harmless", "dishonest", "possible", "likely", "stimulate"])
def test_no_draw_ever_makes_a_word_or_breaks_an_affix(word: str) -> None:
    for seed in range(100):
        mistake = draw_mistake(word, ALL, "qwerty", set(), chance(seed))
        assert mistake is not None
        mistaken = mistake.made_in(word)
        assert not is_english_word(mistaken)
        assert keeps_affixes(word, mistaken)
        assert (mistaken[0], mistaken[-1]) == (word[0], word[-1])


def test_every_operation_gives_exactly_its_own_mistakes() -> None:
    assert list(OPERATIONS["delete"]("word", "qwerty")) == [
        Mistake(1, "o", "", "delete"),
        Mistake(2, "r", "", "delete"),
    ]
    assert list(OPERATIONS["transpose"]("word", "qwerty")) == [Mistake(1, "or", "ro", "transpose")]
    assert {mistake.after for mistake in OPERATIONS["replace"]("xox", "qwerty")} == {"i", "p", "k", "l"}
    inserted = {mistake.made_in("xo") for mistake in OPERATIONS["insert"]("xo", "qwerty")}
    assert inserted == {"xxo", "xzo", "xco", "xso", "xdo"}
    assert list(OPERATIONS["misspelling"]("Receive", "qwerty")) == [Mistake(0, "Receive", "Recieve", "misspelling")]


def test_equal_neighbours_are_not_exchanged() -> None:
    assert [mistake.before for mistake in OPERATIONS["transpose"]("bookes", "qwerty")] == ["ok", "ke"]


def test_a_capital_has_capital_neighbours_and_the_first_letter_is_doubled_small() -> None:
    assert {mistake.after for mistake in OPERATIONS["replace"]("aGa", "qwerty")} == set("TYFHVB")
    assert Mistake(1, "", "w", "insert") in list(OPERATIONS["insert"]("Which", "qwerty"))


@pytest.mark.parametrize("keyboard", ["qwerty", "azerty", "qwertz"])
def test_neighbourhood_goes_both_ways_and_every_letter_has_some(keyboard: Keyboard) -> None:
    beside = neighbours(keyboard)
    assert set(beside) >= set("abcdefghijklmnopqrstuvwxyz")
    assert all(letter in beside[other] for letter, others in beside.items() for other in others)
    assert all(2 <= len(others) <= 6 for others in beside.values())


def test_the_list_of_english_words_is_clean_and_long_enough() -> None:
    words = english_words()
    assert len(words) > 5000
    assert all(re.fullmatch("[a-z]+", word) for word in words)


def test_inflections_of_listed_words_are_words() -> None:
    assert all(map(is_english_word, ["planets", "carried", "largest", "running", "making", "quickly", "boxes"]))
    assert not any(map(is_english_word, ["plnet", "lagrest", "teh", "s", "ing", ""]))


def test_misspellings_keep_first_and_last_letter_and_are_no_words() -> None:
    for right, wrong in misspellings().items():
        assert right != wrong
        assert (right[0], right[-1]) == (wrong[0], wrong[-1])
        assert not is_english_word(wrong)


def test_names_are_clean_and_only_those_that_mean_nothing_else_are_names_in_small_letters() -> None:
    assert all(re.fullmatch("[a-z]+", name) for name in names())
    assert all(map(is_name, ["james", "karl", "belgium"]))
    assert not any(map(is_name, ["frank", "dan", "table"]))
    assert not any(map(is_name, ["rosa", "clara", "claire", "luna", "julio"]))  # words of other languages


def test_every_term_has_a_known_kind_and_a_clean_form() -> None:
    kinds = {"negation", "quantifier", "number", "month", "weekday", "unit"}
    assert {term.kind for term in terms()} == kinds
    for term in terms():
        assert term.text == " ".join(term.text.lower().split())
        assert term.language in {"en", "it", "es", "fr", "de", "-"}


def test_no_unit_or_term_means_two_things_in_one_language() -> None:
    seen: dict[tuple[str, str, str], str] = {}
    for term in terms():
        key = (term.language, term.kind, term.text)
        assert seen.setdefault(key, term.meaning) == term.meaning


def test_stop_words_of_each_language_are_case_folded() -> None:
    assert set(stopwords()) >= {"en", "it", "es", "fr", "de"}
    assert all(word == word.casefold() for words in stopwords().values() for word in words)
