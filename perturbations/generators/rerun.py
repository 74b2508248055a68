"""The original once more: how often does an answer flip by itself?"""

from dataclasses import dataclass
from typing import ClassVar

from ..generator import Draft, Draw
from ..given import check_variants
from ..question import Subject
from ..variant import Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class Rerun:
    """Ask the original prompt again, as a further sample: the noise floor of every other figure.

    Choose it wherever a model may answer the same prompt in two ways: temperature above 0, or an endpoint that is not
    deterministic at 0.

    Attributes:
        variants: How many further samples of each item.
    """

    name: ClassVar[str] = "rerun"
    version: ClassVar[int] = 1
    tier: ClassVar[Tier] = "guaranteed"

    variants: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no number of variants.

        Raises:
            TypeError: For what is no whole number.
            ValueError: For less than one.
        """
        check_variants("rerun", self.variants)

    def parameters(self) -> dict[str, object]:
        """Give nothing: there is nothing to decide."""
        return {}

    def draft(self, subject: Subject, draw: Draw) -> Draft:
        """Propose the original as it is."""
        del draw
        return Draft("applied", question=subject.question)
