"""Reports: the same figures for people and programs, and no text of a model or dataset that does anything."""

import json
from io import StringIO

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.findings import Answer, FlippedItem, Report
from prt.runner.reports.machine import report_json, report_schema
from prt.runner.reports.terminal import AVERAGED, COUNTED, print_report
from prt.runner.reports.text import one_line, p_value, percent, points, visible
from prt.runner.reports.wording import conclusion
from prt.runner.results.read import read_results
from prt.runner.table_analysis import analyse_table
from rich.console import Console

from .test_analysis import WORKED_EXAMPLE

HOSTILE = "\x1b[31mred\x1b]0;title\x07 \u202eevil\u202c [bold]markup[/bold] \ud800 \x00\r\n<script>"


def worked_report(**changes: object) -> Report:
    report = analyse_table(read_results(None, WORKED_EXAMPLE), alpha=0.05, margin=0.05)
    values = {name: getattr(report, name) for name in Report.__slots__}
    return Report(**{**values, **changes})


def printed(report: Report, *, width: int = 80) -> str:
    out = StringIO()
    print_report(report, Console(file=out, width=width, highlight=False, color_system=None))
    return out.getvalue()


def test_a_person_reads_the_figures_of_the_worked_example() -> None:
    text = printed(worked_report())
    for figure in ("75.0%", "35.0%", "−40.0", "−58.3 to −14.3", ".0078", ".0312", "1.25%", "16 of 80", "10 of 20"):
        assert figure in text


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (90, "On average, no variant lowers the rate by 5 points or more."),
        (20, "On average, no variant is proven worse, and none is shown to be harmless."),
    ],
)
def test_what_is_not_proven_is_said_plainly(items: int, said: str) -> None:
    rows = "".join(f"q{at},1,1\n" for at in range(items))
    report = analyse_table(read_results(None, "item,baseline,typo\n" + rows), alpha=0.05, margin=0.05)
    assert said in conclusion(report)


def test_where_no_item_has_every_variant_it_is_said_and_not_counted_as_none() -> None:
    rows = "".join(f"q{at},1,{'1,' if at % 2 else ',1'}\n" for at in range(20))
    report = analyse_table(read_results(None, "item,baseline,typo,style\n" + rows), alpha=0.05, margin=0.05)
    assert report.not_compared == ()
    said = "no item has a result under every variant, so that there is no robust rate; 20 of 20 (100.0%) pass wherever"
    assert said in conclusion(report)
    assert "no item has a result under all" in printed(report)
    assert "of 0 pass" not in printed(report)


def test_a_spread_of_nothing_names_no_best_condition() -> None:
    rows = "".join(f"q{at},1,1,1\n" for at in range(20))
    report = analyse_table(read_results(None, "item,baseline,typo,style\n" + rows), alpha=0.05, margin=0.05)
    text = printed(report)
    assert "none: all rates are equal, 100.0%" in text
    assert "best" not in text


def test_a_drop_is_ruled_out_for_the_variants_that_are_named() -> None:
    rows = "".join(f"q{at},1,1,{int(at != 0)}\n" for at in range(80))
    report = analyse_table(read_results(None, "item,baseline,typo,style\n" + rows), alpha=0.05, margin=0.05)
    assert "a drop of 5 points or more is ruled out for typo alone." in conclusion(report)


