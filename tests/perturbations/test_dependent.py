"""Options that speak of the others: kept last, free, or a reason to keep the order."""

import pytest
from prt.perturbations.options.dependent import first_pinned, place_bound

THESE = [
    "All of these",
    "None of those",
    "None of the options",
    "None of the others",
    "All of the other choices",
    "None of the alternatives",
]
ABOVE = [
    "All of the above",
    "None of the above.",
    "Both of the above",
    "Either of the above",
    "Neither of the above",
    "All the above",
    "none of above",
    "None of the above answers is correct",
    "None of the options above",
    "None of the preceding options",
    "Any 2 of the above values",
    "More than one of the above",
    "Todas las anteriores",
    "Ninguna de las anteriores",
    "Todas as alternativas acima",
    "Toutes les réponses ci-dessus",
    "Aucune des réponses précédentes",
    "Alle oben genannten",
    "Keine der obigen Antworten",
    "Tutte le precedenti",
    "以上都是",
]
BY_PLACE = [
    "Same as the above",
    "The first of the above",
    "The option above",
    "All of the following",
    "Both the following statements below",
    "Only the following:",
    "The previous answer",
    "The first two options",
    "See above",
]
FREE = [
    "Above the clouds",
    "A temperature above 5 °C",
    "The following day",
    "All",
    "Both",
    "None",
    "the above-ground part",
    "All students follow",
    "We see above the clouds",
    "The next answering machine",
]


@pytest.mark.parametrize("option", [*ABOVE, *THESE])
def test_an_option_that_speaks_of_all_others_stays_last(option: str) -> None:
    assert first_pinned(("x", "y", option)) == 2
    assert place_bound(("x", "y", option)) == ""


def test_several_of_them_at_the_end_all_stay() -> None:
    assert first_pinned(("x", "y", "Both of the above", "None of the above")) == 2


@pytest.mark.parametrize("option", ABOVE)
def test_one_that_speaks_of_those_above_and_is_not_last_fixes_the_order(option: str) -> None:
    assert place_bound(("x", option, "y")) == f"an option that is not last speaks of those above it: {option!r}"


@pytest.mark.parametrize("option", THESE)
def test_one_that_speaks_of_all_wherever_they_stand_is_free_unless_last(option: str) -> None:
    assert place_bound(("x", option, "y")) == ""
    assert first_pinned(("x", option, "y")) == 3


@pytest.mark.parametrize("option", BY_PLACE)
@pytest.mark.parametrize("place", [0, 2])
def test_one_that_speaks_of_a_place_fixes_the_order(option: str, place: int) -> None:
    options = ["x", "y"]
    options.insert(place, option)
    assert place_bound(options) == f"an option speaks of others by their place: {option!r}"


@pytest.mark.parametrize("option", FREE)
def test_ordinary_words_are_free(option: str) -> None:
    assert first_pinned(("x", option)) == 2
    assert place_bound((option, "x")) == ""
