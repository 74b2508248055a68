"""Questions turned into requests: where the grammar is sure, and nowhere else."""

import pytest
from prt.perturbations import Question, Subject
from prt.perturbations.generators.style_imperative import imperatives
from prt.perturbations.generators.style_wording import Wording
from prt.perturbations.lexicon.verbs import pasts, regular_past, third_person
from prt.perturbations.protection.check import altered_protected
from prt.perturbations.protection.parts import apply_edits


def requests(text: str) -> set[str]:
    subject = Subject("item", Question(text))
    made = [apply_edits(subject.question, edits) for edits in imperatives(Wording(subject, ("text",)))]
    assert [altered_protected(subject, subject.question, each) for each in made] == [None] * len(made)
    return {each.text for each in made}


@pytest.mark.parametrize(
    ("question", "request_"),
    [
        ("How many eggs does she sell?", "Tell me how many eggs she sells."),
        ("How many cookies did Helen bake at noon?", "Tell me how many cookies Helen baked at noon."),
        ("How much did they still have to pay?", "Find how much they still had to pay."),
        ("How many cards will she originally need?", "State how many cards she will originally need."),
        ("How old is John?", "Tell me how old John is."),
        ("How many trees are there in the park?", "Work out how many trees there are in the park."),
        ("How many seats are left in the bus?", "Determine how many seats are left in the bus."),
        ("How many groups will be created?", "State how many groups will be created."),
        ("Where was Marie Curie born?", "Say where Marie Curie was born."),
        ("In what year was Einstein born?", "Tell me in what year Einstein was born."),
        ("Why do we sleep?", "Explain why we sleep."),
        ("How can I melt wax?", "Explain how I can melt wax."),
        ("Is Paris in France?", "Tell me whether Paris is in France."),
        ("Did they win the game?", "Say whether they won the game."),
        ("Is there a bridge?", "State whether there is a bridge."),
        ("Who wrote the novel?", "Tell me who wrote the novel."),
        ("who wrote do androids dream", "tell me who wrote do androids dream"),
        ("What causes rain?", "State what causes rain."),
        ("Which of the following is a mammal?", "Say which of the following is a mammal."),
        ("Which of the following is NOT a mammal?", "Say which of the following is NOT a mammal."),
        ("Which planet is the largest of them?", "Tell me which planet is the largest of them."),
        ("What is the capital of France?", "Give the capital of France."),
        ("who wrote the book of mormon", "tell me who wrote the book of mormon"),
        ("do you pay tax on winnings in australia", "state whether you pay tax on winnings in australia"),
        ("She has 3 hens. How many eggs does she sell?", "She has 3 hens. Tell me how many eggs she sells."),
        ("If he sells 2, how much does he make?", "If he sells 2, tell me how much he makes."),
        ("How many does she sell?\n(A) one\n(B) two", "Tell me how many she sells.\n(A) one\n(B) two"),
        ("Do you return there? Take 2 steps.", "Tell me whether you return there. Take 2 steps."),
    ],
)
def test_a_question_becomes_a_request(question: str, request_: str) -> None:
    assert request_ in requests(question)


@pytest.mark.parametrize(
    "question",
    [
        "Can you recommend a good movie?",  # a request already
        "Do you know who wrote it?",
        "The film is slow. What could you do? It never says so.",  # asked of nobody
        "How many apples did John's brother buy?",  # the end of the subject is not known
        "How much did Bob and Mary buy?",
        "How many apples does the red car cost?",
        "Is Paris fashion expensive?",
        "Which of the following is the teacher likely to do?",
        "For which of these does the main character act?",
        "How many more caps than wrappers does danny have?",
        "What is love?",  # "what love is", if it is no name
        "When trying to pull a rose out why do you feel resistance?",
        "Which of the following procedures would an auditor perform?",
        "About how many are in the county?",
        "who sang do they know it is christmas",
        "What about the dogs that are here?",
        "How come she left?",
        "What's the best of them?",
        "Why didn't they come?",
        "How many did she sell and how many did she keep?",
        "How many gadzooks does she frobnicate?",  # no verb that is known
        "The river is wide.",
        "She asked: what is it; and left?",
        "Really?!",
    ],
)
def test_a_question_that_can_not_surely_be_turned_stays(question: str) -> None:
    assert requests(question) == set()


def test_each_request_fits_what_is_asked() -> None:
    assert not any(each.startswith(("Work out", "Find")) for each in requests("Who wrote the novel?"))
    assert not any(each.startswith("Explain") for each in requests("How many eggs does she sell?"))


def test_the_finite_forms_of_verbs() -> None:
    assert [third_person(verb) for verb in ("have", "do", "go", "carry", "play", "wash", "fix", "sell")] == [
        *("has", "does", "goes", "carries", "plays", "washes", "fixes", "sells")
    ]
    assert [regular_past(verb) for verb in ("bake", "carry", "play", "need")] == [
        "baked",
        "carried",
        "played",
        "needed",
    ]
    assert [pasts()[verb] for verb in ("stop", "buy", "have", "read" if "read" in pasts() else "eat")] == [
        *("stopped", "bought", "had", "ate")
    ]


def test_the_list_of_verbs_is_clean() -> None:
    assert len(pasts()) > 300
    assert all(base.isalpha() and past.isalpha() and base.islower() for base, past in pasts().items())
    assert all(base != past for base, past in pasts().items())
