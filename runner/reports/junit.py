"""A report as JUnit XML, which CI systems show as tests: a test for each condition, each control and each gate.

There is no standard; this keeps to what Jenkins, GitLab and GitHub actions read: `testsuites`, `testsuite`, `testcase`
with `properties`, and one of `failure`, `error` and `skipped`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree as ET

from ...stats import Estimate
from ..findings import ConditionFinding, ControlFinding, GateResult, LeftOut, Report
from ..problems import counted
from .controls import control_sentence
from .text import one_line, p_value, percent, points, points_interval, visible
from .wording import conclusion, verdict_words

Outcome = Literal["", "failure", "error", "skipped"]
NAME, SENTENCE = 200, 2000


@dataclass(frozen=True, slots=True)
class Case:
    """One test.

    Attributes:
        group: What the test is of: a condition, a control, a gate.
        name: The test's name.
        outcome: What became of it; empty where it passes.
        kind: The outcome's type, such as `regressed`.
        message: Why, in one sentence.
        properties: Its figures, by name.
        said: Lines about what is missing.
    """

    group: str
    name: str
    outcome: Outcome = ""
    kind: str = ""
    message: str = ""
    properties: Mapping[str, str] = field(default_factory=dict)
    said: tuple[str, ...] = ()


def report_junit(report: Report) -> str:
    """Write a report as JUnit XML.

    A condition fails where it is proven worse (`regressed`), and a gate where it makes the exit code 1. What has no
    result, or a run that is not complete, is an error. What can't be judged, as with too few items, or is only warned
    of, is skipped. All other tests pass, which does not mean that nothing changed: their properties tell.
    """
    cases = [*_cases(report)]
    counts = {
        "tests": str(len(cases)),
        "failures": str(sum(case.outcome == "failure" for case in cases)),
        "errors": str(sum(case.outcome == "error" for case in cases)),
        "skipped": str(sum(case.outcome == "skipped" for case in cases)),
    }
    source = report.source
    suites = ET.Element("testsuites", {"name": "prt", **counts})
    named = {"name": _line(source.name, NAME), **counts}
    if source.started_at:
        named["timestamp"] = _line(source.started_at, NAME)
    suite = ET.SubElement(suites, "testsuite", named)
    _properties(suite, _of_run(report))
    for case in cases:
        _write(suite, case, _line(source.name, NAME))
    ET.SubElement(suite, "system-out").text = visible(conclusion(report))
    ET.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(suites, encoding="unicode") + "\n"


def _cases(report: Report) -> Iterator[Case]:
    yield _baseline(report)
    yield from (_condition(each, report) for each in (*report.conditions, *report.apart))
    yield from map(_control, report.controls)
    yield from map(_gate, report.gates)


def _baseline(report: Report) -> Case:
    """The run itself: whether it is complete, and how much passes under the baseline."""
    source, rate = report.source, report.summary.overall.baseline_rate
    case = Case(
        "run",
        "baseline",
        properties={"n": str(rate.n), **_figure("rate", rate)},
        said=tuple(_left_out(report.baseline_left_out)),
    )
    if source.state != "complete":
        return _with(case, "error", source.state, f"the run is {source.state}: {source.reason}".rstrip(": "))
    if not rate.n:
        return _with(case, "error", "missing", "no item has a result under the baseline")
    return case


def _condition(finding: ConditionFinding, report: Report) -> Case:
    summary = finding.summary
    judged = finding.role == "perturbation"
    word = verdict_words(finding, report)
    case = Case(
        "condition" if judged else finding.role,
        summary.condition,
        properties=_of_condition(finding, word if judged else finding.role),
        said=tuple(_left_out(finding.left_out)),
    )
    if not summary.n:
        if finding.applied_to_none:
            return _with(case, "skipped", "not asked", "it applied to no item")
        return _with(case, "error", "missing", "no item has a result under it and under the baseline")
    if not judged:
        return case
    if summary.verdict == "regressed":
        return _with(case, "failure", "regressed", _change_words(finding))
    if summary.verdict == "too_few":
        clusters = f" in {counted(summary.units, 'cluster')}" if summary.units != summary.n else ""
        return _with(case, "skipped", word, f"{counted(summary.n, 'paired item')}{clusters}: too few for a verdict")
    return case


def _change_words(finding: ConditionFinding) -> str:
    summary = finding.summary
    return (
        f"changes the pass rate by {points(summary.change.estimate)} points ({points_interval(summary.change)}), from "
        f"{percent(summary.baseline_rate.estimate)} to {percent(summary.variant_rate.estimate)} of {summary.n} items; "
        f"p = {p_value(summary.exact.pvalue)}, by Holm {p_value(summary.holm_p)}"
    )


def _of_condition(finding: ConditionFinding, verdict: str) -> dict[str, str]:
    summary = finding.summary
    found = {"verdict": verdict, "n": str(summary.n)}
    if summary.n:
        found |= _figure("baseline_rate", summary.baseline_rate) | _figure("rate", summary.variant_rate)
        found |= _figure("change", summary.change) | _figure("flip_rate", summary.flip_rate)
        if summary.table is not None:
            found["pass_to_fail"] = str(summary.table.pass_to_fail)
            found["fail_to_pass"] = str(summary.table.fail_to_pass)
        found |= _number("p", summary.exact.pvalue) | {"p_method": summary.exact.method}
        if finding.role == "perturbation":
            found |= _number("holm_p", summary.holm_p)
    if finding.statuses is not None:
        statuses = finding.statuses
        found["unread"] = str(statuses.unparsed + statuses.truncated + statuses.refused)
        found["errors"] = str(statuses.error + statuses.judge_error)
    return found


def _control(finding: ControlFinding) -> Case:
    """A control is no condition that could regress; what it says stands in its properties and output."""
    response = finding.response
    case = Case(
        "control",
        response.condition,
        properties={"verdict": response.verdict, "n": str(response.n), **_figure("follows", response.follows)},
        said=(control_sentence(finding), *_left_out(finding.left_out)),
    )
    if finding.applied_to_none:
        return _with(case, "skipped", "not asked", "it applied to no item")
    if not response.n:
        return _with(case, "error", "missing", "no item has an answer that was read under it and under the baseline")
    return case


def _gate(found: GateResult) -> Case:
    case = Case(
        f"gate.{found.number}",
        f"{found.gate}: {found.subject}" if found.subject else found.gate,
        properties={
            "verdict": found.verdict,
            "effect": found.effect,
            "n": str(found.n),
            **_figure(
                found.figure or "figure", Estimate(found.estimate, found.low, found.high, found.level, found.n, "")
            ),
            "method": found.method,
        },
        said=(found.reason,),
    )
    if found.effect == "fail":
        return _with(case, "failure", found.verdict, found.reason)
    if found.effect == "warn":
        return _with(case, "skipped", "warning", found.reason)
    return case


def _with(case: Case, outcome: Outcome, kind: str, message: str) -> Case:
    return Case(case.group, case.name, outcome, kind, message, case.properties, case.said)


def _of_run(report: Report) -> dict[str, str]:
    source, overall = report.source, report.summary.overall
    told = {
        "model": source.model,
        "resolved_models": ", ".join(source.resolved_models),
        "state": source.state,
        "grader": source.grader,
        "judge": source.judge,
        "dataset_sha256": source.dataset_sha256,
        "prt_version": source.prt_version,
        "level": f"{report.summary.level:g}",
        "margin": f"{report.summary.margin:g}",
        "items": str(overall.exclusions.items),
    }
    for name, figure in (("baseline_rate", overall.baseline_rate), ("robust_rate", overall.robust_rate)):
        told |= _figure(name, figure) | {f"{name}_n": str(figure.n)}
    return {name: value for name, value in told.items() if value}


def _figure(name: str, figure: Estimate) -> dict[str, str]:
    """A figure as properties: the estimate, its limits, the method; nothing where it can't be estimated."""
    found = _number(name, figure.estimate)
    if found:
        found |= _number(f"{name}_low", figure.low) | _number(f"{name}_high", figure.high)
        found |= {f"{name}_method": figure.method} if figure.method else {}
    return found


