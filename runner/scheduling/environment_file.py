"""The environment file of a schedule: keys for its nights, which stand there and nowhere else.

Each line is `NAME=value`, without quotes, as systemd, `docker --env-file` and `kubectl --from-env-file` take it too.
"""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

from ..errors import Problem, ProblemsError, UsageError
from .variables import Variable

PRIVATE = 0o600
_LINE = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)")
HEAD = """# Environment of the nights of {name}: one NAME=value a line, without quotes and without spaces around the =.
# Only you may read this file. `prt schedule` made it once and never changes it; keep it out of version control.
"""


def env_file_text(name: str, variables: Sequence[Variable]) -> str:
    """A file that names each variable and says what it is for, every one commented out."""
    told = [f"# {each.what}{'' if each.required else ' (may be left out)'}\n#{each.name}=\n" for each in variables]
    return "\n".join([HEAD.format(name=name), *told])


def read_env_file(path: Path) -> dict[str, str]:
    """Read an environment file; one pair of quotes around a value is taken off.

    Raises:
        UsageError: It can't be read, or has a line that is neither empty, a comment nor `NAME=value`; values are never
            shown.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise UsageError(f"{path}: the environment file can't be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path}: the environment file is no UTF-8 text") from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith(("#", ";")):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None:
            message = "expected NAME=value, without `export` and without spaces around the ="
            raise ProblemsError(Problem(message, str(path), number))
        found[match[1]] = _unquoted(match[2].strip())
    return found


def _unquoted(value: str) -> str:
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def unprotected(path: Path) -> str:
    """A sentence where others than its owner may read a file of keys; empty where that is well, or on Windows."""
    if os.name == "nt" or not stat.S_IMODE(path.stat().st_mode) & 0o077:
        return ""
    return f"{path}: others than you may read this file of keys; `chmod 600` it"
