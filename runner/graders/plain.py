"""Replies that say nothing but an option in a usual form: "B", "(B)", "The answer is B.", "B. Paris", "Paris".

They are told without weighing all that a reply may say, and only where that gives the same. A label in one of the forms
is the only option named, and which one does not matter, if no option's text can stand in the reply. An option's text,
alone or after its label, is one mention from the first word to the last, so that nothing inside of it is taken for
anything else. What does not surely fit is left to `choosing.weigh`.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import NamedTuple

from ...perturbations.question import LabelStyle
from ...perturbations.rendering.labels import option_labels
from . import phrases
from .collective import synonyms
from .shown import ENDS, QUESTIONS_KEPT, Shown
from .text import View, is_plain, lower
from .words import first_word, listed

_MOST = 1_000
"""Characters of a plain reply."""
_BLANK = " \n"
_STYLES: tuple[LabelStyle, ...] = ("A", "a", "1", "i", "I")

_LEADS = (
    "", "Answer: ", "Answer:", "answer: ", "ANSWER: ", "Answer is ", "The answer is ", "The answer is: ",
    "the answer is ", "The correct answer is ", "The correct answer is: ", "The correct option is ", "Correct answer: ",
    "Final answer: ", "Final Answer: ", "The final answer is ", "The final answer is: ", "The best answer is ",
    "#### ", "**Answer:** ", "So the answer is ", "My answer is ",
)  # fmt: skip
_AROUND = (
    ("", ""), ("(", ")"), ("[", "]"), ("**", "**"), ("**(", ")**"), ("\\boxed{", "}"), ("$\\boxed{", "}$"),
    ("\\boxed{\\text{", "}}"), ('"', '"'), ("'", "'"), ("`", "`"), ("", ")"), ("**", ".**"), ("**", ")**"), ("", ":"),
)  # fmt: skip
_CLOSE = ("", ".", "!")
_CLOSING = ".!)]}*\"'$:`"
_AFTER_LABEL = ".):"
_WORDS = re.compile(r"[^\W_]+")
_SIGNS = frozenset("~<$\\`*_#>[◁")
"""Characters of markup, and of tags around a model's reasoning."""
_LEADING = (
    phrases.ANSWER, phrases.CHOICE, phrases.BEST, phrases.RESULT, phrases.SUBJECT, phrases.LEAVING, phrases.LINK,
    phrases.COPULA, phrases.CHOOSING, phrases.OPENING, "only|remaining|single|one|final",
)  # fmt: skip
"""Words with which an announcement begins, or what may lead to an answer."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a reply chooses.

    Attributes:
        option: The canonical option; None where it can't be told.
        span: Where its label or text stands in the source; None where nothing was read.
        reason: Why no option can be told; empty otherwise.
        final: Whether no further text could change it, should the reply have been cut off.
    """

    option: int | None = None
    span: tuple[int, int] | None = None
    reason: str = ""
    final: bool = False


@dataclass(frozen=True, slots=True)
class _Text:
    """An option's text as a reply may give it.

    Attributes:
        option: The option.
        end: Where the text ends without the punctuation after it.
        alone: Whether it may stand without its label.
        final: Whether it may not go on as another option's text, should the reply have been cut off after it.
    """

    option: int
    end: int
    alone: bool
    final: bool


def plain_choice(source: str, shown: Shown) -> Choice | None:
    """The option that a plain reply chooses; None where it is no plain one.

    Args:
        source: The reply's text.
        shown: The options.
    """
    reply = source.strip(_BLANK)
    if not reply or len(reply) > _MOST:
        return None
    told = _plain(shown).read(reply)
    if told is None:
        return None
    before = len(source) - len(source.lstrip(_BLANK))
    start, end = before + told.start, before + told.end
    return Choice(told.option, (start, end), final=told.final or source[end:].strip(" ") != "")


class _Told(NamedTuple):
    """What a plain reply chooses: the option, where its label or text stands, and whether no more could change it."""

    option: int
    start: int
    end: int
    final: bool = True


@lru_cache(maxsize=QUESTIONS_KEPT)
def _plain(shown: Shown) -> "_Plain":
    return _Plain(shown)


