"""Names in charts: on one line, short, safe, and never in a place where Vega would look for an expression."""

from collections.abc import Sequence

from ..text import visible
from .chart import Spec

LONGEST = 30
TOLD = 60
"""Characters of a name in a sentence at most."""
NAMES = "names"


def label(text: str, longest: int = LONGEST) -> str:
    """A foreign name on one line of at most so many characters: where it is longer, its middle is left out."""
    near = text if len(text) <= 8 * longest else text[: 4 * longest] + text[-4 * longest :]
    flat = " ".join(visible(near).split())
    if len(flat) <= longest:
        return flat
    tail = longest // 3
    return f"{flat[: longest - tail - 1]}…{flat[-tail:]}"


def named_rows(names: Sequence[str]) -> Spec:
    """The rows of a chart: an ordinal axis by number, whose labels are these names, be they alike or not.

    Args:
        names: The name of each row, from top to bottom.

    Returns:
        The encoding of `row`, which every record of the data must have.
    """
    return {
        "field": "row",
        "type": "ordinal",
        "scale": {"domain": list(range(len(names)))},
        "axis": {
            "title": None,
            "labelExpr": f"{NAMES}[datum.value]",
            "ticks": False,
            "domain": False,
            "labelPadding": 8,
            "labelOverlap": False,
        },
    }


def name_parameter(names: Sequence[str]) -> Spec:
    """The parameter that `named_rows` takes the labels from."""
    return {"name": NAMES, "value": [label(name) for name in names]}
