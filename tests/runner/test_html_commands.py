"""The page of a run from the command line: when it is written, where, and that nothing else needs what draws it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from prt.runner.commands.report_page import place_of_page
from prt.runner.config.report import ReportConfig
from prt.runner.config.section import Section

from .command_line import CommandLine
from .html_pages import Elements

RIGHT = """
import re

def answer(messages):
    text = messages[-1]["content"]
    return "A" if "1:" in text else re.search(r"([A-E])\\. Paris", text)[1]
"""
DRAWS = ("jinja2", "vl_convert", "markupsafe")


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRT_HTML", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def page_said(err: str) -> Path:
    (said,) = re.findall(r"^report page: (.+)$", err, re.MULTILINE)
    return Path(said)


@pytest.mark.sqlite
def test_a_run_writes_its_page_beside_the_store_and_says_where(prt: CommandLine) -> None:
    (prt.folder / "kept").mkdir()
    ended = prt("run", prt.python_config(RIGHT), "--store", "kept/all.db")
    assert ended.code == 0
    path = page_said(ended.err)
    assert path.parent == Path("kept/prt-reports")
    found = Elements(path.read_text(encoding="utf-8"))
    assert "Written by prt" in found.text
    run = path.stem
    assert run in ended.err.splitlines()[0]
    again = prt("run", "prt.yaml", "--store", "kept/all.db")
    assert page_said(again.err) == path
    assert [each.name for each in path.parent.iterdir()] == [f"{run}.html"]


@pytest.mark.parametrize(
    ("config", "option", "variable", "written"),
    [
        (None, None, None, True),
        (None, "--no-html", None, False),
        (None, None, "0", False),
        (None, "--html", "0", True),
        (False, None, None, False),
        (False, "--html", None, True),
        (False, None, "1", True),
    ],
)
def test_the_command_line_overrules_the_variable_and_this_the_config(
    prt: CommandLine, *, config: bool | None, option: str | None, variable: str | None, written: bool
) -> None:
    path = prt.python_config(RIGHT)
    if config is not None:
        (prt.folder / path).write_text((prt.folder / path).read_text() + f"report: {{html: {str(config).lower()}}}\n")
    if variable is not None:
        prt.monkeypatch.setenv("PRT_HTML", variable)
    ended = prt("run", path, *([option] if option else []))
    assert ended.code == 0
    assert ("report page:" in ended.err) is written
    assert bool([*prt.folder.rglob("*.html")]) is written


def test_a_config_says_where_and_how_many_texts(prt: CommandLine) -> None:
    path = prt.python_config(RIGHT)
    (prt.folder / path).write_text((prt.folder / path).read_text() + "report: {html: out/page.html, texts_mb: 0}\n")
    ended = prt("run", path)
    assert page_said(ended.err) == Path("out/page.html")
    text = (prt.folder / "out" / "page.html").read_text(encoding="utf-8")
    data = json.loads(text.partition('id="explorer-data">')[2].partition("</script>")[0])
    assert len(data["items"]) == 12
    assert data["texts"] == {}
    assert "The texts of 0 items are in this page" in Elements(text).text


def test_a_page_that_can_not_be_written_costs_no_result_and_not_the_exit_code(prt: CommandLine) -> None:
    path = prt.python_config(RIGHT)
    (prt.folder / "taken").write_text("a file")
    (prt.folder / path).write_text((prt.folder / path).read_text() + "report: {html: taken/page.html}\n")
    ended = prt("run", path)
    assert ended.code == 0
    assert "Baseline" in ended.out
    assert re.search(
        r"note: taken/page\.html: its folder can't be made \(.+\); name another; the results are stored", ended.err
    )
    assert "--html FILE` writes the page elsewhere" in ended.err


def test_prt_report_writes_the_page_of_a_stored_run_or_prints_it(prt: CommandLine) -> None:
    prt("run", prt.python_config(RIGHT), "--no-html")
    ended = prt("report", "latest", "--html", "page.html")
    assert (ended.code, ended.err) == (0, "page.html: the report as a page\n")
    assert "Baseline" in ended.out
    text = (prt.folder / "page.html").read_text(encoding="utf-8")
    printed = prt("report", "latest", "--html", "-")
    assert printed.out == text
    refused = prt("report", "--html", "-", "--json")
    assert refused.code == 2
    assert "only one of them can be printed" in refused.err


def test_prt_analyze_writes_a_page_of_results_made_elsewhere(prt: CommandLine) -> None:
    rows = "".join(f"q{at},1,{int(at % 4 > 0)}\n" for at in range(40))
    table = prt.write("results.csv", f"item,original,typo\n{rows}")
    ended = prt("analyze", table, "--html", "page.html", "--junit", "page.xml")
    assert ended.code == 0
    assert "page.html: the report as a page" in ended.err
    text = Elements((prt.folder / "page.html").read_text(encoding="utf-8")).text
    assert "These results were made elsewhere" in text
    assert "Map: 40 items × 2 conditions" in text
    assert (prt.folder / "page.xml").exists()


@pytest.mark.parametrize(
    ("html", "asked", "store", "expected"),
    [
        (True, None, "prt.db", "prt-reports/r-1.html"),
        (True, None, "/data/prt.db", "/data/prt-reports/r-1.html"),
        (True, None, "postgresql://user@host/name", "prt-reports/r-1.html"),
        (True, None, "file:/data/prt.db?mode=rwc", "prt-reports/r-1.html"),
        (False, None, "prt.db", None),
        (False, True, "prt.db", "prt-reports/r-1.html"),
        (True, False, "prt.db", None),
        ("out", None, "prt.db", "conf/out/r-1.html"),
        ("out/page.html", None, "prt.db", "conf/out/page.html"),
        ("/tmp/page.HTM", True, "prt.db", "/tmp/page.HTM"),  # noqa: S108 - nothing is written
    ],
)
def test_where_the_page_goes(*, html: bool | str, asked: bool | None, store: str, expected: str | None) -> None:
    found = place_of_page(ReportConfig(html=html), asked=asked, base=Path("conf"), store=store, run_id="r-1")
    assert found == (None if expected is None else Path(expected))


def test_the_section_is_a_block_like_any_other() -> None:
    assert issubclass(ReportConfig, Section)
    assert ReportConfig().html is True


PROGRAM = """
import sys
from prt.runner.cli import main
sys.argv = ["prt", *sys.argv[1:]]
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
print("loaded:", *(name for name in {draws!r} if name in sys.modules), file=sys.stderr)
"""


@pytest.mark.sqlite
@pytest.mark.parametrize(("option", "loaded"), [("--no-html", ""), ("--html", " ".join(DRAWS))])
def test_only_a_run_that_writes_a_page_loads_what_draws_it(prt: CommandLine, option: str, loaded: str) -> None:
    config = prt.python_config(RIGHT)
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-c", PROGRAM.format(draws=DRAWS), "run", config, option],
        capture_output=True,
        text=True,
        check=True,
        cwd=prt.folder,
    )
    assert done.stderr.splitlines()[-1].split() == ["loaded:", *loaded.split()]