class _Plain:
    """What plain replies to a question may be."""

    def __init__(self, shown: Shown) -> None:
        self._shown = shown
        self._labels = _labels(shown)
        said = _said(tuple(self._labels))
        self._marks = tuple(mark for mark in map(_mark, shown.spellings) if mark in said)

    @cached_property
    def _texts(self) -> dict[str, _Text]:
        return dict(_texts(self._shown))

    @cached_property
    def _like_labels(self) -> tuple[str, ...]:
        """Options' texts that can begin within a label and the mark after it."""
        begun, begin = _beginnings(tuple(self._labels))
        return tuple(text for text in self._shown.spellings if text in begun or text.startswith(begin))

    def read(self, reply: str) -> _Told | None:
        """What a reply chooses, without white space around it; None where it is no plain one."""
        return self._by_label(reply) or self._by_text(reply)

    def _by_label(self, reply: str) -> _Told | None:
        core = reply.rstrip(_CLOSING)
        start = end = len(core)
        while start and core[start - 1].isalnum():
            start -= 1
        option = self._labels.get(core[start:])
        if option is None or reply[end:] not in _frames().get(core[:start], ()):
            return None
        if self._marks and any(mark in reply.lower() for mark in self._marks):
            return None
        return _Told(option, start, end)

    def _by_text(self, reply: str) -> _Told | None:
        text = self._texts.get(reply)
        if text is not None:
            return _Told(text.option, 0, text.end, text.final) if text.alone else None
        label, space, rest = reply.partition(" ")
        text = self._texts.get(rest)
        if text is None or label[-1] not in _AFTER_LABEL or self._labels.get(label[:-1]) != text.option:
            return None
        if self._like_labels and any(lower(reply).startswith(self._like_labels, place) for place in range(len(label))):
            return None
        return _Told(text.option, 0, len(label) + len(space) + text.end)


@cache
def _frames() -> dict[str, frozenset[str]]:
    """What may stand before a label to what may stand after it."""
    frames: dict[str, set[str]] = {}
    for lead, (before, after), close in product(_LEADS, _AROUND, _CLOSE):
        frames.setdefault(lead + before, set()).add(after + close)
    return {before: frozenset(afters) for before, afters in frames.items()}


@lru_cache(maxsize=64)
def _beginnings(labels: tuple[str, ...]) -> tuple[frozenset[str], tuple[str, ...]]:
    """Texts that may stand in a label and the mark after it, and what others begin with that may begin there."""
    marked = [f"{label.lower()}{mark} " for label in labels for mark in _AFTER_LABEL]
    ends = {text[place:] for text in marked for place in range(len(text) - 1)}
    return frozenset(end[:stop] for end in ends for stop in range(1, len(end))), tuple(ends)


@lru_cache(maxsize=64)
def _said(labels: tuple[str, ...]) -> str:
    """All that any of the usual forms around labels holds, in lower case."""
    return "\n".join((*_LEADS, *(f"{before} {after}" for before, after in _AROUND), *_CLOSE, *labels)).lower()


def _labels(shown: Shown) -> dict[str, int]:
    """Label as shown to option, where the labels are of one of our styles."""
    labels = shown.shown
    if not any(labels == option_labels(style, len(labels)) for style in _STYLES):
        return {}
    return dict(zip(labels, shown.counted, strict=True))


def _mark(text: str) -> str:
    """Characters without which a text, in lower case, can't stand in a reply, whatever its markup and white space."""
    return max(_WORDS.findall(text), key=len, default=text[:1])


def _texts(shown: Shown) -> Iterator[tuple[str, _Text]]:
    """The texts that hold nothing but words, as a reply may give them."""
    if any(not named.strip(ENDS) for named in (*shown.spellings, *shown.labels)):
        return  # it may stand in the punctuation after a text
    named = (*shown.spellings, *synonyms(shown.spellings))
    declining = _declining("\n".join(map(lower, shown.written)))
    for text, option in zip(shown.written, shown.counted, strict=True):
        core = text.rstrip(ENDS)
        folded = lower(core)
        inert = core and "?" not in text[len(core) :] and _is_inert(text, declining)
        if not inert or shown.spellings.get(folded, {}).get(core) != option or folded in shown.labels:
            continue
        goes_on = any(len(other) > len(core) and other.startswith(folded) for other in named)
        found = _Text(option, len(core), _may_lead(folded), not goes_on)
        yield from ((reply, found) for reply in {text, core, f"{core}."})


def _is_inert(text: str, declining: Collection[str]) -> bool:
    """Whether a text is read as it is written: one line of words without markup, which declines nothing.

    Args:
        text: The text.
        declining: What it may decline by; see `_declining`.
    """
    if not text[0].isalnum() or len(text) > _MOST or not _SIGNS.isdisjoint(text) or text != " ".join(text.split()):
        return False
    folded = lower(text)
    return (is_plain(text) or View.of(text) == View(text, text)) and not any(part in folded for part in declining)


def _declining(folded: str) -> list[str]:
    """What stands in texts, in lower case, that is blanked or read as a refusal, unless it is part of another word."""
    return [part for part in _not_inert() if part in folded]


@cache
def _not_inert() -> tuple[str, ...]:
    return "n/a", "assistantfinal", *(phrase.rstrip("*") for phrase in listed(phrases.REFUSAL))


def _may_lead(folded: str) -> bool:
    """Whether nothing that announces or leads to an answer can begin where a text does."""
    return first_word(folded) not in _first_words()


@cache
def _first_words() -> frozenset[str]:
    """The words that phrases which lead to an answer begin with, and the empty one."""
    return frozenset(map(first_word, listed(*_LEADING))) | {""}