def _number(name: str, value: float | None) -> dict[str, str]:
    return {} if value is None else {name: f"{value:.6g}"}


def _left_out(causes: tuple[LeftOut, ...]) -> Iterator[str]:
    for each in causes:
        yield f"{each.n} {each.cause.replace('_', ' ')}" + (f": {each.reason}" if each.reason else "")


def _write(suite: ET.Element, case: Case, run: str) -> None:
    element = ET.SubElement(suite, "testcase", {"classname": f"prt.{case.group}", "name": _line(case.name, NAME)})
    _properties(element, {"run": run, **case.properties})
    if case.outcome:
        told = {"message": _line(case.message, SENTENCE), "type": _line(case.kind, NAME)}
        ET.SubElement(element, case.outcome, told if case.outcome != "skipped" else {"message": told["message"]})
    if case.said:
        ET.SubElement(element, "system-out").text = "\n".join(_line(line, SENTENCE) for line in case.said)


def _properties(parent: ET.Element, found: Mapping[str, str]) -> None:
    holder = ET.SubElement(parent, "properties")
    for name, value in found.items():
        ET.SubElement(holder, "property", {"name": name, "value": _line(value, SENTENCE)})


def _line(text: str, width: int) -> str:
    """A foreign text on one line, with only characters that XML allows."""
    return one_line(text, width)
