"""What a grader is, how the config makes one, and the proof that it can grade a variant before a call is paid."""

import importlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, Protocol

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..errors import GraderError
from ..problems import quoted
from ..records import AnswerKey, Grade, Item, Reply, Status


@dataclass(frozen=True, slots=True)
class Samples:
    """Replies whose verdict is known beforehand.

    Attributes:
        right: Replies that answer correctly, in the labels shown; each must pass.
        wrong: Replies that answer plainly and wrongly; each must be graded, and fail.
        idle: Replies that only repeat what is asked; none may pass.
    """

    right: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


class Grader(Protocol):
    """Reads replies. A grader has no state: the same reply and key have the same grade in any order."""

    name: ClassVar[str]
    version: ClassVar[int]
    """Raised when the same reply could get another grade than before."""

    def identity(self) -> dict[str, Json]:
        """Everything that decides a grade: name, version and parameters. Equal identities grade equally."""
        ...

    def samples(self, key: AnswerKey) -> Samples:
        """Replies that `prove` tries; empty where what is right can't be known.

        Raises:
            UnusableKeyError: Nothing could ever be right for this item.
        """
        ...

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """Read one reply.

        Raises:
            GraderError: The user's callable returned something that is no verdict.
        """
        ...


def identity(grader: Grader, count_as_fail: Collection[Status], **parameters: Json) -> dict[str, Json]:
    """The identity of a grader with these parameters."""
    statuses: list[Json] = [*sorted(count_as_fail)]
    return {"name": grader.name, "version": grader.version, **parameters, "count_as_fail": statuses}


NO_ECHO = (
    "ask for the answer alone and grade by `exact`, give options and grade by `choice`, or name the passage that holds "
    "it as dataset.fields.context"
)
"""What to do where the question holds its answer."""


class UnusableKeyError(GraderError):
    """An item has no gold answer that this grader could find; the text is the reason."""


JUDGE = "judge"
"""The name of the grader that leaves answers to another model."""

Factory = Callable[[GradeConfig, Path], Grader]

_factories: dict[str, Factory] = {}
_MODULES = {"json": "json_value", "code": "code_tests"}
"""Graders whose module has another name than they."""


def register(name: str) -> Callable[[Factory], Factory]:
    """Enter a factory under the grader's name; a second one is refused."""

    def enter(factory: Factory) -> Factory:
        if name in _factories:
            raise ValueError(f"there is already a grader {name!r}")
        _factories[name] = factory
        return factory

    return enter


def make_grader(config: GradeConfig, *, base: Path) -> Grader:
    """The grader that the config describes.

    Args:
        config: The `grade:` block.
        base: The config file's folder; relative paths are relative to it.

    Returns:
        The grader, its module and its callable imported and its pattern compiled.

    Raises:
        GraderError: The pattern doesn't compile, or the callable is async.
        ConfigError: The callable can't be imported.
    """
    name = config.grader
    if name not in _factories:
        importlib.import_module(f".{_MODULES.get(name, name)}", __package__)
    return _factories[name](config, base)


def prove(grader: Grader, key: AnswerKey) -> str | None:
    """Try a grader on a question as it will be shown, before the model is asked.

    A correct answer in the labels shown must pass, each wrong one must be read and fail, and neither an empty reply nor
    one that only repeats what is asked may pass. Otherwise a drop would be the grader's and not the model's, or none
    could be seen.

    Returns:
        Why the question can't be graded, or None where it can.
    """
    try:
        samples = grader.samples(key)
    except UnusableKeyError as error:
        return str(error)
    for text in samples.right:
        grade = grader.grade(said(text), key)
        if grade.passed is not True:
            return f"the correct answer {quoted(text)} is not graded as passed{_because(grade)}"
    for text in samples.wrong:
        grade = grader.grade(said(text), key)
        if grade.status != "graded" or grade.passed is not False:
            return f"the wrong answer {quoted(text)} is not graded as failed{_because(grade)}"
    if grader.grade(Reply(), key).passed:
        return "an empty reply is graded as passed"
    for text in samples.idle:
        grade = grader.grade(said(text), key)
        if grade.passed:
            return f"a reply that only repeats what is asked is graded as passed{_because(grade)}; {NO_ECHO}"
    return None


@lru_cache(maxsize=256)
def said(text: str) -> Reply:
    """A reply of this text; most that are tried are labels, and the same for all questions."""
    return Reply(text=text)


def asked(key: AnswerKey) -> tuple[str, ...]:
    """What is asked, in parts that a reply may repeat; not the passages, in which an answer is looked for."""
    question = key.item.question
    return tuple(filter(str.strip, (question.text, question.instruction, "\n".join(key.options))))


def prove_changed(grader: Grader, key: AnswerKey, before: AnswerKey) -> str | None:
    """Try a grader on a question whose right answer is not the dataset's, beyond what `prove` tries.

    It must take the right answer from the key, and fail what was right before. A grader that knows what is right from
    elsewhere, as a function of the user's does, would grade by the old answer.

    Args:
        grader: The grader.
        key: The question as it will be shown, with its own right answer.
        before: The same with the right answer of the dataset.

    Returns:
        Why the question can't be graded, or None where it can.
    """
    if not grader.samples(key).right:
        return f"{grader.name!r} can't be tried on another right answer than the dataset's"
    for text in grader.samples(before).right:
        if grader.grade(said(text), key).passed is not False:
            return f"the old right answer {quoted(text)} is not graded as failed"
    return None


class Prover:
    """Proves a grader on the variants of one item: variants that look the same to a grader are tried once.

    A grader knows of a variant its labels, its options and what is right, and of the item what all variants share.
    """

    def __init__(self, grader: Grader, item: Item) -> None:
        self._grader = grader
        self._item = item
        self._found: dict[tuple[object, ...], str | None] = {}

    def reason(self, key: AnswerKey, *, changed: bool) -> str | None:
        """Why a variant of the item can't be graded; None where it can.

        Args:
            key: The variant as a grader may know it.
            changed: Whether it has a right answer of its own; see `prove_changed`.
        """
        known = key.labels, key.options, key.permutation, key.item.gold, changed
        if known not in self._found:
            self._found[known] = self._tried(key, changed=changed)
        return self._found[known]

    def _tried(self, key: AnswerKey, *, changed: bool) -> str | None:
        reason = prove(self._grader, key)
        if reason is None and changed:
            return prove_changed(self._grader, key, replace(key, item=self._item))
        return reason


def _because(grade: Grade) -> str:
    if grade.reason:
        return f": {grade.reason}"
    return f" (it was read as {'nothing' if grade.extracted is None else quoted(grade.extracted)})"
