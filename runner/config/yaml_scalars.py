"""What an unquoted scalar of YAML means, where every reader agrees, and which ones say another thing than their text.

YAML 1.1 takes `no` for false, `012` for ten and `12:30` for 750; YAML 1.2 does not. Neither reading can be trusted to
be the one meant, so such a scalar is `Bent`: no key takes it, and the message says how to write what was meant.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

Plain = str | int | float | bool | None

LARGEST = 2**64  # what other programs that read our JSON can still hold
TRUTH = {"yes": True, "on": True, "no": False, "off": False}
NULLS = {"", "~", "null", "Null", "NULL"}
BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}

_TIME = r"([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:?[0-9]{2})?))?"


@dataclass(frozen=True, slots=True)
class Bent:
    """An unquoted scalar that YAML reads as something else than its text.

    Attributes:
        raw: The text.
        reading: What YAML makes of it: `the number 750`, `a date`.
        value: The value that was plainly meant where a truth value or a number is wanted; None where that is unclear.
    """

    raw: str
    reading: str
    value: bool | int | None = None


def resolve(raw: str) -> Plain | Bent:
    """The value of an unquoted scalar where YAML's versions agree on it (null, true, a number, its text), else `Bent`.

    A number with an exponent (`1e-5`), which YAML 1.1 takes for text, is a number.
    """
    if raw in NULLS:
        return None
    if raw in BOOLEANS:
        return BOOLEANS[raw]
    if raw.lower() in TRUTH and raw in (raw.lower(), raw.upper(), raw.capitalize()):
        meant = TRUTH[raw.lower()]
        return Bent(raw, f"the truth value {str(meant).lower()}", meant)
    return _number(raw) if raw[0] in "+-.0123456789" else raw


def _number(raw: str) -> Plain | Bent:
    read = next((read for pattern, read in _READERS if pattern.fullmatch(raw)), None)
    return read(raw) if read else raw


def _integer(raw: str) -> int | Bent:
    digits = raw.replace("_", "")
    if len(digits) > 70 or abs(value := int(digits, 0)) >= LARGEST:
        return Bent(raw, "a number of more than 64 bits")
    return value


def _leading_zero(raw: str) -> Bent:
    digits = raw.replace("_", "").replace("o", "")
    if len(digits) > 20:
        return Bent(raw, "a number of more than 64 bits")
    base = 10 if re.search("[89]", digits) else 8
    return Bent(raw, f"the number {int(digits, base)}", None if "o" in raw else int(digits, 10))


def _base_sixty(raw: str) -> Bent:
    sign = -1 if raw.startswith("-") else 1
    total = 0.0
    for part in raw.lstrip("+-").replace("_", "").split(":"):
        total = total * 60 + float(part)
    return Bent(raw, f"the number {sign * total:.15g}")


def _float(raw: str) -> float | Bent:
    value = float(raw.replace("_", ""))
    return value if math.isfinite(value) else Bent(raw, "a number too large to hold")


_READERS: tuple[tuple[re.Pattern[str], Callable[[str], Plain | Bent]], ...] = (
    (re.compile(rf"[0-9]{{4}}-[0-9]{{1,2}}-[0-9]{{1,2}}({_TIME})?"), lambda raw: Bent(raw, "a date")),
    (re.compile(r"[-+]?\.(inf|Inf|INF)"), lambda raw: Bent(raw, "an infinite number")),
    (re.compile(r"\.(nan|NaN|NAN)"), lambda raw: Bent(raw, "a number that is none (NaN)")),
    (re.compile(r"[-+]?(0|[1-9][0-9_]*|0x[0-9a-fA-F][0-9a-fA-F_]*|0b[01][01_]*)"), _integer),
    (re.compile(r"[-+]?0(o[0-7][0-7_]*|[0-9_]+)"), _leading_zero),
    (re.compile(r"[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"), _base_sixty),
    (re.compile(r"[-+]?([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?"), _float),
)
"""How the scalars that start like a number are read; the first that fits."""


def reading(value: Plain) -> str:
    """What YAML made of an unquoted scalar, in words."""
    if value is None:
        return "nothing (null)"
    if isinstance(value, bool):
        return f"the truth value {str(value).lower()}"
    return f"the text '{value}'" if isinstance(value, str) else f"the number {value}"
