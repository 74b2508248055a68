"""`prt duel` at the command line: what it prints in each form, and the code with which it ends."""

import json
from pathlib import Path

import pytest
from prt.runner.duel.self_test import csv_of

from ..command_line import CommandLine

NAMES = ("--candidate", "candidate", "--baseline", "baseline")
WON, LOST, FIRST = (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def test_the_report_has_verdict_shares_interval_and_n_of_each_dimension(prt: CommandLine) -> None:
    rows = prt.write("rows.csv", csv_of({"correct": [WON] * 20 + [FIRST] * 10, "kind": [LOST] * 8}))
    ended = prt("duel", "--comparisons", rows, *NAMES)
    assert ended.code == 0
    lines = [" ".join(line.split()) for line in ended.out.split("\n")]
    assert "correct BETTER 66.7/0.0/33.3 83.3% 73.9 to 90.4 <.0001 30" in lines
    assert any(line.startswith("kind INSUFFICIENT_EVIDENCE 0.0/100.0/0.0 0.0%") for line in lines)
    assert "correct 0 10 10 0 .0020 +16.7 YES, first" in lines
    assert "kind: lost 8 of 8 queries, won 0; the clearest losses" in ended.out
    assert "there is no overall winner" in " ".join(ended.out.split())


def test_it_fits_80_columns(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    rows = prt.write("rows.csv", csv_of({"correct": [WON] * 8 + [FIRST] * 120, "kind": [LOST] * 8}))
    out = prt("duel", "--comparisons", rows, *NAMES).out
    assert max(map(len, out.split("\n"))) <= 80
    assert "…" not in out
    assert "correct" in out


def test_json_holds_every_figure_and_the_exit_code(prt: CommandLine) -> None:
    rows = prt.write("rows.csv", csv_of({"correct": [WON] * 20, "kind": [LOST] * 20}))
    ended = prt("duel", "--comparisons", rows, *NAMES, "--json")
    correct, kind = ended.json["dimensions"]
    assert ended.code == ended.json["exit_code"] == 2
    assert (correct["verdict"], kind["verdict"]) == ("BETTER", "WORSE")
    assert correct["shares"] == {"candidate": 1.0, "baseline": 0.0, "tie": 0.0}
    assert correct["rate"]["n"] == correct["n"] == 20
    assert correct["by_row"]["would_say"] == "BETTER"
    assert [failure["query"] for failure in kind["failures"]] == ["q1", "q2", "q3", "q4", "q5"]


def test_markdown_obeys_no_foreign_sign(prt: CommandLine) -> None:
    rows = prt.write("rows.csv", csv_of({"a|b **<b>** @me": [WON] * 12}))
    ended = prt("duel", "--comparisons", rows, *NAMES, "--markdown")
    table = [line for line in ended.out.split("\n") if line.startswith("| a")]
    assert table[0].startswith(r"| a\|b \*\*\<b\>\*\* @<!-- -->me | BETTER | 100.0% | 0.0% | 0.0% | 100.0% |")
    assert "<b>" not in ended.out


def test_control_characters_of_names_are_shown_and_not_obeyed(prt: CommandLine) -> None:
    rows = prt.write("rows.csv", csv_of({"x\x1b[31my": [WON] * 12}))
    for form in ([], ["--markdown"], ["--json"]):
        assert "\x1b" not in prt("duel", "--comparisons", rows, *NAMES, *form).out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["--comparisons", "rows.csv"], "--comparisons needs --candidate and --baseline"),
        (["--comparisons", "none.csv", *NAMES], "none.csv"),
        (["--comparisons", "rows.csv", "--candidate", "x", "--baseline", "x"], "name the same model"),
        (
            ["--comparisons", "rows.csv", "--candidate", "canditate", "--baseline", "baseline"],
            "did you mean `candidate`",
        ),
    ],
)
def test_what_cannot_be_used_ends_with_1_and_one_sentence(prt: CommandLine, args: list[str], told: str) -> None:
    prt.write("rows.csv", csv_of({"correct": [WON] * 12}))
    ended = prt("duel", *args)
    assert ended.code == 1
    assert told in ended.err
    assert ended.err.count("\n") == 1
    assert ended.out == ""


def test_alpha_and_margin_are_taken(prt: CommandLine) -> None:
    rows = prt.write("rows.csv", csv_of({"correct": [WON] * 6 + [(0.5, 0.5)] * 34}))
    strict = prt("duel", "--comparisons", rows, *NAMES, "--alpha", "0.01", "--margin", "0.2", "--json")
    assert prt("duel", "--comparisons", rows, *NAMES).code == 0
    assert strict.json["dimensions"][0]["verdict"] == "TIED"
    assert strict.json["dimensions"][0]["rate"]["level"] == 0.99


def test_the_self_test_passes_and_says_so(prt: CommandLine) -> None:
    ended = prt("duel", "--self-test")
    assert ended.code == 0
    assert "18 of 18 cases came to what they have to." in ended.out


def test_the_same_rows_give_the_same_report(prt: CommandLine) -> None:
    rows = prt.write("rows.csv", csv_of({"a": [WON] * 9 + [LOST] * 4 + [FIRST] * 9, "b": [WON] * 12}))
    once, again = (prt("duel", "--comparisons", rows, *NAMES, "--json").out for _ in range(2))
    assert json.loads(once) == json.loads(again)
