"""What `prt init` writes: a commented config and a few items, which run as they are."""

from importlib.resources import files
from pathlib import Path

from ..errors import UsageError

ITEMS = "items.jsonl"
"""The dataset that the starter config names."""


def starter_config() -> str:
    """The starter config: three blocks, and every other one commented out."""
    return _data("starter.yaml")


def starter_items() -> str:
    """The items of the starter config, as JSONL."""
    return _data("starter.jsonl")


def _data(name: str) -> str:
    return files(__package__).joinpath("data", name).read_text(encoding="utf-8")


def write_starter(path: Path) -> list[Path]:
    """Write the starter config, and its items beside it where there is no file of that name yet.

    Args:
        path: Where to write the config.

    Returns:
        The files that were written.

    Raises:
        UsageError: The config exists already, or can't be written.
    """
    if not _write_new(path, starter_config().replace("prt.yaml", path.name)):
        raise UsageError(f"{path} exists already, and `prt init` overwrites nothing; name another file: prt init FILE")
    items = path.parent / ITEMS
    return [path, items] if _write_new(items, starter_items()) else [path]


def _write_new(path: Path, text: str) -> bool:
    """Write a file that must not exist; False where it does."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        return False
    except OSError as error:
        raise UsageError(f"{path} can't be written: {(error.strerror or str(error)).lower()}") from None
    return True
