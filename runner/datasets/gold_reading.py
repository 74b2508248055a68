"""How the golds of a whole file are to be read."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..config.schema import DatasetConfig
from ..errors import DatasetError, Problem
from ..problems import quoted
from .fields import Draft
from .golds import AmbiguousError, Decision, Fits, Reading, decide, fits_of
from .texts import text_of


@dataclass(frozen=True, slots=True)
class GoldReading:
    """What the gold of each row may mean, and which of that holds.

    Attributes:
        asked: The reading that the config names; None for `auto`.
        fits: For each row, what its gold may mean; empty for a row without options.
        decision: The readings that hold.
    """

    asked: Reading | None
    fits: tuple[Fits, ...]
    decision: Decision


def read_golds(drafts: Sequence[Draft | Problem], config: DatasetConfig) -> GoldReading:
    """Decide by all rows how golds are to be read.

    Raises:
        DatasetError: If no reading holds for all rows, or two that hold differ.
    """
    asked: Reading | None = None if config.answer_as == "auto" else config.answer_as
    fits = tuple(_fits(draft, asked) for draft in drafts)
    try:
        decision = decide(fits, asked)
    except AmbiguousError as error:
        found = [draft for at in error.positions if isinstance(draft := drafts[at], Draft)]
        raise DatasetError(_ambiguous(error, found, config)) from error
    return GoldReading(asked, fits, decision)


def _fits(draft: Draft | Problem, asked: Reading | None) -> Fits:
    return fits_of(draft.golds, draft.options, asked) if isinstance(draft, Draft) and draft.options else {}


def _ambiguous(error: AmbiguousError, found: Sequence[Draft], config: DatasetConfig) -> Problem:
    golds = " and ".join(", ".join(quoted(text_of(gold)) for gold in draft.golds) for draft in found)
    rows = " and ".join(str(draft.row.number) for draft in found)
    where = f"row {rows}: the answer {golds}" if len(found) == 1 else f"rows {rows}: the answers {golds}"
    text = f"{where} {error}; say what answers are by dataset.answer_as: label, index, index1 or text"
    answer = config.fields.answer
    key = answer if isinstance(answer, str) else ", ".join(answer)
    return Problem(text, path=found[0].row.file, line=found[0].row.line, key=key)
