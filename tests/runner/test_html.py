"""Pages: whole, well-formed, closed to everything outside, and no text of a dataset or a model is ever HTML."""

import base64
import hashlib
import json
import re
import zlib
from dataclasses import replace
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup
from prt.runner.config.report import ReportConfig
from prt.runner.explorer_texts import CHARACTERS, PROMPTS, ShownItem
from prt.runner.findings import Report
from prt.runner.reports.charts import TrendPoint, trend
from prt.runner.reports.gates import by_gate, summary_of
from prt.runner.reports.html import ReportView, page, report_page
from prt.runner.reports.html.bands import (
    BOTTOM_UP,
    COLUMNS,
    HEIGHT,
    KINDS,
    LIGHT,
    TO_FAIL,
    bands,
    kinds,
    picture,
    shares,
)
from prt.runner.reports.html.embedded import LISTED_CELLS, explorer_data, script_json
from prt.runner.reports.html.environment import environment, render
from prt.runner.reports.html.facts import verdict_of
from prt.runner.reports.html.png import png
from prt.runner.reports.html.report import figure
from prt.runner.reports.html.shell import Shell, policy
from prt.runner.reports.terminal import print_report
from prt.runner.reports.wording import conclusion, method_lines
from prt.runner.results.read import read_results
from prt.runner.table_analysis import analyse_table
from prt.stats import rate_interval
from rich.console import Console

from .html_pages import Elements, large_view, run_view
from .made_reports import HOSTILE, every_kind, run_report

REPORTS = every_kind()
DOCUMENT = Path(__file__).parents[2] / "docs" / "report.md"


@pytest.mark.parametrize("kind", REPORTS)
def test_a_report_of_each_kind_is_a_well_formed_page_that_begins_with_the_verdict(kind: str) -> None:
    report = REPORTS[kind]
    found = Elements(report_page(ReportView(report)))
    assert [attributes["id"] for attributes in found.named("main")] == ["main"]
    assert len(found.named("h1")) == 1
    text = " ".join(found.text.split())
    assert " ".join(conclusion(report).split()) in text
    first = text.index(" ".join(conclusion(report).split()))
    assert all(text.rindex(said) > first for said in ("Provenance", "Written by prt"))


@pytest.mark.parametrize("kind", REPORTS)
def test_each_id_is_given_once_and_each_reference_leads_somewhere(kind: str) -> None:
    found = Elements(report_page(ReportView(REPORTS[kind])))
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [attributes["href"] or "" for attributes in found.named("a")]
    assert targets
    assert {target.removeprefix("#") for target in targets} <= set(ids)


def test_a_page_has_every_figure_of_the_run() -> None:
    report = run_report()
    found = Elements(report_page(ReportView(report)))
    text = " ".join(found.text.split())
    for line in method_lines(report):
        assert " ".join(line.split()) in text
    for each in report.conditions:
        assert each.summary.condition in text
    gates = summary_of(by_gate(report.gates))
    for said in (gates, "no options", "timeout: no answer in 600 s", "R. G. Newcombe (1998)"):
        assert said in text
    for title in ("Controls", "Pass rates corrected for the judge's error", "Noise floor", "Latency, tokens, cost"):
        assert title in text


def test_whatever_the_terminal_says_of_a_run_the_page_says_too() -> None:
    report = run_report()
    out = StringIO()
    console = Console(width=200, file=out, color_system=None)
    print_report(report, console)
    printed = set(re.findall(r"[+−]?\d+\.\d%?", out.getvalue()))
    shown = Elements(report_page(ReportView(report))).text
    assert len(printed) > 50
    assert {figure for figure in printed if figure not in shown} == set()


def test_no_page_names_anything_outside(tmp_path: Path) -> None:
    text = report_page(run_view(tmp_path))
    found = Elements(text)
    for tag, attributes in found.tags:
        for name in ("src", "href", "srcset", "action", "data", "poster", "background"):
            value = attributes.get(name)
            assert value is None or value.startswith(("data:", "#")), (tag, name, value)
    assert not re.search(r"@import|url\((?!#)", text)
    assert [attributes.get("src") for attributes in found.named("script")] == [None, None, None]


