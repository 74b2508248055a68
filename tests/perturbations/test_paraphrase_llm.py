"""Proposals of a model: the first that passes is the variant, none is used twice, and what fails is counted."""

import random
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.perturbations.bundle import records
from prt.perturbations.canonical import canonical_json
from prt.perturbations.compose import compose
from prt.perturbations.generator import Draft, Draw, Generator
from prt.perturbations.generators.kinds import NOT_WRITTEN
from prt.perturbations.generators.paraphrase_file import ParaphraseFile
from prt.perturbations.generators.paraphrase_llm import (
    ParaphraseProposals,
    Paraphrasing,
    Proposal,
    Written,
    choices,
)
from prt.perturbations.generators.typo import Typo
from prt.perturbations.generators.validators import VALIDATORS_VERSION, Rejection, first_rejection
from prt.perturbations.perturb import perturb
from prt.perturbations.protection.parts import apply_edits
from prt.perturbations.question import Question, Subject
from prt.perturbations.seeds import rng_for

SUBJECT = Subject("item", Question("How many eggs do 3 hens lay?", ("nine", "twelve")))
GOOD = "What number of eggs do 3 hens lay?"
OTHER = "3 hens lay how many eggs?"
WRONG_NUMBER = "How many eggs do 4 hens lay?"
ASKED = Paraphrasing(model={"provider": "openai", "name": "m"}, temperature=0.7, attempts=4)
JUDGED_OTHERWISE = Rejection("same question", "the judge says that it asks something else")


def chance() -> random.Random:
    return rng_for(seed=0, generator="paraphrase", version=1, parameters="{}", item_id="item", number=1)


def proposals(*texts: str | Proposal) -> tuple[Proposal, ...]:
    return tuple(text if isinstance(text, Proposal) else Proposal(text) for text in texts)


def generator(*numbers: Sequence[Proposal], asked: Paraphrasing = ASKED) -> ParaphraseProposals:
    written = Written(proposals={"item": numbers}, model={"provider": "openai"})
    return ParaphraseProposals(asked=asked, written=written, variants=max(len(numbers), 1))


def draft(*numbers: Sequence[Proposal], number: int = 1) -> Draft:
    proposed: Generator = generator(*numbers)
    return proposed.draft(SUBJECT, Draw(number, chance()))


def text_of(drafted: Draft) -> str:
    assert drafted.question is not None
    return drafted.question.text


def test_the_first_proposal_that_passes_is_taken_verbatim() -> None:
    drafted = draft(proposals(WRONG_NUMBER, GOOD, OTHER))
    assert (drafted.outcome, drafted.reason, drafted.validated) == ("applied", "", True)
    assert text_of(drafted) == GOOD
    assert apply_edits(SUBJECT.question, drafted.edits) == drafted.question


def test_where_none_passes_the_reasons_are_counted_and_the_first_text_stays_readable() -> None:
    drafted = draft(proposals(WRONG_NUMBER, "", "How many eggs do 5 hens lay?", SUBJECT.question.text))
    assert drafted.outcome == "rejected"
    assert drafted.reason == (
        "none of 4 proposals passed: same numbers 2, differs 1, not empty 1, such as: '3' is missing, '4' is new"
    )
    assert text_of(drafted) == WRONG_NUMBER


def test_a_judges_objection_rejects_what_the_validators_let_pass() -> None:
    refused = Proposal(GOOD, JUDGED_OTHERWISE)
    assert text_of(draft(proposals(refused, OTHER))) == OTHER
    assert draft(proposals(refused)).reason == "the one proposal did not pass: same question 1"


def test_a_reply_in_which_nothing_was_read_is_rejected_without_a_text() -> None:
    drafted = draft(proposals(Proposal("", Rejection("readable", "the reply was cut off"))))
    assert (drafted.outcome, drafted.question) == ("rejected", None)
    assert drafted.reason == "the one proposal did not pass: readable 1"


def test_no_variant_repeats_an_earlier_one_of_the_item() -> None:
    again = proposals(f"  {GOOD.upper()} ".lower().replace("what", "What"), GOOD)
    assert draft(proposals(GOOD), again, number=2).reason == "none of 2 proposals passed: new 2"
    assert text_of(draft(proposals(GOOD), (*again, Proposal(OTHER)), number=2)) == OTHER
    assert text_of(draft(proposals(WRONG_NUMBER), again[1:], number=2)) == GOOD


def test_a_twin_that_forgets_the_earlier_variants_would_repeat_them() -> None:
    numbers = (proposals(GOOD), proposals(GOOD))
    assert [choice.text for choice in choices(SUBJECT, numbers)] == [GOOD, None]
    assert [choices(SUBJECT, [number])[0].text for number in numbers] == [GOOD, GOOD]


