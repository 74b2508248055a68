"""Style: what each kind says otherwise, what it leaves, and when it may not."""

from dataclasses import replace
from typing import get_args

import pytest
from prt.perturbations import Bundle, Gold, Message, Question, Style, Subject, Variant, compose, perturb, records
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.kinds import REACH, StyleKind
from prt.perturbations.generators.style import KINDS, MISSING
from prt.perturbations.generators.style_registers import CASUAL, POLITE, Register
from prt.perturbations.generators.style_terse import PHRASES
from prt.perturbations.protection.check import meaning_texts
from prt.perturbations.protection.parts import apply_edits
from prt.perturbations.question import Example
from prt.perturbations.seeds import rng_for

LETTERS_ASKED = "the question is about spelling, letters, case or sound"
ALL: tuple[StyleKind, ...] = get_args(StyleKind)


def variants(
    question: Question | str, *kinds: StyleKind, many: int = 12, gold: tuple[str, ...] = (), **style: object
) -> list[Variant]:
    asked = Question(question) if isinstance(question, str) else question
    generator = Style(kind=kinds, variants=many, **style)  # type: ignore[arg-type] # parts, as a test names them
    return perturb(Subject("item", asked, gold=Gold(texts=gold)), [generator], seed=0)


def reworded(question: Question | str, *kinds: StyleKind, many: int = 12, part: str = "text") -> set[str]:
    """All rewordings of a text that come of so many variants."""
    return {getattr(each.question, part) for each in variants(question, *kinds, many=many) if each.outcome == "applied"}


def reason(question: Question | str, *kinds: StyleKind, gold: tuple[str, ...] = ()) -> str:
    (variant,) = variants(question, *kinds, many=1, gold=gold)
    assert variant.outcome == "not_applicable"
    return variant.reason


