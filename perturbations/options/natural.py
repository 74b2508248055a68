"""Options that come in an order of their own: growing numbers, degrees of agreement, days of the week."""

import re
from collections.abc import Sequence
from itertools import pairwise

NUMBER = re.compile(r"([^\d+\-−.]*)([+\-−]?(?:\d[\d,]*(?:\.\d+)?|\.\d+))(.*)", re.DOTALL)
SCALES = (
    ("strongly disagree", "disagree", "somewhat disagree", "neutral", "somewhat agree", "agree", "strongly agree"),
    ("strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("very unlikely", "unlikely", "neutral", "likely", "very likely"),
    ("very negative", "negative", "neutral", "positive", "very positive"),
    ("never", "rarely", "seldom", "occasionally", "sometimes", "often", "frequently", "usually", "always"),
    ("none", "few", "some", "many", "most", "all"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("very low", "low", "medium", "high", "very high", "critical"),
    ("none", "mild", "moderate", "severe"),
    ("small", "medium", "large", "extra large"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    (
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ),
)


def naturally_ordered(options: Sequence[str]) -> bool:
    """Whether three options or more rise or fall along numbers or a known scale, so that another order looks odd."""
    if len(options) < 3:
        return False
    folded = [option.strip(" \t.").casefold() for option in options]
    return monotonic(numbers(options)) or any(monotonic(degrees(folded, scale)) for scale in SCALES)


def monotonic(values: Sequence[float]) -> bool:
    """Whether values rise all along or fall all along; no values do neither."""
    steps = [after - before for before, after in pairwise(values)]
    return bool(steps) and (all(step > 0 for step in steps) or all(step < 0 for step in steps))


def numbers(options: Sequence[str]) -> list[float]:
    """Read options as numbers in one unit; empty where one is not."""
    matches = [NUMBER.fullmatch(option.strip()) for option in options]
    read = [match for match in matches if match]
    units = {(match[1].strip(), match[3].strip()) for match in read}
    if len(read) < len(options) or len(units) > 1:
        return []
    return [float(match[2].replace(",", "").replace("−", "-")) for match in read]


def degrees(folded: Sequence[str], scale: Sequence[str]) -> list[float]:
    """Read options in small letters as places on a scale; empty where one is not on it."""
    return [scale.index(option) for option in folded] if all(option in scale for option in folded) else []
