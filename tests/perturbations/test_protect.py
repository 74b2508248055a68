"""Protected text: every kind is found where it stands, and nothing else is taken for it."""

import pytest
from prt.perturbations.protection.protect import protected_spans
from prt.perturbations.protection.spans import Mask
from prt.perturbations.question import Gold, Question, Subject


def subject(*options: str, gold: tuple[str, ...] = (), protect: tuple[str, ...] = ()) -> Subject:
    return Subject("item", Question("", options), gold=Gold(texts=gold), protect=protect)


def protected(text: str, about: Subject | None = None) -> list[str]:
    return [text[span.start : span.end] for span in protected_spans(text, about or subject())]


def covers(text: str, piece: str, about: Subject | None = None) -> bool:
    start = text.index(piece)
    return Mask(protected_spans(text, about or subject())).covers(start, start + len(piece))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("it rose from -5 to +3.25 degrees", ["-5", "+3.25 degrees"]),
        ("between 5–10 km or 5-10 km away", ["5–10 km", "5-10 km"]),
        ("about 6.02e23 or 6.02 × 10^23 or 1.5×10⁻³ mol", ["6.02e23", "6.02 × 10^23", "1.5×10⁻³ mol"]),
        (
            "it has 1,000,000.50 and 1.000.000,50 and 1 000 000 and 1’000",
            ["1,000,000.50", "1.000.000,50", "1 000 000", "1’000"],
        ),
        ("a rise of 40% and 12 percent", ["40%", "12 percent"]),
        ("for $5, €7.50, 10 USD and US$ 7", ["$5", "€7.50", "10 USD", "US$ 7"]),
        ("three quarters of a dozen and 3/4 or 2½ cups", ["three", "quarters", "dozen", "3/4", "2½"]),
        ("the 21st of 1990s bands at 98.6 °F", ["21st", "1990s", "98.6 °F"]),
        ("a 23-year-old at 5 mph ran 10 kilometers", ["23-year-old", "5 mph", "10 kilometers"]),
        ("it costs .5 or ½", [".5", "½"]),
    ],
)
def test_numbers_stay_whole_with_sign_separators_and_unit(text: str, pieces: list[str]) -> None:
    assert [piece for piece in pieces if not covers(text, piece)] == []


@pytest.mark.parametrize(
    "piece",
    [
        *("2024-02-29", "12/25/1937", "3.10.1990", "2024-02-29T12:30:00Z", "10:30", "10:30 pm", "6 a.m.", "5 o'clock"),
        *(
            "June 5, 2020",
            "5 June 2020",
            "the 5th of June",
            "Dec. 25",
            "March 2019",
            "5 de mayo de 2020",
            "3. Oktober 1990",
        ),
        *("monday", "12 gennaio", "le 14 juillet 1789"),
    ],
)
def test_dates_and_times_stay_whole(piece: str) -> None:
    text = f"she came on {piece} to stay"
    assert covers(text, piece.removeprefix("the ").removeprefix("le "))


def test_a_month_without_a_number_is_an_ordinary_word() -> None:
    assert protected("they may march home") == []


@pytest.mark.parametrize(
    "piece",
    [
        *("https://a.b", "http://example.org/x?y=1#z", "www.example.org/page", "someone+tag@mail.example.org"),
        *("/usr/local/bin", "~/notes.txt", "C:\\Users\\me", "src/main.rs", "192.168.0.1", "2001:db8::ff00:42:8329"),
        *(
            "v1.2.3-rc1",
            "550e8400-e29b-41d4-a716-446655440000",
            "ABC-00123",
            "+99(555)-0100-0101ext02",
            "0000-00ABC-00",
        ),
        *("file_name", "#hashtag", "@handle", "R&D"),
    ],
)
def test_addresses_paths_versions_and_ids_stay_whole(piece: str) -> None:
    assert covers(f"look at {piece} please", piece)
    assert covers(f"look ({piece}), please", piece)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("call `get_all items` now", ["`get_all items`"]),
        ("what does sorted() do", ["sorted()"]),
        ("see\n```python\nprint('hello world')\n```\nthere", ["```python\nprint('hello world')\n```"]),
        ("see\n~~~\nhello world\n", ["hello world"]),
        (
            "fix this\ndef area(radius):\n    total = radius * radius\n\n    return total\nplease",
            ["    total = radius * radius"],
        ),
        (">>> add(one, two)\nmore output here", [">>> add(one, two)", "more output here"]),
        ("#include <stdio.h>\nint main(void) {\n  puts(greeting);\n}", ["puts(greeting)", "int main(void) {"]),
        ("SELECT name FROM people WHERE age", ["SELECT name FROM people WHERE age"]),
    ],
)
def test_code_stays_as_it_is(text: str, pieces: list[str]) -> None:
    assert [piece for piece in pieces if not covers(text, piece)] == []


