"""The user's own paraphrases, written beforehand and frozen."""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from typing import ClassVar

from ..canonical import canonical_hash
from ..generator import Draft, Draw
from ..given import check_variants
from ..protection.parts import with_parts
from ..question import Subject
from ..variant import Edit, Tier
from .validators import VALIDATORS_VERSION, validate_paraphrase


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """One paraphrase of one item.

    Attributes:
        text: The question in other words.
        instruction: The instruction in other words; None leaves it.
    """

    text: str
    instruction: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParaphraseFile:
    """Takes an item's paraphrases in the order given: the nth is variant n. Each must pass all validators.

    Attributes:
        paraphrases: Item id -> its paraphrases.
        variants: How many variants of each item.
        digest: SHA-256 of all paraphrases.
    """

    name: ClassVar[str] = "paraphrase"
    version: ClassVar[int] = 2
    tier: ClassVar[Tier] = "checked"

    paraphrases: Mapping[str, tuple[Paraphrase, ...]] = field(repr=False, hash=False)
    variants: int = 1
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        """Hash the paraphrases once, so that two files are two generators.

        Raises:
            TypeError: For paraphrases that are no tuple of `Paraphrase`, or a number of variants that is none.
            ValueError: Without any variant.
        """
        check_variants("paraphrase", self.variants)
        paraphrases: Mapping[str, object] = self.paraphrases
        for item_id, given in paraphrases.items():
            if not isinstance(given, tuple | list) or not all(isinstance(each, Paraphrase) for each in given):
                raise TypeError(
                    f"paraphrase: those of the item {item_id!r} are {given!r}; write a tuple of Paraphrase, such as "
                    "(Paraphrase('…'),)"
                )
        rows = {item_id: [astuple(row) for row in rows] for item_id, rows in self.paraphrases.items()}
        object.__setattr__(self, "digest", canonical_hash("prt.paraphrases", rows).hex())

    def parameters(self) -> dict[str, object]:
        """Give what decides a draft: which paraphrases these are, by their SHA-256, and which validators judge them."""
        return {"kind": "file", "sha256": self.digest, "validators": VALIDATORS_VERSION}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Take the paraphrase of this number and validate it."""
        paraphrases = self.paraphrases.get(subject.item_id, ())
        if not paraphrases:
            return Draft("not_applicable", "no paraphrase for this item")
        if draw.number > len(paraphrases):
            return Draft("not_applicable", f"no paraphrase {draw.number} for this item; the last is {len(paraphrases)}")
        return reworded(subject, paraphrases[draw.number - 1])


def reworded(subject: Subject, paraphrase: Paraphrase) -> Draft:
    """Put a paraphrase in the place of the original, if the validators let it."""
    question = subject.question
    originals = {"text": question.text, "instruction": question.instruction}
    given = {"text": paraphrase.text, "instruction": paraphrase.instruction}
    changed = {part: new for part, new in given.items() if new is not None and new != originals[part]}
    if not changed:
        return Draft("unchanged", "the paraphrase is the original")
    edits = tuple(Edit(part, 0, originals[part], new, "paraphrase") for part, new in changed.items())
    draft = Draft("applied", question=with_parts(question, changed), edits=edits, validated=True)
    for part, new in changed.items():
        if reason := validate_paraphrase(subject, originals[part], new):
            return replace(draft, outcome="rejected", reason=f"{part}: {reason}")
    return draft
