"""What every generator offers, and what it is given and gives back.

A generator is a frozen dataclass of keyword parameters, such as `Typo(rate=0.05)`. It proposes; `perturb` checks
protected text, drops duplicates, and names the condition.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .question import Gold, Layout, Question, Subject
from .variant import Edit, Outcome, Tier


@dataclass(frozen=True, slots=True)
class Draft:
    """A generator's proposal for one variant number, before any check.

    Attributes:
        outcome: `applied` with what was changed; else why there is nothing to ask.
        reason: One clause for the report, such as "no options"; empty where applied.
        question: The new question; None leaves the subject's.
        layout: The new layout; None leaves the subject's.
        permutation: `permutation[shown position]` is the option's index in the subject's question; None for the same.
        example_order: The same for the few-shot examples.
        context_order: The same for the context passages.
        edits: What was changed, in order; offsets are those of the subject's question.
        severity: Words edited / eligible words, as realised; None where the generator edits no words.
        validated: Whether the generator's own validators have compared question and original, as where words move (a
            paraphrase). Otherwise what was moved is put back, and the check of protected text, which goes by place and
            order, follows.
        gold: What is right now, of a control; its option indices are those of the subject's question.
    """

    outcome: Outcome
    reason: str = ""
    question: Question | None = None
    layout: Layout | None = None
    permutation: tuple[int, ...] | None = None
    example_order: tuple[int, ...] | None = None
    context_order: tuple[int, ...] | None = None
    edits: tuple[Edit, ...] = ()
    severity: float | None = None
    validated: bool = False
    gold: Gold | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """One draw of one generator for one item.

    Attributes:
        number: The variant number, from 1 within this generator as listed.
        rng: This draw's own source of chance; a generator takes it from nowhere else. A draft that repeats an earlier
            one is drawn again from where this stands, unless the generator took nothing from it.
        earlier: What was applied under the smaller numbers, for a generator that can choose among what is left.
    """

    number: int
    rng: random.Random
    earlier: tuple[Draft, ...] = ()


class Generator(Protocol):
    """A source of meaning-preserving variants."""

    @property
    def name(self) -> str:
        """The word for it in configs and condition names: `typo`."""

    @property
    def version(self) -> int:
        """Raised whenever the same draw gives another output."""

    @property
    def tier(self) -> Tier:
        """How far the same meaning is warranted."""

    @property
    def variants(self) -> int | None:
        """How many variants of each item; None for as many as the item has options."""

    def parameters(self) -> dict[str, object]:
        """Resolved parameters that decide a draft, JSON-able; part of the seed.

        How many variants are drawn is not among them, so that asking for more leaves the first ones as they were.
        """

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Propose one variant; a pure function of its arguments that fails for no question whatever."""


def check_generators(function: str, generators: object) -> None:
    """Refuse what is no sequence of generators.

    Args:
        function: What they are given to, as messages name it.
        generators: Whatever was given.

    Raises:
        TypeError: With what was found and how to write it.
    """
    if isinstance(generators, str) or not isinstance(generators, Sequence):
        name = type(generators).__name__
        raise TypeError(f"{function} takes a list of generators, such as [Reorder(), Typo()]; found a {name} alone")
    for each in generators:
        if isinstance(each, type) or not hasattr(each, "draft"):
            found = f"the class {each.__name__}; write {each.__name__}()" if isinstance(each, type) else repr(each)
            raise TypeError(f"{function} takes generators, such as Reorder() or Typo(rate=0.1); found {found}")
