"""The user's own paraphrases: taken in their order, verbatim, and only when they say the same."""

import random

from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.paraphrase_file import Paraphrase, ParaphraseFile
from prt.perturbations.perturb import perturb
from prt.perturbations.protection.parts import apply_edits
from prt.perturbations.question import Question, Subject
from prt.perturbations.seeds import rng_for

QUESTION = Question("How many eggs do 3 hens lay?", instruction="Answer with a number.")
SUBJECT = Subject("item", QUESTION)


def chance() -> random.Random:
    return rng_for(seed=0, generator="paraphrase", version=1, parameters="{}", item_id="item", number=1)


def draft(*paraphrases: Paraphrase, number: int = 1, item_id: str = "item") -> Draft:
    generator: Generator = ParaphraseFile(paraphrases={item_id: paraphrases})
    return generator.draft(SUBJECT, Draw(number, chance()))


def test_the_nth_paraphrase_is_variant_n() -> None:
    first, second = Paraphrase("What number of eggs do 3 hens lay?"), Paraphrase("3 hens lay how many eggs?")
    for number, paraphrase in enumerate((first, second), start=1):
        drafted = draft(first, second, number=number)
        assert drafted.outcome == "applied"
        assert drafted.validated
        assert drafted.question is not None
        assert drafted.question.text == paraphrase.text
        assert apply_edits(QUESTION, drafted.edits) == drafted.question


def test_words_may_move() -> None:
    variant = perturb(
        SUBJECT, [ParaphraseFile(paraphrases={"item": (Paraphrase("3 hens lay how many eggs?"),)})], seed=0
    )[0]
    assert (variant.condition, variant.outcome) == ("paraphrase.1", "applied")
    assert variant.question.text == "3 hens lay how many eggs?"


def test_an_instruction_may_come_along() -> None:
    drafted = draft(Paraphrase(QUESTION.text, "Give a number as the answer."))
    assert drafted.question is not None
    assert drafted.question.instruction == "Give a number as the answer."
    assert [edit.part for edit in drafted.edits] == ["instruction"]


def test_an_item_without_paraphrase_is_not_applicable() -> None:
    assert draft(item_id="other") == Draft("not_applicable", "no paraphrase for this item")
    paraphrase = Paraphrase("3 hens lay how many eggs?")
    assert draft(paraphrase, number=2) == Draft("not_applicable", "no paraphrase 2 for this item; the last is 1")


def test_a_paraphrase_that_is_the_original_changes_nothing() -> None:
    assert draft(Paraphrase(QUESTION.text, QUESTION.instruction)).outcome == "unchanged"


def test_a_paraphrase_that_says_something_else_is_rejected_and_stays_readable() -> None:
    drafted = draft(Paraphrase("How many eggs do 4 hens lay?"))
    assert (drafted.outcome, drafted.reason) == ("rejected", "text: numbers differ: '3' is missing, '4' is new")
    assert drafted.question is not None
    assert drafted.question.text == "How many eggs do 4 hens lay?"
    assert draft(Paraphrase(QUESTION.text, "Answer with no number.")).reason.startswith("instruction: negations differ")


def test_an_instruction_for_an_item_without_one_is_rejected() -> None:
    generator = ParaphraseFile(paraphrases={"item": (Paraphrase("3 hens lay how many eggs?", "Answer."),)})
    drafted = generator.draft(Subject("item", Question(QUESTION.text)), Draw(1, chance()))
    assert (drafted.outcome, drafted.reason) == ("rejected", "instruction: there is no original to reword")


def test_another_file_is_another_generator_and_the_same_file_the_same() -> None:
    first = ParaphraseFile(paraphrases={"a": (Paraphrase("x"),)})
    assert first.parameters() == ParaphraseFile(paraphrases={"a": (Paraphrase("x"),)}, variants=9).parameters()
    assert first.parameters() != ParaphraseFile(paraphrases={"a": (Paraphrase("y"),)}).parameters()
    assert (first.name, first.tier, first.variants) == ("paraphrase", "checked", 1)