def test_the_policy_of_a_page_lets_its_own_script_run_and_nothing_else(tmp_path: Path) -> None:
    text = report_page(run_view(tmp_path))
    (said,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', text)
    scripts = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    assert len(digests) == 2
    assert f"script-src {' '.join(f'&#39;sha256-{digest}&#39;' for digest in digests)};" in said
    assert said.startswith("default-src &#39;none&#39;")
    assert "script-src 'none'" in policy(())


def test_foreign_text_is_escaped_wherever_it_stands(tmp_path: Path) -> None:
    views = []
    for name, said in (("plain", "a few plain words"), ("hostile", HOSTILE)):
        (tmp_path / name).mkdir()
        views.append(run_view(tmp_path / name, hostile=said))
    plain, hostile = map(report_page, views)
    expected, found = Elements(plain), Elements(hostile)
    assert [tag for tag, _ in found.tags] == [tag for tag, _ in expected.tags]
    assert not {name for _, attributes in found.tags for name in attributes if name.startswith("on")}
    assert not set(hostile) & set("\x1b\x07\x00\x0b\u202e\u202c\ufffe\ud800")
    assert "<script>alert" not in hostile
    assert "{{7*7}}" in found.text


def test_a_report_of_hostile_names_is_inert_in_every_part() -> None:
    report = run_report(f"typo.1 {HOSTILE}", name=f"run {HOSTILE}")
    flipped = tuple(
        replace(each, item_id=HOSTILE, prompt=HOSTILE, variant_prompt=HOSTILE + " more", gold=HOSTILE)
        for each in report.flipped
    )
    text = report_page(ReportView(replace(report, notes=(HOSTILE,), flipped=flipped)))
    found = Elements(text)
    assert len(found.named("script")) == 1
    assert "alert(1)" in found.text
    assert not set(text) & set("\x1b\x07\x00\x0b\u202e\u202c\ufffe\ud800")


def test_a_template_without_escaping_would_be_seen() -> None:
    """The wrong twin: the same text, inserted as if it were our own."""
    assert "<script>" in environment().from_string("{{ text|safe }}").render(text="<script>")
    assert "<script>" not in environment().from_string("{{ text }}").render(text="<script>")


@given(st.text())
def test_what_is_inserted_is_printable_and_reads_as_it_was(text: str) -> None:
    shown = environment().from_string("<p title='{{ text }}'>{{ text }}</p>").render(text=text)
    found = Elements(shown)
    assert len(found.tags) == 1
    if all(char.isprintable() for char in text):
        assert found.text == text
        assert found.tags[0][1]["title"] == text


JSONS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSONS)
def test_json_in_a_script_is_the_same_value_and_can_not_end_the_script(value: object) -> None:
    text = script_json(value)  # type: ignore[arg-type]  # a JSON value, as the strategy makes them
    assert not set(text) & set("<>&\u2028\u2029")
    text.encode()
    assert json.loads(text) == value


def test_the_explorer_is_given_every_cell_and_the_texts_by_their_items(tmp_path: Path) -> None:
    view = run_view(tmp_path)
    assert view.cells is not None
    data = json.loads(script_json(explorer_data(view.report.source, view.cells, view.texts)))
    assert data["items"] == list(view.cells.items)
    cells = np.frombuffer(base64.b64decode(data["cells"]), dtype=np.uint8).reshape(view.cells.cells.shape)
    assert np.array_equal(cells, view.cells.cells)
    assert len(data["texts"]) == len(view.texts) == 30
    for place, item in data["texts"].items():
        assert f"What is {data['items'][int(place)][1:]}?" in item["prompt"]
    assert data["show"].startswith("prt show bench-")


def test_a_page_says_how_many_texts_it_does_not_hold_and_how_to_see_them(tmp_path: Path) -> None:
    view = run_view(tmp_path)
    every = Elements(report_page(view)).text
    assert "more are listed without their texts" not in every
    some = Elements(report_page(replace(view, texts=view.texts[:7]))).text
    assert "The texts of 7 items are in this page" in some
    assert "23 more are listed without their texts" in some
    assert f"prt show {view.report.source.name} ITEM --store" in some


def test_a_page_of_ten_thousand_items_and_twenty_conditions_stays_small() -> None:
    view = large_view()
    text = report_page(view)
    assert 500_000 < len(text.encode()) < 4_000_000
    assert len(text.encode()) - len(report_page(replace(view, texts=())).encode()) < 2 * sum(map(size, view.texts))


def size(item: ShownItem) -> int:
    """Characters of an item's texts, with what the JSON around them takes for short ones."""
    return item.characters + 100 * len(item.variants)


# The map.


