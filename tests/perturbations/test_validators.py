"""Paraphrase validators: each finds what it is there for, in a fixed order, and lets a faithful paraphrase pass."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.generators.amounts import numbers_in
from prt.perturbations.generators.validators import VALIDATORS, no_leak, validate_paraphrase
from prt.perturbations.question import Gold, Question, Subject

SUBJECT = Subject(
    "item",
    Question("What do cats eat?", ("lions", "fresh grass"), context=("A passage about rivers.",)),
    gold=Gold(texts=("Paris",)),
)


def verdict(original: str, new: str, subject: Subject = SUBJECT) -> str | None:
    return validate_paraphrase(subject, original, new)


@pytest.mark.parametrize(
    ("original", "new"),
    [
        (
            "How many eggs does Janet sell for $2 each day?",
            "What number of eggs is sold by Janet for 2 dollars each day?",
        ),
        ("Which isn't a fruit?", "Which of these is not a fruit?"),
        ("Name all the three dogs", "List every one of the 3 dogs"),
        ("He paid 1,000 dollars for 25 cows", "For twenty-five cows he paid $1000"),
        ("There is 1 cow in the field", "One cow is in the field"),
        ("The path is 5 km long", "It is a path of 5 kilometers"),
        ("Use `foo()` on {x} at https://a.b", "Apply `foo()` to {x} at https://a.b"),
        ('He said "go away" to Tom', "Tom was told “go away” by him"),
        ("Solve x^2 = 4 for x", "For x, find the solution of x^2 = 4"),
        ("No fewer than 3 people came", "At least 3 people came"),
        ("Between 5–10 people came", "From 5 to 10 people came"),
        ("Pollinators need flowers", "Flowers are what pollinators need"),
        ("What is the sum of these?", "State the sum of these."),
        ("How is it that it is so?", "I want to know why it is so."),
        ("Warum ist der Himmel nicht rot?", "Weshalb ist der Himmel denn nicht rot?"),
        ("Quante mele non sono rosse nella cesta?", "Nella cesta, quante mele non sono rosse?"),
        ("它很易碎，所以要小心。", "因为它容易碎，请小心。"),
        ("Pick A and/or e.g. another one", "Choose A or, e.g. or instead, another"),
        ("can you drive in canada now", "Is it allowed to drive in Canada now?"),
        ("You may march in on monday", "On Monday you can walk in"),
    ],
)
def test_a_faithful_paraphrase_passes(original: str, new: str) -> None:
    assert verdict(original, new) is None


@pytest.mark.parametrize(
    ("original", "new", "reason"),
    [
        ("What is it?", "", "it is empty"),
        ("What is it?", " \n", "it is empty"),
        ("", "What is it?", "there is no original to reword"),
        ("What is it?", "What  is\nit?", "it is the original"),
        ("What is 231_{10} ?", "What is 231_{10}?", "it is the original but for spacing, case or punctuation"),
        ("What, then, is it?", "what then is it", "it is the original but for spacing, case or punctuation"),
        ("它的首都是什么？", "它的首都是什么", "it is the original but for spacing, case or punctuation"),
        ("What is the capital?", "I'm sorry, I can't help with it.", "it is a refusal"),
        ("What is the capital?", "As an AI, I have no capital.", "it is a refusal"),
        ("What is the capital of it?", "Quelle est la capitale ?", "it is in another language: fr, not en"),
        ("What is the capital of it?", "它的首都是什么呢朋友们请说", "it is in another language: Han, not Latin"),
        (
            "What is it?",
            "Please do tell me what on earth it is",
            "its length is 29 characters to 9; 0.5 to 2 times is allowed",
        ),
        ("What is 12 plus 5?", "What is 21 plus 5?", "numbers differ: '12' is missing, '21' is new"),
        ("What is 5 minus 3?", "What is -5 minus 3?", "numbers differ: '5' is missing, '-5' is new"),
        ("There are twelve dogs", "There are many, many dogs", "numbers differ: '12' is missing"),
        ("He ran 5 km that day", "He ran 5 miles that day", "units differ: 'kilometer' is missing, 'mile' is new"),
        ("It cost €5 that day", "It cost $5 that day", "units differ: 'euro' is missing, 'dollar' is new"),
        ("Which is not a fruit?", "Which is a fruit?", "negations differ: 'not' is missing"),
        ("Which isn't a fruit?", "Which is a fruit?", "negations differ: 'not' is missing"),
        ("Which is incorrect?", "Which is correct?", "negations differ: 'false' is missing"),
        ("Quante non sono rosse?", "Quante sono rosse?", "negations differ: 'not' is missing"),
        ("All dogs bark loudly", "Some dogs bark loudly", "quantifiers differ: 'all' is missing, 'some' is new"),
        ("At least two bark", "At most two bark", "quantifiers differ: 'at least' is missing, 'at most' is new"),
        ("Where did Tom meet Ann?", "Where did Tom meet Eve?", "names differ: 'Ann' is missing, 'Eve' is new"),
        ("What came on monday then?", "What came on that day then?", "dates differ: 'monday' is missing"),
        ("It was may 6 and cold", "It was cold on the 6", "dates differ: 'may' is missing"),
        ("Was it Sunday or Monday?", "Was it Sunday or Sunday?", "names differ"),
        ("can you drive in canada now", "can you drive in there now", "names differ: 'canada' is missing"),
        ("Does DNA do that?", "Does RNA do that?", "names differ: 'DNA' is missing, 'RNA' is new"),
        ('He said "go away"', 'He said "go home"', "quotes differ: 'go away' is missing, 'go home' is new"),
        ("Fill {x} in here", "Fill {y} in here", "placeholders differ: '{x}' is missing, '{y}' is new"),
        (
            "See https://a.b now",
            "See https://a.c now",
            "placeholders differ: 'https://a.b' is missing, 'https://a.c' is new",
        ),
        ("Is option B red?", "Is option C red?", "placeholders differ"),
        ("Let x be a root", "Let z be a root", "placeholders differ: 'x' is missing, 'z' is new"),
        ("Do lions eat fresh grass?", "Do lions eat grass?", "it no longer names the answer 'fresh grass'"),
        ("Was Paris founded by Romans?", "Did Romans found PARIS?", "names differ"),
        ("What is eaten by the cats?", "This is eaten by the cats too.", "it asks nothing any more"),
        ("Cosa mangiano di solito le mucche?", "Le mucche di solito mangiano erba fresca.", "it asks nothing any more"),
        ("What do cats eat?", "What do lions eat?", "the word 'lions' is new and stands in an answer"),
        ("What do cats eat?", "What does a lion eat?", "the word 'lion' is new and stands in an answer"),
        ("Name a large capital", "State a big paris here", "the word 'paris' is new and stands in an answer"),
        ("Desert environments features", "What stands between the markers?", "it has no word of the original"),
    ],
)
def test_each_validator_says_what_it_found(original: str, new: str, reason: str) -> None:
    found = verdict(original, new)
    assert found is not None
    assert found.startswith(reason)


def test_a_word_of_the_items_own_texts_is_no_leak() -> None:
    subject = Subject("item", Question("What is shown?", ("rivers",), context=("A passage about rivers.",)))
    assert verdict("What is shown?", "What rivers?", subject) is None


def test_an_answer_may_be_named_in_other_case_and_spacing_and_a_number_in_other_form() -> None:
    subject = Subject("item", Question("q", ("sea ice", "9", "all")), gold=Gold(options=(0,)))
    before = "Sea ice or 9 boats, or all of them?"
    assert verdict(before, "Is it nine boats, sea\nice, or every one of them?", subject) is None
    assert verdict(before, "Is it nine boats, ice, or every one of them?", subject) is not None


def test_a_pattern_of_the_users_must_be_taken_over() -> None:
    subject = Subject("item", Question("q"), protect=("widget type",))
    assert verdict("Which widget type is red?", "Which type of widget is red?", subject) is not None


def test_the_validators_are_asked_in_the_stated_order() -> None:
    assert [validator.__name__ for validator in VALIDATORS] == [
        *("not_empty", "differs", "not_a_refusal", "same_language", "similar_length", "same_numbers", "same_negations"),
        *(
            "same_quantifiers",
            "same_names",
            "same_dates",
            "same_quotes",
            "same_placeholders",
            "same_answers",
            "still_asks",
            "no_leak",
            "shares_words",
        ),
    ]


def test_the_first_reason_wins() -> None:
    assert verdict("It is not 12 in Paris", "It is 21 in Rome now") == "numbers differ: '12' is missing, '21' is new"


@pytest.mark.parametrize(
    ("text", "language", "numbers"),
    [
        ("1,000 and 1000 and 1 000", "en", {"1000": 3}),
        ("1,5 and 1.5", "en", {"1,5": 1, "1.5": 1}),
        ("twenty-five and 25 and twenty five", "en", {"25": 2, "20": 1, "5": 1}),
        ("-3 and −3 and +3 and ~3", "en", {"-3": 2, "3": 2}),
        ("3rd and third and 3", "en", {"3rd": 2, "3": 1}),
        ("5–10 and 7-8", "en", {"5": 1, "10": 1, "7": 1, "8": 1}),
        ("due cani e tre gatti", "it", {"2": 1, "3": 1}),
        ("the due date", "en", {}),
    ],
)
def test_numbers_are_counted_in_one_form(text: str, language: str, numbers: dict[str, int]) -> None:
    assert numbers_in(text, language) == numbers


@given(st.text(max_size=80), st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_any_two_texts_get_a_verdict_and_a_text_never_paraphrases_itself(original: str, new: str) -> None:
    found = verdict(original, new)
    assert found is None or found.strip()
    assert verdict(original, original) is not None


@given(st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_a_text_says_the_same_as_itself(text: str) -> None:
    for validator in VALIDATORS[5:]:
        assert validator(SUBJECT, text, text) is None or validator is no_leak


def test_what_the_users_own_pattern_protects_is_told_by_that_pattern() -> None:
    subject = Subject("1", Question("x"), protect=(r"ZX-\d+", r"\bbolt\b"))
    lost = validate_paraphrase(subject, "Which bolt holds the large frame?", "What screw keeps the large frame?")
    assert lost == r"texts protected by your pattern '\\bbolt\\b' differ: 'bolt' is missing"
    field = validate_paraphrase(subject, "Fill {x} in here", "Fill {y} in here")
    assert field == "placeholders differ: '{x}' is missing, '{y}' is new"
    assert validate_paraphrase(subject, "Which bolt holds the frame?", "What bolt keeps the frame?") is None
