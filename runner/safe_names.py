"""Names of files that Windows, macOS and Linux take alike, made from any text."""

import re
from collections.abc import Iterable

LENGTH = 100
DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin", "conout", "clock"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)
"""What Windows takes for a device, in any case and whatever follows a dot; those with a `$` lose it here."""
_OTHERS = re.compile(r"[^A-Za-z0-9._]+")


def safe_name(text: str, *, otherwise: str, length: int = LENGTH) -> str:
    """Make a part of a file's name: letters of ASCII, digits, `.`, `_` and `-`, safe in a shell too.

    It does not begin or end with a dot or a dash, and is no device of Windows, alone or before an ending.

    Args:
        text: Any text, such as the name of a run.
        otherwise: The name where nothing of the text is left.
        length: The most characters that are kept.

    Returns:
        The name; two texts may come to the same one, which `safe_names` avoids.
    """
    name = _OTHERS.sub("-", text).strip("-.")[:length].rstrip("-.") or otherwise
    stem, dot, rest = name.partition(".")
    return f"{stem}_{dot}{rest}" if stem.lower() in DEVICES else name


def safe_names(texts: Iterable[str], *, otherwise: str, length: int = LENGTH) -> list[str]:
    """Make the names of files of one folder, no two of which differ in case alone.

    Args:
        texts: Any texts.
        otherwise: The name where nothing of a text is left.
        length: The most characters that are kept of a text.

    Returns:
        A name for each text: that of `safe_name`, with `-2`, `-3`, … where it is taken.
    """
    taken: set[str] = set()
    return [_free(safe_name(text, otherwise=otherwise, length=length), taken) for text in texts]


def _free(name: str, taken: set[str]) -> str:
    found, number = name, 1
    while found.lower() in taken:
        number += 1
        found = f"{name}-{number}"
    taken.add(found.lower())
    return found
