"""Gates in the report for a person: each with its verdict, the subjects that make it, the worst first."""

from collections.abc import Sequence

import pytest
from prt.runner.findings import GateEffect, GateResult, GateVerdict
from prt.runner.reports.gates import SHOWN, by_gate, gate_lines, gates, summary_of
from rich.console import Console, Group

EFFECTS: dict[GateVerdict, GateEffect] = {"passed": "pass", "failed": "fail", "undecided": "warn"}


def result(
    subject: str,
    verdict: GateVerdict,
    estimate: float | None = 0.0,
    *,
    number: int = 1,
    figure: str = "change",
    effect: GateEffect | None = None,
) -> GateResult:
    said = f"{subject} is {verdict}"
    effect = effect or EFFECTS[verdict]
    return GateResult(
        f"gate {number}", subject, verdict, said, estimate, None, None, 40, None, "", figure, number, effect
    )


def printed(results: Sequence[GateResult]) -> str:
    console = Console(width=100, record=True, file=None, no_color=True, force_terminal=False)
    with console.capture() as captured:
        console.print(Group(*gates(results)))
    return captured.get()


def test_a_gate_fails_where_it_fails_for_any_subject() -> None:
    (gate,) = by_gate([result("a", "passed"), result("b", "failed"), result("c", "undecided")])
    assert (gate.verdict, gate.fails) == ("failed", True)
    (gate,) = by_gate([result("a", "passed"), result("c", "undecided")])
    assert (gate.verdict, gate.fails) == ("undecided", False)
    (gate,) = by_gate([result("a", "undecided", effect="fail")])
    assert (gate.verdict, gate.fails) == ("undecided", True)


def test_the_subjects_that_fail_are_named_the_worst_first_and_of_those_that_pass_the_worst_alone() -> None:
    failing = [result(f"typo.{at}", "failed", -0.01 * at) for at in range(1, SHOWN + 3)]
    (gate,) = by_gate([*failing, result("style.1", "passed", 0.1)])
    lines = [*gate_lines(gate)]
    assert lines[0] == f"typo.{SHOWN + 2}: typo.{SHOWN + 2} is failed"
    assert lines[SHOWN:] == ["and 2 more failed, with better figures", f"1 of {SHOWN + 3} subjects passed"]
    (gate,) = by_gate([result("a", "passed", -0.1), result("b", "passed", 0.2)])
    assert [*gate_lines(gate)] == ["a: a is passed", "and 1 more passed, with better figures"]
    (gate,) = by_gate([result("a", "failed", 0.1, figure="flip_rate"), result("b", "failed", 0.3, figure="flip_rate")])
    assert gate.telling[0].subject == "b"


@pytest.mark.parametrize(
    ("verdicts", "summary"),
    [
        (["passed"], "Gates: 1 of 1 passed"),
        (["passed", "passed"], "Gates: all 2 passed"),
        (["failed", "passed", "undecided"], "Gates: 1 of 3 failed, 1 undecided"),
        (["undecided", "passed"], "Gates: 1 of 2 undecided"),
    ],
)
def test_the_heading_counts_gates(verdicts: list[GateVerdict], summary: str) -> None:
    assert summary_of(by_gate([result("a", each, number=at) for at, each in enumerate(verdicts, 1)])) == summary


def test_the_verdict_is_in_words_without_colour_and_foreign_text_is_inert() -> None:
    text = printed([result("q\x1b[31m1", "failed"), result("b", "undecided", None, number=2)])
    assert "failed     1. gate 1" in text
    assert "undecided  2. gate 2" in text
    assert "(a warning)" in text
    assert "\x1b" not in text
    assert r"q\x1b[31m1" in text


def test_a_report_without_gates_has_no_section() -> None:
    assert [*gates([])] == []
