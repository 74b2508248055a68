"""Typing mistakes: how many, where, and when none may be made."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.keyboards import Keyboard
from prt.perturbations.generators.mistakes import Operation
from prt.perturbations.generators.typo import SEVERITIES, Typo, mistaken_count
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.protection.parts import apply_edits
from prt.perturbations.question import Example, Gold, Message, Question, Subject
from prt.perturbations.seeds import rng_for
from prt.perturbations.variant import Edit

PLAIN = "the large yellow machine carries heavy wooden boxes along narrow mountain roads during winter"
ELIGIBLE = 13


def chance(seed: int) -> random.Random:
    return rng_for(seed=seed, generator="typo", version=1, parameters="{}", item_id="item", number=1)


def draft(question: Question | str, typo: Typo | None = None, *, seed: int = 0, gold: tuple[str, ...] = ()) -> Draft:
    asked = Question(question) if isinstance(question, str) else question
    subject = Subject("item", asked, gold=Gold(texts=gold))
    return (typo or Typo(rate=1.0)).draft(subject, Draw(1, chance(seed)))


def mistyped(text: str, *, rate: float = 1.0, seed: int = 0) -> str:
    drafted = draft(text, Typo(rate=rate), seed=seed)
    return text if drafted.question is None else drafted.question.text


def test_it_is_a_generator_of_checked_variants() -> None:
    generator: Generator = Typo(variants=3)
    assert (generator.name, generator.version, generator.tier, generator.variants) == ("typo", 1, "checked", 3)
    assert generator.parameters() == {
        "rate": 0.05,
        "layout": "qwerty",
        "parts": ["text"],
        "operations": ["replace", "delete", "insert", "transpose"],
    }


@pytest.mark.parametrize(("severity", "rate"), [("mild", 0.05), ("medium", 0.10), ("hard", 0.20)])
def test_severities_are_shares_of_words(severity: str, rate: float) -> None:
    assert SEVERITIES[severity] == rate


@pytest.mark.parametrize(
    ("rate", "eligible", "expected"),
    [
        (0.05, 1, 1),
        (0.05, 30, 2),
        (0.05, 29, 1),
        (0.1, 25, 3),
        (0.1, 24, 2),
        (0.2, 13, 3),
        (0.145, 100, 15),
        (1.0, 7, 7),
    ],
)
def test_the_share_of_words_is_rounded_half_up_but_one_at_least(rate: float, eligible: int, expected: int) -> None:
    """0.145 × 100 is 14.499999999999998 in binary floats; as it is written it is 14.5."""
    assert mistaken_count(rate, eligible) == expected


@pytest.mark.parametrize("rate", [0.05, 0.2, 0.5, 1.0])
def test_severity_is_words_edited_by_eligible_words(rate: float) -> None:
    drafted = draft(PLAIN, Typo(rate=rate))
    assert len(drafted.edits) == mistaken_count(rate, ELIGIBLE)
    assert drafted.severity == len(drafted.edits) / ELIGIBLE


def test_a_rate_of_zero_changes_nothing() -> None:
    assert draft(PLAIN, Typo(rate=0)) == Draft("unchanged", "the rate is 0")


def test_each_word_gets_one_mistake_and_keeps_its_first_and_last_letter() -> None:
    for seed in range(30):
        before, after = PLAIN.split(), mistyped(PLAIN, seed=seed).split()
        assert len(before) == len(after)
        assert [word for word in before if len(word) < 4] == [word for word in after if word == "the"]
        for word, other in zip(before, after, strict=True):
            assert (word[0], word[-1]) == (other[0], other[-1])
            assert len(word) < 4 or word != other
            assert abs(len(word) - len(other)) <= 1


def test_the_same_draw_gives_the_same_variant_and_another_draw_another() -> None:
    assert len({mistyped(PLAIN, seed=7) for _ in range(5)}) == 1
    assert len({mistyped(PLAIN, seed=seed) for seed in range(20)}) == 20


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (r"when is $\Delta H$ for CO(g) negative", [r"$\Delta H$", "CO(g)"]),
        ("whether Statement I follows from the other claim", ["Statement I"]),
        ("please visit https://a.b before starting", ["https://a.b"]),
        ("there were exactly 12 wooden boxes", ["12"]),
        ("compute the distance from 5–10 km at -3.5e-10 mol", ["5–10 km", "-3.5e-10 mol"]),
        ("the meeting starts on June 5, 2020 in the afternoon", ["June 5, 2020"]),
        ("the payment of 1.000,50 € arrives later", ["1.000,50 €"]),
        ('replace the word "I" afterwards <SPLIT>', ['"I"', "<SPLIT>"]),
        (
            "My phone number is +99(555)-0100-0101ext02, my policy number is 0000-00ABC-00 and my account is 00000000.",
            ["+99(555)-0100-0101ext02", "0000-00ABC-00", "00000000"],
        ),
        ("complete the ____ with something [MASK]", ["____", "[MASK]"]),
        (
            "white plays rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 quickly",
            ["/PPPPPPPP/RNBQKBNR w KQkq - 0 1"],
        ),
        ("which molecule has the structure CC(=O)Oc1ccccc1C(=O)O", ["CC(=O)Oc1ccccc1C(=O)O"]),
        ("measure variable x where I and a appear", [" x ", " I ", " a "]),
    ],
)
def test_what_others_broke_stays_byte_equal(text: str, kept: list[str]) -> None:
    for seed in range(10):
        drafted = draft(text, seed=seed)
        assert drafted.outcome == "applied"
        assert drafted.question is not None
        assert [piece for piece in kept if piece not in drafted.question.text] == []


def test_options_and_gold_stay_where_they_stand_in_the_question() -> None:
    question = Question("which animal eats purple grapes every morning", ("purple grapes", "nothing"))
    for seed in range(10):
        drafted = draft(question, seed=seed, gold=("morning",))
        assert drafted.question is not None
        assert "purple grapes" in drafted.question.text
        assert drafted.question.text.endswith("every morning")
        assert drafted.question.options == question.options


@pytest.mark.parametrize(
    "text",
    [
        "Hello there .  Testing  ? Trying ! Also this : thing + ",
        "line number\n\tline second\r\nthird  ",
        " \u00a0spaced\u2003words here",
    ],
)
def test_spacing_line_ends_and_punctuation_stay(text: str) -> None:
    after = mistyped(text)
    assert after != text
    assert [character for character in after if not character.isalpha()] == [
        character for character in text if not character.isalpha()
    ]


def test_a_mixture_of_languages_is_mistyped_in_its_latin_words_only() -> None:
    text = "translate the strange sentence 我掏空了口袋 into another language please"
    after = mistyped(text)
    assert after != text
    assert "我掏空了口袋" in after


def test_letters_that_no_key_has_are_handled() -> None:
    """Turkish dotless i and dotted capital I have no neighbours; German sharp s has no single capital."""
    for text in (
        "kapıyı kapattım ışıkları söndürdüm",
        "İSTANBULlu İzmirli çocuklar",
        "die größte straße heißt spaßstraße",
    ):
        for seed in range(20):
            after = mistyped(text, seed=seed)
            assert after.encode().decode() == after
            assert set(after) - set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")


def test_combining_marks_stay_on_their_letters() -> None:
    text = "cafe\u0301teria re\u0301sume\u0301s appear everywhere"
    for seed in range(30):
        after = mistyped(text, seed=seed)
        assert after.count("e\u0301") == text.count("e\u0301")
        assert after.count("\u0301") == text.count("\u0301")


def test_emoji_joiners_and_lone_surrogates_are_left_alone() -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
    text = f"happy family {family} lives\ufe0f here\u200djoined soft\u00adhyphen broken\ud800 ending"
    for seed in range(20):
        drafted = draft(text, seed=seed)
        assert drafted.question is not None
        after = drafted.question.text
        for piece in (
            family,
            "lives\ufe0f",
            "here\u200djoined",
            "soft\u00adhyphen",
            "broken\ud800",
        ):
            assert piece in after


def test_only_the_last_user_turn_is_mistyped() -> None:
    question = Question(
        PLAIN,
        system="Answer briefly please",
        instruction="Choose something suitable",
        context=("Another passage follows",),
        history=(Message("user", "Earlier question here"), Message("assistant", "Earlier answer here")),
        examples=(Example("Some example here", answer="something"),),
    )
    drafted = draft(question)
    assert drafted.question is not None
    assert replace(drafted.question, text=PLAIN) == question


def test_the_parts_that_are_asked_for_are_mistyped() -> None:
    question = Question(PLAIN, system=PLAIN, instruction=PLAIN, context=(PLAIN, "12", PLAIN))
    drafted = draft(question, Typo(rate=1.0, parts=("instruction", "context", "system")))
    assert drafted.question is not None
    assert {edit.part for edit in drafted.edits} == {"instruction", "context[0]", "context[2]", "system"}
    assert drafted.question.text == PLAIN
    assert drafted.question.context[1] == "12"
    assert drafted.severity == 1.0


@pytest.mark.parametrize(("layout", "letter"), [("qwerty", "z"), ("azerty", "q"), ("qwertz", "z")])
def test_the_keyboard_decides_which_keys_are_struck(layout: Keyboard, letter: str) -> None:
    typo = Typo(rate=1.0, layout=layout, operations=("replace",))
    neighbours = {"qwerty": {"a", "s", "x"}, "azerty": {"a", "z", "s", "w"}, "qwertz": {"t", "u", "g", "h"}}[layout]
    word = f"x{letter * 6}x"
    struck = {edit.after for seed in range(60) for edit in draft(word, typo, seed=seed).edits}
    assert struck == neighbours


@pytest.mark.parametrize("operation", ["replace", "delete", "insert", "transpose", "misspelling"])
def test_one_operation_can_be_asked_for_alone(operation: Operation) -> None:
    drafted = draft("they receive different machines", Typo(rate=1.0, operations=(operation,)))
    assert {edit.kind for edit in drafted.edits} == {operation}


def test_operations_come_in_the_stated_mix() -> None:
    text = " ".join(["machinery", "yellowish", "mountainous", "containers", "wandering"] * 20)
    kinds = [edit.kind for seed in range(20) for edit in draft(text, seed=seed).edits]
    shares = {kind: kinds.count(kind) / len(kinds) for kind in set(kinds)}
    assert shares == pytest.approx({"replace": 0.5, "delete": 0.2, "insert": 0.2, "transpose": 0.1}, abs=0.03)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"rate": 1.5}, r"rate is 1.5; it is a share of words, from 0 to 1"),
        ({"rate": float("nan")}, r"rate is nan"),
        ({"layout": "dvorak"}, r"layout is one of qwerty, azerty, qwertz; found 'dvorak'"),
        ({"parts": ("text", "options")}, r"parts is one or more of text, instruction, .*; found text, options"),
        ({"parts": ()}, r"parts is one or more of text, .*; found none"),
        ({"operations": ("swap",)}, r"operations is one or more of replace, .*; found swap"),
    ],
)
def test_parameters_outside_their_range_are_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Typo(**parameters)  # type: ignore[arg-type] # wrong on purpose


def test_an_edit_that_does_not_fit_is_refused() -> None:
    question = Question("some text")
    with pytest.raises(ValueError, match="must stand there"):
        apply_edits(question, (Edit("text", 0, "other", "x", "replace"),))
    with pytest.raises(ValueError, match="must stand there"):
        apply_edits(question, (Edit("text", 0, "some", "x", "replace"), Edit("text", 2, "me", "x", "replace")))


TEXTS = st.one_of(
    st.text(max_size=120),
    st.lists(
        st.sampled_from(
            [
                "the large machine",
                "12 km",
                "don't",
                "$x^2$",
                "Straße",
                "kapıyı",
                "e\u0301té",
                "\U0001f468\u200d\U0001f469",
                "\n",
                '"quoted text"',
                "Paris",
                "{x}",
            ]
        )
        | st.text(st.characters(exclude_categories=()), max_size=8),
        max_size=12,
    ).map(" ".join),
)


@given(text=TEXTS, rate=st.sampled_from([0.05, 0.2, 1.0]), seed=st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_for_any_text_a_draft_is_deterministic_replayable_and_safe(text: str, rate: float, seed: int) -> None:
    question = Question(text, ("a choice", "another choice"), context=(text[::-1],))
    subject = Subject("item", question, gold=Gold(texts=("machine",)))
    typo = Typo(rate=rate, parts=("text", "context"))
    drafted = typo.draft(subject, Draw(1, chance(seed)))
    assert drafted == typo.draft(subject, Draw(1, chance(seed)))
    if drafted.outcome != "applied":
        assert drafted.reason
        return
    assert drafted.question is not None
    assert drafted.question != question
    assert apply_edits(question, drafted.edits) == drafted.question
    assert altered_protected(subject, question, drafted.question) is None
    assert surrogates(drafted.question) == surrogates(question)
    assert drafted.severity is not None
    assert 0 < drafted.severity <= 1


def surrogates(question: Question) -> list[str]:
    return [
        character
        for text in (question.text, *question.context)
        for character in text
        if "\ud800" <= character <= "\udfff"
    ]