def test_it_is_a_generator_of_checked_variants() -> None:
    generator: Generator = Style(kind=("spelling", "terse"), variants=3)
    assert (generator.name, generator.version, generator.tier, generator.variants) == ("style", 1, "checked", 3)
    assert generator.parameters() == {"kind": ["terse", "spelling"], "parts": ["text", "instruction"]}
    assert Style().kind == ("polite",)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"kind": ()}, r"kind is one or more of polite, terse, .*; found none"),
        ({"kind": ("formal",)}, r"kind is one or more of .*; found formal"),
        ({"parts": ("options",)}, r"parts is one or more of text, instruction, context, system; found options"),
    ],
)
def test_parameters_outside_their_range_are_refused(parameters: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Style(**parameters)  # type: ignore[arg-type] # wrong on purpose


def test_every_kind_has_a_reach_and_a_reason() -> None:
    assert set(KINDS) == set(REACH) == set(MISSING) == set(ALL)


def test_polite_and_casual_speak_before_or_behind_a_question_and_leave_it_whole() -> None:
    asked = "Which large planet has rings?"
    for kind in ("polite", "casual"):
        said = reworded(asked, kind, many=30)
        assert len(said) == 30
        assert all(asked in each for each in said)
        assert any(each.startswith(asked) for each in said)
        assert any(each.endswith(asked) for each in said)


def test_a_text_of_several_lines_is_introduced_on_a_line_of_its_own() -> None:
    assert all(
        "\nRead the table" in each for each in reworded("Read the table.\nWhich row is the longest of them", "casual")
    )


def test_a_text_that_asks_nothing_is_introduced_and_not_thanked_for() -> None:
    text = "The coronal suture joins the"
    assert all(each.endswith(text) for each in reworded(text, "polite", many=40))


def test_a_request_is_asked_politely_with_its_verb_in_small_letters() -> None:
    said = reworded("Find the area of the room.", "polite", many=40)
    assert "Please find the area of the room." in said
    assert "Kindly find the area of the room." in said
    already = reworded("Please find the area of the room.", "polite", many=40)
    assert not any("please please" in each.lower() for each in already)


@pytest.mark.parametrize("register", [POLITE, CASUAL])
def test_what_a_register_says_asks_nothing_and_holds_nothing_that_carries_meaning(register: Register) -> None:
    subject = Subject("item", Question(""))
    said = (*register.before_question, *register.before_text, *register.before_instruction, *register.thanks)
    for sentence in said:
        assert "?" not in sentence
        assert not meaning_texts(sentence, subject), sentence
    assert len(set(said)) == len(said)


@pytest.mark.parametrize(
    ("text", "terse"),
    [
        ("Please find the area of the room.", "Find the area of the room."),
        ("Could you please name the river that crosses it?", "Name the river that crosses it."),
        ("What is the capital of the country that he left?", "Capital of the country that he left?"),
        ("How many penguins are there in the table?", "Number of penguins in the table?"),
        ("Which of the following is a mammal?", "Which is a mammal?"),
        ("In which year did the war end?", "Which year did the war end?"),
        ("For what reason did she leave the town?", "Why did she leave the town?"),
        (
            "There are 290 liters of oil in the tank. How much is left?",
            "290 liters of oil in the tank. How much is left?",
        ),
        ("He saved money in order to buy a bike.", "He saved money to buy a bike."),
        ("who is the owner of the football club", "owner of the football club"),
    ],
)
def test_terse_leaves_words_out(text: str, terse: str) -> None:
    assert terse in reworded(text, "terse")


def test_terse_never_lengthens_a_text() -> None:
    assert all(len(short) < len(long) and len(short.split()) <= len(long.split()) for long, short in PHRASES.items())
    text = (
        "Please say in order to help. How many cats are there in the house? Which of the following is located in Rome?"
    )
    for each in reworded(text, "terse"):
        assert len(each) < len(text)
        assert len(each.split()) < len(text.split())


@pytest.mark.parametrize(
    "text",
    [
        "What is the teacher of the class doing?",
        "There are 5 cats and 3 are white.",
        "Which of the following does he need?",
        "In which city was she born?",
        "Could you tell me what the time is?",
    ],
)
def test_terse_leaves_alone_what_it_would_break(text: str) -> None:
    assert reworded(text, "terse") == set()


def test_requests_become_questions_and_keep_what_they_ask_for() -> None:
    assert reworded("Find the area of the room.", "question") == {
        "Could you find the area of the room?",
        "Can you find the area of the room?",
        "Would you find the area of the room?",
        "What is the area of the room?",
    }
    assert "What is" not in "".join(reworded("Find the area of the room and draw it.", "question"))
    assert "Could you find a movie like it?\nOptions: none" in reworded(
        "Find a movie like it:\nOptions: none", "question"
    )


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Find the area", "Could you find the area?"),
        ("Find the area of it:", "Could you find the area of it?"),
        ("Please find the area.", "Could you please find the area?"),
        ("find the area.", "could you find the area?"),
    ],
)
def test_a_request_ends_as_a_question_whatever_its_mark(text: str, question: str) -> None:
    assert question in reworded(text, "question")


@pytest.mark.parametrize("text", ["Find the area!", "Find the area...", "Find the area (now)"])
def test_a_request_that_ends_otherwise_stays(text: str) -> None:
    assert reason(text, "question") == "no sentence here is surely a request"


def test_a_question_that_could_be_answered_itself_is_not_asked() -> None:
    text = "Determine whether the claim follows from the premises."
    assert reason(Question(text, ("Yes", "No")), "question").startswith('the answer is "yes" or "no"')
    assert reason(text, "question", gold=("yes",)).startswith('the answer is "yes" or "no"')
    assert reworded(Question(text, ("True", "False")), "question")


@pytest.mark.parametrize(
    "text", ["Name recognition is useful here.", "List prices rose last year.", "Show business is hard."]
)
def test_a_noun_at_the_beginning_is_no_request(text: str) -> None:
    assert reason(text, "question") == "no sentence here is surely a request"


def test_american_becomes_british_spelling_and_back_word_by_word() -> None:
    american = "The neighbor of the center analyzed the color of a favorite plow."
    british = "The neighbour of the centre analysed the colour of a favourite plough."
    assert reworded(american, "spelling") == {british}
    assert reworded(british, "spelling") == {american}
    assert reworded("Color and behaviour differ here.", "spelling") == {
        "Colour and behaviour differ here.",
        "Color and behavior differ here.",
    }


