"""The grader `any_of`: several graders, of which one must pass the reply."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..records import AnswerKey, Grade, Reply, Status
from .base import Grader, Samples, UnusableKeyError, identity, make_grader, register

_DECIDING: Sequence[Status] = ("judge_error", "graded", "unparsed", "truncated", "refused", "error")
"""Which status holds where no grader passes a reply: what could not be judged might have passed."""


@dataclass(frozen=True, slots=True)
class AnyOfGrader:
    """Passes a reply that one of its graders passes; fails one that a grader reads and none passes.

    Each grader is given those right answers of an item that it can read, so that `noon` and `12` may both be right for
    one that compares texts and one that compares numbers. A reply that none passes, and that one of them
    could not judge, is a `judge_error`.
    """

    graders: tuple[Grader, ...]
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "any_of"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(self, self.count_as_fail, graders=[grader.identity() for grader in self.graders])

    def samples(self, key: AnswerKey) -> Samples:
        """Those of all graders that can be used."""
        every = [grader.samples(own) for grader, own in self._usable(key)]
        return Samples(
            tuple(reply for samples in every for reply in samples.right),
            tuple(reply for samples in every for reply in samples.wrong),
            tuple(reply for samples in every for reply in samples.idle),
        )

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        grades = [grader.grade(reply, own) for grader, own in self._usable(key)]
        passed = next((grade for grade in grades if grade.passed and grade.status == "graded"), None)
        return passed or min(grades, key=lambda grade: _DECIDING.index(grade.status))

    def _usable(self, key: AnswerKey) -> list[tuple[Grader, AnswerKey]]:
        """The graders that can read right answers of an item, each with those.

        Raises:
            UnusableKeyError: There is none; the text has the reason of each.
        """
        usable: list[tuple[Grader, AnswerKey]] = []
        reasons: list[str] = []
        for grader in self.graders:
            try:
                usable.append((grader, _readable(grader, key)))
            except UnusableKeyError as error:
                reasons.append(f"{grader.name}: {error}")
        if not usable:
            raise UnusableKeyError("; ".join(reasons))
        return usable


def _readable(grader: Grader, key: AnswerKey) -> AnswerKey:
    """The key with those right answers alone that a grader can read.

    Raises:
        UnusableKeyError: There are none.
    """
    reason = _refusal(grader, key)
    if not reason:
        return key
    texts = key.item.gold.texts
    kept = tuple(text for text in texts if not _refusal(grader, _with_texts(key, text))) if len(texts) > 1 else ()
    if not kept:
        raise UnusableKeyError(reason)
    return _with_texts(key, *kept)


def _refusal(grader: Grader, key: AnswerKey) -> str:
    """Why a grader can't use a key; empty where it can."""
    try:
        grader.grade(Reply(), key)
    except UnusableKeyError as error:
        return str(error)
    return ""


def _with_texts(key: AnswerKey, *texts: str) -> AnswerKey:
    return replace(key, item=replace(key.item, gold=replace(key.item.gold, texts=texts)))


@register("any_of")
def make_any_of(config: GradeConfig, base: Path) -> AnyOfGrader:
    """The grader of a `grade: {grader: any_of, graders: [...]}`.

    Raises:
        GraderError: One of the graders can't be made.
    """
    statuses = tuple(config.count_as_fail)
    members = [GradeConfig.model_validate({**member, "count_as_fail": [*statuses]}) for member in config.graders or ()]
    return AnyOfGrader(tuple(make_grader(member, base=base) for member in members), statuses)