def test_a_function_with_its_docstring_is_code_to_the_last_line() -> None:
    imports = "from typing import List"
    function = 'def near(numbers: List[float]) -> bool:\n    """ Check the list\nfor pairs.\n    """'
    assert protected(f"{imports}\n\n\n{function}\n") == [imports, function]


def test_prose_behind_code_is_prose_again() -> None:
    text = "def area(radius):\n    return radius\n\nwhat does this give"
    assert not Mask(protected_spans(text, subject())).touches(text.index("what does"), len(text))


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (r"$\Delta H$ for CO(g)", [r"$\Delta H$", "CO(g)"]),
        (
            r"solve $x^2 + y = 3$ or $$\int_0^1 f$$ or \(a + b\) or \[c = d\]",
            ["$x^2 + y = 3$", r"$$\int_0^1 f$$", r"\(a + b\)", r"\[c = d\]"],
        ),
        (r"the \frac{alpha}{beta} and \textbf{word} here", [r"\frac{alpha}{beta}", r"\textbf{word}"]),
        (r"\begin{align} total &= other \end{align} done", [r"\begin{align} total &= other \end{align}"]),
        ("primes whose digits sum to $19$ and $ \\alpha $", ["$19$", "$ \\alpha $"]),
    ],
)
def test_latex_stays_as_it_is(text: str, pieces: list[str]) -> None:
    assert [piece for piece in pieces if not covers(text, piece)] == []


@pytest.mark.parametrize(
    "text", ["he paid $5 and then another $10 more", "for $5 or maybe US$ 7 today", "had $ 3 left and got $ 4"]
)
def test_dollars_that_are_money_enclose_no_mathematics(text: str) -> None:
    spans = protected_spans(text, subject())
    assert {span.kind for span in spans} == {"number"} or all(span.kind != "latex" for span in spans)
    assert not any("and then" in piece or "or maybe" in piece or "left and" in piece for piece in protected(text))


@pytest.mark.parametrize(
    "piece",
    [
        *("{name}", "{{name}}", "${name}", "<name>", "</b>", "<SPLIT>", "<|end|>", "%s", "%(name)s", "[MASK]", "____"),
        *("yyyy-mm-dd", "DD/MM/YYYY", "hh:mm:ss"),
    ],
)
def test_template_fields_stay_as_they_are(piece: str) -> None:
    assert covers(f"put the {piece} here", piece)


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ('she said "go home now" twice', '"go home now"'),
        ("she said “go home now” twice", "“go home now”"),
        ("elle dit «rentre vite» encore", "«rentre vite»"),
        ("she said 'go home now' twice", "'go home now'"),
        ("she said ‘don’t go home’ twice", "‘don’t go home’"),
        ("called ``go home now'' there", "``go home now''"),
        ("er sagte „geh nach hause“ oft", "„geh nach hause“"),
        ('is that it ? " go home now " is the answer', '" go home now "'),
    ],
)
def test_quoted_text_stays_as_it_is(text: str, quoted: str) -> None:
    assert covers(text, quoted)


def test_apostrophes_quote_nothing() -> None:
    assert protected("the farmers' market sells the girls' pies, and it's theirs") == ["s"]


def test_an_unpaired_quotation_mark_leaves_no_quotation_open_to_change() -> None:
    text = 'he wrote "to the people of the state. "Under law, "the people" are free'
    assert covers(text, '"the people"')
    assert covers(text, '"to the people of the state. "')


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("unlike option B it is red", "option B"),
        ("is (A)–(D) right", "(A)–(D)"),
        ("take choice 3 here", "choice 3"),
        ("options A, B and C are red", "options A, B and C"),
        ("it is both A and C only", "A and C only"),
        ("(b) first\n", "(b)"),
        ("one\nA. first\nB) second", "A."),
        ("Statement I is true", "Statement I"),
        ("pick I and III only", "I and III only"),
        ("pick II, IV, and V", "II, IV, and V"),
    ],
)
def test_labels_and_statement_numbers_stay_with_what_names_them(text: str, piece: str) -> None:
    assert covers(text, piece)


