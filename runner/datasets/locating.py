"""From the path that a config names to files: one file, the data files of a folder, or those that a pattern finds."""

import os
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..errors import DatasetError, Problem
from ..problems import listed

DATA = (".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".tab", ".yaml", ".yml", ".parquet", ".xlsx")
"""What files of data are called, of which a folder's are taken."""
PATTERN = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file of a dataset.

    Attributes:
        path: Where it lies.
        name: How messages name it.
        stem: Its place below the folder in which all files lie, without its ending; what ids name it by.
    """

    path: Path
    name: str
    stem: str


def data_files(base: Path, named: str) -> list[DataFile]:
    """Find the files of a dataset, in the order of their names.

    Args:
        base: Folder that the path is relative to.
        named: A file, a folder, or a pattern such as `data/*.json` (`**` for folders within folders). A file whose own
            name has such signs in it is that file.

    Raises:
        DatasetError: If a folder holds no data, or a pattern finds nothing.
    """
    path = base / Path(named).expanduser()
    if _is(path.is_dir):
        found = _in_folder(path, named)
    elif PATTERN.search(named) and not _is(path.exists):
        found = _matching(path, named)
    else:
        return [DataFile(path, named, _stem(path.name))]
    folder = Path(os.path.commonpath([file.parent for file in found]))
    inside = [PurePosixPath(file.relative_to(folder).as_posix()) for file in found]
    names = [_name(file, base, named) for file in found]
    stems = [str(each.with_name(_stem(each.name))) for each in inside]
    if len(set(stems)) < len(stems):
        stems = [str(each) for each in inside]
    return [DataFile(file, name, stem) for file, name, stem in zip(found, names, stems, strict=True)]


def _is(test: Callable[[], bool]) -> bool:
    try:
        return test()
    except OSError:  # a name that is too long, for one
        return False


def _in_folder(path: Path, named: str) -> list[Path]:
    every = _visible(path, path.rglob("*"))
    found = [file for file in every if _suffix(file.name) in DATA]
    if not found:
        there = f"; there are {listed(sorted(file.name for file in every)[:5])}" if every else " and nothing else"
        text = f"is a folder without data files in it (named {', '.join(DATA)}){there}"
        raise DatasetError(Problem(text, path=named))
    return found


def _matching(path: Path, named: str) -> list[Path]:
    parts = path.parts
    at = next(at for at, part in enumerate(parts) if PATTERN.search(part))
    folder = Path(*parts[:at])
    try:
        found = _visible(folder, folder.glob("/".join(parts[at:])))
    except ValueError as error:
        raise DatasetError(Problem(f"is no pattern of file names: {error}", path=named)) from None
    if not found:
        hint = "" if folder.is_dir() else f" (there is no folder {folder})"
        raise DatasetError(Problem(f"no file is named like that{hint}", path=named))
    return found


def _visible(folder: Path, paths: Iterable[Path]) -> list[Path]:
    """The files among paths below a folder, sorted, without what a dot hides."""
    return sorted(path for path in paths if path.is_file() and not _hidden(path.relative_to(folder)))


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _suffix(name: str) -> str:
    return PurePosixPath(name.removesuffix(".gz")).suffix.lower()


def _stem(name: str) -> str:
    return PurePosixPath(name.removesuffix(".gz")).stem


def _name(file: Path, base: Path, named: str) -> str:
    if Path(named).expanduser().is_absolute():
        return str(file)
    return Path(os.path.relpath(file, base)).as_posix()
