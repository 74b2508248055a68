"""Which items a reader asks for: the filters, against the same said cell by cell."""

import numpy as np
import pytest
from prt.runner.errors import UsageError
from prt.runner.explorer import FLIPPED, NO_RESULT, NOT_ASKED, PASS, RESULT, UNREAD, cell_map
from prt.runner.serving.explored import KINDS, Explored, Filters, counts, matching, sign_of, words_of
from prt.runner.store.columns import STATUS
from prt.stats import Outcomes

NAMES = ("baseline", "typo.1", "typo.2", "rerun")
ITEMS = 200


def explored() -> Explored:
    """Items of which some have no result, no question, or an answer that could not be read."""
    draw = np.random.default_rng(4)
    cells = draw.integers(-1, 2, (ITEMS, len(NAMES), 1)).astype(np.int8)
    outcomes = Outcomes(
        cells, tuple(f"q{at}" for at in range(ITEMS)), NAMES, tuple(f"c{at % 7}" for at in range(ITEMS))
    )
    shape = cells.shape[:2]
    laid = cell_map(outcomes, {"rerun": "rerun"}, asked=draw.random(shape) < 0.7, unread=draw.random(shape) < 0.1)
    statuses = (1 << draw.integers(0, len(STATUS), shape)).astype(np.uint8)
    return Explored(laid, statuses, np.arange(ITEMS, dtype=np.int32), {item: at for at, item in enumerate(laid.items)})


def is_so(found: Explored, at: int, column: int, kind: str) -> bool:
    """Whether a cell is of a kind, said in plain words."""
    cell = int(found.cells.cells[at, column])
    result = cell & RESULT
    if kind in STATUS:
        return bool(found.statuses[at, column] >> STATUS[kind] & 1)
    return {
        "flipped": bool(cell & FLIPPED),
        "to-fail": bool(cell & FLIPPED) and result != PASS,
        "to-pass": bool(cell & FLIPPED) and result == PASS,
        "mixed": False,
        "unread": bool(cell & UNREAD),
        "missing": result == NO_RESULT,
    }[kind]


@pytest.mark.parametrize("condition", ["", *NAMES])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "all"])
def test_filters_are_what_they_say(kind: str, condition: str) -> None:
    found = explored()
    filters = Filters(show=kind, condition=condition, cluster="c3", order="map")
    flips = kind in {"flipped", "to-fail", "to-pass"}
    columns = [NAMES.index(condition)] if condition else [1, 2] if flips else [0, 1, 2, 3]
    expected = [
        at
        for at in range(ITEMS)
        if found.cells.clusters[at] == "c3"
        and not (condition and int(found.cells.cells[at, columns[0]]) & RESULT == NOT_ASKED)
        and any(is_so(found, at, column, kind) for column in columns)
    ]
    assert matching(found, filters, None).tolist() == expected
    assert counts(found, filters, None)[kind] == len(expected)


def test_orders_and_a_text_that_was_found() -> None:
    found = explored()
    where = np.zeros(ITEMS, dtype=bool)
    where[[3, 50, 120]] = True
    rows = matching(found, Filters(order="dataset"), where)
    assert [found.cells.items[at] for at in rows] == ["q3", "q50", "q120"]
    assert [found.cells.items[at] for at in matching(found, Filters(order="id"), where)] == ["q120", "q3", "q50"]
    flips = found.cells.flips[matching(found, Filters(), None)]
    assert len(flips) == ITEMS
    assert np.all(np.diff(flips) <= 0)


def test_addresses_of_filters_are_read_back() -> None:
    filters = Filters("flipped", "a&b=c/%", "\u202ex", "  two words ".strip(), "id")
    assert Filters().query() == ""
    assert Filters.of({"show": "flipped", "text": "  two words ", "cluster": " ", "other": "x"}) == Filters(
        show="flipped", text="two words"
    )
    assert filters.query(page=3).startswith("page=3&show=flipped&condition=a%26b%3Dc%2F%25&")


@pytest.mark.parametrize(
    "filters", [Filters(show="x"), Filters(condition="typo"), Filters(cluster="9"), Filters(order="y")]
)
def test_what_a_run_does_not_have_is_refused(filters: Filters) -> None:
    with pytest.raises(UsageError, match="there is no"):
        filters.check(explored().cells)


def test_signs_and_words() -> None:
    assert [sign_of(cell) for cell in (0, 1, 2, 3, 2 | FLIPPED, 3 | FLIPPED, 2 | UNREAD)] == [*"··✗✓▼▲?"]
    assert words_of(2 | FLIPPED | UNREAD) == "flipped to fail, answer not read"
    assert words_of(0) == "nothing to ask"
