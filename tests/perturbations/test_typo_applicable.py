"""When no typing mistake may be made, and what is said then."""

import pytest
from prt.perturbations.generator import Draft, Draw
from prt.perturbations.generators.typo import Typo, obstacle
from prt.perturbations.question import Question, Subject
from prt.perturbations.seeds import rng_for

PLAIN = "the large yellow machine carries heavy wooden boxes"
LETTERS_ASKED = "the question is about spelling, letters, case or sound"
NO_LONG_WORD = "there is no word of 4 letters or more"
PROTECTED = "every word of 4 letters or more is protected"


def draft(question: Question | str, typo: Typo | None = None) -> Draft:
    asked = Question(question) if isinstance(question, str) else question
    rng = rng_for(seed=0, generator="typo", version=1, parameters="{}", item_id="item", number=1)
    return (typo or Typo(rate=1.0)).draft(Subject("item", asked), Draw(1, rng))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "there is no text"),
        (" \n\t ", "there is no text"),
        ("is it a cat", NO_LONG_WORD),
        ("12 + 5 =", NO_LONG_WORD),
        ("| 4 ||  || ½ || 0 || ½ || - || 1 || 1 || 67.75", NO_LONG_WORD),
        ("DNA RIBOSOME", PROTECTED),
        ('"everything here quoted"', PROTECTED),
        ("```\nprint('everything here')\n```", PROTECTED),
        ("def area(radius):\n    return radius * constant", PROTECTED),
        ("该物品用气泡包装纸包着。", "keyboard typos need Latin letters; the text is mostly Han"),
        ("この文章は日本語で書かれています", "keyboard typos need Latin letters; the text is mostly Japanese"),
        ("날짜를 세어 보세요", "keyboard typos need Latin letters; the text is mostly Hangul"),
        ("ประเทศไทยมีเมืองหลวงชื่ออะไร", "keyboard typos need Latin letters; the text is mostly Thai"),
        ("ما هي عاصمة فرنسا", "keyboard typos need Latin letters; the text is mostly Arabic"),
        ("מהי בירת צרפת", "keyboard typos need Latin letters; the text is mostly Hebrew"),
        ("какая столица Франции", "keyboard typos need Latin letters; the text is mostly Cyrillic"),
    ],
)
def test_without_a_word_to_mistype_it_is_not_applicable(text: str, reason: str) -> None:
    assert draft(text) == Draft("not_applicable", reason)


@pytest.mark.parametrize(
    "text",
    [
        *("How many letters are in the word banana?", "Which word is spelled correctly?", "What rhymes with orange?"),
        *("Is this sentence a palindrome?", "Find an anagram of listen", "Which words begin with a vowel?"),
        *(
            "Write the title in upper case",
            "What is the third letter of the word house?",
            "Sort the names alphabetically",
        ),
        *(
            "Which word starts with the letter q?",
            "How many syllables has it?",
            "Unscramble these words",
            "Fix the grammar here",
        ),
        *("Quante vocali ci sono?", "Welcher Buchstabe fehlt?", "Corrige la ortografía"),
    ],
)
def test_questions_about_the_words_themselves_are_not_applicable(text: str) -> None:
    assert draft(text).reason == LETTERS_ASKED


def test_an_instruction_about_spelling_counts_as_well() -> None:
    assert draft(Question(PLAIN, instruction="Correct the spelling.")).reason == LETTERS_ASKED


@pytest.mark.parametrize(
    "text",
    [
        "She wrote three letters to her brother",
        "A cold spell came over the village",
        "The story begins with a vision and ends in a tie",
        "They are the three pigs of a nursery rhyme",
        "The tremor is more pronounced in the evening",
        "The market capitalization of the company grew",
    ],
)
def test_words_that_only_look_like_such_questions_are_applicable(text: str) -> None:
    assert obstacle(Question(text), {"text": text}) == ""


def test_where_every_mistake_makes_another_word_it_says_so() -> None:
    typo = Typo(rate=1.0, operations=("transpose",))
    assert draft("form", typo).reason == "every mistake in these words would make another word"


def test_without_a_listed_misspelling_it_is_said_so() -> None:
    typo = Typo(rate=1.0, operations=("misspelling",))
    assert draft("the large machine", typo).reason == "none of these words has a misspelling that is listed"
    assert draft("we receive it", typo).outcome == "applied"
