"""Figures and foreign text as a person reads them. Text of models and datasets is data: made visible, never obeyed."""

import unicodedata

from ...stats import Estimate
from ..findings import Answer

UNKNOWN = "–"
_INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_JOINERS = {"\u200c", "\u200d"}


def visible(text: str, *, keep: str = "\n") -> str:
    r"""Write control, format and unpaired surrogate characters as escapes, so that no text steers a terminal.

    Args:
        text: Any text.
        keep: Characters to leave as they are.

    Returns:
        Printable text; `\x1b[31m` reads `\\x1b[31m`, and a right-to-left override `\\u202e`.
    """
    if "\n" in keep and all(line.isprintable() for line in text.split("\n")):
        return text  # as nearly all texts are; looked at one by one, the characters of many take seconds
    return "".join(
        char
        if char in keep or char in _JOINERS or unicodedata.category(char) not in _INVISIBLE
        else char.encode("unicode_escape", "surrogatepass").decode("ascii")
        for char in text
    )


def one_line(text: str, width: int) -> str:
    """Bring a text onto one line of at most so many characters, with its line breaks shown; reads no more of it."""
    flat = ""
    for line in text.split("\n"):
        shown = visible(line[: width + 1])
        if shown.strip() or visible(line[width + 1 :]).strip():
            flat += f" ⏎ {shown}" if flat else shown
        if len(flat) > width:
            return flat[: max(width - 1, 0)] + "…"
    return flat


def percent(share: float | None) -> str:
    """`43.2%`; a dash where nothing could be estimated."""
    return UNKNOWN if share is None else f"{100 * share:.1f}%"


def points(change: float | None) -> str:
    """`−40.0`: a difference of rates in percentage points, always signed."""
    if change is None:
        return UNKNOWN
    rounded = round(100 * change, 1)
    return "0.0" if rounded == 0 else f"{rounded:+.1f}".replace("-", "−")


def percent_interval(figure: Estimate) -> str:
    """`29.7 to 57.8`, in percent; empty where the figure carries no interval."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f}"


def points_interval(figure: Estimate) -> str:
    """`−58.3 to −14.3`, in points; empty where the figure carries no interval."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{points(figure.low)} to {points(figure.high)}"


def p_value(p: float | None) -> str:
    """`.0078`: four places, and never a zero."""
    if p is None:
        return UNKNOWN
    if p < 0.0001:
        return "<.0001"
    return "1" if p >= 0.99995 else f"{p:.4f}".removeprefix("0")


def of(count: int | None, n: int) -> str:
    """`19 of 44`."""
    return f"{UNKNOWN if count is None else count} of {n}"


def how_read(answer: Answer) -> str:
    """`read 'B'`, or the status and the reason why nothing was read."""
    if answer.extracted is not None and not answer.reason:
        return f"read {one_line(answer.extracted, 40)!r}"
    return ": ".join(part for part in (answer.status, one_line(answer.reason, 200)) if part)
