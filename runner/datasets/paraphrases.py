"""The user's file of paraphrases: JSONL, CSV or TSV rows of `id`, `text` and, where wanted, `instruction`."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue as Json

from ...perturbations.generators.paraphrase_file import Paraphrase
from ..config.schema import DatasetConfig
from ..errors import Problem
from ..problems import RowError, listed, raise_problems
from .files import opened
from .paths import kind_of
from .rows import Row, read_rows

COLUMNS = "a row has `id`, `text` and, where wanted, `instruction`"


def read_paraphrases(base: Path, path: str) -> dict[str, tuple[Paraphrase, ...]]:
    """Read a file of paraphrases.

    Args:
        base: Folder that the path is relative to.
        path: The file, as the config names it.

    Returns:
        Each item's paraphrases in the order of the file.

    Raises:
        DatasetError: It can't be read, or rows of it can't be used; each is named.
    """
    with opened(base / Path(path).expanduser(), path) as source:
        rows = list(read_rows(source, DatasetConfig(path=path)))
    paraphrases: dict[str, tuple[Paraphrase, ...]] = {}
    problems: list[Problem] = []
    for row in rows:
        try:
            item, paraphrase = _paraphrase(row)
        except RowError as error:
            problems.append(Problem(str(error), path=path, line=row.line, key=error.key))
        else:
            paraphrases[item] = (*paraphrases.get(item, ()), paraphrase)
    raise_problems(problems, "rows that can't be used")
    return paraphrases


def _paraphrase(row: Row) -> tuple[str, Paraphrase]:
    missing = [name for name in ("id", "text") if row.values.get(name) in (None, "")]
    if missing:
        raise RowError(f"there is no {listed(missing)}; {COLUMNS}, and this one has {listed(row.values)}")
    instruction = _text(row.values, "instruction") if row.values.get("instruction") is not None else None
    return _id(row.values["id"]), Paraphrase(_text(row.values, "text"), instruction)


def _id(value: Json) -> str:
    if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)):
        return str(value)
    raise RowError(f"this is {kind_of(value)}; write the item's id", key="id")


def _text(values: Mapping[str, Json], key: str) -> str:
    value = values[key]
    if not isinstance(value, str):
        raise RowError(f"this is {kind_of(value)}; write a text", key=key)
    return value
