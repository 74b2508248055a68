"""Reports as JUnit XML: read by another reader of it, with a test for each condition, control and gate."""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite
from prt.runner.findings import ControlFinding, LeftOut, Report, StatusCounts
from prt.runner.reports.junit import report_junit
from prt.stats import Outcomes, control_response

from .made_reports import HOSTILE, control, empty_report, every_kind, gate, many_conditions, run_report


def cases(report: Report) -> dict[tuple[str, str], TestCase]:
    """The tests by class and name, as a reader of JUnit finds them."""
    suites = JUnitXml.fromstring(report_junit(report).encode())
    assert isinstance(suites, JUnitXml)
    found = [case for suite in suites for case in suite if isinstance(suite, TestSuite)]
    by_name = {(str(case.classname), str(case.name)): case for case in found}
    assert len(by_name) == len(found)
    return by_name


def properties(case: TestCase) -> dict[str, str]:
    return {each.attrib["name"]: each.attrib["value"] for each in case._elem.iter("property")}


def outcome(case: TestCase) -> tuple[type, str] | None:
    """What a test did not pass by, and its message."""
    return (type(case.result[0]), str(case.result[0].message)) if case.result else None


@pytest.mark.parametrize("kind", list(every_kind()))
def test_the_counts_are_those_of_the_tests(kind: str) -> None:
    report = every_kind()[kind]
    suites = JUnitXml.fromstring(report_junit(report).encode())
    given_counts = (suites.tests, suites.failures, suites.errors, suites.skipped)
    suites.update_statistics()  # type: ignore[no-untyped-call]
    assert given_counts == (suites.tests, suites.failures, suites.errors, suites.skipped)
    assert suites.tests == 1 + len(report.conditions + report.apart) + len(report.controls) + len(report.gates)


def test_a_proven_drop_fails_with_its_figures() -> None:
    report = run_report()
    case = cases(report)["prt.condition", "format.1"]
    kind, message = outcome(case) or (None, "")
    assert kind is Failure
    summary = report.conditions[1].summary
    assert "changes the pass rate by −21.7 points (−30.8 to −12.0), from 82.5% to 60.8% of 120 items" in message
    told = properties(case)
    assert (told["n"], told["verdict"]) == ("120", "regressed")
    assert float(told["change"]) == pytest.approx(summary.change.estimate, abs=1e-6)
    assert float(told["change_low"]) == pytest.approx(summary.change.low, abs=1e-6)
    assert float(told["holm_p"]) == pytest.approx(summary.holm_p, abs=1e-6)
    assert told["change_method"] == summary.change.method


def test_what_is_not_judged_never_fails() -> None:
    found = cases(run_report())
    assert outcome(found["prt.stress", "stress.1"]) is None
    assert outcome(found["prt.rerun", "rerun"]) is None
    assert outcome(found["prt.control", "counter.1"]) is None


def test_a_control_that_applies_to_no_item_is_skipped_and_one_that_lost_its_replies_is_an_error() -> None:
    outcomes = Outcomes.from_array([[1, float("nan")]] * 12, conditions=["baseline", "counter.1"])
    response = control_response(outcomes, "counter.1", [[0, -1]] * 12)
    for cause, statuses, expected in (
        ("not_applicable", StatusCounts(), (Skipped, "it applied to no item")),
        (
            "error",
            StatusCounts(error=12),
            (Error, "no item has an answer that was read under it and under the baseline"),
        ),
    ):
        finding = ControlFinding(response, statuses, (LeftOut(cause, "told", 12),), "counter", {})
        found = cases(replace(run_report(), controls=(finding,)))
        assert outcome(found["prt.control", "counter.1"]) == expected


def test_a_condition_that_applies_to_nothing_is_skipped_and_one_without_results_an_error() -> None:
    assert outcome(cases(run_report())["prt.condition", "none.1"]) == (Skipped, "it applied to no item")
    kind, message = outcome(cases(empty_report())["prt.condition", "typo"]) or (None, "")
    assert kind is Error
    assert "no item has a result under it" in message
    kind, message = outcome(cases(empty_report())["prt.run", "baseline"]) or (None, "")
    assert (kind, message) == (Error, "no item has a result under the baseline")


def test_too_few_items_are_no_pass() -> None:
    found = cases(many_conditions(2, items=5))
    assert outcome(found["prt.condition", "typo.1"]) == (Skipped, "5 paired items: too few for a verdict")


def test_an_incomplete_run_is_an_error() -> None:
    report = run_report()
    source = replace(report.source, state="stopped", reason="the budget is spent")
    kind, message = outcome(cases(replace(report, source=source))["prt.run", "baseline"]) or (None, "")
    assert (kind, message) == (Error, "the run is stopped: the budget is spent")


def test_gates_do_what_they_do_to_the_exit_code() -> None:
    found = cases(run_report())
    assert outcome(found["prt.gate.1", "change: format.1"]) == (Failure, "failed: 10 points lower")
    assert outcome(found["prt.gate.2", "change: format.1"]) == (Skipped, "undecided: 10 points lower")
    assert outcome(found["prt.gate.3", "change: format.1"]) is None
    told = properties(found["prt.gate.3", "change: format.1"])
    assert (told["change"], told["change_low"], told["n"], told["method"]) == ("-0.1", "-0.2", "120", "Tango score")


def test_what_is_missing_is_in_the_output() -> None:
    said = cases(run_report())["prt.condition", "typo.1"].system_out
    assert said == "3 not applicable: no options\n1 error: timeout: no answer in 600 s"


def test_hostile_text_is_text() -> None:
    report = run_report(HOSTILE.replace(",", ""))
    hostile = replace(
        report,
        source=replace(report.source, name=HOSTILE, model=HOSTILE, started_at=HOSTILE),
        gates=(replace(gate("failed"), gate=HOSTILE, subject=HOSTILE, reason=HOSTILE, method=HOSTILE),),
        controls=(control(HOSTILE),),
    )
    written = report_junit(hostile)
    root = ET.fromstring(written)  # noqa: S314 - our own
    assert {element.tag for element in root.iter()} <= {
        "testsuites", "testsuite", "testcase", "properties", "property", "failure", "error", "skipped", "system-out",
    }  # fmt: skip
    assert not set(written) & set("\x00\x07\x0b\x1b\u202e\u202c\ufffe")
    assert any("<script>alert(1)</script> {{7*7}}" in str(case.name) for case in cases(hostile).values())


@settings(max_examples=40)
@given(st.text(max_size=60))
def test_any_name_makes_well_formed_xml(name: str) -> None:
    report = run_report()
    written = report_junit(replace(report, source=replace(report.source, name=name, reason=name, state="stopped")))
    ET.fromstring(written.encode())  # noqa: S314 - our own
