"""What stands out about a grade, so that a person should look at it; only a hint, never a verdict."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Literal

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply
from .announce import NEGATED, WINDOW
from .base import Grader, UnusableKeyError, make_grader
from .choice import ChoiceGrader
from .options import options_shown
from .patterns import Pattern
from .scene import Scene
from .text import View, lower, visible, without_markup

Kind = Literal["unread", "empty_gold", "mixed", "gold_in_fail", "several", "denied", "cut_off", "ordinary"]
GraderName = Literal["contains", "numeric"]
KINDS: dict[Kind, str] = {
    "unread": "no answer was read",
    "empty_gold": "the right answer is empty",
    "mixed": "one option was read, and the texts of others alone are named",
    "gold_in_fail": "it failed, and the right answer stands in the reply",
    "several": "it passed, and other options are named too",
    "denied": "it passed, and the words before the answer deny something",
    "cut_off": "it was graded although it was cut off",
    "ordinary": "nothing stands out",
}
"""What each kind means. A grade is of the first that fits."""
_UNREAD = {"unparsed", "truncated", "refused"}
_LABEL_ALONE = Pattern(lambda: r"[\s()\[\].:*]*\w{1,4}[\s()\[\].:*]*")


def suspicion(grade: Grade, reply: Reply, key: AnswerKey, grader: str) -> Kind:
    """Say what stands out about a grade.

    Args:
        grade: The grade; not one of a reply that is missing or could not be judged.
        reply: The reply.
        key: What was right.
        grader: The grader's name.
    """
    named = _Named.of(reply.text, key) if grader == ChoiceGrader.name and key.options else _Named()
    checks: dict[Kind, Callable[[], bool]] = {
        "unread": lambda: grade.status in _UNREAD,
        "empty_gold": lambda: not key.item.gold.options and not any(map(str.strip, key.item.gold.texts)),
        "mixed": lambda: named.is_mixed(grade),
        "gold_in_fail": lambda: grade.passed is False and _holds_gold(reply, key),
        "several": lambda: grade.passed is True and len(named.every) > 1,
        "denied": lambda: grade.passed is True and _is_denied(grade, reply.text),
        "cut_off": lambda: reply.finish_reason.lower() in {"length", "max_tokens"},
    }
    return next((kind for kind, fits in checks.items() if fits()), "ordinary")


@dataclass(frozen=True, slots=True)
class _Named:
    """The options that a reply names without denying them.

    Attributes:
        every: By label or text.
        by_text: By text.
    """

    every: frozenset[int] = frozenset()
    by_text: frozenset[int] = frozenset()

    @classmethod
    def of(cls, text: str, key: AnswerKey) -> "_Named":
        scene = Scene(without_markup(visible(text)), options_shown(key))
        named = [each for number, each in enumerate(scene.mentions) if each.exact and not scene.rejected[number]]
        every = (mention.answers for mention in named)
        texts = (mention.texts for mention in named if mention.texts and not mention.weak)
        return cls(frozenset().union(*every), frozenset().union(*texts))

    def is_mixed(self, grade: Grade) -> bool:
        """Whether a label alone was read, while the reply names other options by their texts and not that one."""
        alone = grade.extracted is not None and _LABEL_ALONE.fullmatch(grade.extracted) is not None
        return alone and bool(self.by_text) and grade.answer is not None and int(grade.answer) not in self.by_text


def _holds_gold(reply: Reply, key: AnswerKey) -> bool:
    """Whether a right answer stands in a reply as a whole word or phrase."""
    item = key.item
    shown = dict(zip(key.permutation, key.options, strict=True))
    texts = (*item.gold.texts, *(shown[index] for index in item.gold.options if index in shown))
    gold = replace(item.gold, options=(), texts=tuple(text for text in texts if text.strip()))
    return any(_passes(name, reply, replace(key, item=replace(item, gold=gold))) for name in ("contains", "numeric"))


def _passes(name: GraderName, reply: Reply, key: AnswerKey) -> bool:
    """Whether another grader would pass a reply; not where the right answer is none that it can read."""
    try:
        return _grader(name).grade(reply, key).passed is True
    except UnusableKeyError:
        return False


@cache
def _grader(name: GraderName) -> Grader:
    return make_grader(GradeConfig(grader=name), base=Path())


def _is_denied(grade: Grade, text: str) -> bool:
    if grade.span is None:
        return False
    before = lower(View.of(text[max(0, grade.span[0] - WINDOW) : grade.span[0]]).text)
    return NEGATED.search(before) is not None
