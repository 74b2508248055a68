"""New cells are held back while those that failed before any answer are asked again."""

import pytest
from prt.runner.models.attempts import Attempts, Gate


def failed(gate: Gate, count: int) -> list[Attempts]:
    """So many cells, each of which has failed once."""
    cells = [Attempts(gate) for _ in range(count)]
    for cell in cells:
        cell.begin()
        cell.fail()
    return cells


def test_a_gate_closes_at_the_failure_that_is_enough_and_counts_each_cell_once() -> None:
    gate = Gate(5)
    cells = failed(gate, 4)
    for cell in cells:
        cell.fail()
    assert not gate.closed
    failed(gate, 1)
    assert gate.closed


def test_a_cell_that_ends_without_an_answer_lets_no_other_through_while_one_is_asked_again() -> None:
    gate = Gate(5)
    cells = failed(gate, 5)
    for cell in cells[:-1]:
        cell.conclude()
        assert gate.closed
    cells[-1].conclude()
    assert not gate.closed, "nobody is asked again, and the run was not given up: the next cells have their turn"


@pytest.mark.parametrize("after", [None, 5])
def test_a_gate_that_was_opened_for_good_or_never_closes_holds_nothing_back(after: int | None) -> None:
    gate = Gate(after)
    gate.open_for_good()
    failed(gate, 9)
    assert not gate.closed
    never = Gate(None)
    failed(never, 9)
    assert not never.closed


def test_a_cell_that_did_not_fail_concludes_without_a_trace() -> None:
    gate = Gate(1)
    Attempts(gate).conclude()
    assert not gate.closed
    failed(gate, 1)[0].conclude()
    assert not gate.closed
