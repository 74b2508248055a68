"""Paraphrases that a language model proposed beforehand: the first proposal that passes all validators is taken.

Nothing is asked here. Who asks a model keeps its proposals in the order in which they came, and a draft is a pure
function of them; so the proposals frozen, the variants are frozen.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ..canonical import canonical_hash
from ..generator import Draft, Draw
from ..given import check_variants
from ..lexicon.words import words_of
from ..protection.parts import with_parts
from ..question import Subject
from ..variant import Edit, Tier
from .kinds import NOT_WRITTEN, PARAPHRASE, SUCH_AS, Formality
from .validators import DIFFER, VALIDATOR_NAMES, VALIDATORS_VERSION, Rejection, first_rejection

LONGEST_REASON = 100


@dataclass(frozen=True, slots=True)
class Proposal:
    """One text that a model proposed.

    Attributes:
        text: The question in other words; empty where none could be read in the reply.
        objection: Why it can't be used for a reason that the text does not show: it could not be read, or a judge says
            that it asks something else.
    """

    text: str
    objection: Rejection | None = None


Proposals = Mapping[str, Sequence[Sequence[Proposal]]]
"""Item id -> variant number, from 1 -> the proposals for it, in the order in which they came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphrasing:
    """How a model is asked for paraphrases, as far as that is settled before it is asked.

    Attributes:
        model: The paraphraser as JSON-able data, without any secret.
        judge: The model that is asked whether both ask the same, likewise; None without one.
        prompt: Version of what it is asked.
        temperature: Its temperature; None where it isn't set.
        attempts: Proposals for one variant at most.
        formality: Whether the question keeps its formality, or is put formally or informally.
    """

    model: Mapping[str, object] = field(hash=False)
    judge: Mapping[str, object] | None = field(default=None, hash=False)
    prompt: int = 1
    temperature: float | None = None
    attempts: int = 1
    formality: Formality = "kept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What models wrote.

    Attributes:
        proposals: All proposals.
        model: Identity of the model that wrote them, without any secret.
        judge: Identity of their judge; None without one.
        sha256: Hash of the proposals, in hexadecimal digits.
    """

    proposals: Proposals = field(repr=False, hash=False)
    model: Mapping[str, object] = field(hash=False)
    judge: Mapping[str, object] | None = field(default=None, hash=False)
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        """Hash the proposals once."""
        object.__setattr__(self, "sha256", canonical_hash("prt.proposals", dict(self.proposals)).hex())


@dataclass(frozen=True, slots=True, kw_only=True)
class ParaphraseProposals:
    """Takes, of the proposals for a variant, the first that passes all validators and repeats no other variant's.

    Attributes:
        asked: How the model is asked.
        written: What it wrote; None as long as it was not asked, and then no variant is applicable.
        variants: How many variants of each item.
    """

    name: ClassVar[str] = PARAPHRASE
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "checked"

    asked: Paraphrasing
    written: Written | None = None
    variants: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no number of variants.

        Raises:
            TypeError: For what is no whole number.
            ValueError: For less than one.
        """
        check_variants("paraphrase", self.variants)

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft; what is known only once the model was asked stands under `written`."""
        asked, written = self.asked, self.written
        return {
            "kind": "llm",
            "model": dict(asked.model),
            "judge": None if asked.judge is None else dict(asked.judge),
            "prompt": asked.prompt,
            "validators": VALIDATORS_VERSION,
            "temperature": asked.temperature,
            "attempts": asked.attempts,
            "formality": asked.formality,
            "written": written
            and {
                "model": dict(written.model),
                "judge": None if written.judge is None else dict(written.judge),
                "proposals": written.sha256,
            },
        }

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Take the first proposal of this number that passes."""
        if reason := obstacle(subject):
            return Draft("not_applicable", reason)
        written = () if self.written is None else self.written.proposals.get(subject.item_id, ())
        if draw.number > len(written):
            return Draft("not_applicable", NOT_WRITTEN)
        proposals = written[draw.number - 1]
        chosen = choices(subject, written[: draw.number])[-1]
        if chosen.text is None:
            shown = next((proposal.text for proposal in proposals if proposal.text), None)
            return reworded(subject, shown, rejected=chosen.summary())
        return reworded(subject, chosen.text)


