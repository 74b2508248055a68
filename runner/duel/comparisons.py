"""Comparisons made elsewhere: rows of a judge, read strictly; one row that can't be used rejects the file."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from pydantic import JsonValue as Json

from ...stats import JudgedPairs
from ..datasets.files import opened
from ..datasets.paths import kind_of
from ..datasets.texts import is_blank, text_of
from ..errors import DatasetError, Problem
from ..problems import counted, did_you_mean, listed, quoted, raise_problems
from ..results.read import decoded
from ..results.result import Given
from ..results.tables import Line, Table, read_table

NEEDED = ("id", "model_a", "model_b", "score")
OPTIONAL = ("dimension", "repeat")
OVERALL = "overall"
"""The dimension of a file that names none."""
MISSING = frozenset({"", "na", "null", "-"})
SCORES = (
    "a score is a number from 0 to 1 (1: model_a won, 0: model_b won, 0.5: a tie), or null where the judge gave none"
)
NAMED = 5
"""Incomplete queries that are named for each dimension."""


@dataclass(frozen=True, slots=True)
class Contestants:
    """The two that are compared.

    Attributes:
        candidate: Whom the verdicts are about.
        baseline: Its opponent.
    """

    candidate: str
    baseline: str

    def __iter__(self) -> Iterator[str]:
        """The candidate, then the baseline."""
        return iter((self.candidate, self.baseline))


@dataclass(frozen=True, slots=True)
class Comparisons:
    """What a file of comparisons holds.

    Attributes:
        name: The file, as the user named it.
        sha256: Of its bytes, in hexadecimal.
        contestants: The two that it compares.
        dimensions: The judgements of each dimension, in the order of the file.
        notes: What the user should read: columns that were not read, and incomplete queries by name.
    """

    name: str
    sha256: str
    contestants: Contestants
    dimensions: Mapping[str, JudgedPairs]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """One row: who was shown first, and the score of the first; None where the judge gave none."""

    number: int
    dimension: str
    query: str
    first: str
    second: str
    repeat: str
    score: float | None


def read_comparisons(path: Path, contestants: Contestants) -> Comparisons:
    """Read a file of comparisons.

    Args:
        path: CSV, JSONL or another form of table, plain or gzipped, with the columns `id`, `model_a` (shown first),
            `model_b` and `score` (that of `model_a`), and perhaps `dimension` and `repeat`.
        contestants: The two that it compares, as its rows name them.

    Raises:
        DatasetError: For rows that can't be used, each named with its line and what is wrong; or a dimension of which
            no query was judged in both orders.
    """
    with opened(path, str(path)) as source:
        given = decoded(source)
    return comparisons_of(given, contestants)


def comparisons_of(given: Given, contestants: Contestants) -> Comparisons:
    """Read comparisons from a text.

    Raises:
        DatasetError: As `read_comparisons`.
    """
    table = read_table(given.text, given.name)
    if not table.columns:
        _refuse(table, table.bad)
    columns = columns_of(table)
    rows, problems = judgements(table, columns)
    _refuse_unknown(rows, contestants, table.name)
    problems += [*_strangers(rows, contestants), *_repeated(rows, has_repeats="repeat" in columns)]
    _refuse(table, [*table.bad, *problems])
    if not rows:
        raise DatasetError(Problem("it has a header and no rows", path=table.name))
    dimensions = paired(rows, contestants)
    raise_problems([*_one_sided(dimensions, contestants, table.name)], "dimensions without both orders")
    unread = [name for name in table.columns if name not in columns]
    notes = [f"columns that were not read: {listed(unread)}"] if unread else []
    notes += incomplete_notes(dimensions, contestants)
    return Comparisons(given.name, given.sha256, contestants, dimensions, tuple(notes))


def _refuse(table: Table, problems: Sequence[tuple[int, str]]) -> None:
    told = [table.problem(number, message) for number, message in sorted(problems)]
    raise_problems(told, "rows that can't be used; nothing was read")


def columns_of(table: Table) -> dict[str, int]:
    """Where the table has the columns that are read.

    Raises:
        DatasetError: One that is needed is missing.
    """
    known = {name: table.columns.index(name) for name in (*NEEDED, *OPTIONAL) if name in table.columns}
    missing = [name for name in NEEDED if name not in known]
    if missing:
        others = [name for name in table.columns if name not in known]
        near = next(filter(None, (did_you_mean(name, others) for name in missing)), "")
        found = f"found {listed(table.columns)}" if table.columns else "found none"
        text = (
            f"there is no column {listed(missing)} ({found}); needed are {listed(NEEDED)}, and `dimension` if any{near}"
        )
        raise DatasetError(Problem(text, path=table.name, line=1 if table.unit == "line" else None))
    return known


def judgements(table: Table, columns: Mapping[str, int]) -> tuple[list[Judgement], list[tuple[int, str]]]:
    """The rows that can be read, and what is wrong with the others."""
    rows: list[Judgement] = []
    bad: list[tuple[int, str]] = []
    for line in table.lines:
        try:
            rows.append(_judgement(line, columns))
        except ValueError as error:
            bad.append((line.number, str(error)))
    return rows, bad


def _judgement(line: Line, columns: Mapping[str, int]) -> Judgement:
    def text(name: str, default: str | None = None) -> str:
        return _text(line.cells[columns[name]], name) if name in columns else default or ""

    row = Judgement(
        number=line.number,
        dimension=text("dimension", OVERALL),
        query=text("id"),
        first=text("model_a"),
        second=text("model_b"),
        repeat=text("repeat"),
        score=_score(line.cells[columns["score"]]),
    )
    if row.first == row.second:
        raise ValueError(f"{quoted(row.first)} is compared with itself; model_a and model_b are two models")
    return row


def _text(value: Json, column: str) -> str:
    if is_blank(value):
        raise ValueError(f"`{column}` is empty")
    try:
        return text_of(value)
    except ValueError as error:
        raise ValueError(f"`{column}` is {error}") from None


def _score(value: Json) -> float | None:
    if value is None or (isinstance(value, str) and value.strip().lower() in MISSING):
        return None
    if isinstance(value, bool | list | dict):
        raise ValueError(f"`score` is {kind_of(value)}; {SCORES}")  # noqa: TRY004  one kind of error for a bad row
    try:
        score = float(value)
    except (ValueError, OverflowError):
        score = math.nan
    if not 0.0 <= score <= 1.0:
        raise ValueError(f"`score` is {quoted(value)}; {SCORES}")
    return score


def _refuse_unknown(rows: Sequence[Judgement], contestants: Contestants, name: str) -> None:
    """Refuse a name that stands in no row at all, before any row is blamed for it."""
    found = Counter(model for row in rows for model in (row.first, row.second))
    for side, model in zip(("candidate", "baseline"), contestants, strict=True):
        if rows and model not in found:
            near = did_you_mean(model, found)
            text = f"the {side} {quoted(model)} stands in no row; the rows compare {listed(found)}{near}"
            raise DatasetError(Problem(text, path=name))


def _strangers(rows: Iterable[Judgement], contestants: Contestants) -> Iterator[tuple[int, str]]:
    for row in rows:
        if other := next((model for model in (row.first, row.second) if model not in set(contestants)), None):
            both = " nor ".join(map(quoted, contestants))
            yield row.number, f"{quoted(other)} is neither {both}; leave the rows of other pairs out"


def _repeated(rows: Iterable[Judgement], *, has_repeats: bool) -> Iterator[tuple[int, str]]:
    advice = (
        "keep one of them, or number them in the column `repeat`"
        if has_repeats
        else "keep one of them; where it was judged several times, tell the times apart in a column `repeat`"
    )
    seen: dict[tuple[str, str, str, str], int] = {}
    for row in rows:
        earlier = seen.setdefault((row.dimension, row.query, row.first, row.repeat), row.number)
        if earlier != row.number:
            where = "" if row.dimension == OVERALL else f" in dimension {quoted(row.dimension)}"
            what = f"id {quoted(row.query)} with {quoted(row.first)} shown first"
            yield row.number, f"{what} stands there already, in row {earlier}{where}; {advice}"


def paired(rows: Iterable[Judgement], contestants: Contestants) -> dict[str, JudgedPairs]:
    """The candidate's two scores for each query of each dimension; repeats of an order are averaged."""
    found: dict[str, dict[str, tuple[list[float], list[float]]]] = defaultdict(dict)
    for row in rows:
        orders = found[row.dimension].setdefault(row.query, ([], []))
        if row.score is not None:
            at_first = row.first == contestants.candidate
            orders[0 if at_first else 1].append(row.score if at_first else 1.0 - row.score)
    return {
        dimension: JudgedPairs(
            tuple(queries),
            tuple(fmean(first) if first else None for first, _ in queries.values()),
            tuple(fmean(second) if second else None for _, second in queries.values()),
        )
        for dimension, queries in found.items()
    }


