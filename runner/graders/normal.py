"""The normal form in which texts are compared: compatibility characters, case, spaces, what stands around the text."""

import unicodedata
from dataclasses import dataclass

from ..records import AnswerKey
from .base import UnusableKeyError
from .patterns import Pattern
from .text import fold, without_accents

_BEFORE = Pattern(lambda: r"""(?:[\s"'([{<*_`~¿¡]|[-+•·#>]+\s)+""")
_AFTER = " \"')]}>*_`~.,;:!?…。，、！？；："


@dataclass(frozen=True, slots=True)
class NormalForm:
    """Writes texts so that equal answers are equal texts.

    NFKC, invisible characters gone, quotes and dashes of one kind, white space as single spaces. Articles stay.

    Attributes:
        ignore_case: Upper and lower case are equal.
        ignore_punctuation: Punctuation, quotes, brackets and Markdown around the text do not count; a text that is
            nothing else keeps them.
        ignore_accents: Letters with and without accents are equal.
    """

    ignore_case: bool
    ignore_punctuation: bool
    ignore_accents: bool = False

    def __call__(self, text: str) -> str:
        """The normal form of a text.

        Example:
            >>> NormalForm(ignore_case=True, ignore_punctuation=True)(' **“Café  Noir”.** ')
            'café noir'
        """
        spaced = " ".join(unicodedata.normalize("NFKC", fold(text)).split())
        plain = without_accents(spaced) if self.ignore_accents else spaced
        cased = plain.casefold() if self.ignore_case else plain
        if not self.ignore_punctuation:
            return cased
        start = _BEFORE.match(cased)
        return cased[start.end() if start else 0 :].rstrip(_AFTER) or cased

    def accepted(self, key: AnswerKey) -> frozenset[str]:
        """The accepted texts of an item.

        Raises:
            UnusableKeyError: There is none, or an empty one, which every empty reply would equal.
        """
        accepted = frozenset(map(self, key.item.gold.texts))
        if not accepted or "" in accepted:
            raise UnusableKeyError("the item has no right answer as a text, or an empty one")
        return accepted