@dataclass(frozen=True, slots=True)
class Choice:
    """What the validators make of the proposals for one variant.

    Attributes:
        text: The first that passes; None where none does.
        rejections: Why the proposals before it, or all of them, can't be used.
    """

    text: str | None
    rejections: tuple[Rejection, ...]

    def summary(self) -> str:
        """Count the reasons: `none of 4 proposals passed: same numbers 3, differs 1, such as: '4' is missing`.

        What is shown behind the counts is the first objection of the first that is counted, where a validator found it
        in the text; what an endpoint or a judge says is not repeated.
        """
        tried = len(self.rejections)
        proposals = "the one proposal did not pass" if tried == 1 else f"none of {tried} proposals passed"
        counts = Counter(rejection.validator for rejection in self.rejections)
        most = [validator for validator, _ in most_frequent(counts)[:1] if validator in VALIDATOR_NAMES]
        first = [rejection.reason for rejection in self.rejections if rejection.validator in most]
        such_as = f"{SUCH_AS}{in_short(first[0])}" if first else ""
        return f"{proposals}: {counted_reasons(counts)}{such_as}"


def in_short(reason: str) -> str:
    """Give a reason without the words that the name of its validator says already, cut to a bearable length."""
    found = reason.partition(DIFFER)[2] or reason
    return found if len(found) <= LONGEST_REASON else f"{found[: LONGEST_REASON - 1]}…"


def most_frequent(validators: Mapping[str, int]) -> list[tuple[str, int]]:
    """Put validators in the order of how often each rejected something, and of their names."""
    return sorted(validators.items(), key=lambda each: (-each[1], each[0]))


def counted_reasons(validators: Mapping[str, int]) -> str:
    """Write how often each validator rejected something, the most frequent first: `same numbers 3, differs 1`."""
    return ", ".join(f"{validator} {n}" for validator, n in most_frequent(validators))


def obstacle(subject: Subject) -> str:
    """Say why a model need not be asked to reword a question; empty where it may be."""
    has_words = any(True for _ in words_of(subject.question.text))
    return "" if has_words else "there are no words to reword"


def choices(subject: Subject, proposals: Iterable[Sequence[Proposal]]) -> list[Choice]:
    """Choose for each variant number in turn; a text that stands under a smaller number is not taken again."""
    chosen: list[Choice] = []
    for number in proposals:
        chosen.append(first_passing(subject, number, taken_texts(chosen)))
    return chosen


def first_passing(subject: Subject, proposals: Iterable[Proposal], taken: Mapping[str, int]) -> Choice:
    """Choose the first proposal that nothing speaks against."""
    rejections: list[Rejection] = []
    for proposal in proposals:
        rejection = proposal.objection or speaks_against(subject, proposal.text, taken)
        if rejection is None:
            return Choice(proposal.text, tuple(rejections))
        rejections.append(rejection)
    return Choice(None, tuple(rejections))


def speaks_against(subject: Subject, text: str, taken: Mapping[str, int]) -> Rejection | None:
    """Say why a text can't be a variant: what the validators find, or the variant number that has it already."""
    if rejection := first_rejection(subject, subject.question.text, text):
        return rejection
    number = taken.get(folded(text))
    return None if number is None else Rejection("new", f"it repeats paraphrase {number}")


def folded(text: str) -> str:
    """Give a text without differences that make no other wording: spacing and case."""
    return " ".join(text.split()).casefold()


def reworded(subject: Subject, text: str | None, *, rejected: str = "") -> Draft:
    """Put a text in the place of the original; where it is rejected, to be read only."""
    outcome: Literal["applied", "rejected"] = "rejected" if rejected else "applied"
    if text is None:
        return Draft(outcome, rejected)
    edit = Edit("text", 0, subject.question.text, text, "paraphrase")
    question = with_parts(subject.question, {"text": text})
    return Draft(outcome, rejected, question=question, edits=(edit,), validated=True)


def taken_texts(chosen: Collection[Choice]) -> dict[str, int]:
    """Give the texts that were chosen, folded, each with its variant number."""
    return {folded(choice.text): number for number, choice in enumerate(chosen, 1) if choice.text is not None}
