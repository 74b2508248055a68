"""How the golds of a whole file are to be read."""

from array import array
from collections.abc import Callable, Sequence

from ..config.schema import DatasetConfig
from ..errors import DatasetError, Problem
from ..problems import quoted
from .fields import Draft
from .golds import AmbiguousError, Decision, Fits, Reading, decide, fits_of
from .texts import text_of


class GoldReading:
    """What the gold of each row may mean, noted row by row, and which of that holds.

    Rows whose golds may mean the same share one entry, so that a row takes 4 bytes.

    Attributes:
        asked: The reading that the config names; None for `auto`.
    """

    def __init__(self, config: DatasetConfig) -> None:
        """Begin with no row."""
        self.asked: Reading | None = None if config.answer_as == "auto" else config.answer_as
        self._config = config
        self._numbers: dict[tuple[tuple[Reading, tuple[int, ...]], ...], int] = {}
        self._distinct: list[Fits] = []
        self._first: list[int] = []
        self._rows = array("I")

    def note(self, draft: Draft | Problem) -> None:
        """Note what the gold of the next row may mean."""
        fits = _fits(draft, self.asked)
        number = self._numbers.setdefault(tuple(fits.items()), len(self._distinct))
        if number == len(self._distinct):
            self._distinct.append(fits)
            self._first.append(len(self._rows))
        self._rows.append(number)

    def fits(self, at: int) -> Fits:
        """What the gold of a row may mean; empty for a row without options."""
        return self._distinct[self._rows[at]]

    def decision(self, draft_at: Callable[[int], Draft | Problem]) -> Decision:
        """Decide by all rows how golds are to be read.

        Args:
            draft_at: Gives the draft of a row, for the message.

        Raises:
            DatasetError: If no reading holds for all rows, or two that hold differ.
        """
        try:
            return decide(self._distinct, self.asked)
        except AmbiguousError as error:
            rows = (draft_at(self._first[at]) for at in error.positions)
            found = [draft for draft in rows if isinstance(draft, Draft)]
            raise DatasetError(_ambiguous(error, found, self._config)) from error


def _fits(draft: Draft | Problem, asked: Reading | None) -> Fits:
    return (
        fits_of(draft.golds, draft.options, asked) if isinstance(draft, Draft) and draft.options and draft.golds else {}
    )


def _ambiguous(error: AmbiguousError, found: Sequence[Draft], config: DatasetConfig) -> Problem:
    golds = " and ".join(", ".join(quoted(text_of(gold)) for gold in draft.golds) for draft in found)
    rows = " and ".join(str(draft.row.number) for draft in found)
    where = f"row {rows}: the answer {golds}" if len(found) == 1 else f"rows {rows}: the answers {golds}"
    text = f"{where} {error}; say what answers are by dataset.answer_as: label, index, index1 or text"
    answer = config.fields.answer
    key = answer if isinstance(answer, str) else ", ".join(answer)
    return Problem(text, path=found[0].row.file, line=found[0].row.line, key=key)
