"""What `prt show` marks in a reply: the answer that was read, where it stands."""

from pathlib import Path

import pytest
from prt.runner.findings import Answer
from prt.runner.reports.items import answer_text, read_in

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