def test_what_was_not_asked_yet_is_not_applicable() -> None:
    unwritten = ParaphraseProposals(asked=ASKED)
    assert unwritten.draft(SUBJECT, Draw(1, chance())) == Draft("not_applicable", NOT_WRITTEN)
    assert draft(proposals(GOOD), number=2) == Draft("not_applicable", NOT_WRITTEN)
    assert generator(proposals(GOOD)).draft(Subject("other", SUBJECT.question), Draw(1, chance())).reason == NOT_WRITTEN


@pytest.mark.parametrize("text", ["", " \n", "12 + 5 = ?", "♜♞"])
def test_a_text_without_words_is_not_applicable(text: str) -> None:
    drafted = generator(proposals(GOOD)).draft(Subject("item", Question(text)), Draw(1, chance()))
    assert drafted == Draft("not_applicable", "there are no words to reword")


def test_the_record_says_who_was_asked_how_and_what_came_and_which_validators_judged() -> None:
    (record,) = records([generator(proposals(GOOD))])
    assert (record.name, record.version) == ("paraphrase", 1)
    found = generator(proposals(GOOD)).parameters()
    assert found["kind"] == "llm"
    assert found["model"] == {"provider": "openai", "name": "m"}
    assert (found["prompt"], found["temperature"], found["attempts"], found["formality"]) == (1, 0.7, 4, "kept")
    assert found["validators"] == VALIDATORS_VERSION
    written = found["written"]
    assert isinstance(written, Mapping)
    assert len(str(written["proposals"])) == 64
    assert ParaphraseProposals(asked=ASKED).parameters()["written"] is None
    assert ParaphraseFile(paraphrases={}).parameters()["validators"] == VALIDATORS_VERSION


def test_other_proposals_are_another_generator_and_equal_ones_the_same() -> None:
    first = canonical_json(generator(proposals(GOOD)).parameters())
    assert first == canonical_json(generator([Proposal(GOOD)]).parameters())
    assert first != canonical_json(generator(proposals(OTHER)).parameters())
    assert first != canonical_json(generator(proposals(Proposal(GOOD, JUDGED_OTHERWISE))).parameters())
    assert first != canonical_json(generator(proposals(GOOD), proposals(OTHER)).parameters())


def test_a_composition_mistypes_the_paraphrase() -> None:
    steps = compose([generator(proposals(GOOD)), Typo(rate=1.0)])
    variant = perturb(SUBJECT, [steps], seed=1)[0]
    assert (variant.condition, variant.outcome) == ("paraphrase+typo.1", "applied")
    assert variant.edits[0].kind == "paraphrase"
    assert variant.question.text != GOOD
    assert variant.question.text.startswith("W")


def test_variants_of_several_numbers_are_conditions_of_their_own() -> None:
    variants = perturb(SUBJECT, [generator(proposals(GOOD), proposals(WRONG_NUMBER, OTHER))], seed=1)
    assert [(each.condition, each.question.text) for each in variants] == [
        ("paraphrase.1", GOOD),
        ("paraphrase.2", OTHER),
    ]


TEXTS = st.sampled_from([GOOD, OTHER, WRONG_NUMBER, SUBJECT.question.text, "", "twelve eggs from 3 hens?"]) | st.text(
    max_size=40
)
OBJECTIONS = st.none() | st.just(JUDGED_OTHERWISE)
NUMBERS = st.lists(st.lists(st.builds(Proposal, TEXTS, OBJECTIONS), max_size=4), min_size=1, max_size=4)


@given(NUMBERS)
@settings(max_examples=150, deadline=None)
def test_whatever_is_proposed_a_variant_passed_all_validators_and_is_new(numbers: list[list[Proposal]]) -> None:
    drafts = [draft(*numbers, number=number) for number in range(1, len(numbers) + 1)]
    used = [text_of(each) for each in drafts if each.outcome == "applied"]
    assert len({" ".join(text.split()).casefold() for text in used}) == len(used)
    for text in used:
        assert first_rejection(SUBJECT, SUBJECT.question.text, text) is None
    for each, proposed in zip(drafts, numbers, strict=True):
        assert each.outcome in {"applied", "rejected"}
        if each.outcome == "applied":
            assert Proposal(text_of(each)) in proposed
        else:
            assert each.reason


@given(NUMBERS)
@settings(max_examples=60, deadline=None)
def test_more_variants_leave_the_first_ones_as_they_were(numbers: list[list[Proposal]]) -> None:
    for number in range(1, len(numbers) + 1):
        assert draft(*numbers[:number], number=number) == draft(*numbers, number=number)