def test_options_and_gold_answers_stay_where_they_stand_in_the_question() -> None:
    about = subject("Apple pie", " green apple", gold=("carrots",))
    text = "is the apple  pie from green apple pies or carrots"
    assert [piece for piece in ("apple  pie", "green apple", "carrots") if not covers(text, piece, about)] == []
    assert not covers(text, "pies", about)


def test_overlapping_options_are_all_covered() -> None:
    about = subject("green apple", "apple pie")
    assert covers("the green apple pie here", "green apple pie", about)


def test_an_option_inside_another_word_is_not_an_option() -> None:
    assert protected("the scattered plants", subject("cat", "plant")) == []


@pytest.mark.parametrize(
    "word",
    [
        *(
            "not",
            "never",
            "no",
            "nor",
            "without",
            "except",
            "unless",
            "isn't",
            "cannot",
            "won’t",
            "incorrect",
            "none",
            "neither",
        ),
        *(
            "all",
            "every",
            "each",
            "some",
            "any",
            "few",
            "most",
            "both",
            "only",
            "at least",
            "more than",
            "no fewer than",
            "half",
        ),
        *(
            "nessuno",
            "senza",
            "tutti",
            "almeno",
            "nunca",
            "ninguno",
            "todos",
            "al menos",
            "jamais",
            "aucun",
            "chaque",
            "au moins",
        ),
        *("nicht", "kein", "ohne", "alle", "jeder", "mindestens", "höchstens"),
    ],
)
def test_negations_and_quantifiers_stay(word: str) -> None:
    assert covers(f"there was {word} thing here", word)


@pytest.mark.parametrize("word", ["isn't", "isn’t", "haven´t", "couldn`t", "didnt", "DOESNT"])
def test_a_negation_in_sloppy_writing_stays(word: str) -> None:
    assert covers(f"they {word} come here", word)


def test_how_many_only_asks_and_quantifies_nothing() -> None:
    assert protected("how many dogs and how much food") == []
    assert protected("too many dogs and much food") == ["many", "much"]


@pytest.mark.parametrize("word", ["DNA", "iPhone", "McDonald", "mRNA", "pH", "NaCl", "USSR"])
def test_words_in_capitals_or_mixed_case_stay(word: str) -> None:
    assert covers(f"{word} is here and {word} is there", word)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("In the evening Paris met Helen", ["Paris", "Helen"]),
        ("Janet’s ducks lay eggs", ["Janet", "s"]),
        ("When does Dr. Brown leave", ["Dr", "Brown"]),
        ("Mark my words. Will it be Mark", ["Mark", "Mark"]),
        ("Mark the answer. Bill them", []),
        ("James ran and Frank sat, then frank ran", ["James", "Frank", "frank"]),
        ("who plays peter in the belgian office", ["peter", "belgian"]),
        ("the Sun rose, and the sun is Zorblax, not zorblax", ["Sun", "Zorblax", "not", "zorblax"]),
        ("What is the answer? The sky", []),
        ('He asked: "what', []),
        ("- First thing\n- Second thing", []),
    ],
)
def test_names_are_capitals_inside_a_sentence_or_unknown_at_its_beginning(text: str, names: list[str]) -> None:
    assert protected(text) == names


@pytest.mark.parametrize("text", ["let x be y", "I am a b", "x"])
def test_single_letters_may_be_variables(text: str) -> None:
    letters = [word for word in text.split() if len(word) == 1]
    assert protected(text) == letters


@pytest.mark.parametrize(
    "piece",
    [
        *("H2SO4", "CO(g)", "Na+", "C6H12O6", "CH3-CH2-OH", "CC(=O)Oc1ccccc1C(=O)O", "f(x)", "x^2", "a_1"),
        *("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "atgcgtacgtt", "ATGCGTACG", "Nf3", "e4"),
    ],
)
def test_formulas_positions_and_sequences_stay_whole(piece: str) -> None:
    assert covers(f"look at {piece} there", piece)


def test_tables_stay_row_by_row() -> None:
    text = "look\nname, age, height\nJody, five, tall\nMarian, two, short\nhow old is the second one"
    assert "name, age, height\nJody, five, tall\nMarian, two, short" in protected(text)
    assert not covers(text, "how old")


def test_what_the_user_protects_stays() -> None:
    about = subject(protect=(r"\bwidget\w*", r"(?i)acme corp", r"x*"))
    assert protected("the widgets of acme corp", about) == ["widgets", "acme corp"]


def test_a_pattern_of_the_users_that_is_none_is_named() -> None:
    with pytest.raises(ValueError, match=r"'\(open' in protect is no regular expression: missing \)"):
        protected_spans("text", subject(protect=("(open",)))
