"""What is known of plain texts at once is what reading them in full gives."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from prt.perturbations.question import Gold, Question
from prt.runner.graders.base import UnusableKeyError
from prt.runner.graders.plain import _declining, _is_inert
from prt.runner.graders.shown import ENDS, _core, gold_options, shown_options
from prt.runner.graders.text import View, fold, lower, without_markup
from prt.runner.records import AnswerKey, Item

texts = st.one_of(
    st.text("aZ09 .-+'*_`~$<>#/\\é²ſ\t\n\u200b\u00a0", max_size=10),
    st.lists(st.sampled_from(["York", "a", "42", "n/a", "**b**", "no.", "- x"]), max_size=3).map(" ".join),
)


def read_in_full(text: str) -> str:
    """An option's text as it may stand in a sentence."""
    spelled = " ".join(without_markup(View.of(text)).text.split())
    return spelled.strip(ENDS) or spelled


def as_it_stands(text: str) -> str:
    """A wrong reading: whatever is ASCII has no markup."""
    return " ".join(text.split()).strip(ENDS) if text.isascii() else read_in_full(text)


def differs(read: Callable[[str], str], text: str) -> bool:
    return read(text) != read_in_full(text)


@settings(max_examples=500)
@given(texts)
@example(" two  words ")
@example("a\tb")
@example("²")
def test_a_text_of_plain_words_is_spelled_as_if_it_were_read_in_full(text: str) -> None:
    assert not differs(_core, text)
    assert fold(text) == View.of(text).text


@settings(max_examples=500)
@given(texts.filter(bool), st.lists(st.sampled_from(["no", "york"]), max_size=2))
def test_only_what_is_read_as_it_is_written_is_inert(text: str, others: list[str]) -> None:
    view, declining = View.of(text), [*_declining(lower(text)), *others]
    if _is_inert(text, declining):
        assert (view.text, view.offsets, without_markup(view).text) == (text, None, text)
        assert not any(part in lower(view.text) for part in declining)


def test_a_reading_that_takes_all_ascii_for_plain_is_found_out() -> None:
    assert differs(as_it_stands, "**b**")
    assert not differs(_core, "**b**")


def test_equal_options_that_are_right_in_one_item_may_be_wrong_in_another() -> None:
    def key(*right: int) -> AnswerKey:
        options = ("red", "Blue", "red")
        item = Item(id="q", question=Question("Which?", options=options), gold=Gold(options=right))
        return AnswerKey(item, labels=("A", "B", "C"), options=options, permutation=(0, 1, 2))

    assert gold_options(key(2), shown_options(key(2))) == {0}
    assert gold_options(key(1), shown_options(key(1))) == {1}
    for _ in range(2):
        with pytest.raises(UnusableKeyError, match="none of the options shown"):
            gold_options(key(7), shown_options(key(7)))
