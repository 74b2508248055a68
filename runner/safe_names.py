"""Names of files that Windows, macOS and Linux take alike, made from any text."""

import re
from hashlib import sha256

LENGTH = 100
DIGITS = 8
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
        The name; two texts may come to the same one, which `own_name` avoids.
    """
    name = _OTHERS.sub("-", text).strip("-.")[:length].rstrip("-.") or otherwise
    stem, dot, rest = name.partition(".")
    return f"{stem}_{dot}{rest}" if stem.lower() in DEVICES else name


def own_name(text: str, *, otherwise: str, length: int = LENGTH) -> str:
    """Make a part of a file's name that no other text has, also where upper and lower case are the same.

    Args:
        text: Any text.
        otherwise: The name where nothing of the text is left.
        length: The most characters that are kept of the text.

    Returns:
        The text itself where it is such a name in small letters; else the name of `safe_name` and digits of its hash.
    """
    name = safe_name(text, otherwise=otherwise, length=length)
    if name == text == text.lower():
        return name
    return f"{name}-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:DIGITS]}"
