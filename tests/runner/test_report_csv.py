"""Reports as CSV: a row for each condition with every figure, and no cell that a spreadsheet would run."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.findings import Report
from prt.runner.reports.csv_files import COLUMNS, report_csv
from prt.runner.reports.csv_text import defused
from prt.runner.reports.machine import report_json

from .made_reports import HOSTILE, control, every_kind, repeated, run_report


def rows(report: Report) -> list[dict[str, str]]:
    return [*csv.DictReader(io.StringIO(report_csv(report)), strict=True)]


@pytest.mark.parametrize("kind", list(every_kind()))
def test_there_is_a_row_for_the_baseline_and_for_each_condition(kind: str) -> None:
    report = every_kind()[kind]
    found = rows(report)
    names = [each.summary.condition for each in (*report.conditions, *report.apart)]
    assert [row["condition"] for row in found] == [
        report.summary.baseline,
        *names,
        *(each.response.condition for each in report.controls),
    ]
    assert all(tuple(row) == COLUMNS for row in found)


def test_the_figures_are_those_of_the_json_report_to_the_last_digit() -> None:
    report = run_report()
    told = json.loads(report_json(report))
    by_name = {row["condition"]: row for row in rows(report)}
    for finding in told["conditions"]:
        summary, row = finding["summary"], by_name[finding["summary"]["condition"]]
        assert row["n"] == str(summary["n"])
        for column, figure in {"rate": "variant_rate", "change": "change", "flip_rate": "flip_rate"}.items():
            for part, key in (("", "estimate"), ("_low", "low"), ("_high", "high")):
                value = summary[figure][key]
                assert row[column + part] == ("" if value is None else repr(value))
        assert row["change_method"] == summary["change"]["method"]
        assert row["p"] == ("" if summary["exact"]["pvalue"] is None else repr(summary["exact"]["pvalue"]))
        assert row["status_unparsed"] == str(finding["statuses"]["unparsed"])
        for cause in ("not_applicable", "error"):
            missing = sum(each["n"] for each in finding["left_out"] if each["cause"] == cause)
            assert row[f"left_out_{cause}"] == str(missing)


def test_what_stands_apart_has_no_verdict_and_controls_have_their_own_figures() -> None:
    by_name = {row["condition"]: row for row in rows(run_report())}
    assert (by_name["rerun"]["role"], by_name["rerun"]["verdict"], by_name["rerun"]["holm_p"]) == ("rerun", "", "")
    assert by_name["counter.1"]["role"] == "control"
    assert float(by_name["counter.1"]["follows"]) == 0.75
    assert by_name["typo.1"]["excess"]
    assert (by_name["typo.1"]["cost"], by_name["typo.1"]["latency_p50_s"]) == ("0.048", "0.8")


def test_a_figure_that_there_is_none_of_is_an_empty_cell() -> None:
    by_name = {row["condition"]: row for row in rows(run_report())}
    assert (by_name["none.1"]["n"], by_name["none.1"]["change"], by_name["none.1"]["verdict"]) == ("0", "", "")
    over_repeats = rows(repeated())[1]
    assert over_repeats["pass_to_fail"] == ""
    assert over_repeats["caused"]
    assert over_repeats["status_graded"] == over_repeats["left_out_error"] == ""


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        " =1",
        "\n=1",
        "＝1+1",
        "＠x",
        "-cmd",
        '=HYPERLINK("x")',
        "\tx",
    ],
)
def test_what_may_be_a_formula_is_a_text(text: str) -> None:
    assert defused(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+3.25", "-1e-9", "-40%", "typo.1", "", "a=b", "1-2", "–5"])
def test_numbers_and_other_texts_are_left_alone(text: str) -> None:
    assert defused(text) == text


@given(st.text())
def test_no_cell_begins_like_a_formula(text: str) -> None:
    shown = defused(text)
    assert shown in {text, f"'{text}"}
    if shown[:1] in {*"=@\t\r\n"} and shown:
        pytest.fail(f"{shown!r} may be run")


def test_hostile_names_stay_in_their_cell() -> None:
    name = f"=HYPERLINK(1) {HOSTILE}"
    report = replace(run_report(), controls=(control(name),))
    last = rows(report)[-1]
    assert last["condition"].startswith("'=HYPERLINK(1) <script>")
    assert last["role"] == "control"
    assert not set(report_csv(report)) & {"\x1b", "\u202e", "\x00", "\x07"}
