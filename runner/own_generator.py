"""A generator of the user's own: called, and never trusted further than the variants that it makes.

What it makes goes through the checks of every generator. That it is a pure function of what it is given, as a draw has
to be, is tried with each draw: it is called twice with the same chance.
"""

import json
import random
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar, get_args

from ..perturbations import Draft, Draw, Edit, Layout, Question, Subject
from ..perturbations.canonical import canonical_json
from ..perturbations.decode import decode
from ..perturbations.generators.validators import VALIDATORS_VERSION, validate_paraphrase
from ..perturbations.protection.check import shown_texts
from ..perturbations.protection.parts import apply_edits
from ..perturbations.variant import Outcome, Tier
from .errors import ConfigError, Problem, UsageError
from .problems import QUOTED

KEY = "perturbations.python"
T = TypeVar("T")

Propose = Callable[[Subject, Draw], object]
"""The user's code, given an item and a draw; a Draft, or what a function may return instead."""


class UnusableError(Exception):
    """What the user's code gave back is no variant; the text says what it is instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnGenerator:
    """A generator whose proposals come from the user's code.

    Attributes:
        name: What its conditions are called.
        version: The version that a class names; 1 for a function, whose source tells.
        tier: How far the same meaning is warranted.
        variants: How many variants of each item; None for as many as the item has options.
        spec: `file.py:function`, as the config has it.
        propose: The user's code.
        source: The file that it stands in, for messages; empty where there is none.
        moves_words: Whether it may reword, so that the validators of paraphrases take the place of the check by place.
        decisive: What decides a draft besides item and chance: the digests of source and parameters.
    """

    name: str
    version: int
    tier: Tier
    variants: int | None
    spec: str
    propose: Propose = field(repr=False)
    source: str = field(repr=False)
    moves_words: bool
    decisive: Mapping[str, object] = field(repr=False, hash=False)

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft; parameters by their digest alone, since they may come from `${NAME}`."""
        validators = {"validators": VALIDATORS_VERSION} if self.moves_words else {}
        return {"callable": self.spec, "moves_words": self.moves_words, **self.decisive, **validators}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Call the user's code, twice with the same chance, and hold it to what a generator may do.

        Raises:
            ConfigError: It raised, gave back something else than a variant, or gave two different ones.
        """
        again = replace(draw, rng=copied(draw.rng))
        first, second = self._called(subject, draw), self._called(subject, again)
        if first != second:
            raise self._refused(
                subject,
                "makes another variant when it is called again with the same arguments; all chance must come from the "
                "`rng` that it is given",
            )
        return held(subject, first, name=self.name, moves_words=self.moves_words)

    def _called(self, subject: Subject, draw: Draw) -> Draft:
        try:
            return sound(self.propose(subject, draw), subject)
        except UnusableError as error:
            raise self._refused(subject, str(error)) from None
        except (Exception, SystemExit) as error:
            raise self._refused(subject, raised(error, self.source)) from error

    def _refused(self, subject: Subject, what: str) -> UsageError:
        return refusal(f"{self.spec} {what} (item {subject.item_id!r}, generator `{self.name}`)")


def sound(given: object, subject: Subject) -> Draft:
    """Make a draft of what the user's code gave back, all of whose parts are what they must be.

    Raises:
        UnusableError: It is something else.
    """
    if given is None:
        return Draft("not_applicable", "the generator has nothing for this item")
    if isinstance(given, str):
        return Draft("applied", question=replace(subject.question, text=str(given)))
    if isinstance(given, Question):
        return Draft("applied", question=whole(Question, given))
    if isinstance(given, Draft):
        return sound_draft(given)
    allowed = "allowed are the new text (str), a Question, or None for nothing"
    raise UnusableError(f"gave back {type(given).__name__}; {allowed}")


def sound_draft(draft: Draft) -> Draft:
    """Take a draft whose parts are what their types say."""
    if draft.outcome not in get_args(Outcome) or not isinstance(draft.reason, str):
        raise UnusableError(f"gave back a Draft of the outcome {draft.outcome!r} and the reason {draft.reason!r}")
    severity = draft.severity
    if severity is not None and not (isinstance(severity, int | float) and 0 <= severity <= 1):
        raise UnusableError(f"gave back the severity {severity!r}; a share from 0 to 1 is allowed, or None")
    for order in (draft.permutation, draft.example_order, draft.context_order):
        if order is not None and not (isinstance(order, tuple) and all(type(place) is int for place in order)):
            raise UnusableError(f"gave back the order {order!r}; a tuple of places is allowed, or None")
    return replace(
        draft,
        question=None if draft.question is None else whole(Question, draft.question),
        layout=None if draft.layout is None else whole(Layout, draft.layout),
        edits=tuple(whole(Edit, edit) for edit in draft.edits),
        validated=False,
    )


def whole(kind: type[T], value: object) -> T:
    """Take a value whose fields are what their types say, to the last one."""
    if not isinstance(value, kind):
        raise UnusableError(f"gave back {type(value).__name__} where {kind.__name__} is wanted")
    try:
        return decode(kind, json.loads(canonical_json(value)))
    except (TypeError, ValueError) as error:
        raise UnusableError(f"gave back a {kind.__name__} that can't be: {error}") from None


def held(subject: Subject, draft: Draft, *, name: str, moves_words: bool) -> Draft:
    """Hold a draft to what a generator of the user's own may do; the checks of every generator follow."""
    if draft.outcome != "applied":
        return draft
    if draft.gold is not None:
        return replace(draft, outcome="rejected", reason="the right answer changed", gold=None)
    question = draft.question or subject.question
    if question == subject.question and (draft.layout or subject.layout) == subject.layout:
        return Draft("unchanged", "the generator gave the original back")
    draft = replace(draft, edits=faithful_edits(subject, question, draft.edits, name))
    if not moves_words:
        return draft
    reason = reworded_wrongly(subject, question, draft)
    return replace(draft, outcome="rejected", reason=reason) if reason else replace(draft, validated=True)


