"""A calibration as a file: JSON that `prt judge calibrate` writes, and that reports and drift checks read."""

import json
from dataclasses import asdict, fields
from functools import cache
from pathlib import Path

from pydantic import JsonValue as Json
from pydantic import TypeAdapter, ValidationError

from ..errors import Problem, ProblemsError, UsageError
from .calibration import Calibration, Figures, Saved

FORMAT = 1
"""Raised whenever a file is written otherwise."""
ADVICE = "name a file that `prt judge calibrate --out` has written"
_KEYS = [field.name for field in fields(Calibration)]


def calibration_values(calibration: Calibration, *, level: float = 0.95) -> dict[str, Json]:
    """A calibration with its figures as JSON values; what is read back are the verdicts alone."""
    return {
        "prt_calibration": FORMAT,
        **{key: value for key, value in asdict(calibration).items() if key != "kept"},
        "unreadable": calibration.unreadable,
        "not_asked": {**calibration.not_asked},
        "items": calibration.items,
        **figures_json(calibration.figures(level=level)),
        "by_condition": {name: figures_json(each) for name, each in calibration.by_condition(level=level).items()},
        "kept": [asdict(each) for each in calibration.kept],
    }


def figures_json(figures: Figures) -> dict[str, Json]:
    """The figures of a table, with its n."""
    return {"n": figures.table.n, **asdict(figures), "better_than_chance": figures.is_better_than_chance}


@cache
def _adapter() -> TypeAdapter[Calibration]:
    return TypeAdapter(Calibration)


def refuse_to_overwrite(path: Path) -> None:
    """Refuse a file that is there already, before anything is asked.

    Raises:
        UsageError: It is there.
    """
    if path.exists():
        raise UsageError(f"{path} is there already; name another file, since reports may rest on it")


def write_calibration(path: Path, calibration: Calibration) -> None:
    """Write a calibration to a new file.

    Raises:
        UsageError: The file is there already, or can't be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(json.dumps(calibration_values(calibration), indent=2, allow_nan=False) + "\n")
    except FileExistsError:
        refuse_to_overwrite(path)
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from None


def read_calibration(path: Path) -> Saved:
    """Read a calibration.

    Raises:
        UsageError: The file can't be read, or is of a later version.
        ProblemsError: It is no calibration, or was changed by hand.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path} can't be read: {error.strerror or error}") from None
    except (ValueError, RecursionError):
        raise ProblemsError(Problem(f"it is no JSON in UTF-8; {ADVICE}", str(path))) from None
    if not isinstance(value, dict) or "prt_calibration" not in value:
        raise ProblemsError(Problem(f"it is no calibration; {ADVICE}", str(path)))
    if value["prt_calibration"] != FORMAT:
        text = f"it is a calibration of form {value['prt_calibration']!r}, and this prt reads {FORMAT}; calibrate anew"
        raise UsageError(f"{path}: {text}")
    read = {key: value[key] for key in _KEYS if key in value}
    try:
        calibration = _adapter().validate_json(json.dumps(read), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ProblemsError(Problem(f"{first['msg']}; {ADVICE}", str(path), key=place)) from None
    if value.get("table") != asdict(calibration.table):
        raise ProblemsError(Problem("its table and its verdicts differ, so it was changed; calibrate anew", str(path)))
    return Saved(str(path), calibration)
