"""Charts: each says the figures of its report in marks, in words and as a table, and is never too much to draw."""

import re
from collections.abc import Callable
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from prt.runner.findings import Report
from prt.runner.reports.charts import (
    Chart,
    Compared,
    Reference,
    TrendPoint,
    comparison_forest,
    flips,
    forest,
    latency,
    noise,
    png,
    rates,
    report_charts,
    stability,
    svg,
    tokens,
    trend,
)
from prt.runner.reports.charts.intervals import SYMBOLS
from prt.runner.reports.charts.marks import MOST_ROWS
from prt.runner.reports.charts.style import PAPER
from prt.runner.reports.charts.trend import MOST_NIGHTS
from prt.stats import Estimate, rate_interval

from ..made_reports import baseline_only, empty_report, every_kind, many_conditions, repeated, run_report

pytestmark = pytest.mark.storeless

MAKERS: list[Callable[[Report], Chart]] = [forest, flips, rates, stability, noise, latency, tokens]
SVG = "{http://www.w3.org/2000/svg}"


def texts(chart: Chart) -> list[str]:
    """What is written in a picture, in the order of its elements."""
    return [element.text or "" for element in ET.fromstring(svg(chart, inline=True)).iter(f"{SVG}text")]  # noqa: S314 - ours


def nights(count: int) -> list[TrendPoint]:
    return [
        TrendPoint(at + 1, f"day {at + 1}", f"run-{at + 1}", rate_interval(70 + at % 9, 100), alarm=at == 7)
        for at in range(count)
    ]


def change(estimate: float, *, n: int = 40) -> Estimate:
    return Estimate(estimate, estimate - 0.1, estimate + 0.1, 0.95, n, "Newcombe")


@pytest.mark.parametrize("kind", list(every_kind()))
def test_every_chart_of_a_report_has_its_words_and_its_table(kind: str) -> None:
    charts = report_charts(every_kind()[kind])
    assert len({chart.name for chart in charts}) == len(charts)
    for chart in charts:
        assert re.fullmatch(r"[a-z-]+", chart.name)
        assert chart.summary.endswith(".")
        assert chart.summary.count("\n") == 0
        assert chart.rows
        assert {len(row) for row in chart.rows} == {len(chart.headings)}


def test_a_run_with_everything_has_every_chart() -> None:
    assert [chart.name for chart in report_charts(run_report())] == [
        "forest",
        "flips",
        "rates",
        "stability",
        "noise",
        "latency",
        "tokens",
    ]


def test_the_forest_shows_each_change_with_its_interval_and_n() -> None:
    report = many_conditions(4)
    chart = forest(report)
    shown = texts(chart)
    for finding, row in zip(report.conditions, chart.rows, strict=True):
        assert finding.summary.condition in shown
        assert f"{finding.summary.n}" == row[2]
        assert row[5] in shown
        assert all(limit in shown for limit in row[6].split(" to "))
    assert "margin −5" in shown


def test_the_marks_of_the_forest_lie_where_its_figures_say() -> None:
    chart = forest(many_conditions(4))
    records = [record for layer in chart.spec["layer"] for record in layer["data"]["values"] if "estimate" in record]
    by_row = {record["row"]: record for record in records}
    for place, row in enumerate(chart.rows):
        low, high = row[6].replace("−", "-").split(" to ")
        assert f"{by_row[place]['estimate']:.1f}" == f"{float(row[5].replace('−', '-')):.1f}"
        assert [f"{by_row[place][name]:.1f}" for name in ("low", "high")] == [
            f"{float(limit):.1f}" for limit in (low, high)
        ]


def test_verdicts_are_told_apart_without_colour() -> None:
    looks = [(shape, fill == PAPER) for shape, fill, _ in SYMBOLS.values()]
    assert len(set(looks)) == len(looks)


