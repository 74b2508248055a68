"""Shortcuts that spare a search find what the search would find: whatever the case, the apostrophe, the odd letter."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.perturbations.lexicon.folding import AnyCase, in_small_letters
from prt.perturbations.lexicon.wording import PATTERN, asks_about_letters
from prt.perturbations.lexicon.words import WORD, words_of
from prt.perturbations.options.combined import partial, whole
from prt.perturbations.options.dependent import ALL_ABOVE, ALL_THESE, BY_PLACE
from prt.perturbations.options.references import PLACE, label_references, may_name, patterns
from prt.perturbations.protection.patterns import CUES, NAMED_WORDS, PATTERNS, patterns_for
from prt.perturbations.protection.protect import surely_absent, whole_words
from prt.perturbations.protection.tokens import SYMBOL, TOKEN, core, tokens_with_symbols

ODD = ("İ", "ı", "ſ", "\u212a", "ß", "ẞ", "é", "’", "‘", "“", "”", "„", "«", "»", "…", "–")
PIECES = (
    *("option", "A", "choiceſ", "STATEMENT", "II", "x", "don't", "can’t", "n’", "only", "I and II", "both A", "(B)"),
    *("`x`", "{y}", "<b>", "%s", "[MASK]", "....", "__", "dd.mm", "http://a.b", "WWW.a.b", "mailto:x", "a@b.c", '"q"'),
    *("“q”", "«q»", "‘q’", "'q'", "``q''", "acgtac", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "A)", "1.", "\n"),
    *(
        "spell",
        "Spelling",
        "RHYMES",
        "nursery rhyme",
        "the letter a",
        "the letters A",
        "tıtle case",
        "vowelſ",
        "silben",
    ),
    *ODD,
)
texts = st.lists(st.sampled_from(PIECES) | st.text("abkKsSiI'’.:(\n ", max_size=4), max_size=12).flatmap(
    lambda pieces: st.sampled_from((" ".join(pieces), "".join(pieces)))
)
answers = st.lists(st.sampled_from(("Kiss", "I", "it's", "sick", "as", "option", "A", "b.c")), max_size=3).map(" ".join)


@given(texts)
def test_a_pattern_without_its_cue_is_not_in_the_text(text: str) -> None:
    tried = list(patterns_for(text))
    for kind, known in PATTERNS.items():
        for pattern in known:
            assert (kind, pattern) in tried or not pattern.search(text), pattern.pattern


def test_every_pattern_has_its_cues() -> None:
    assert {kind: len(patterns) for kind, patterns in PATTERNS.items()} == {
        kind: len(cues) for kind, cues in CUES.items()
    }
    small = [cue for cues in CUES.values() for each in cues for cue in each]
    assert [cue for cue in small if cue != in_small_letters(cue)] == []


def test_a_text_without_any_cue_tries_few_patterns() -> None:
    every = sum(map(len, PATTERNS.values()))
    assert len(list(patterns_for("Which bird sings at night"))) < every / 3


@given(texts, answers)
def test_an_answer_that_is_surely_absent_is_not_found(text: str, answer: str) -> None:
    pattern = whole_words(answer)
    if surely_absent(answer, in_small_letters(text)):
        assert pattern is None or not pattern.search(text)


@pytest.mark.parametrize(("text", "answer"), [("a kiſs", "Kiss"), ("\u212aıss", "kiss"), ("İt’s", "it's")])
def test_the_wrong_twin_that_only_lowers_letters_would_miss_an_answer(text: str, answer: str) -> None:
    pattern = whole_words(answer)
    assert pattern is not None
    assert pattern.search(text)
    assert not surely_absent(answer, in_small_letters(text))
    assert surely_absent(answer, text.lower())


@given(texts)
def test_questions_about_letters_are_found_as_by_the_pattern_itself(text: str) -> None:
    assert asks_about_letters(text) == (PATTERN.exact.search(text) is not None)


@given(texts)
def test_words_are_those_of_the_pattern(text: str) -> None:
    assert list(words_of(text)) == [match[0].casefold() for match in WORD.finditer(text)]


PLACES = (
    "of the",
    "above",
    "none",
    "ALL",
    "the first",
    "previous",
    "options",
    "see",
    "ci-dessus",
    "précédentes",
    "of these",
)


@given(st.lists(st.sampled_from(PLACES), max_size=6).map(" ".join))
def test_a_pattern_for_any_case_finds_what_it_finds_without_regard_to_case(text: str) -> None:
    for pattern in (PLACE, ALL_ABOVE, ALL_THESE, BY_PLACE):
        found, expected = pattern.search(text), pattern.exact.search(text)
        assert (found and found.span()) == (expected and expected.span())


@pytest.mark.parametrize("pattern", [PATTERN, PLACE, ALL_ABOVE, ALL_THESE, BY_PLACE])
def test_a_pattern_for_any_case_is_written_in_small_letters(pattern: AnyCase) -> None:
    written = re.sub(r"\\[A-Z]", "", pattern.exact.pattern)
    assert written == written.lower()


@given(texts | st.text("ab1.(中๐_:) \n", max_size=12))
def test_the_tokens_that_a_symbol_touches_are_found(text: str) -> None:
    found = {match.span() for match in tokens_with_symbols(text)}
    for match in TOKEN.finditer(text):
        if SYMBOL.search(text, *match.span()) or SYMBOL.search(text, *core(text, *match.span())):
            assert match.span() in found
    assert found <= {match.span() for match in TOKEN.finditer(text)}


def test_a_label_is_found_behind_each_word_that_names_one() -> None:
    named = PATTERNS["label"][0]
    forms = [form for word in NAMED_WORDS for form in (word, f"{word}s")]
    for form in (*forms, "hypothesis", "hypotheses"):
        assert named.search(f"see {form.upper()} B."), form
    assert not named.search("see hypothess B.")


LABELS = (("A", "B", "C", "D"), ("a", "b"), ("1", "2", "3"), ("i", "ii", "iii"), ("I", "II"), ("Z", "AA"))
SAID = (
    "A",
    "b",
    "(C)",
    "option",
    "a",
    "A-D",
    "B.",
    "ii",
    "II and I",
    "1",
    "12",
    "aa",
    "answer:",
    "only",
    "both",
    ",",
    "É",
    "A_",
)


@given(st.lists(st.sampled_from(SAID), max_size=8).map(" ".join), st.sampled_from(LABELS), st.booleans())
def test_a_text_without_a_label_as_a_word_names_none(text: str, labels: tuple[str, ...], task: bool) -> None:  # noqa: FBT001 - drawn
    if not may_name(text, labels):
        both = (labels, tuple(label.swapcase() for label in labels))
        assert not any(patterns(cased).one.search(text) for cased in both)
        assert not label_references(text, labels, task=task)
        assert not any(whole(cased).fullmatch(text) or partial(cased).search(text) for cased in both)


def test_a_label_inside_a_word_is_not_named() -> None:
    assert not may_name("an Abacus, B2 and AB", ("A", "B"))
    assert may_name("see (b)", ("A", "B"))