@pytest.mark.parametrize("width", [80, 110, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    assert max(len(line) for line in printed(worked_report(), width=width).split("\n")) <= width


def test_json_has_every_figure_and_keeps_its_schema() -> None:
    found = json.loads(report_json(worked_report()))
    jsonschema.validate(found, report_schema())
    assert found["summary"]["conditions"][0]["change"]["estimate"] == pytest.approx(-0.4)
    assert found["summary"]["overall"]["robust_rate"]["count"] == 7


def test_a_report_of_nothing_is_valid_json_without_nan() -> None:
    table = read_results(None, "item,baseline,typo\n" + "".join(f"q{at},,\n" for at in range(3)))
    report = analyse_table(table, alpha=0.05, margin=0.05)
    jsonschema.validate(json.loads(report_json(report)), report_schema())
    assert "nothing can be compared" in printed(report)


def test_text_of_models_and_datasets_is_shown_and_never_obeyed() -> None:
    answer = Answer(text=HOSTILE, passed=False, status="graded", extracted=HOSTILE)
    item = FlippedItem(HOSTILE, 1, 1, HOSTILE, HOSTILE, HOSTILE, HOSTILE + " more", answer, answer)
    text = printed(worked_report(flipped=(item,), notes=(HOSTILE,)))
    assert not set(text) & {"\x1b", "\x07", "\x00", "\r", "\u202e", "\u202c", "\ud800"}
    assert "[bold]markup[/bold]" in text
    assert "\\x1b[31mred" in text
    json.loads(report_json(worked_report(flipped=(item,))))


@given(st.text())
def test_visible_text_is_printable_and_loses_nothing_that_was(text: str) -> None:
    shown = visible(text)
    shown.encode()
    assert all(char.isprintable() or char.isspace() or char in "\u200c\u200d" for char in shown)
    assert not set(shown) & {"\r", "\x0b", "\x1c", "\x85", "\u2028", "\u2029", "\u202e"}
    assert visible(shown) == shown
    if all(char.isprintable() for char in text):
        assert shown == text


@given(st.text(st.sampled_from("ab \n\t\xa0\x1b")), st.integers(min_value=1, max_value=8))
def test_one_line_of_a_text_does_not_depend_on_how_little_of_it_is_read(text: str, width: int) -> None:
    whole = " ⏎ ".join(part for part in visible(text).split("\n") if part.strip())
    assert one_line(text, width) == (whole if len(whole) <= width else whole[: width - 1] + "…")


@given(st.text(), st.integers(min_value=1, max_value=80))
def test_one_line_is_one_line_of_that_width(text: str, width: int) -> None:
    line = one_line(text, width)
    assert "\n" not in line
    assert len(line) <= width


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (percent(0.4321), "43.2%"),
        (percent(None), "–"),
        (points(-0.4), "−40.0"),
        (points(0.05), "+5.0"),
        (points(-0.0004), "0.0"),
        (points(None), "–"),
        (p_value(0.0078125), ".0078"),
        (p_value(1e-9), "<.0001"),
        (p_value(1.0), "1"),
        (p_value(None), "–"),
    ],
)
def test_figures_are_written_as_documented(shown: str, expected: str) -> None:
    assert shown == expected


def repeated() -> Report:
    """Six items, three runs of each prompt; a run of every other item fails under the variant."""
    rows = [
        f"q{item},{condition},{run},{int(condition == 'original' or item % 2 == 0 or run > 1)}\n"
        for item in range(6)
        for condition in ("original", "typo")
        for run in (1, 2, 3)
    ]
    table = read_results(None, "item,condition,repeat,passed\n" + "".join(rows))
    return analyse_table(table, alpha=0.05, margin=0.05)


def test_clustered_items_with_one_run_a_cell_are_counted_as_others_are() -> None:
    """Clusters widen an interval; they make no average of repeats of what can be counted."""
    rows = "".join(f"q{item},{item // 4},1,{int(item % 4 > 0)}\n" for item in range(40))
    report = analyse_table(read_results(None, f"item,cluster,original,typo\n{rows}"), alpha=0.05, margin=0.05)
    overall = report.summary.overall
    assert (overall.robust_rate.count, overall.baseline_rate.count) == (30, 40)
    assert conclusion(report).startswith(
        "10 of 40 items change their result under some variant; 30 of 40 (75.0%) pass under the original and every "
        "variant, 40 of 40 (100.0%) under the original."
    )
    assert "cluster-robust" in overall.robust_rate.method


def test_averages_over_repeats_are_sentences_of_their_own_and_count_nothing() -> None:
    report = repeated()
    assert conclusion(report).startswith(
        "Single runs of the original and every variant all pass in 83.3% (mean of 6 items), those of the original in "
        "100.0% (mean of 6 items)."
    )
    lines = printed(report, width=100).splitlines()
    for name, meaning in AVERAGED.items():
        line = next(line for line in lines if line.startswith(name)).rstrip()
        unit = "paired cells" if name.startswith("Pooled") else "items"
        assert line.endswith(f" mean of 6 {unit}: {meaning}")
    assert not any(meaning in line for line in lines for meaning in COUNTED.values())


def test_where_each_prompt_is_asked_once_the_same_figures_are_counts() -> None:
    text = printed(worked_report(), width=100)
    assert all(f" {words}" in text for words in COUNTED.values())
    assert "mean of" not in text
