"""Each kind of noise by itself: what it can make of a text, all of it, and what it leaves."""

import pytest
from prt.perturbations import Noise, Question, Subject
from prt.perturbations.generators.kept import kept_by
from prt.perturbations.generators.kinds import NoiseKind
from prt.perturbations.generators.noise import FORMS, KINDS
from prt.perturbations.generators.noise_distractor import OF_THE_TEXT, SENTENCES
from prt.perturbations.generators.noise_ground import Ground
from prt.perturbations.generators.noise_letters import CONFUSIONS, LOOK_ALIKES
from prt.perturbations.generators.noise_marks import plain_marks
from prt.perturbations.generators.typo import vocabulary
from prt.perturbations.lexicon.language import is_english
from prt.perturbations.lexicon.scripts import script_of
from prt.perturbations.lexicon.sentences import sentences_of
from prt.perturbations.protection.check import meaning_texts
from prt.perturbations.variant import Edit


def offered(
    text: str, kind: NoiseKind, *, options: tuple[str, ...] = ()
) -> list[list[tuple[int, str, tuple[str, ...]]]]:
    """What a kind offers: for each offer its places as offset, what stands there, and what may stand there instead."""
    ground = Ground(Subject("item", Question(text, options)), ("text",))
    return [
        [(place.start, place.before, tuple(dict.fromkeys(place.after))) for place in offer.places]
        for offer in KINDS[kind](ground)
    ]


def all_at_once(text: str, kind: NoiseKind) -> list[str]:
    """A text after each offer of a kind, with the first of what may stand at each of its places."""
    made = []
    for places in offered(text, kind):
        after = text
        for start, before, forms in reversed(places):
            after = after[:start] + forms[0] + after[start + len(before) :]
        made.append(after)
    return made


def test_single_spaces_are_widened_and_lines_get_spaces_at_their_ends() -> None:
    assert offered("go now\nor  not at 5 km", "spacing") == [
        [
            (2, " ", ("  ", "   ", "\t")),
            (14, " ", ("  ", "   ", "\t")),
            (17, " ", ("  ", "   ", "\t")),
            (6, "", (" ", "  ")),
            (22, "", (" ", "  ")),
        ]
    ]


@pytest.mark.parametrize("text", ["How many are there", "how much of it"])
def test_the_space_of_how_many_stays_since_many_alone_would_say_that_there_are_many(text: str) -> None:
    assert 3 not in [start for start, _, _ in offered(text, "spacing")[0]]


@pytest.mark.parametrize(
    "text",
    [
        "def f(x):\n    return x + 1\n\n\nprint(f(1))",
        "```\na b c\n```",
        "a | b | c\nd | e | f",
        ">>> 1 + 1\n2\n",
    ],
)
def test_code_and_tables_have_no_spacing_and_no_line_ends_of_ours(text: str) -> None:
    assert offered(text, "spacing") == []
    assert offered(text, "line_ends") == []


def test_line_ends_change_from_lf_to_crlf_and_back() -> None:
    assert all_at_once("a b\nc d\n\ne f", "line_ends")[0] == "a b\r\nc d\r\n\r\ne f"
    assert all_at_once("a b\r\nc d\r\n\r\ne f", "line_ends")[0] == "a b\nc d\n\ne f"
    assert all_at_once("a b\r\nc d\ne f", "line_ends")[0] == "a b\r\nc d\r\ne f"


def test_blank_lines_come_between_lines_in_the_texts_own_line_ends() -> None:
    assert offered("a b\nc d\r\ne f", "line_ends")[1] == [(4, "", ("\n", "\n\n")), (9, "", ("\r\n", "\r\n\r\n"))]


def test_a_text_of_one_line_can_only_get_a_line_break_behind_it() -> None:
    assert offered("a b", "line_ends") == [[(3, "", ("\n", "\n\n", "\r\n"))]]


def test_end_marks_are_doubled_spaced_out_or_dropped_and_commas_never_dropped() -> None:
    assert offered("He, too, went. Why?", "punctuation") == [
        [(13, ".", ("..", " .", "")), (18, "?", ("??", " ?", "")), (2, ",", (",,", " ,")), (7, ",", (",,", " ,"))]
    ]


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("It weighs 12. 5 more came.", (" .",)),  # ".." would begin a range, and "12 5" be a number
        ("It came. 5 more left.", ("..", " .")),  # "came 5"
        ("It came. it left.", ("..", " .")),  # nothing would part them
        ("It came. It left.", ("..", " .", "")),
        ("It came.\nit left.", ("..", " .", "")),
    ],
)
def test_an_end_mark_is_dropped_only_where_something_else_parts_the_sentences(
    text: str, forms: tuple[str, ...]
) -> None:
    assert offered(text, "punctuation")[0][0][2] == forms


