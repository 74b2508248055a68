"""What an endpoint says, with each answer, about how much may still be asked of it.

`x-ratelimit-remaining-requests` and `-tokens` count what is left, `x-ratelimit-reset-requests` and `-tokens` say when
it is there again: `20ms`, `1s`, `6m0s`, or a plain number of seconds.
"""

import re
from collections.abc import Mapping

REMAINING = {
    "x-ratelimit-remaining-requests": "x-ratelimit-reset-requests",
    "x-ratelimit-remaining-tokens": "x-ratelimit-reset-tokens",
}
TOKENS = "x-ratelimit-remaining-tokens"
UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)", re.ASCII)


def exhausted_for_s(headers: Mapping[str, str], tokens_a_call: float) -> float:
    """Seconds until another call can be served; 0 where one can be now, or nothing is said.

    Args:
        headers: Those of a response; their names in any case, where the mapping does not care, else in lower case.
        tokens_a_call: Tokens that a call takes; fewer left than these are as good as none.
    """
    longest_s = 0.0
    for remaining, reset in REMAINING.items():
        left = headers.get(remaining)
        if left is None or not left.isdecimal():
            continue
        if int(left) < (max(1.0, tokens_a_call) if remaining == TOKENS else 1):
            longest_s = max(longest_s, duration_s(headers.get(reset, "")) or 0.0)
    return longest_s


def duration_s(text: str) -> float | None:
    """Seconds of a duration such as `6m0s`, `1.5s`, `20ms` or `3`; None of what is none."""
    text = text.strip()
    if re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII):
        return float(text)
    parts = PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        return None
    return sum(float(number) * UNITS_S[unit] for number, unit in parts)