def test_whatever_occurs_in_a_column_of_the_map_is_drawn() -> None:
    view = large_view(texts=0)
    assert view.cells is not None
    drawn = kinds(view.cells.cells)
    for at in range(drawn.shape[1]):
        column = drawn[:, at]
        pixels = shares(column)
        assert pixels.shape == (COLUMNS, len(KINDS))
        assert (pixels.sum(axis=1) == HEIGHT).all()
        assert (pixels >= 0).all()
        there = np.zeros(pixels.shape, dtype=bool)
        there[(np.arange(len(column)) * COLUMNS) // len(column), column] = True
        assert np.array_equal(pixels > 0, there)
    averaged = np.round(shares(drawn[:, 1]) / HEIGHT)
    assert (averaged[:, TO_FAIL] == 0).any()  # the wrong twin: a column shown as its commonest kind would hide flips


def test_the_bands_count_every_item_and_say_so(tmp_path: Path) -> None:
    view = run_view(tmp_path)
    assert view.cells is not None
    found = bands(view.cells)
    assert [each.condition for each in found] == ["baseline", "typo.1", "style.1"]
    assert {sum(each.counts) for each in found} == {30}
    assert found[0].summary == "of 30 items 24 pass (80.0%), 6 fail (20.0%)"
    assert "8 to fail (26.7%)" in found[1].summary


def test_every_kind_is_told_from_every_other_without_its_colour() -> None:
    """Read as greys, no two kinds look alike: they differ in lightness or in their pattern."""
    grey = [0.2126 * red + 0.7152 * green + 0.0722 * blue for red, green, blue in LIGHT]
    looks = []
    for kind in BOTTOM_UP:
        pixels = np.zeros((1, len(KINDS)), dtype=np.intp)
        pixels[0, kind] = HEIGHT
        looks.append([round(grey[colour] / 32) for colour in picture(pixels)[:, 0]])
    assert len({tuple(look) for look in looks}) == len(KINDS)


@given(st.integers(1, 40), st.integers(1, 30), st.randoms(use_true_random=False))
def test_a_picture_is_read_back_as_it_was_drawn(width: int, height: int, chance: object) -> None:
    draw = np.random.default_rng(chance.getrandbits(32))  # type: ignore[attr-defined]  # a random.Random
    pixels = draw.integers(0, 5, (height, width)).astype(np.uint8)
    file = png(pixels, LIGHT)
    assert file.startswith(b"\x89PNG\r\n\x1a\n")
    found: dict[bytes, bytes] = {}
    at = 8
    while at < len(file):
        length = int.from_bytes(file[at : at + 4], "big")
        kind, data = file[at + 4 : at + 8], file[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + data) == int.from_bytes(file[at + 8 + length : at + 12 + length], "big")
        found[kind] = data
        at += 12 + length
    assert found[b"IHDR"] == width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([4, 3, 0, 0, 0])
    lines = np.frombuffer(zlib.decompress(found[b"IDAT"]), dtype=np.uint8).reshape(height, -1)
    assert (lines[:, 0] == 0).all()
    read = np.stack([lines[:, 1:] >> 4, lines[:, 1:] & 15], axis=2).reshape(height, -1)[:, :width]
    assert np.array_equal(read, pixels)


# The document.


def test_the_document_names_the_sections_and_the_bounds_that_there_are(tmp_path: Path) -> None:
    said = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert f"more than {COLUMNS:,} items" in said
    assert f"{PROMPTS:,} prompts" in said
    assert f"{CHARACTERS / 1e6:g} million" in said
    assert f"{LISTED_CELLS / 1e6:g} million cells" in said
    assert ReportConfig().texts_mb * 1e6 == CHARACTERS
    titles = {
        attributes["id"]
        for attributes in Elements(report_page(run_view(tmp_path))).named("section")
        if "id" in attributes
    }
    listed = said.partition("In this order")[2].partition("With scripts off")[0].lower()
    names = {"usage": "latency, tokens, cost", "missing": "what is missing", "flipped": "items that flip most"}
    assert titles >= {"figures", "map", "flipped", "explorer", "usage", "methods", "provenance"}
    assert all(names.get(title or "", title or "") in listed for title in titles)


# The shell.


def test_other_pages_use_the_same_shell() -> None:
    text = page(
        Shell("A <night>", kicker="Trend", contents=[("changes", "Changes")]),
        Markup("<p id='changes'>{}</p>").format("<b>"),
    )
    found = Elements(text)
    assert "A <night>" in found.text
    assert "<b>" in found.text
    assert "script-src &#39;none&#39;" in text


def test_a_server_can_serve_styles_and_scripts_beside_the_page(tmp_path: Path) -> None:
    text = report_page(run_view(tmp_path), linked="/static/")
    found = Elements(text)
    assert [attributes.get("src") for attributes in found.named("script")] == [
        None,
        "/static/page.js",
        "/static/explorer.js",
    ]
    assert found.named("style") == []
    assert "Content-Security-Policy" not in text  # it is the server's to say


def test_a_value_that_a_template_lacks_is_an_error() -> None:
    with pytest.raises(Exception, match="undefined"):
        render("report.html.j2")


@pytest.mark.parametrize("report", [run_report(), REPORTS["empty"]], ids=["run", "empty"])
def test_the_same_report_gives_the_same_page(report: Report) -> None:
    assert report_page(ReportView(report)) == report_page(ReportView(report))


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("original,typo", "no worse: the one variant"),
        ("original,typo,format", "no worse: all 2 variants"),
    ],
)
def test_the_worst_verdict_names_how_many_variants_it_is_of(rows: str, words: str) -> None:
    cells = "".join(f"q{item}{',1' * len(rows.split(','))}\n" for item in range(200))
    report = analyse_table(read_results(None, f"item,{rows}\n{cells}"), alpha=0.05, margin=0.05)
    assert verdict_of(report).words.casefold() == words


def test_columns_of_figures_stand_to_the_right_and_those_of_words_to_the_left() -> None:
    drawn = figure(trend([TrendPoint(1, "2026-11-30", "run-1", rate_interval(7, 10))], title="Pass rate"))
    named = {name for at, name in enumerate(drawn.table.headings) if at in drawn.table.numeric}
    assert named == {"figure", "interval", "n"}