@pytest.mark.parametrize("text", ["He left... for U.S. 3.5", "So?! What!?", "1,000 and 2, 3", "A, B and C", "a.b"])
def test_ellipses_abbreviations_figures_and_double_marks_stay(text: str) -> None:
    assert offered(text, "punctuation") == []


def test_a_question_without_its_mark_gets_one() -> None:
    assert offered("who wrote hamlet", "punctuation") == [[(16, "", ("?", " ?"))]]
    assert offered("who wrote it\n(A) one\n(B) two", "punctuation") == []


def test_full_width_marks_are_doubled_or_dropped() -> None:
    assert offered("什么？对。", "punctuation") == [[(2, "？", ("？？",)), (4, "。", ("。。", ""))]]


def test_marks_become_curly_and_straight_again() -> None:
    straight = "Ann's \"red hat\" isn't 'new' and - it's the boys' one -- so well--kept."
    (curly,) = all_at_once(straight, "quotes")
    assert curly == "Ann’s “red hat” isn’t ‘new’ and – it’s the boys’ one – so well—kept."
    (again,) = all_at_once(curly, "quotes")
    assert again == straight.replace(" -- ", " - ")
    assert plain_marks(curly) == plain_marks(straight)


@pytest.mark.parametrize(
    "text",
    [
        "the range 5-10 and x - y and 5 - 3",  # minus signs
        "well-known and self-made",
        "- an item\n- another",
        'print("x") and `"y"` with s = "z" or ["u"]',
        "«ja» and „nein“ are not touched"[:6],
        "5'10\" tall",
    ],
)
def test_hyphens_minus_signs_and_code_keep_their_marks(text: str) -> None:
    assert offered(text, "quotes") == []


def test_what_is_quoted_keeps_the_marks_that_it_holds() -> None:
    assert all_at_once("He said \"it's Ann's - he knows\" here.", "quotes") == ["He said “it's Ann's - he knows” here."]
    assert offered('He said “the "inner" one” here.', "quotes") == []


def test_edits_that_change_more_than_the_form_of_a_mark_are_no_forms() -> None:
    """The twin of the proof: what it must refuse."""
    subject = Subject("item", Question('Is "it" so?'))
    mark = Edit("text", 3, '"', "“", "mark form")
    assert kept_by(subject, [mark], FORMS) is not None
    for wrong in ("", "‹", "“x"):
        assert kept_by(subject, [Edit("text", 3, '"', wrong, "mark form")], FORMS) is None
    assert kept_by(subject, [Edit("text", 4, "it", "he", "mark form")], FORMS) is None
    assert kept_by(subject, [Edit("text", 3, '"', "“", "another kind")], FORMS) is None


def test_sentences_begin_small_where_only_their_place_gave_them_a_capital() -> None:
    assert all_at_once("What is it? Paris is big. DNA is long.\n- The end. (It is.) 'No.' X is. I am.", "case") == [
        "what is it? Paris is big. DNA is long.\n- the end. (it is.) 'No.' X is. I am."
    ]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("Ist es das? Die Stadt ist da.", ["ist es das? die Stadt ist da."]),
        ("Wissen das alle? Sie sind da. Ihr auch.", []),  # "sie" would be "they"
        ("Işık var. İyi.", []),
        ("Και τι; Αυτό.", []),
        ("É uma casa. Élan.", []),
    ],
)
def test_capitals_that_mean_something_in_another_language_stay(text: str, after: list[str]) -> None:
    assert all_at_once(text, "case") == after


