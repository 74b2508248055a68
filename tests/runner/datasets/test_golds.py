"""What a gold answer can mean, and how a whole file decides what it means."""

import pytest
from prt.runner.datasets.golds import AmbiguousError, decide, fits_of
from prt.runner.datasets.option_set import OptionSet
from pydantic import JsonValue as Json

COLOURS = OptionSet.of(["red", "green", "blue"])
NUMBERS = OptionSet.of(["3", "1", "2"])
LETTERS = OptionSet.of(["C", "A", "B"])
NUMBERED = OptionSet(("red", "green", "blue"), ("1", "2", "3"), own=True)


def meant(golds: list[Json], options: OptionSet = COLOURS) -> list[tuple[int, ...]]:
    """The options that the golds of a file mean, each row's gold being one of these."""
    fits = [fits_of(gold if isinstance(gold, list) else [gold], options) for gold in golds]
    decision = decide(fits, None)
    return [decision.options(each) for each in fits]


@pytest.mark.parametrize(
    "gold", ["B", "b", "(B)", "[B]", "B.", "(B).", "B)", " B ", "B. green", "(B) Green", "B: green"]
)
def test_a_label_is_read_in_any_wrapper(gold: str) -> None:
    assert meant([gold]) == [(1,)]


@pytest.mark.parametrize("gold", ["green", "Green", " green\n"])
def test_an_options_text_is_read_whatever_its_case(gold: str) -> None:
    assert meant([gold]) == [(1,)]


def test_a_label_with_another_options_text_means_none() -> None:
    assert meant(["B. red"]) == [()]


def test_a_zero_makes_indices_0_based() -> None:
    assert meant([1, 0, 2]) == [(1,), (0,), (2,)]
    assert meant(["1", "0"]) == [(1,), (0,)]


def test_the_number_of_options_makes_indices_1_based() -> None:
    assert meant([1, 3]) == [(0,), (2,)]
    assert meant([2.0, 3.0]) == [(1,), (2,)]


def test_indices_that_fit_both_ways_are_asked_for() -> None:
    with pytest.raises(AmbiguousError) as caught:
        meant([2, 1])
    assert (
        str(caught.value)
        == "can be read in two ways: as a 0-based index it means option 3, as a 1-based index it means option 2"
    )
    assert caught.value.positions == (0,)


def test_indices_out_of_both_ranges_in_different_rows_are_asked_for() -> None:
    with pytest.raises(AmbiguousError) as caught:
        meant([1, 0, 3])
    assert caught.value.positions == (1, 2)


def test_texts_that_are_numbers_are_texts_where_no_index_fits_every_row() -> None:
    fits = [fits_of(["3"], NUMBERS), fits_of(["25"], OptionSet.of(["25", "30"]))]
    assert [decide(fits, None).options(each) for each in fits] == [(0,), (0,)]


def test_numbers_that_are_texts_and_indices_are_asked_for() -> None:
    with pytest.raises(AmbiguousError):
        meant(["2", "1"], NUMBERS)


def test_letters_that_are_texts_and_labels_are_asked_for() -> None:
    with pytest.raises(AmbiguousError, match="as a label it means option 1, as an option's text it means option 2"):
        meant(["A"], LETTERS)


def test_numbers_that_the_data_gives_its_options_are_labels() -> None:
    assert meant([2, "3"], NUMBERED) == [(1,), (2,)]


def test_what_the_user_says_holds() -> None:
    for asked, index in (("text", 1), ("label", 0)):
        fits = [fits_of(["A"], LETTERS, asked)]  # type: ignore[arg-type] # a literal in a loop
        assert decide(fits, asked).options(fits[0]) == (index,)  # type: ignore[arg-type] # as above
    assert fits_of([2], NUMBERED, "index") == {"index": (2,)}


def test_a_stray_number_among_letters_is_no_index() -> None:
    with pytest.raises(AmbiguousError) as caught:
        meant(["A", "C", "0", "B"])
    assert str(caught.value) == "are read in no one way: a label or an option's text, against a 0-based index"
    assert caught.value.positions == (0, 2)


def test_the_rows_that_show_a_mixture_are_as_few_as_can_be() -> None:
    rows = [
        fits_of([gold], options) for gold, options in (("2", NUMBERS), ("3", COLOURS), (1, COLOURS), ("0", COLOURS))
    ]
    with pytest.raises(AmbiguousError) as caught:
        decide(rows, None)
    assert caught.value.positions == (1, 3)


def test_a_file_may_mix_labels_and_texts() -> None:
    assert meant(["A", "blue"]) == [(0,), (2,)]


def test_one_bad_gold_does_not_change_how_the_others_are_read() -> None:
    assert meant(["A", "yellow", "C"]) == [(0,), (), (2,)]


def test_several_golds_are_all_right() -> None:
    assert meant([["C", "A"]]) == [(0, 2)]


@pytest.mark.parametrize(("gold", "option"), [(True, 0), (False, 1)])
@pytest.mark.parametrize("texts", [("True", "False"), ("yes", "no")])
def test_true_and_false_are_answers_and_no_indices(*, gold: bool, option: int, texts: tuple[str, str]) -> None:
    assert meant([gold], OptionSet.of(texts)) == [(option,)]
    assert meant([gold], COLOURS) == [()]


def test_the_name_of_an_options_column_is_a_label() -> None:
    assert meant(["option2"], OptionSet.of(["x", "y"], ["option1", "option2"])) == [(1,)]


def test_equal_texts_are_all_meant() -> None:
    assert meant(["x"], OptionSet.of(["x", "y", "x"])) == [(0, 2)]
    assert OptionSet.of(["x", "y", "x"]).twins([2]) == (0, 2)


def test_texts_that_differ_only_in_case_need_the_exact_one() -> None:
    options = OptionSet.of(["pH", "PH"])
    assert meant(["PH"], options) == [(1,)]
    assert meant(["ph"], options) == [()]


@pytest.mark.parametrize("gold", ["D", "yellow", "9", 9, -1, 1.5, ""])
def test_what_is_no_option_means_none(gold: Json) -> None:
    assert meant([gold]) == [()]
