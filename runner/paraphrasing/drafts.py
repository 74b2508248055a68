"""The proposals for each item while they come in: which variants still lack one, and which a judge has not seen."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...perturbations.generators.paraphrase_llm import Choice, Proposal, choices
from ...perturbations.question import Subject
from ..records import Item


@dataclass(slots=True)
class Draft:
    """An item and the proposals for each of its variants so far.

    Attributes:
        item: The item.
        subject: The same for the validators.
        proposals: Those for each variant number, from 1, in the order in which they came.
        judged: Variant number and index of each proposal that a judge has seen.
    """

    item: Item
    subject: Subject
    proposals: list[list[Proposal]]
    judged: set[tuple[int, int]] = field(default_factory=set)

    @property
    def text(self) -> str:
        """The question's text."""
        return self.subject.question.text

    def chosen(self) -> list[Choice]:
        """What the validators make of the proposals, for each variant number."""
        return choices(self.subject, self.proposals)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one proposal, or for what a judge says of it.

    Attributes:
        draft: The item.
        number: The variant number.
        attempt: Index of the proposal among those for this variant.
    """

    draft: Draft
    number: int
    attempt: int

    @property
    def proposals(self) -> list[Proposal]:
        """The proposals for this variant."""
        return self.draft.proposals[self.number - 1]


def lacking(drafts: Iterable[Draft]) -> Iterator[Slot]:
    """The place of the next proposal for each variant that has none which passes."""
    for draft in drafts:
        for number, choice in enumerate(draft.chosen(), 1):
            if choice.text is None:
                yield Slot(draft, number, len(draft.proposals[number - 1]))


def unjudged(drafts: Iterable[Draft]) -> Iterator[Slot]:
    """The proposals that all validators let pass and no judge has seen."""
    for draft in drafts:
        for number, choice in enumerate(draft.chosen(), 1):
            attempt = len(choice.rejections)
            if choice.text is not None and (number, attempt) not in draft.judged:
                yield Slot(draft, number, attempt)


@dataclass(frozen=True, slots=True)
class Account:
    """What came of asking.

    Attributes:
        wanted: Variants that need a paraphrase.
        found: Those that have one.
        proposals: Proposals that came.
        rejections: How many of these did not pass, by what rejected them.
    """

    wanted: int
    found: int
    proposals: int
    rejections: Counter[str]


def account(drafts: Iterable[Draft]) -> Account:
    """Count what came of asking."""
    made = list(drafts)
    chosen = [choice for draft in made for choice in draft.chosen()]
    return Account(
        wanted=len(chosen),
        found=sum(choice.text is not None for choice in chosen),
        proposals=sum(len(number) for draft in made for number in draft.proposals),
        rejections=Counter(rejection.validator for choice in chosen for rejection in choice.rejections),
    )
