"""Reports of every kind, made of results that are written down here."""

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from prt.runner.findings import (
    Answer,
    ConditionFinding,
    ConditionUsage,
    ControlFinding,
    Correction,
    FlippedItem,
    GateEffect,
    GateResult,
    GateVerdict,
    Latency,
    LeftOut,
    Report,
    Source,
    StatusCounts,
    Usage,
)
from prt.runner.headline import not_compared, summarise_headline
from prt.runner.results.read import read_results
from prt.runner.table_analysis import analyse_table
from prt.stats import CorrectedRate, Outcomes, control_response, rate_interval, summarise

HOSTILE = (
    "<script>alert(1)</script> {{7*7}} ](javascript:alert(1)) ![x](https://evil.example/x.png) https://evil.example "
    "@all #12 GH-3 www.evil.example a@evil.example | cell \x1b[31mred\x1b]0;title\x07 \u202eevil\u202c "
    '=HYPERLINK("https://evil.example") ]]> <!-- --> &lt; `code` $$x$$ \x00\x0b\ufffe\ud800 \\'
)
"""All that some reader or other of a report might obey."""


def table_report(text: str) -> Report:
    return analyse_table(read_results(None, text), alpha=0.05, margin=0.05)


def empty_report() -> Report:
    return table_report("item,baseline,typo\n" + "".join(f"q{at},,\n" for at in range(3)))


def baseline_only() -> Report:
    return table_report("item,baseline,typo\n" + "".join(f"q{at},{at % 2},\n" for at in range(20)))


@cache
def many_conditions(count: int, *, items: int = 24) -> Report:
    """A table of so many conditions, each of which turns some items; the last one most of them."""
    names = [f"typo.{at}" for at in range(1, count + 1)]
    rows = [
        [1, *(int((item * (at + 3)) % 11 > 1 + (at == count - 1) * 7) for at in range(count))] for item in range(items)
    ]
    lines = [f"q{at},{','.join(map(str, row))}\n" for at, row in enumerate(rows)]
    return table_report(f"item,baseline,{','.join(names)}\n" + "".join(lines))


@cache
def repeated() -> Report:
    """Forty items, three runs of each prompt."""
    draw = random.Random(3)  # noqa: S311 - steady results, no secrets
    rows = [
        f"q{item},{condition},{run},{int(draw.random() < (0.9 if item % 4 else 0.2) - drop * (item % 2))}\n"
        for item in range(40)
        for condition, drop in (("original", 0.0), ("typo", 0.3), ("style", 0.0))
        for run in (1, 2, 3)
    ]
    return table_report("item,condition,repeat,passed\n" + "".join(rows))


def run_outcomes(names: Sequence[str], shares: Sequence[float], *, items: int = 120, seed: int = 5) -> Outcomes:
    """Results of a baseline and of conditions that flip such shares of them."""
    draw = random.Random(seed)  # noqa: S311 - as above
    rows = []
    for _ in range(items):
        passes = draw.random() < 0.8
        rows.append([int(passes), *(int(passes if draw.random() > share else not passes) for share in shares)])
    return Outcomes.from_array(rows, conditions=["baseline", *names])


@cache
def run_report(typo: str = "typo.1", *, name: str = "run-1") -> Report:
    """A run with two perturbations, a rerun, a stress condition, a control, a gate, usage and all that is missing."""
    outcomes = run_outcomes([typo, "format.1", "none.1", "rerun", "stress.1"], [0.08, 0.3, 0.0, 0.06, 0.15])
    cells = outcomes.cells.copy()
    cells[:, 3] = -1
    outcomes = Outcomes(cells, outcomes.items, outcomes.conditions)
    judged = [typo, "format.1", "none.1"]
    summary = summarise_headline(outcomes, judged, ["rerun"], alpha=0.05, margin=0.05)
    others = summarise(outcomes.select(["rerun", "stress.1"]), alpha=0.05, margin=0.05).conditions
    statuses = StatusCounts(graded=110, unparsed=6, truncated=2, refused=1, error=1)
    left_out = (LeftOut("not_applicable", "no options", 3), LeftOut("error", "timeout: no answer in 600 s", 1))
    conditions = tuple(
        ConditionFinding(
            "perturbation",
            each,
            statuses if each.n else StatusCounts(),
            left_out if each.n else (LeftOut("not_applicable", "no options", 120),),
            each.change,
            0.1,
            each.condition.partition(".")[0],
            {"severity": "medium"},
        )
        for each in summary.conditions
    )
    return Report(
        schema_version=1,
        source=Source("run", name, "model-x", ("model-x-1",), "prt.db", started_at="2026-03-01T12:00:00+00:00"),
        summary=summary,
        conditions=conditions,
        not_compared=not_compared(summary),
        apart=(ConditionFinding("rerun", others[0], statuses), ConditionFinding("stress", others[1], statuses)),
        baseline_statuses=statuses,
        baseline_left_out=left_out,
        controls=(control(),),
        flipped=(flipped_item("q7"),),
        correction=correction(),
        usage=usage(typo),
        gates=(gate("failed"), gate("undecided"), gate("passed")),
        notes=("a note",),
    )


def control(name: str = "counter.1") -> ControlFinding:
    outcomes = Outcomes.from_array([[1, 1]] * 30 + [[1, 0]] * 10, conditions=["baseline", name])
    answers = [[0, 1]] * 30 + [[0, 0]] * 10
    response = control_response(outcomes, name, answers)
    return ControlFinding(response, StatusCounts(graded=40), (), "counter", {})


def flipped_item(name: str) -> FlippedItem:
    right = Answer("A", True, "graded", "A")  # noqa: FBT003 - a record in its own order
    wrong = Answer("B", False, "graded", "B")  # noqa: FBT003 - as above
    return FlippedItem(name, 2, 2, "A", "typo.1", "What?", "Waht?", right, wrong)


def correction() -> Correction:
    share = rate_interval(40, 50)
    rate = CorrectedRate("baseline", share, share, 50.0)
    return Correction("calibration.json", "judge-x", share, share, (rate,), is_clustered=False)


def took(name: str, tokens: int) -> ConditionUsage:
    return ConditionUsage(name, 120, 1, 0, 125, 119, tokens, tokens // 20, tokens * 2e-6, Latency(119, 0.8, 1.9, 4.2))


def usage(typo: str) -> Usage:
    names = ("baseline", typo, "format.1", "rerun", "stress.1")
    return Usage(tuple(took(name, 24_000) for name in names), took("", 120_000), "USD")


def gate(verdict: GateVerdict) -> GateResult:
    """A gate on the change of a condition, with the effect that its verdict has."""
    effects: dict[GateVerdict, GateEffect] = {"failed": "fail", "undecided": "warn", "passed": "pass"}
    made = GateResult("change", "format.1", "passed", "because", -0.1, -0.2, -0.05, 120, 0.95, "Tango score", "change")
    number = 1 + list(effects).index(verdict)
    return replace(made, number=number, verdict=verdict, effect=effects[verdict], reason=f"{verdict}: 10 points lower")


def every_kind() -> dict[str, Report]:
    """A report of each kind that there is, by its name."""
    return {
        "empty": empty_report(),
        "baseline only": baseline_only(),
        "table": many_conditions(4),
        "repeats": repeated(),
        "run": run_report(),
    }
