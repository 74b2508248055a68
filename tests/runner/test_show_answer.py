"""What `prt show` marks in a reply: the answer that was read, where it stands."""

import json
from pathlib import Path

import pytest
import yaml
from prt.runner.findings import Answer
from prt.runner.reports.items import answer_text, read_in
from pydantic import JsonValue as Json

from .command_line import CommandLine

HOSTILE = "\x1b[31m(B)\x1b[0m, not \u202eA"


@pytest.mark.parametrize(
    ("text", "span", "shown"),
    [
        ("So it is (B).", (10, 11), "So it is ([=B=])."),
        ("B", (0, 1), "[=B=]"),
        ("I don't know.", None, "I don't know."),
        ("", None, ""),
        ("42 or 43", (6, 8), "42 or [=43=]"),
        (HOSTILE, (6, 7), "\\x1b[31m([=B=])\\x1b[0m, not \\u202eA"),
        ("x", (1, 1), "x"),
    ],
)
def test_the_answer_is_marked_where_it_stands(text: str, span: tuple[int, int] | None, shown: str) -> None:
    answer = Answer(
        text, passed=True, status="graded", extracted=None if span is None else text[slice(*span)], span=span
    )
    assert read_in(answer).plain == shown


def test_what_could_not_be_told_is_marked_with_the_reason() -> None:
    answer = Answer("A or B", passed=False, status="unparsed", extracted="A", reason="several options", span=(0, 1))
    assert answer_text(answer).plain == "→ fail (unparsed: several options)\n[=A=] or B"


def test_a_reply_that_is_missing_has_no_mark() -> None:
    assert answer_text(None).plain == "no reply yet"


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRT_STORE", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return CommandLine(tmp_path, capsys, monkeypatch)


def test_a_run_keeps_the_place_for_people_and_programs(prt: CommandLine) -> None:
    config = prt.python_config('def answer(messages):\n    return "<think>A?</think>It is option B, I think."\n')
    assert prt("run", config, "--quiet").code == 0
    assert "<think>A?</think>It is option [=B=], I think." in " ".join(prt("show", "latest", "q0").out.split())
    answer = prt("show", "latest", "q0", "--json").json["conditions"][0]["answers"][0]
    assert answer["text"][slice(*answer["span"])] == answer["extracted"] == "B"


@pytest.mark.parametrize(
    ("grade", "row", "reply", "shown"),
    [
        ("multi", {"options": ["Lyon", "Rome", "Nice"], "answer": ["A", "C"]}, "It is A and C.", "It is [=A and C=]."),
        ({"grader": "label", "labels": ["good", "bad"]}, {"answer": "good"}, "It is **bad**.", "It is **[=bad=]**."),
        ("numeric", {"answer": "12"}, "That is $12.00 in all.", "That is $[=12.00=] in all."),
        ("json", {"answer": '{"a": 1}'}, 'Here: {"a": 2} so.', 'Here: [={"a": 2}=] so.'),
        ("exact", {"answer": "Paris"}, "paris.", "[=paris.=]"),
        ("contains", {"answer": "Paris"}, "It is **Paris**.", "It is **[=Paris=]**."),
        ({"grader": "regex", "pattern": r"is (\w+)"}, {"answer": "Paris"}, "It is Rome.", "It is [=Rome=]."),
        (["numeric", "exact"], {"answer": "12"}, "It is 13.", "It is [=13=]."),
    ],
)
def test_each_grader_that_reads_an_answer_has_it_marked(
    prt: CommandLine, grade: Json, row: dict[str, Json], reply: str, shown: str
) -> None:
    rows = [{"id": f"q{number}", "question": f"Question {number}?", **row} for number in range(2)]
    prt.write("rows.jsonl", "\n".join(map(json.dumps, rows)))
    prt.write("answering.py", f"def answer(messages):\n    return {reply!r}\n")
    config: dict[str, Json] = {
        "model": {"provider": "python", "callable": "answering.py:answer"},
        "dataset": "rows.jsonl",
        "perturbations": ["rerun"],
        "grade": grade,
    }
    assert prt("run", prt.write("prt.yaml", yaml.safe_dump(config)), "--quiet").code == 0
    assert shown in prt("show", "latest", "q0").out
