"""Multiple-choice questions without end, all different, from a line to a paragraph: what generators are timed on."""

import random
from collections.abc import Iterator

from prt.perturbations import Gold, Question, Subject

PLACES = ("harbour", "laboratory", "greenhouse", "railway station", "library", "bakery", "quarry", "observatory")
PEOPLE = ("the engineer", "a student", "Doctor Amara", "the gardener", "Henrik", "a visitor", "the librarian", "Yuki")
THINGS = ("barrels", "telescopes", "seedlings", "parcels", "manuscripts", "loaves", "crystals", "lanterns", "bearings")
DOINGS = ("arranged", "measured", "delivered", "inspected", "borrowed", "repaired", "counted", "photographed")
TIMES = ("before sunrise", "on Monday", "during the afternoon", "at 10:30", "in March 2019", "after the meeting")
TRAITS = ("heavier", "considerably older", "more expensive", "slightly damaged", "difficult to move", "rather unusual")
ENDINGS = (
    "Which of the following statements follows from this description?",
    "What is the most likely explanation for the difference?",
    "How many of them were still there at the end of the day?",
    "Which procedure would have prevented the problem?",
    "What should happen next, according to the regulations?",
)
OPTIONS = (
    "The temperature remained constant throughout the experiment",
    "Every second shipment had to be returned",
    "Roughly {number} of them",
    "The measurement was repeated without success",
    "A different supplier delivered the material",
    "Nobody noticed the missing documents",
    "Approximately {number} kilograms",
    "The instructions were published before the inspection",
)
INSTRUCTIONS = ("", "Read the description carefully and choose the best option.", "Answer the question below.")


def subjects(count: int) -> Iterator[Subject]:
    """Give so many items, the same ones each time; one is made when it is asked for."""
    for number in range(count):
        yield subject(number)


def subject(number: int) -> Subject:
    """Make one item of one to eight sentences, and two to six options."""
    rng = random.Random(number)  # noqa: S311 - reproducible questions, not secrets
    sentences = [sentence(rng) for _ in range(rng.choice((1, 1, 2, 2, 3, 5, 8)))]
    drawn = rng.sample(OPTIONS, rng.randint(2, 6))
    options = tuple(option.format(number=rng.randint(2, 980)) for option in drawn)
    question = Question(
        text=" ".join((f"Case {number + 1}.", *sentences, rng.choice(ENDINGS))),
        options=options,
        instruction=rng.choice(INSTRUCTIONS),
        answer_form="label",
    )
    return Subject(f"q{number}", question, gold=Gold(options=(rng.randrange(len(options)),)))


def sentence(rng: random.Random) -> str:
    """Say that someone did something with things somewhere."""
    who, place, things = rng.choice(PEOPLE), rng.choice(PLACES), rng.choice(THINGS)
    told = (
        f"{who} {rng.choice(DOINGS)} {rng.randint(2, 400)} {things} at the {place} {rng.choice(TIMES)}",
        f"at the {place}, some of the {things} were {rng.choice(TRAITS)} than {who} had expected",
        f"{rng.choice(TIMES)}, {who} could not explain why the {things} were {rng.choice(TRAITS)}",
    )
    text = rng.choice(told)
    return text[0].upper() + text[1:] + "."
