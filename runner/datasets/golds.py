"""Which option a gold answer means. All that it can mean is read first; the whole file decides which reading holds."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue as Json

from ..problems import counted, quoted
from .option_set import OptionSet
from .texts import folded, text_of

Reading = Literal["label", "text", "index", "index1"]
Fits = Mapping[Reading, tuple[int, ...]]

NAMED: tuple[Reading, ...] = ("label", "text")
READINGS: tuple[Reading, ...] = (*NAMED, "index", "index1")
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
    for reading in (asked,) if asked else NAMED if numbered else READINGS:
        each = [_READERS[reading](gold, options) for gold in golds]
        if each and all(each):
            found[reading] = tuple(sorted({index for indices in each for index in indices}))
    return found


def decide(rows: Sequence[Fits], asked: Reading | None) -> Decision:
    """Choose the reading that holds for all rows.

    What fits every row (of those that anything fits) holds; labels and texts may be mixed. An index never holds beside
    them, nor a 0-based one beside a 1-based: a stray number among letters is no reason to read it as an index.

    Args:
        rows: What fits each row.
        asked: The reading that the user has set, or None.

    Raises:
        AmbiguousError: If no reading holds for all rows, or two that hold differ on a row.
    """
    if asked is not None:
        return Decision((asked,))
    live = {position: fits for position, fits in enumerate(rows) if fits}
    covering = tuple(reading for reading in READINGS if all(reading in fits for fits in live.values()))
    if not covering and not all(_kinds(fits) & {NAMED} for fits in live.values()):
        raise _nothing_in_common({position: _kinds(fits) for position, fits in live.items()})
    decision = Decision(covering or NAMED)
    for position, fits in live.items():
        _agree(fits, decision.readings, position)
    return decision


def _kinds(fits: Fits) -> frozenset[tuple[Reading, ...]]:
    """The readings that may be mixed, together; each other for itself."""
    return frozenset(NAMED if reading in NAMED else (reading,) for reading in fits)


def _nothing_in_common(rows: Mapping[int, frozenset[tuple[Reading, ...]]]) -> AmbiguousError:
    """The error for golds that no one kind of reading fits, with as few rows as show it."""
    shown: dict[int, frozenset[tuple[Reading, ...]]] = {}
    for position, kinds in rows.items():
        if not shown or frozenset.intersection(*shown.values()) - kinds:
            shown[position] = kinds
    for position in list(shown):
        others = [kinds for other, kinds in shown.items() if other != position]
        if others and not frozenset.intersection(*others):
            del shown[position]
    words = (" or ".join(WORDS[reading] for kind in sorted(kinds) for reading in kind) for kinds in shown.values())
    return AmbiguousError(f"are read in no one way: {', against '.join(words)}", *shown)


def _agree(fits: Fits, readings: Iterable[Reading], position: int) -> None:
    held = [reading for reading in readings if reading in fits]
    for reading in held[1:]:
        if fits[reading] != fits[held[0]]:
            first, second = (f"{WORDS[each]} it means option {_numbers(fits[each])}" for each in (held[0], reading))
            raise AmbiguousError(f"can be read in two ways: as {first}, as {second}", position)


def _numbers(indices: Iterable[int]) -> str:
    return " and ".join(str(index + 1) for index in indices)


def no_option(golds: Sequence[Json], options: OptionSet, asked: Reading | None) -> str:
    """Say that a gold means no option."""
    wanted = f" as {WORDS[asked]}" if asked else ""
    gold = ", ".join(quoted(text_of(gold)) for gold in golds)
    texts = [text_of(each).strip() for each in golds]
    if all(map(INTEGER.fullmatch, texts)) and not any(map(INTEGER.search, (*options.labels, *options.texts))):
        tail = "" if asked else ", by label, text or position"
        return f"the answer {gold}{wanted} is none of {counted(len(options.texts), 'option')}{tail}"
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