def test_all_unprotected_words_are_capitals() -> None:
    assert all_at_once("What is the capital of France, iPhone, x^2, 5 km and not it?", "caps") == [
        "WHAT IS THE CAPITAL OF France, iPhone, x^2, 5 km AND not IT?"
    ]


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("die straße ist da", "DIE straße IST DA"),
        ("kapıyı kim açtı, bir iş mi", "KAPIYI KİM AÇTI, BİR İŞ MİNİ"[:-2]),
        ("был ли он там", "БЫЛ ЛИ ОН ТАМ"),
        ("see [note one] and vi or iii", "SEE [note one] AND vi OR iii"),
        ("cafe\u0301 du monde", "CAFE\u0301 DU MONDE"),
        ("height (cm) or weight", "HEIGHT (cm) OR WEIGHT"),
        ("ﬁne thing", "ﬁne THING"),  # a ligature has no single capital
    ],
)
def test_capitals_are_those_of_the_language_and_can_be_taken_back(text: str, after: str) -> None:
    assert all_at_once(text, "caps") == [after]


def test_scripts_without_capitals_have_none() -> None:
    for text in ("这个颜色", "ما هي", "ქართული ენა", "ภาษาไทย"):
        assert offered(text, "caps") == []


def test_a_scanner_misreads_one_letter_or_pair_and_makes_no_other_word() -> None:
    ((start, word, forms),) = offered("modern", "ocr")[0]
    assert (start, word) == (0, "modern")
    assert {"modem", "rnodern", "moclern", "modcrn"} - set(forms) <= {"modem"}
    assert all(form != "modem" for form in forms) or "modem" not in vocabulary(Question("modern"))
    assert not any(character.isdigit() for form in forms for character in form)
    assert all(not key.isdigit() and not any(map(str.isdigit, values)) for key, values in CONFUSIONS.items())


def test_a_misread_word_of_the_item_is_not_made() -> None:
    forms = offered("bear clear", "ocr", options=("dear", "ciear"))[0]
    assert not {"dear", "ciear", "hear"} & {form for _, _, each in forms for form in each}


def test_a_look_alike_is_of_another_script_and_stands_for_one_letter() -> None:
    for latin, other in LOOK_ALIKES.items():
        assert (script_of(latin), script_of(other)) == ("Latin", "Cyrillic")
    for _, word, forms in offered("measure copper", "homoglyphs")[0]:
        for form in forms:
            assert len(form) == len(word)
            assert sum(one != other for one, other in zip(word, form, strict=True)) == 1


def test_distractors_are_english_plain_and_carry_no_meaning_of_a_question() -> None:
    subject = Subject("item", Question(""))
    assert len(SENTENCES) >= 20
    assert len(set(SENTENCES)) == len(SENTENCES)
    for sentence in SENTENCES:
        assert is_english(sentence), sentence
        assert not meaning_texts(sentence, subject), sentence
        assert not OF_THE_TEXT.search(sentence), sentence
        (only,) = sentences_of(sentence)
        assert only.marks == "."
        assert {"yes", "no", "true", "false"}.isdisjoint(sentence.lower().rstrip(".").split())


def test_a_distractor_stands_before_a_text_or_behind_one_that_is_closed() -> None:
    starts = {start for ((start, _, _),) in offered("Which planet has rings?", "distractor")}
    assert starts == {0, 23}
    for unclosed in ("The planet with rings is", "Which one?\n(A) Saturn.\n(B) Mars."):
        assert {start for ((start, _, _),) in offered(unclosed, "distractor")} == {0}
    assert {after for ((_, _, (after,)),) in offered("Which one?\nThat.", "distractor")} == {
        *(f"{sentence}\n" for sentence in SENTENCES),
        *(f"\n{sentence}" for sentence in SENTENCES),
    }


def test_a_distractor_has_no_word_in_common_with_the_item() -> None:
    said = [
        after
        for ((_, _, (after,)),) in offered(
            "Why do kettles, pianos and doors need care?", "distractor", options=("tea",)
        )
    ]
    assert said
    assert not any(word in each for each in said for word in ("piano", "door", "Tea"))


@pytest.mark.parametrize(
    "text",
    [
        "Which sentence is plausible?",
        "Summarize the following.",
        "Is the review positive?",
        "Translate it into French.",
        "def f(x):\n    return x\nWhat does it return?",
    ],
)
def test_a_text_that_is_itself_the_matter_has_no_distractor(text: str) -> None:
    assert offered(text, "distractor") == []


def test_a_distractor_keeps_to_the_text() -> None:
    question = Question("", instruction="Choose one of them.", context=("Some passage is here.",))
    ground = Ground(Subject("item", question), ("text", "instruction", "context"))
    assert KINDS["distractor"](ground) == ()
    assert Noise(kind=("distractor",)).tier == "stress"