def faithful_edits(subject: Subject, question: Question, edits: tuple[Edit, ...], name: str) -> tuple[Edit, ...]:
    """The edits that lead from the original to a question: those given if they do, else each changed text as one."""
    try:
        if edits and apply_edits(subject.question, edits) == question:
            return edits
    except (KeyError, ValueError):
        pass
    before, after = shown_texts(subject.question, subject), shown_texts(question, subject)
    changed = ((path, before.get(path, ""), text) for path, text in after.items() if before.get(path, "") != text)
    return tuple(Edit(path, 0, old, new, name) for path, old, new in changed)


def reworded_wrongly(subject: Subject, question: Question, draft: Draft) -> str:
    """Say why a rewording can't stand for the original: it changed more than texts, or the validators object."""
    before, after = shown_texts(subject.question, subject), shown_texts(question, subject)
    orders = (draft.layout, draft.permutation, draft.example_order, draft.context_order)
    texts = {"text", "instruction", "system", "context", "answer_instruction"}
    others = [part for part in Question.__slots__ if part not in texts]
    changed = [part for part in others if getattr(question, part) != getattr(subject.question, part)]
    if changed or before.keys() != after.keys() or any(order is not None for order in orders):
        what = changed[0].replace("_", " ") if changed else "layout or the order"
        return f"the {what} changed, where words alone may move"
    for path, old in before.items():
        if old != after[path] and (reason := validate_paraphrase(subject, old, after[path])):
            return f"{path}: {reason}"
    return ""


def copied(rng: random.Random) -> random.Random:
    """A source of chance that gives the same from here on."""
    copy = random.Random()  # noqa: S311 - reproducible draws, not secrets
    copy.setstate(rng.getstate())
    return copy


def raised(error: BaseException, source: str) -> str:
    """`raised ValueError: no such word (gen.py:12)`: what the user's code raised, and where in it."""
    words = " ".join(str(error).split())
    said = words if len(words) <= 2 * QUOTED else words[: 2 * QUOTED - 1] + "…"
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename == source]
    place = f" ({Path(own[-1].filename).name}:{own[-1].lineno})" if own else ""
    return f"raised {type(error).__name__}{': ' if said else ''}{said}{place}"


def refusal(message: str) -> ConfigError:
    """What is wrong with a generator of the user's own."""
    return ConfigError(Problem(message, key=KEY))