def _one_sided(dimensions: Mapping[str, JudgedPairs], contestants: Contestants, name: str) -> Iterator[Problem]:
    """Dimensions of which no query was judged in both orders: whatever they show may be the place alone."""
    for dimension, pairs in dimensions.items():
        if pairs.complete:
            continue
        orders = _scored(pairs)
        told = ", ".join(f"{orders[at]} with {quoted(model)} first" for at, model in enumerate(contestants))
        text = (
            f"dimension {quoted(dimension)}: none of {counted(len(pairs.queries), 'id')} has a score in both orders "
            f"({told}); a judge may favour a place, so judge each id once with either model as model_a"
        )
        yield Problem(text, path=name)


def _scored(pairs: JudgedPairs) -> tuple[int, int]:
    """How many queries have a score with the candidate first, and second."""
    first, second = (sum(score is not None for score in each) for each in (pairs.shown_first, pairs.shown_second))
    return first, second


def incomplete_notes(dimensions: Mapping[str, JudgedPairs], contestants: Contestants) -> Iterator[str]:
    """Name the queries that lack a score in an order, and so are in no figure."""
    for dimension, pairs in dimensions.items():
        if not pairs.incomplete:
            continue
        lacking = [
            f"{quoted(query)} ({_lacked(first, second, contestants)})"
            for query, first, second in zip(pairs.queries, pairs.shown_first, pairs.shown_second, strict=True)
            if first is None or second is None
        ]
        more = f" and {len(lacking) - NAMED} more" if len(lacking) > NAMED else ""
        them = "it is" if len(lacking) == 1 else "they are"
        yield (
            f"dimension {quoted(dimension)}: {pairs.incomplete} of {len(pairs.queries)} ids lack a score in an order, "
            f"so {them} in no figure: {', '.join(lacking[:NAMED])}{more}"
        )


def _lacked(first: float | None, second: float | None, contestants: Contestants) -> str:
    if first is None and second is None:
        return "no score at all"
    return f"none with {quoted(contestants.candidate if first is None else contestants.baseline)} first"
