"""The trend shows every night with its figures, and where another model answered."""

import json
from pathlib import Path

import pytest
from prt.runner.nightly.summary import NightSummary, summary_json
from prt.runner.reports.digest import digest_of
from prt.runner.reports.night_pages import night_page, trend_page
from prt.runner.reports.trend import headlines, legend, releases, row, sparkline, trend_json
from prt.runner.store.nights import put_night

from ..command_line import CommandLine
from ..run_fakes import Bench
from .nights import a_night, decision

NIGHTS = (
    a_night(1, pinned=True),
    a_night(2, decision()),
    a_night(3, verdict="incomplete", rates=(None, None), models=()),
    a_night(4, decision(), models=("m-2",), fingerprints=("fp_2",)),
    a_night(5, decision(alarm=True, look=3), models=("m-2",), fingerprints=("fp_2",), rates=(0.5, 0.4)),
)


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def stored(folder: Path, *nights: NightSummary) -> None:
    bench = Bench(folder / "prt.db")
    with bench.open() as store:
        run = bench.begin(store)
        for night in nights:
            put_night(store, night.series, run.number, summary_json(night))


@pytest.mark.parametrize(
    ("rates", "drawn"),
    [
        ([0.0, 0.5, 1.0], "▁▅█"),
        ([1.0, None, 0.0], "█·▁"),
        ([0.9, 0.9, 0.9], "███"),
        ([0.90, 0.91], "▇█"),
        ([None], "·"),
        ([0.5] * 100, "█" * 60),
    ],
)
def test_rates_are_drawn_between_the_lowest_and_the_highest(rates: list[float | None], drawn: str) -> None:
    assert sparkline(rates) == drawn


def test_a_release_is_marked_where_another_model_or_system_answers() -> None:
    assert releases(NIGHTS) == {4: "m-2, fp_2"}
    assert releases(NIGHTS[:1]) == {}


def test_each_night_has_a_row_with_its_verdict_figures_and_level() -> None:
    assert row(NIGHTS[0], "") == (
        "1", "2026-03-01", "first, baseline", "90.0%", "80.0%", "–", "", "–", "–", "–", "",
    )  # fmt: skip
    assert row(NIGHTS[2], "")[2:6] == ("incomplete", "–", "–", "–")
    assert row(NIGHTS[4], "R1") == (
        "5", "2026-03-05", "alarm", "50.0%", "40.0%", "−8.0", "−12.0 to −4.0", ".0001", ".0304", "200", "R1",
    )  # fmt: skip


def test_the_headlines_count_nights_and_alarms_and_leave_incomplete_nights_out_of_the_lines() -> None:
    first, originals, robust, empty = headlines("triage", NIGHTS)
    assert first == "triage: 5 nights, 2026-03-01 to 2026-03-05, 1 alarm"
    assert originals == "originals  ██·█▁  50.0% to 90.0%, last 50.0%"
    assert robust == "robust     ██·█▁  40.0% to 80.0%, last 40.0%"
    assert empty == ""
    columns, marker = legend(NIGHTS)
    assert "all nights together hold alpha 0.05 (Item sign-flip exact, one-sided (worse))" in columns
    assert marker == "R1: from night 4 on m-2, fp_2 answered."


def test_trend_prints_the_only_series_or_the_one_that_is_named(prt: CommandLine) -> None:
    stored(prt.folder, *NIGHTS)
    assert prt("trend").out == prt("trend", "triage").out
    assert "R1: from night 4 on" in prt("trend").out
    stored(prt.folder, a_night(1, series="other"))
    several = prt("trend")
    assert several.code == 2
    assert 'there are several series of nights ("other", "triage"); name one' in several.err
    wrong = prt("trend", "triag")
    assert (wrong.code, "did you mean `triage`?" in wrong.err) == (2, True)


def test_trend_as_json_has_every_figure_of_each_night(prt: CommandLine) -> None:
    stored(prt.folder, *NIGHTS)
    told = prt("trend", "--json").json
    assert told == json.loads(json.dumps(trend_json("triage", NIGHTS)))
    assert told["nights"][4]["decision"]["pvalue"] == 0.0001
    assert told["releases"] == [{"night": 4, "answering": "m-2, fp_2"}]


def test_trend_as_a_page_stands_alone_with_charts_and_their_data(prt: CommandLine) -> None:
    stored(prt.folder, *NIGHTS)
    ended = prt("trend", "--html", "trend.html")
    page = (prt.folder / "trend.html").read_text(encoding="utf-8")
    assert ended.code == 0
    assert "trend.html: the trend as a page" in ended.err
    assert page.count("<svg") == 3
    assert "m-2, fp_2" in page
    assert "−8.0" in page
    assert 'src="http' not in page
    refused = prt("trend", "--html", "missing/trend.html")
    assert refused.code == 2
    assert "the page can't be written" in refused.err


def test_a_series_without_a_complete_night_has_a_page_too() -> None:
    night = a_night(1, verdict="incomplete", rates=(None, None))
    page = trend_page("triage", (night,))
    assert "INCOMPLETE" in page
    assert "<svg" not in page
    assert "INCOMPLETE" in night_page(digest_of(night, None), night, (night,))


def test_a_store_without_nights_says_so(prt: CommandLine) -> None:
    Bench(prt.folder / "prt.db").open().close()
    ended = prt("trend", "triage")
    assert ended.code == 2
    assert "there are no nights in it yet; `prt night` makes one" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "either --keep-nights N or --older-than AGE"),
        (["--keep-nights", "3", "--older-than", "90d"], "either --keep-nights N or --older-than AGE"),
        (["--older-than", "soon"], '--older-than: "soon" is no age; write hours, days or weeks'),
        (["--older-than", "100000w"], "is no age; write hours, days or weeks"),
        (["--keep-nights", "3", "--all-runs"], "--all-runs goes with --older-than alone"),
        (["--keep-nights", "3", "--series", "triag"], "did you mean `triage`?"),
    ],
)
def test_prune_says_what_its_options_lack(prt: CommandLine, arguments: list[str], said: str) -> None:
    stored(prt.folder, *NIGHTS)
    ended = prt("store", "prune", *arguments)
    assert ended.code == 2
    assert said in ended.err


def test_prune_tells_what_it_would_free_and_what_it_did(prt: CommandLine) -> None:
    bench = Bench(prt.folder / "prt.db")
    with bench.open() as store:
        for night in NIGHTS[:2]:
            run = bench.begin(store, name="triage-night", fresh=True)
            put_night(store, "triage", run.number, summary_json(night))
            bench.clock.advance(24 * 3600)
    said = prt("store", "prune", "--keep-nights", "1", "--dry-run")
    assert "1 run with 0 replies and 0 grades would be removed" in said.out
    as_json = prt("store", "prune", "--keep-nights", "1", "--dry-run", "--json").json
    assert (len(as_json["runs"]), as_json["done"]) == (1, False)
    texts = prt("store", "prune", "--older-than", "1h", "--replies-only", "--dry-run")
    assert "replies lose their texts" in texts.out
    done = prt("store", "prune", "--keep-nights", "1")
    assert "The history of nights keeps every figure." in done.out
    assert "there is nothing to remove" in prt("store", "prune", "--keep-nights", "1").out