def test_names_owners_and_quoted_words_keep_their_spelling() -> None:
    text = 'Which color has Kennedy Center, in "the center", on grey\'s anatomy?'
    assert reworded(text, "spelling") == {text.replace("color", "colour")}


def test_an_option_in_the_text_keeps_its_spelling() -> None:
    question = Question("Is color or flavor the word that he uses?", ("color", "flavor"))
    assert reason(question, "spelling") == "no word here is spelled otherwise in American or British English"


def test_verbs_are_contracted_and_written_out_negations_among_them() -> None:
    assert reworded("What is the thing that he does not like?", "contractions") == {
        "What's the thing that he doesn't like?"
    }
    assert reworded("They're here, but he can't stay.", "contractions") == {"They are here, but he cannot stay."}
    assert "They are here, but he can't stay." not in reworded("They're here, but he can't stay.", "contractions")


def test_an_apostrophe_is_written_as_the_text_writes_it() -> None:
    assert reworded("Alice’s cat is not here.", "contractions") == {"Alice’s cat isn’t here."}
    assert reworded("Alice's cat is not here.", "contractions") == {"Alice's cat isn't here."}


def test_several_kinds_take_turns() -> None:
    text = "What is the color of the largest planet?"
    kinds = {edit.kind for each in variants(text, *ALL, many=60) for edit in each.edits}
    assert kinds >= {"polite", "casual", "terse", "imperative", "contract", "British"}


def test_when_all_rewordings_are_drawn_it_says_how_many_there_were() -> None:
    drawn = variants("Find the area of the room.", "question", many=6)
    assert [each.outcome for each in drawn] == ["applied"] * 4 + ["not_applicable"] * 2
    assert drawn[-1].reason == "no further question fits this item; 4 were used"
    assert len({each.question.text for each in drawn if each.outcome == "applied"}) == 4


def test_more_variants_leave_the_first_ones_as_they_were() -> None:
    text = "Which large planet has rings?"
    assert variants(text, "polite", many=9)[:3] == variants(text, "polite", many=3)


def test_severity_is_the_share_of_free_words_that_are_edited() -> None:
    (variant,) = variants("Which color has Paris at noon?", "spelling", many=1)
    assert variant.severity == 1 / 5
    (added,) = variants("Which color has Paris at noon?", "polite", many=1)
    assert added.severity is None


def test_the_instruction_is_reworded_too_and_other_parts_where_they_are_named() -> None:
    question = Question(
        "My parcel did not arrive.",
        system="Name the color that is meant.",
        instruction="Choose the label that fits.",
        context=("The color is not red.",),
        history=(Message("user", "What is the color?"),),
        examples=(Example("What is the color?", answer="red"),),
    )
    changed = {edit.part for each in variants(question, *ALL, many=90) for edit in each.edits}
    assert changed == {"text", "instruction"}
    named = variants(question, *ALL, many=90, parts=("context", "system"))
    assert {edit.part for each in named for edit in each.edits} == {"context[0]", "system"}
    assert all(
        replace(each.question, system="", context=()) == replace(question, system="", context=()) for each in named
    )


def test_each_kind_keeps_to_its_reach() -> None:
    sentence = "Please find the color of it. What is the capital of the country? It is not here."
    question = Question(sentence, system=sentence, instruction=sentence, context=(sentence,))
    for kind in ALL:
        drawn = variants(question, kind, many=40, parts=("text", "instruction", "context", "system"))
        assert {edit.part.partition("[")[0] for each in drawn for edit in each.edits} <= set(REACH[kind]), kind


