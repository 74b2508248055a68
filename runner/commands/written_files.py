"""Writing files whole or not at all."""

import os
import secrets
from pathlib import Path

from ..errors import UsageError


def write_file(path: Path, data: bytes) -> None:
    """Write a file whole or not at all; one that was there is replaced.

    Raises:
        UsageError: It can't be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a device or a pipe is no file to replace
            return
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UsageError(f"{path} can't be written: {error.strerror or error}") from None
