"""Which option a gold answer means. All that it can mean is read first; the whole file decides which reading holds."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue as Json

from .option_set import OptionSet
from .problems import quoted
from .texts import folded, text_of

Reading = Literal["label", "text", "index", "index1"]
Fits = Mapping[Reading, tuple[int, ...]]

READINGS: tuple[Reading, ...] = ("label", "text", "index", "index1")
WORDS: dict[Reading, str] = {
    "label": "a label",
    "text": "an option's text",
    "index": "a 0-based index",
    "index1": "a 1-based index",
}
AROUND_LABEL = " \t\r\n()[]{}.:"
LABEL_AND_TEXT = re.compile(r"\s*[(\[]?([^\s()\[\].:]{1,3})[)\].:]+\s*(.+)", re.DOTALL)
INTEGER = re.compile(r"[+-]?\d{1,9}(?:\.0+)?")
YES = {"true": ("true", "yes"), "false": ("false", "no")}


class AmbiguousError(Exception):
    """Two readings of the same golds differ, and nothing in the file decides.

    Attributes:
        positions: Where they differ, among the rows given.
    """

    def __init__(self, message: str, *positions: int) -> None:
        super().__init__(message)
        self.positions = positions


@dataclass(frozen=True, slots=True)
class Decision:
    """The readings that hold for a file; where several fit a row, they agree."""

    readings: tuple[Reading, ...]

    def options(self, fits: Fits) -> tuple[int, ...]:
        """The options that a row's gold means; empty where it means none."""
        return next((fits[reading] for reading in self.readings if reading in fits), ())


def fits_of(golds: Sequence[Json], options: OptionSet, asked: Reading | None = None) -> Fits:
    """Read golds in every way in which all of them are options.

    Args:
        golds: The right answers of one row, each a scalar.
        options: The row's options. Where the data numbers them itself, a number is a label and no index.
        asked: The one reading to try, or None for all.

    Returns:
        The options meant, by reading.
    """
    found: dict[Reading, tuple[int, ...]] = {}
    numbered = options.own and all(label.isdigit() for label in options.labels)
    for reading in (asked,) if asked else READINGS[:2] if numbered else READINGS:
        each = [_READERS[reading](gold, options) for gold in golds]
        if each and all(each):
            found[reading] = tuple(sorted({index for indices in each for index in indices}))
    return found


def decide(rows: Sequence[Fits], asked: Reading | None) -> Decision:
    """Choose the reading that holds for all rows.

    A reading that fits every row (for which there is any) holds. If none does, the file mixes readings, such as letters
    and texts; then each row takes what fits it. Either way, a row on which two of them differ decides nothing.

    Args:
        rows: What fits each row.
        asked: The reading that the user has set, or None.

    Raises:
        AmbiguousError: If two readings that hold differ on a row.
    """
    if asked is not None:
        return Decision((asked,))
    live = [fits for fits in rows if fits]
    covering = tuple(reading for reading in READINGS if all(reading in fits for fits in live))
    decision = Decision(covering or _without_wrong_base(rows))
    for position, fits in enumerate(rows):
        _agree(fits, decision.readings, position)
    return decision


def _without_wrong_base(rows: Sequence[Fits]) -> tuple[Reading, ...]:
    only0 = _first(rows, lambda fits: "index" in fits and not fits.keys() & {"index1", "label", "text"})
    only1 = _first(rows, lambda fits: "index1" in fits and not fits.keys() & {"index", "label", "text"})
    if only0 is not None and only1 is not None:
        raise AmbiguousError("one fits as a 0-based index only, the other as a 1-based index only", only0, only1)
    wrong = "index1" if only0 is not None else "index" if only1 is not None else None
    return tuple(reading for reading in READINGS if reading != wrong)


def _first(rows: Sequence[Fits], holds: Callable[[Fits], bool]) -> int | None:
    return next((position for position, fits in enumerate(rows) if holds(fits)), None)


def _agree(fits: Fits, readings: Iterable[Reading], position: int) -> None:
    held = [reading for reading in readings if reading in fits]
    for reading in held[1:]:
        if fits[reading] != fits[held[0]]:
            first, second = (f"{WORDS[each]} it means option {_numbers(fits[each])}" for each in (held[0], reading))
            raise AmbiguousError(f"as {first}, as {second}", position)


def _numbers(indices: Iterable[int]) -> str:
    return " and ".join(str(index + 1) for index in indices)


def no_option(golds: Sequence[Json], options: OptionSet, asked: Reading | None) -> str:
    """Say that a gold means no option."""
    wanted = f" as {WORDS[asked]}" if asked else ""
    gold = ", ".join(quoted(text_of(gold)) for gold in golds)
    shown = "; ".join(f"{label}: {quoted(text)}" for label, text in zip(options.labels, options.texts, strict=True))
    return f"the answer {gold}{wanted} is none of the options {shown}"


def _as_label(gold: Json, options: OptionSet) -> tuple[int, ...]:
    if isinstance(gold, bool) or (isinstance(gold, int | float) and not options.own):
        return ()
    text = text_of(gold)
    if text.strip() in options.names:
        return (options.names.index(text.strip()),)
    for bare in (text.strip(), text.strip(AROUND_LABEL)):
        found = _equal(bare, options.labels)
        if found:
            return found
    split = LABEL_AND_TEXT.fullmatch(text)
    labelled = _equal(split[1], options.labels) if split else ()
    return tuple(index for index in labelled if split and folded(options.texts[index]) == folded(split[2]))


def _as_text(gold: Json, options: OptionSet) -> tuple[int, ...]:
    if isinstance(gold, bool):
        accepted = YES[text_of(gold)]
        return tuple(index for index, text in enumerate(options.texts) if folded(text) in accepted)
    return _equal(text_of(gold), options.texts)


def _equal(text: str, candidates: Sequence[str]) -> tuple[int, ...]:
    """Candidates that equal a text: exactly, or else folded, if all of these are one text."""
    exact = tuple(index for index, candidate in enumerate(candidates) if candidate == text)
    if exact:
        return exact
    near = tuple(index for index, candidate in enumerate(candidates) if folded(candidate) == folded(text))
    return near if len({candidates[index] for index in near}) == 1 else ()


def _as_index(base: int) -> Callable[[Json, OptionSet], tuple[int, ...]]:
    def read(gold: Json, options: OptionSet) -> tuple[int, ...]:
        if isinstance(gold, bool) or not INTEGER.fullmatch(text_of(gold).strip()):
            return ()
        index = int(float(text_of(gold))) - base
        return (index,) if 0 <= index < len(options.texts) else ()

    return read


_READERS: dict[Reading, Callable[[Json, OptionSet], tuple[int, ...]]] = {
    "label": _as_label,
    "text": _as_text,
    "index": _as_index(0),
    "index1": _as_index(1),
}
