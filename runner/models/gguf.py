"""GGUF files: whether one is, and which."""

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path

from ..errors import ModelError

MAGIC = b"GGUF"
LFS_POINTER = b"version https://git-lfs"


def check_gguf(path: Path, shown: str) -> None:
    """Refuse what can't be a model file.

    Args:
        path: The file.
        shown: How the user named it.

    Raises:
        ModelError: There is no such file, or it is none.
    """
    if not path.is_file():
        what = "is a folder; name the file in it" if path.is_dir() else "does not exist"
        raise ModelError(f"model.path: {shown} {what}.")
    try:
        with path.open("rb") as file:
            head = file.read(len(LFS_POINTER))
    except OSError as error:
        raise ModelError(f"model.path: {shown} can't be read ({error.strerror}).") from None
    if head.startswith(LFS_POINTER):
        raise ModelError(f"model.path: {shown} is a Git LFS pointer, not the model; fetch it by `git lfs pull`.")
    if not head.startswith(MAGIC):
        raise ModelError(f"model.path: {shown} is no GGUF file (it doesn't start with the letters GGUF).")


def gguf_sha256(path: Path, cache: Path) -> str:
    """SHA-256 of a file in hexadecimal, remembered for as long as its size and time of change stay the same.

    Args:
        path: The file.
        cache: Folder where digests are remembered.
    """
    path = path.resolve()
    status = path.stat()
    state = [str(path), status.st_size, status.st_mtime_ns]
    memory = cache / "digests" / f"{hashlib.sha256(str(path).encode()).hexdigest()}.json"
    remembered = _recall(memory)
    if remembered[:-1] == state:
        return str(remembered[-1])
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    _remember(memory, [*state, digest])
    return digest


def _recall(memory: Path) -> list[object]:
    try:
        value = json.loads(memory.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    return value if isinstance(value, list) and value else []


def _remember(memory: Path, value: list[object]) -> None:
    part = memory.with_suffix(f".{os.getpid()}")
    try:
        memory.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(json.dumps(value), encoding="utf-8")
        part.replace(memory)
    except OSError:  # a cache that can't be written costs only the time to hash again
        with suppress(OSError):
            part.unlink(missing_ok=True)
