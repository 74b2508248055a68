"""The reports of a night as files: a page, Markdown, and JSON, in the folder of reports beside the store."""

import json
from collections.abc import Mapping
from pathlib import Path

from ..nightly.lock import beside_store
from ..safe_names import own_name

FOLDER = "prt-reports"


def reports_folder(place: str, *, is_file: bool) -> Path:
    """Where reports go: beside the store's file, or in the working directory for a store in a server."""
    return (beside_store(place) if is_file else Path()) / FOLDER


def write_night(folder: Path, series: str, night: int, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write the reports of a night; those of the same night before are written anew.

    Args:
        folder: The folder; it is made where missing.
        series: The series.
        night: The night's number.
        texts: What is written, by the endings of the files.

    Returns:
        The files.

    Raises:
        OSError: They can't be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{own_name(series, otherwise='series')}-night-{night:04d}"
    files = tuple(folder / f"{name}.{ending}" for ending in texts)
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text(text, encoding="utf-8")
    return files


def as_json(value: object) -> str:
    """A digest as JSON for a file."""
    return json.dumps(value, indent=2, allow_nan=False) + "\n"
