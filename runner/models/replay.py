"""Answers that already exist in a file, looked up instead of asked for."""

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ..config.schema import DatasetConfig, ReplayModel
from ..datasets.files import opened
from ..datasets.paths import kind_of
from ..datasets.rows import Row, format_of, read_rows
from ..errors import DatasetError, Problem
from ..problems import RowError, listed, quoted, raise_problems
from ..records import Reply, ReplyError, Request
from .base import Surroundings, provider
from .valid_text import valid_reply

LOOKUPS_AT_ONCE = 8
REQUIRED = ("item", "reply")
COLUMNS = "a row has `item`, `condition`, `repeat` and `reply`"


@dataclass(frozen=True, slots=True)
class Place:
    """Which cell a reply belongs to."""

    item: str
    condition: str
    repeat: int

    def __str__(self) -> str:
        return f"item {self.item!r} under {self.condition!r}, repeat {self.repeat}"


class Replay:
    """A model that repeats what a file says."""

    def __init__(self, name: str, replies: dict[Place, Reply], sha256: str, concurrency: int) -> None:
        self.name = name
        self.concurrency = concurrency
        self._replies = replies
        self._sha256 = sha256

    def identity(self) -> dict[str, Json]:
        """The digest of the file."""
        return {"provider": "replay", "sha256": self._sha256}

    async def __aenter__(self) -> Self:
        """There is nothing to do: the file has been read."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """There is nothing to do."""

    async def ask(self, request: Request) -> Reply:
        """Look the reply up, as `Model.ask` says."""
        place = Place(request.item_id, request.condition, request.repeat)
        missing = Reply(error=ReplyError("bad_request", f"no reply for {place} in {self.name}"))
        return self._replies.get(place, missing)


@provider(ReplayModel)
def open_replay(config: ReplayModel, surroundings: Surroundings) -> Replay:
    """Read the file.

    Raises:
        DatasetError: It can't be read, or rows of it can't be used; each is named.
    """
    if format_of(config.path) == "json":
        raise DatasetError(
            Problem("replies are read from JSONL, CSV or TSV; write one object a line", path=config.path)
        )
    with opened(surroundings.base / config.path, config.path) as source:
        rows = list(read_rows(source, DatasetConfig(path=config.path)))
        sha256 = source.sha256()
    concurrency = surroundings.limits.caps.most(LOOKUPS_AT_ONCE)
    return Replay(config.path, _replies(rows, config.path), sha256, concurrency)


def _replies(rows: list[Row], name: str) -> dict[Place, Reply]:
    replies: dict[Place, Reply] = {}
    lines: dict[Place, int | None] = {}
    problems: list[Problem] = []
    for row in rows:
        try:
            place, reply = _place(row.values), _reply(row.values)
            if place in lines:
                raise RowError(f"{place} has a reply on line {lines[place]} already; leave one of them out")  # noqa: TRY301  one way out for each bad row
        except RowError as error:
            problems.append(Problem(str(error), path=name, line=row.line, key=error.key))
        else:
            lines[place], replies[place] = row.line, reply
    raise_problems(problems, "rows that can't be used")
    return replies


def _place(values: dict[str, Json]) -> Place:
    missing = [name for name in REQUIRED if name not in values]
    if missing:
        raise RowError(f"there is no {listed(missing)}; {COLUMNS}, and this one has {listed(values)}")
    return Place(_item(values["item"]), _text(values, "condition") or "baseline", _repeat(values.get("repeat", 0)))


def _item(value: Json) -> str:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise RowError(f"this is {kind_of(value)}; write the item's id", key="item")


def _repeat(value: Json) -> int:
    if value == "":
        return 0
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    raise RowError(f"this is {quoted(value)}; write a whole number from 0", key="repeat")


def _reply(values: dict[str, Json]) -> Reply:
    text = values["reply"]
    if not isinstance(text, str):
        raise RowError(f"this is {kind_of(text)}; write a text, or leave the row out if there is no reply", key="reply")
    reply = Reply(
        text=text,
        finish_reason=_text(values, "finish_reason"),
        model=_text(values, "model"),
        fingerprint=_text(values, "fingerprint"),
    )
    return valid_reply(reply)


def _text(values: dict[str, Json], name: str) -> str:
    value = values.get(name)
    if value is None or isinstance(value, str):
        return value or ""
    raise RowError(f"this is {kind_of(value)}; write a text", key=name)