def test_flips_to_fail_lie_on_the_left_and_to_pass_on_the_right() -> None:
    chart = flips(many_conditions(4))
    bars = [layer for layer in chart.spec["layer"] if layer["mark"].get("type") == "bar"]
    assert [{record["left"] <= 0 for record in bars[0]["data"]["values"]}, bars[0]["encoding"]["x"]["field"]] == [
        {True},
        "left",
    ]
    assert all(record["right"] >= 0 for record in bars[1]["data"]["values"])


def test_over_repeats_flips_are_rates_with_intervals() -> None:
    chart = flips(repeated())
    assert chart.title == "Flip rate"
    assert all(row[2] == row[3] == "" and " to " in row[5] for row in chart.rows)


def test_the_first_row_of_the_rates_is_the_robust_rate() -> None:
    report = many_conditions(4)
    name, n, baseline, robust, interval = rates(report).rows[0]
    assert (name, n, baseline) == ("all together (robust rate)", "24", "100.0%")
    assert robust == f"{100 * (report.summary.overall.robust_rate.estimate or 0):.1f}%"
    assert " to " in interval


def test_the_stability_bars_count_every_item_once() -> None:
    for report in (many_conditions(4), many_conditions(15), repeated(), run_report()):
        chart = stability(report)
        compared = [share for share in report.summary.item_stability if share is not None]
        assert sum(int(count) for _, count in chart.rows) == len(compared)
        assert int(chart.rows[-1][1]) == sum(share > 1 - 1e-9 for share in compared)


def test_few_variants_have_bars_by_number_and_many_by_tenths() -> None:
    assert [name for name, _ in stability(many_conditions(4)).rows] == [f"{of} of 4" for of in range(5)]
    assert [name for name, _ in stability(many_conditions(15)).rows][:2] == ["<10", "10–<20"]


def test_the_interval_of_the_excess_is_laid_from_the_floor() -> None:
    report = run_report()
    chart = noise(report)
    excess = report.conditions[0].summary.excess
    assert excess is not None
    record = next(each for layer in chart.spec["layer"] for each in layer["data"]["values"] if "floor_at" in each)
    floor, low = excess.rerun_flips.estimate, excess.excess.low
    assert floor is not None
    assert low is not None
    assert record["low"] == pytest.approx(100 * (floor + low), abs=1e-3)
    assert record["flips_at"] == pytest.approx(100 * (excess.variant_flips.estimate or 0), abs=1e-3)


def test_without_a_second_asking_there_is_no_noise_floor() -> None:
    assert noise(many_conditions(2)).rows == ()


def test_latencies_of_very_different_size_stand_on_an_axis_of_powers() -> None:
    assert "powers" not in str(latency(run_report()).spec)
    report = run_report()
    assert report.usage is not None
    slow = replace(report.usage.conditions[0].latency, p99_s=500.0)
    took = replace(report.usage.conditions[0], latency=slow)
    usage = replace(report.usage, conditions=(took, *report.usage.conditions[1:]))
    chart = latency(replace(report, usage=usage))
    assert "powers" in str(chart.spec)
    assert "500 s" in texts(chart)


def test_tokens_without_prices_have_no_cost() -> None:
    report = run_report()
    assert report.usage is not None
    assert tokens(report).headings[-1] == "cost"
    plain = tokens(replace(report, usage=replace(report.usage, currency="")))
    assert plain.title == "Tokens"
    assert "cost" not in plain.headings


@pytest.mark.parametrize("make", MAKERS)
def test_a_chart_of_nothing_says_so(make: Callable[[Report], Chart]) -> None:
    chart = make(empty_report())
    shown = " ".join(texts(chart))
    assert shown.startswith(("No ", "Nothing "))
    assert png(chart).startswith(b"\x89PNG")


def test_a_report_of_the_baseline_alone_shows_its_rate() -> None:
    charts = {chart.name: chart for chart in report_charts(baseline_only())}
    assert charts["rates"].rows[0][:3] == ("baseline", "20", "50.0%")


