"""A sentence that has nothing to do with the question, said before or behind it."""

import re
from collections.abc import Iterator

from ..lexicon.sentences import sentences_of
from ..lexicon.words import stems, stopwords, words_of
from .frames import in_english
from .noise_ground import Ground, Offer, Offers, Place
from .shown import begins_with_code
from .typo import vocabulary

SENTENCES = (
    "Leaves rustle when a breeze goes through the trees.",
    "An old door may creak when it is opened slowly.",
    "Umbrellas come in handy on a rainy afternoon.",
    "Gardeners like to rest in the shade when it gets hot.",
    "A piano goes out of tune if it is left alone for long.",
    "Bread smells good when it comes out of the oven.",
    "Kittens like to chase a ball of wool across the floor.",
    "A scarf keeps the neck warm on a cold morning.",
    "Curtains move gently when a window stands open.",
    "Bicycles are parked outside while their riders go shopping.",
    "A candle flickers in the wind.",
    "Sandals leave prints along a beach.",
    "Postcards from a holiday end up on the fridge door.",
    "Gravel crunches under the boots of hikers.",
    "Tea goes cold if the cup is forgotten on a desk.",
    "A hammock swings between its posts.",
    "Pillows lose their shape as the years go by.",
    "Wooden stairs squeak at night.",
    "Lanterns glow along the path to the pavilion.",
    "Puddles dry up after the rain has passed.",
    "Kites rise as soon as it gets windy.",
    "A blanket makes a picnic in the meadow comfortable.",
    "Shoes get dusty on a long walk through the fields.",
    "Snow muffles the noise of the street.",
)
"""True of such things in general, ours, without number, negation or quantifier."""
OF_THE_TEXT = re.compile(
    r"\b(?:sentences?|paragraphs?|passages?|texts?|statements?|summar\w+|translat\w+|rewrit\w+|paraphras\w+|sentiments?|reviews?"
    r"|titles?|headlines?|essays?|stor(?:y|ies)|emails?|letters?|messages?|poems?|dialog\w*|conversations?|premises?"
    r"|hypothes[ei]s|arguments?|irrelevant|unrelated|off[- ]topic|distract\w+)\b",
    re.IGNORECASE,
)
"""Words that show the text itself to be what is asked about."""
INLINE_OPTION = re.compile(r"(?m)^[ \t]*(?:[-*•]|[(\[]?[A-Za-z0-9]{1,3}[.):\]])[ \t]")


def distractors(ground: Ground) -> Offers:
    """Offer each sentence that shares no word with the item, before the text and, where one may, behind it."""
    text = ground.parts.get("text", "")
    if not text or not may_distract(ground, text):
        return ()
    forms = item_forms(ground)
    return tuple(
        Offer((place,), rated=False)
        for sentence in SENTENCES
        if is_foreign_to(sentence, forms)
        for place in beside(ground, text, sentence)
    )


def beside(ground: Ground, text: str, sentence: str) -> Iterator[Place]:
    """Give the places of a sentence: on a line of its own where the text has several lines."""
    gap = "\n" if "\n" in text else " "
    yield Place("text", 0, "", (sentence + ("" if text[0].isspace() else gap),), "distractor")
    end = len(text.rstrip())
    closed = any(sentence.marks for sentence in [*sentences_of(text)][-1:])
    if closed and not INLINE_OPTION.search(text) and ground.is_free("text", end, end):
        yield Place("text", end, "", (gap + sentence,), "distractor")


def may_distract(ground: Ground, text: str) -> bool:
    """Say whether a sentence beside a text would surely be none of its matter."""
    question = ground.subject.question
    spoken_of = OF_THE_TEXT.search(f"{question.instruction}\n{text}")
    return in_english(question) and not spoken_of and not begins_with_code(text)


def item_forms(ground: Ground) -> set[str]:
    """Give all words of an item and of its right answers, and what they may be inflections of."""
    words = vocabulary(ground.subject.question) | {
        word for text in ground.subject.gold.texts for word in words_of(text)
    }
    return {form for word in words for form in (word, *stems(word))}


def is_foreign_to(sentence: str, forms: set[str]) -> bool:
    """Say whether a sentence has no word of meaning in common with an item."""
    content = (word for word in words_of(sentence) if word not in stopwords()["en"])
    return all(form not in forms for word in content for form in (word, *stems(word)))