def test_a_part_that_the_users_template_leaves_out_is_not_reworded() -> None:
    question = Question(
        "Which planet has rings?", instruction="Choose one of them.", template="Q: {question}\n{options}"
    )
    assert {edit.part for each in variants(question, "polite", many=40) for edit in each.edits} == {"text"}
    quoted = replace(question, template="{instruction} – {{question}}")
    assert {edit.part for each in variants(quoted, "polite", many=40) for edit in each.edits} == {"instruction"}


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("", "there is no text in text or instruction"),
        (" \n\t ", "there is no text in text or instruction"),
        ("Is color spelled with a u?", LETTERS_ASKED),
        ("How many letters are in the word banana?", LETTERS_ASKED),
        ("Qual è la capitale della Francia e dove si trova?", "style is English; the language of this text is it"),
        ("فرنسا ما هي عاصمة", "style is English; the language of this text is Arabic"),
        ("这个颜色是什么？", "style is English; the language of this text is Han"),
        ("Translate: la casa de la abuela es grande y no está aquí", "style is English"),
        ("def area(radius):\n    return radius * constant\nWhat is the color of it?", "the text begins with code"),
    ],
)
def test_where_nothing_may_be_said_otherwise_it_says_why(question: str, why: str) -> None:
    for kind in ALL:
        assert reason(question, kind).startswith(why)


def test_an_english_instruction_is_reworded_above_a_text_in_another_language() -> None:
    question = Question("这个颜色是什么？", instruction="Choose the label that fits the text.")
    assert reworded(question, "question", part="instruction")
    assert all(each.question.text == question.text for each in variants(question, "polite", many=20))


def test_reasons_of_several_kinds_are_joined() -> None:
    assert reason("The river is wide.", "question", "spelling") == (
        "no sentence here is surely a request; no word here is spelled otherwise in American or British English"
    )


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (r"What is the sign of $\Delta H$ for CO(g) that is not known here?", (r"$\Delta H$", "CO(g)")),
        (
            "What is the color that Statement I and 5–10 km at https://a.b say?",
            ("Statement I", "5–10 km", "https://a.b"),
        ),
        ("What is the meaning of `it is not` and {it is} here?", ("`it is not`", "{it is}")),
        ('What is the meaning of "it is not the color" in this book?', ('"it is not the color"',)),
        ("What is the word that fits ____ and [MASK] here?", ("____", "[MASK]")),
        ("What is the value of x if a is 12 and I is not known?", ("x", " a ", "12", " I ")),
    ],
)
def test_what_others_broke_stays_byte_equal(text: str, kept: tuple[str, ...]) -> None:
    applied = [each for each in variants(text, *ALL, many=40) if each.outcome == "applied"]
    assert len(applied) > 20
    for each in applied:
        assert [piece for piece in kept if piece not in each.question.text] == []


def test_a_users_own_pattern_protects_a_negation_from_being_contracted() -> None:
    question = Question("It does not matter to him that she does not come.")
    subject = Subject("item", question, protect=("does not come",))
    (variant,) = perturb(subject, [Style(kind=("contractions",))], seed=0)
    assert variant.question.text == "It doesn't matter to him that she does not come."


def test_in_a_composition_a_contracted_negation_passes_and_the_next_step_works_on_it() -> None:
    question = Question("It does not matter to him which color she likes.")
    generator = compose([Style(kind=("contractions",)), Style(kind=("spelling",))])
    (variant,) = perturb(Subject("item", question), [generator], seed=0)
    assert variant.outcome == "applied"
    assert variant.question.text == "It doesn't matter to him which colour she likes."
    assert records([generator])
    assert Bundle(0, records([generator]), (variant,)).variants == (variant,)


def test_another_generator_that_contracts_a_negation_without_its_proof_is_rejected() -> None:
    """The twin: the same edit without the proof that it changes a form alone."""

    class Careless(Style):
        def draft(self, subject: Subject, draw: Draw) -> Draft:
            return replace(super().draft(subject, draw), validated=False)

    (variant,) = perturb(Subject("item", Question("It does not matter.")), [Careless(kind=("contractions",))], seed=0)
    assert (variant.outcome, variant.reason) == (
        "rejected",
        "protected text (negation) changed or moved: 'not' in text",
    )


def test_the_draw_decides_and_nothing_else() -> None:
    subject = Subject("item", Question("What is the color of the largest planet?"))

    def draft(number: int) -> Draft:
        rng = rng_for(seed=number, generator="style", version=1, parameters="{}", item_id="item", number=1)
        return Style(kind=ALL).draft(subject, Draw(1, rng))

    assert draft(1) == draft(1)
    assert len({draft(number).question for number in range(20)}) > 10
    for number in range(20):
        drafted = draft(number)
        assert apply_edits(subject.question, drafted.edits) == drafted.question
