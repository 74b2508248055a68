"""What is read from another tool's log: conditions with a score for each item, and the figures that the log reports."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue as Json

from ...errors import DatasetError, Problem
from ...problems import did_you_mean, listed
from .scores import Value

CLOSE = 1e-6
"""How far a figure may be from the log's own; logs write theirs with at least six digits, or as they are."""


@dataclass(frozen=True, slots=True)
class Documents:
    """A log that is JSON: one value, or one object a line.

    Attributes:
        first: The value, or the first line's.
        lines: The objects of all lines, numbered; a file of one value is one line.
    """

    first: Json
    lines: tuple[tuple[int, Json], ...]

    @property
    def whole(self) -> Json:
        """The one value; None where there are several lines."""
        return self.first if len(self.lines) == 1 else None

    def objects(self) -> Iterator[tuple[int, dict[str, Json]]]:
        """The objects: of the lines, or of the list that is the one value."""
        whole = self.whole
        rows = enumerate(whole, 1) if isinstance(whole, list) else self.lines
        return ((number, row) for number, row in rows if isinstance(row, dict))


@dataclass(frozen=True, slots=True)
class LogFile:
    """A file that may be a log.

    Attributes:
        name: How messages name it.
        path: Where it lies; None for a paste.
        sha256: Of its bytes, in hexadecimal.
        metric: The metric asked for, or None for the first.
    """

    name: str
    path: Path | None
    sha256: str
    metric: str | None = None

    def refused(self, sentence: str, line: int | None = None) -> DatasetError:
        """The error that says why this log can't be read."""
        return DatasetError(Problem(sentence, path=self.name, line=line))

    def chosen(self, metrics: Sequence[str]) -> str:
        """The metric to read: the one asked for, by its name or by a part of it that only one has; else the first.

        Raises:
            DatasetError: There is none, or the one asked for isn't there.
        """
        if not metrics:
            raise self.refused("there is no score in it")
        if self.metric is None or self.metric in metrics:
            return self.metric or metrics[0]
        parts = [metric for metric in metrics if self.metric in metric.replace("/", ",").split(",")]
        if len(parts) == 1:
            return parts[0]
        found = "several metrics are named" if parts else "there is no metric"
        hint = did_you_mean(self.metric, metrics)
        raise self.refused(f"{found} `{self.metric}`; there are {listed(parts or metrics)} (--metric){hint}")


@dataclass(frozen=True, slots=True)
class Score:
    """One score.

    Attributes:
        item: The item's id in the log.
        repeat: Which run of the item it belongs to.
        value: 1 for right, 0 for wrong, another number, a text that is no number; None where there is none.
        target: What the log has for the right answer, to see that items of several logs are the same; may be empty.
    """

    item: str
    repeat: str
    value: Value
    target: str = ""


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure that the log reports, beside the same from its scores."""

    name: str
    stated: float
    found: float

    @property
    def agrees(self) -> bool:
        """Whether the two are one figure."""
        return math.isclose(self.stated, self.found, rel_tol=CLOSE, abs_tol=CLOSE)


@dataclass(frozen=True, slots=True)
class LoggedCondition:
    """All scores under one condition.

    Attributes:
        labels: What tells it from other conditions (task, model, prompt), the likeliest first.
        scores: Its scores, in the order of the log.
        figures: What the log reports of it.
    """

    labels: Mapping[str, str]
    scores: tuple[Score, ...]
    figures: tuple[Figure, ...] = ()


@dataclass(frozen=True, slots=True)
class Log:
    """A finished run.

    Attributes:
        tool: What it is, in words: `an Inspect log`.
        metric: The metric that was read.
        metrics: All that there are.
        conditions: Its conditions.
        notes: What the user should know besides.
    """

    tool: str
    metric: str
    metrics: tuple[str, ...]
    conditions: tuple[LoggedCondition, ...]
    notes: tuple[str, ...] = field(default=())


def text_at(value: Json, *keys: str) -> str:
    """The text, or number as text, that stands at keys; empty where there is none."""
    found = value_at(value, *keys)
    return str(found) if isinstance(found, str | int | float) and not isinstance(found, bool) else ""


def value_at(value: Json, *keys: str) -> Json:
    """What stands at keys of objects within objects; None where there is nothing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def object_at(value: Json, *keys: str) -> dict[str, Json]:
    """The object that stands at keys; an empty one where there is none."""
    found = value_at(value, *keys)
    return found if isinstance(found, dict) else {}


def list_at(value: Json, *keys: str) -> list[Json]:
    """The list that stands at keys; an empty one where there is none."""
    found = value_at(value, *keys)
    return found if isinstance(found, list) else []


def mean(values: Sequence[float]) -> float:
    """The mean of at least one number."""
    return math.fsum(values) / len(values)
