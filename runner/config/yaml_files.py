"""The text of a config file, or one sentence about why there is none."""

from difflib import get_close_matches
from pathlib import Path

from ..errors import ConfigError, Problem

LARGEST = 1 << 20
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def read_text(path: Path) -> str:
    """Read a config file: UTF-8, with or without a byte order mark, of at most a megabyte.

    Raises:
        ConfigError: There is no such file, it can't be read, or it is no text.
    """
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise _refuse(path, _reason(error, path)) from None
    except ValueError:
        raise ConfigError(Problem("a file's name can't hold a null character")) from None
    if len(data) > LARGEST:
        raise _refuse(
            path, "is larger than a megabyte; a config is a small YAML file that names the data and the model"
        )
    return _decode(data, path)


def _refuse(path: Path, message: str) -> ConfigError:
    return ConfigError(Problem(message, path=str(path)))


def _reason(error: OSError, path: Path) -> str:
    if _is_folder(path):
        configs = sorted(file.name for file in _neighbours(path) if file.suffix in {".yaml", ".yml"})
        return "is a folder; name a config file" + (f" in it, such as {configs[0]}" if configs else "")
    if not isinstance(error, FileNotFoundError):
        return f"can't be read: {(error.strerror or str(error)).lower()}"
    if not _is_folder(path.parent):
        return f"there is no folder {path.parent}"
    names = [file.name for file in _neighbours(path.parent) if not _is_folder(file)]
    same_stem = [name for name in names if name in {f"{path.name}.yaml", f"{path.name}.yml"}]
    near = [*same_stem, *get_close_matches(path.name, names, n=1)]
    return "there is no such file" + (
        f"; did you mean {near[0]}?" if near else "; `prt init` writes a config to start from"
    )


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # a name that is too long, for one
        return False


def _neighbours(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:  # then there is nothing to suggest
        return []


def _decode(data: bytes, path: Path) -> str:
    if data.startswith(UTF16_MARKS):
        raise _refuse(path, "is UTF-16 text; save it as UTF-8")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8-sig", "replace")
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        message = f"the byte 0x{data[error.start]:02X} is not UTF-8; save the file as UTF-8"
        raise ConfigError(Problem(message, path=str(path), line=line, column=column)) from None
