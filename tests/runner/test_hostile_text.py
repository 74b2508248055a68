"""A run whose dataset and replies hold what a reader of a report might obey: in no form of the report is it obeyed."""

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
import yaml
from junitparser import JUnitXml
from playwright.sync_api import Browser
from prt.runner.cli import main
from prt.runner.reports.csv_text import defused
from prt.runner.reports.machine import report_schema

from ..browser import browser, opened
from .html_pages import Elements
from .made_reports import HOSTILE
from .test_report_markdown import OURS, rendered

__all__ = ["browser"]
UNSENDABLE = "\x00\ud800"
"""What no item may hold, since it can't be sent; replies may."""
ASKED = "".join(char for char in HOSTILE if char not in UNSENDABLE)
STEERING = set("\x00\x07\x0b\x1b\u202c\u202e\ufffe")
ITEMS = 12
PROGRAM = """
import json
from pathlib import Path

HOSTILE = json.loads(Path(__file__).with_name("hostile.json").read_text())

def answer(messages):
    return f"The answer is ({'AB'[len(messages[-1]['content']) % 2]}). {HOSTILE}"
"""


@dataclass(frozen=True, slots=True)
class Outputs:
    """What the commands printed, and the folder with what they wrote."""

    folder: Path
    run: str
    terminal: str
    markdown: str
    json: str
    shown: str


def called(*args: str) -> str:
    """What a command printed."""
    out = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(io.StringIO()) as err:
        patch.setattr(sys, "argv", ["prt", *args])
        with pytest.raises(SystemExit) as ended:
            main()
    assert ended.value.code == 0, err.getvalue()
    return out.getvalue()


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Outputs]:
    folder = tmp_path_factory.mktemp("hostile")
    rows = [
        {
            "id": f"=q{at} {ASKED}",
            "question": f"{at}: {ASKED}",
            "options": [f"=one {ASKED}", f"@two {ASKED}"],
            "answer": f"=one {ASKED}",
            "cluster": f"+c{at} {ASKED}",
        }
        for at in range(ITEMS)
    ]
    (folder / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "hostile.json").write_text(json.dumps(HOSTILE), encoding="utf-8")
    (folder / "answering.py").write_text(PROGRAM, encoding="utf-8")
    config = {
        "name": f"=run {ASKED}",
        "model": {"provider": "python", "callable": "answering.py:answer"},
        "dataset": {"path": "rows.jsonl", "fields": {"cluster": "cluster"}},
        "perturbations": ["reorder", "typo", "rerun"],
    }
    (folder / "prt.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        ran = called("run", "prt.yaml", "--quiet")
        files = ["--html", "report.html", "--junit", "report.xml", "--csv", "report.csv", "--charts", "charts"]
        terminal = called("report", "latest", *files)
        called("store", "export", "latest", "results.csv")
        yield Outputs(
            folder,
            ran,
            terminal,
            called("report", "latest", "--markdown"),
            called("report", "latest", "--json"),
            called("show", "latest", str(rows[0]["id"])),
        )


def test_the_run_is_a_real_one(outputs: Outputs) -> None:
    found = json.loads(outputs.json)
    assert found["source"]["state"] == "complete"
    assert found["summary"]["overall"]["baseline_rate"]["n"] == ITEMS
    assert any(item["gold"].startswith("=one <script>") for item in found["flipped"])


def test_the_terminal_shows_it_and_is_not_steered(outputs: Outputs) -> None:
    for printed in (outputs.run, outputs.terminal, outputs.shown):
        assert not set(printed) & STEERING
    assert "<script>alert(1)</script>" in outputs.shown
    assert "{{7*7}}" in outputs.shown
    assert r"\x1b[31mred" in outputs.shown


def test_json_keeps_its_schema_and_the_text(outputs: Outputs) -> None:
    found = json.loads(outputs.json)
    jsonschema.validate(found, report_schema())
    replied = HOSTILE.replace("\ud800", "\ufffd")  # what is half a character can't be received
    assert any(replied in item["baseline"]["text"] for item in found["flipped"])
    assert not set(outputs.json) & (STEERING - {"\u202c", "\u202e", "\ufffe"})


def test_markdown_holds_no_link_image_html_or_mention_of_it(outputs: Outputs) -> None:
    page = rendered(outputs.markdown)
    assert set(page.tags) <= OURS
    assert page.attributes == []
    assert "<script>alert(1)</script>" in page.text
    assert not set(outputs.markdown) & STEERING


def test_junit_is_read_and_holds_it_as_text(outputs: Outputs) -> None:
    path = outputs.folder / "report.xml"
    root = ET.fromstring(path.read_bytes())  # noqa: S314 - our own
    assert not {"script", "img", "a"} & {element.tag for element in root.iter()}
    suites = JUnitXml.fromfile(str(path))
    assert suites.tests == 4
    assert not set(path.read_text(encoding="utf-8")) & STEERING


@pytest.mark.parametrize("name", ["report.csv", "results.csv"])
def test_no_cell_of_a_csv_file_is_a_formula(outputs: Outputs, name: str) -> None:
    with (outputs.folder / name).open(encoding="utf-8", newline="") as file:
        rows = [*csv.reader(file, strict=True)]
    assert len({len(row) for row in rows}) == 1
    cells = [cell for row in rows for cell in row]
    assert all(defused(cell) == cell for cell in cells)
    assert "\x00" not in "".join(cells)
    if name == "results.csv":
        assert any(cell.startswith("'=q0 <script>") for cell in cells)


def test_charts_hold_no_element_of_it(outputs: Outputs) -> None:
    pictures = sorted((outputs.folder / "charts").glob("*.svg"))
    assert {path.stem for path in pictures} >= {"forest", "flips", "rates", "stability", "noise"}
    for path in pictures:
        tags = {element.tag.rpartition("}")[2] for element in ET.fromstring(path.read_bytes()).iter()}  # noqa: S314 - ours
        assert not {"script", "a", "image", "foreignObject"} & tags
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_it_as_text(outputs: Outputs) -> None:
    page = (outputs.folder / "report.html").read_text(encoding="utf-8")
    found = Elements(page)
    assert not found.named("img") or all((each["src"] or "").startswith("data:") for each in found.named("img"))
    assert not any((each.get("href") or "").startswith(("javascript:", "http")) for each in found.named("a"))
    assert "<script>alert(1)</script>" in found.text
    assert not set(found.text) & STEERING


def test_a_browser_runs_nothing_of_it(browser: Browser, outputs: Outputs) -> None:
    with opened(browser, outputs.folder / "report.html") as page:
        page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        page.locator("#items button").first.click()
        text = page.locator("body").inner_text()
        assert "<script>alert(1)</script>" in text
        assert "{{7*7}}" in text
        assert page.locator("a[href^='javascript:'], img[src^='http'], script[src]").count() == 0


def test_a_browser_runs_nothing_of_a_picture(browser: Browser, outputs: Outputs) -> None:
    for path in sorted((outputs.folder / "charts").glob("*.svg")):
        with opened(browser, path, scripts=True) as page:
            assert page.locator("svg").count() == 1


@pytest.mark.parametrize("char", list(UNSENDABLE))
def test_what_cannot_be_sent_is_refused_in_one_sentence(
    tmp_path: Path, char: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {"id": f"q {char}\x1b[31m", "question": "What?", "answer": "x"}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    (tmp_path / "prt.yaml").write_text("model: local\ndataset: rows.jsonl\nperturbations: [typo]\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["prt", "check", "prt.yaml"])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr().err
    assert ended.value.code == 2
    assert "which can't be sent" in told
    assert not set(told) & STEERING