def test_two_hundred_conditions_are_all_drawn_and_more_are_said_to_be_left_out() -> None:
    all_drawn = forest(many_conditions(200))
    assert sum(text.startswith("typo.") for text in texts(all_drawn)) == 200
    assert "Drawn" not in all_drawn.note
    some = forest(many_conditions(230))
    shown = texts(some)
    assert sum(text.startswith("typo.") for text in shown) == MOST_ROWS
    assert "typo.230" in shown, "the largest change is among those that are drawn"
    assert f"Drawn: the {MOST_ROWS} of 230 with the largest changes." in some.note
    assert len(some.rows) == 230


def test_a_comparison_shows_each_condition_and_all_together() -> None:
    rows = [
        Compared("all together", "regressed", change(-0.2), p=0.001),
        Compared("typo.1", "no_worse", change(0.0), rate_interval(30, 40), rate_interval(30, 40), 1.0, 1.0),
        Compared("format.1", "inconclusive", Estimate(None, None, None, 0.95, 0, "Newcombe")),
    ]
    chart = comparison_forest(rows, before="run-1", after="run-2", margin=0.05)
    assert chart.rows[0] == ("all together", "regressed", "40", "", "", "−20.0", "−30.0 to −10.0", ".0010", "")
    assert chart.rows[2][1] == "no result"
    shown = texts(chart)
    assert {"all together", "typo.1", "format.1", "−20.0", "no result", "margin −5"} <= set(shown)
    assert "run-2 against run-1" in chart.summary
    assert comparison_forest([], before="a", after="b").rows == ()


def test_a_trend_marks_alarms_and_releases() -> None:
    points = nights(12)
    points[4] = TrendPoint(5, "day 5", "run-5", points[4].figure, release="fp_<b>")
    chart = trend(points, title="Pass rate", reference=Reference(0.75, "pinned"))
    shown = texts(chart)
    assert {"R1", "pinned", "day 1", "day 12"} <= set(shown)
    assert "R1 fp_<b>" in chart.note
    assert "Triangles" in chart.note
    assert chart.rows[7][6] == "alarm"
    assert "1 alarm in 12 nights" in chart.summary
    assert len([text for text in shown if text.startswith("day ")]) <= 8


def test_nights_of_one_day_are_told_apart_on_the_axis() -> None:
    points = [replace(each, day="2026-11-30") for each in nights(3)]
    shown = texts(trend(points, title="Pass rate"))
    assert {"2026-11-30 (1)", "2026-11-30 (2)", "2026-11-30 (3)"} <= set(shown)
    apart = texts(trend([replace(points[0], day="2026-11-29"), points[1]], title="Pass rate"))
    assert {"2026-11-29", "2026-11-30"} <= set(apart)


@pytest.mark.parametrize("count", [0, 1, 2, MOST_NIGHTS + 20])
def test_a_trend_of_any_length_draws(count: int) -> None:
    chart = trend(nights(count), title="Pass rate")
    assert len(chart.rows) == count
    assert ("the last 400 of 420 nights" in chart.note) == (count > MOST_NIGHTS)
    assert svg(chart)


def test_a_single_night_is_named_once() -> None:
    assert trend(nights(1), title="Pass rate").summary.count("in night") == 1
    assert trend(nights(2), title="Pass rate").summary.count("in night") == 2


def test_nights_without_the_figure_leave_a_gap_and_are_in_the_table() -> None:
    points = nights(5)
    points[2] = TrendPoint(3, "day 3", "run-3", Estimate(None, None, None, 0.95, 0, "Wilson"))
    chart = trend(points, title="Change", signed=True)
    assert chart.rows[2][3] == "–"
    line = next(layer for layer in chart.spec["layer"] if layer["mark"]["type"] == "line")
    assert [record["place"] for record in line["data"]["values"]] == [0, 1, 3, 4]
