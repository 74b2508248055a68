"""The two worked examples: 20 items under the baseline and four variants, once complete and once with holes."""

import pytest
from prt.stats import Outcomes

CONDITIONS = ("baseline", "format", "reorder", "paraphrase", "typo")
ITEMS = tuple(f"q{number:02d}" for number in range(1, 21))

COMPLETE = [
    *["11111"] * 7,
    "10001",
    *["10101"] * 2,
    *["10110"] * 2,
    *["10111"] * 3,
    *["00000"] * 3,
    "00100",
    "00010",
]
HOLES = {"q05": "typo", "q08": "format", "q19": "reorder", "q20": "baseline"}


def _codes(rows: list[str]) -> list[list[int]]:
    return [[int(result) for result in row] for row in rows]


@pytest.fixture(scope="session")
def worked_example() -> Outcomes:
    return Outcomes.from_array(_codes(COMPLETE), items=ITEMS, conditions=CONDITIONS)


@pytest.fixture(scope="session")
def worked_missing() -> Outcomes:
    codes = _codes(COMPLETE)
    for item, condition in HOLES.items():
        codes[ITEMS.index(item)][CONDITIONS.index(condition)] = -1
    return Outcomes.from_array(codes, items=ITEMS, conditions=CONDITIONS)
