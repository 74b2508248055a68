"""Pictures of charts: the same bytes each time, fit for a page with others, for dark screens, and of no harm."""

import re
import struct
import subprocess
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prt.runner.reports.charts import CHART_DARK, CHART_LIGHT, CHART_RULES, Chart, forest, png, report_charts, svg
from prt.runner.reports.charts.labels import LONGEST, label
from prt.runner.reports.charts.style import DARK, NAMES

from .. import made_reports
from ..made_reports import HOSTILE, many_conditions, run_report, table_report

pytestmark = pytest.mark.storeless

COLOUR = re.compile(r"#[0-9a-fA-F]{3,8}\b")
ALLOWED = {"svg", "g", "path", "line", "text", "rect", "title", "desc", "defs", "clipPath", "style", "tspan"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A chart, by itself and as it goes into a page."""

    chart: Chart
    alone: str
    inline: str


@pytest.fixture(scope="module")
def charts() -> tuple[Drawn, ...]:
    """Every chart of a report that has them all."""
    return tuple(Drawn(chart, svg(chart), svg(chart, inline=True)) for chart in report_charts(run_report()))


def elements(drawn: str) -> list[ET.Element]:
    return [*ET.fromstring(drawn).iter()]  # noqa: S314 - our own


def texts_of(drawn: str) -> list[str]:
    """What is written in a picture."""
    return [element.text or "" for element in elements(drawn) if element.tag.endswith("}text")]


def test_the_same_chart_is_the_same_bytes_here_and_in_another_process() -> None:
    report = many_conditions(3)
    first = svg(forest(report))
    assert svg(forest(report)) == first
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from made_reports import many_conditions;"
        "from prt.runner.reports.charts import forest, svg; sys.stdout.write(svg(forest(many_conditions(3))))"
    )
    folder = str(Path(made_reports.__file__).parent)
    other = subprocess.run([sys.executable, "-c", program, folder], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    assert other.stdout == first


def test_charts_in_one_page_share_no_id(charts: tuple[Drawn, ...]) -> None:
    ids = [element.get("id") for each in charts for element in elements(each.inline)]
    given_ids = [name for name in ids if name]
    assert len(set(given_ids)) == len(given_ids)


def test_every_reference_in_a_chart_is_to_one_of_its_own_elements(charts: tuple[Drawn, ...]) -> None:
    for each in charts:
        found = elements(each.alone)
        ids = {element.get("id") for element in found}
        values = [value for element in found for value in element.attrib.values()]
        assert {name for value in values for name in re.findall(r"url\(#([^)]+)\)", value)} <= ids
        assert {name for element in found for name in element.get("aria-labelledby", "").split()} <= ids


def test_a_picture_loads_nothing_and_runs_nothing(charts: tuple[Drawn, ...]) -> None:
    for each in charts:
        for drawn in (each.alone, each.inline):
            found = elements(drawn)
            assert {element.tag.rpartition("}")[2] for element in found} <= ALLOWED
            for element in found:
                assert not any(name.startswith("on") or name.endswith("href") for name in element.attrib)
            assert "://" not in drawn.replace("http://www.w3.org/2000/svg", "")
            assert "@import" not in drawn


def test_a_picture_is_an_image_with_a_name_and_a_description(charts: tuple[Drawn, ...]) -> None:
    for each in charts:
        root, title, description, *_ = elements(each.alone)
        assert root.get("role") == "img"
        assert (title.text, description.text) == (each.chart.title, each.chart.summary)


def test_every_colour_has_its_counterpart_on_a_dark_page(charts: tuple[Drawn, ...]) -> None:
    assert set(DARK) == set(NAMES)
    for each in charts:
        used = {value for element in elements(each.inline) for value in element.attrib.values()}
        painted = {value for value in used if COLOUR.fullmatch(value)}
        assert painted <= set(NAMES), "a colour that the page cannot change"
        assert not {"black", "white"} & used
    for colour, name in NAMES.items():
        assert f'[fill="{colour}"]{{fill:var(--chart-{name},{colour})}}' in CHART_RULES
        assert f"--chart-{name}:{DARK[colour]};" in CHART_DARK
        assert f"--chart-{name}:{colour};" in CHART_LIGHT


def test_a_picture_of_its_own_carries_its_heading_and_both_sets_of_colours(charts: tuple[Drawn, ...]) -> None:
    for each in charts:
        assert each.chart.title in texts_of(each.alone)
        assert "prefers-color-scheme:dark" in each.alone
        assert "<style" not in each.inline
        assert each.chart.title not in texts_of(each.inline)


def test_a_png_is_on_paper_and_darker_for_a_dark_screen() -> None:
    chart = forest(many_conditions(3))
    light, dark = (mean_of_first_row(png(chart, scale=1, dark=dark)) for dark in (False, True))
    assert light > 250
    assert dark < 30


def mean_of_first_row(picture: bytes) -> float:
    """How bright the uppermost line of a PNG of 8-bit RGBA is, which is paper alone."""
    width, _, depth, kind = struct.unpack(">IIBB", picture[16:26])
    assert (depth, kind) == (8, 6)
    start = picture.index(b"IDAT") + 4
    (length,) = struct.unpack(">I", picture[start - 8 : start - 4])
    line = bytearray(zlib.decompress(picture[start : start + length])[1 : 1 + 4 * width])
    first = line[:4]
    assert first[3] == 255, "paper that lets nothing through"
    return sum(first[:3]) / 3


def test_hostile_names_are_shown_short_and_as_text() -> None:
    name = HOSTILE.replace(",", "").replace('"', "").replace("\n", "").replace("\ud800", "").replace("\x00", "")
    report = run_report(name)
    for chart in report_charts(report):
        drawn = svg(chart)
        texts = texts_of(drawn)
        assert len(chart.summary) < 400
        assert {element.tag.rpartition("}")[2] for element in elements(drawn)} <= ALLOWED
        assert not any("49" in text for text in texts if "7*7" in text)
        assert not set(drawn) & {"\x1b", "\x07", "\u202e", "\u202c", "\x0b", "\ufffe"}
        assert all(len(text) <= LONGEST for text in texts if "script" in text)
        assert all("\u202e" not in cell and "\x1b" not in cell for row in chart.rows for cell in row)
    assert png(forest(report), scale=1)


def test_names_that_look_alike_once_shortened_keep_a_row_each() -> None:
    long = ["a" * 60 + str(at) + "b" * 60 for at in range(3)]
    rows = "".join(f"q{at},1,1,0,{at % 2}\n" for at in range(12))
    chart = forest(table_report(f"item,baseline,{','.join(long)}\n{rows}"))
    shown = texts_of(svg(chart))
    assert shown.count(label(long[0])) == 3
    assert [row[0] for row in chart.rows] == long


@given(st.text())
def test_a_label_is_one_short_line_without_anything_that_steers(text: str) -> None:
    shown = label(text)
    assert len(shown) <= LONGEST
    assert all(char.isprintable() or char in "\u200c\u200d" for char in shown)


def test_a_short_name_is_left_as_it_is_and_a_long_one_keeps_both_ends() -> None:
    assert label("typo.1") == "typo.1"
    shown = label("reorder.1+format.2+paraphrase.3+typo.4")
    assert shown.startswith("reorder.1+format.2+")
    assert shown.endswith("+typo.4")
    assert "…" in shown
