"""`prt report` and `prt analyze` in every form: what is printed, what is written, and what is refused."""

import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from prt.runner.reports.machine import report_json, report_schema

from .command_line import CommandLine
from .made_reports import every_kind
from .run_fakes import Bench, FakeModel, make_world

SVGS = {"forest", "flips", "rates", "stability"}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line in a folder with the run of twelve items under two conditions."""
    monkeypatch.chdir(tmp_path)
    Bench(tmp_path / "prt.db", make_world(12, 2)).run(FakeModel())
    return CommandLine(tmp_path, capsys, monkeypatch)


@pytest.mark.parametrize("kind", list(every_kind()))
def test_json_of_every_kind_of_report_keeps_the_schema(kind: str) -> None:
    schema = report_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(report_json(every_kind()[kind])), schema)


def test_the_printed_schema_is_that_of_the_printed_report(prt: CommandLine) -> None:
    schema = prt("schema", "report").json
    report = prt("report", "--json").json
    jsonschema.validate(report, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**report, "summary": {}}, schema)


def test_files_are_written_beside_the_report_and_told_of_on_standard_error(prt: CommandLine) -> None:
    told = prt("report", "latest", "--junit", "out.xml", "--csv", "out.csv", "--charts", "drawn/charts")
    assert told.code == 0
    assert "How to read this" in told.out
    assert "out.xml: the report as JUnit XML" in told.err
    assert "out.csv: the conditions as CSV" in told.err
    assert f"{Path('drawn/charts')}: " in told.err
    assert ET.fromstring((prt.folder / "out.xml").read_bytes()).tag == "testsuites"  # noqa: S314 - our own
    rows = [*csv.DictReader((prt.folder / "out.csv").read_text(encoding="utf-8").splitlines())]
    assert [row["condition"] for row in rows] == ["baseline", "typo.1", "typo.2"]
    names = {path.name for path in (prt.folder / "drawn/charts").iterdir()}
    assert names >= {f"{name}.{ending}" for name in SVGS for ending in ("svg", "png")}


def test_each_form_can_be_printed_alone(prt: CommandLine) -> None:
    assert prt("report", "--markdown").out.startswith("### ")
    assert ET.fromstring(prt("report", "--junit", "-").out).tag == "testsuites"  # noqa: S314 - our own
    assert next(csv.reader(io.StringIO(prt("report", "--csv", "-").out)))[0] == "condition"


@pytest.mark.parametrize(
    "options",
    [("--json", "--markdown"), ("--csv", "-", "--junit", "-"), ("--json", "--csv", "-"), ("--html", "-", "--json")],
)
def test_two_forms_on_standard_output_are_refused_before_any_work(prt: CommandLine, options: tuple[str, ...]) -> None:
    told = prt("report", *options, "--store", "nowhere.db")
    assert told.code == 2
    assert told.out == ""
    assert "only one of them can be printed; name a file for the others" in told.err


def test_a_report_is_replaced_whole(prt: CommandLine) -> None:
    prt.write("out.csv", "an older and longer report\n" * 10_000)
    prt("report", "--csv", "out.csv")
    assert (prt.folder / "out.csv").read_text(encoding="utf-8").startswith("condition,role,")
    assert [path.name for path in prt.folder.glob(".*")] == [], "no half of a file is left"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--junit", "nowhere/out.xml"), "nowhere/out.xml can't be written: No such file or directory"),
        (("--csv", "folder"), "folder can't be written: Is a directory"),
        pytest.param(
            ("--charts", "prt.db"),
            "prt.db: the folder can't be made (File exists); name another",
            marks=pytest.mark.sqlite,
        ),
    ],
)
def test_what_cannot_be_written_is_one_sentence(prt: CommandLine, options: tuple[str, ...], message: str) -> None:
    (prt.folder / "folder").mkdir()
    told = prt("report", *options)
    assert (told.code, told.out) == (2, "")
    assert message in told.err.replace("\\", "/")


def test_results_made_elsewhere_have_the_same_forms(prt: CommandLine) -> None:
    rows = "".join(f"q{at},1,{int(at % 3 > 0)}\n" for at in range(30))
    prt.write("results.csv", "item,original,reworded\n" + rows)
    told = prt("analyze", "results.csv", "--markdown", "--junit", "out.xml", "--charts", "charts")
    assert told.code == 0
    assert "reworded" in told.out
    assert 'name="reworded"' in (prt.folder / "out.xml").read_text(encoding="utf-8")
    assert (prt.folder / "charts" / "forest.svg").is_file()
