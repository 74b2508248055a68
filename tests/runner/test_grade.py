"""Stored replies are graded by another grader, without a call; what changes is shown, and nothing is lost."""

import json
from pathlib import Path

import pytest
import yaml
from prt.runner.store.database import open_store
from prt.runner.store.read import load_run
from prt.runner.store.schema import grades, runs
from pydantic import JsonValue as Json
from sqlalchemy import func, select, update

from .command_line import CommandLine
from .run_fakes import another_process

REPLIES = {
    "q1": "5",
    "q2": "The answer is 7.0",
    "q3": "It is nine.",
    "q4": "I\x07 can't\u202e tell.",
    "q5": "12 or\x1b[31m 13\u202e",
}
GOLDS = {"q1": "5", "q2": "7", "q3": "9", "q4": "3", "q5": "12"}
ANSWERING = f"""
calls = []
REPLIES = {REPLIES!r}
def answer(messages):
    calls.append(1)
    with open("calls.txt", "a") as log:
        log.write("x")
    text = messages[-1]["content"]
    return next(reply for item, reply in REPLIES.items() if item in text)
"""
CONFIG: dict[str, Json] = {
    "name": "sums",
    "model": {"provider": "python", "callable": "answering.py:answer"},
    "dataset": "items.jsonl",
    "perturbations": [{"style": {}}, "rerun"],
    "grade": "exact",
}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    rows = [{"id": item, "question": f"What is the sum of {item}, please?", "answer": GOLDS[item]} for item in GOLDS]
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    prt.write("answering.py", ANSWERING)
    prt.write("prt.yaml", yaml.safe_dump(CONFIG))
    assert prt("run", "prt.yaml", "-q").code == 0
    return prt


def calls(prt: CommandLine) -> int:
    return len((prt.folder / "calls.txt").read_text(encoding="utf-8"))


def outcomes(place: str = "prt.db") -> dict[str, tuple[bool | None, str]]:
    """The grade that counts of each original."""
    with open_store(place, may_create=False) as store:
        cells = [cell for cell in load_run(store, "latest").graded_cells() if cell.condition == "baseline"]
        return {cell.item_id: (cell.grade.passed, cell.grade.status) for cell in cells if cell.grade}


def stored_grades(place: str = "prt.db") -> dict[str, int]:
    with open_store(place, may_create=False) as store, store.reading() as connection:
        counted = select(grades.c.grader_key, func.count()).group_by(grades.c.grader_key)
        return {str(row[0]): int(row[1]) for row in connection.execute(counted)}


BY_EXACT = {"q1": (True, "graded"), **dict.fromkeys(("q2", "q3", "q4", "q5"), (False, "graded"))}


def test_without_use_the_new_grades_stand_beside_the_old_which_still_count(prt: CommandLine) -> None:
    before, asked = stored_grades(), calls(prt)
    told = prt("grade", "sums", "--grader", "numeric")
    assert told.code == 0
    assert calls(prt) == asked
    after = stored_grades()
    assert len(after) == len(before) + 1
    assert set(before.items()) <= set(after.items())
    assert set(after.values()) == set(before.values())
    assert outcomes() == BY_EXACT
    assert "The grades by exact still count; `--use` lets the new ones count. Both are kept." in one_line(told.out)


def one_line(text: str) -> str:
    return " ".join(text.split())


def test_what_changes_is_shown_with_both_readings_and_the_place_in_the_reply(prt: CommandLine) -> None:
    told = prt("grade", "latest", "--grader", "numeric").out
    assert "graded by numeric instead of exact" in told
    assert "q2 · baseline · fail → pass\n  before: fail, read 'The answer is 7.0'\n  after: pass, read '7.0'" in told
    assert "The answer is [=7.0=]" in told
    assert "q4 · baseline · fail → unparsed\n" in told
    figures = one_line(told).partition("Baseline ")[2]
    assert figures.startswith("20.0% 1.0 to 62.4 5 60.0% 18.9 to 92.4 5")


def test_json_tells_of_every_change_and_of_both_reports(prt: CommandLine) -> None:
    told = prt("grade", "latest", "--grader", "numeric", "--json").json
    changed = {row["item_id"]: row for row in told["changes"] if row["condition"] == "baseline"}
    assert set(changed) == {"q2", "q3", "q4"}
    assert (changed["q2"]["before"]["passed"], changed["q2"]["after"]["passed"]) == (False, True)
    assert changed["q4"]["after"]["status"] == "unparsed"
    assert sum(row["n"] for row in told["transitions"]) == told["cells"]
    assert (told["grader"]["name"], told["other"]["name"], told["used"]) == ("exact", "numeric", False)
    rates = [told[when]["summary"]["overall"]["baseline_rate"]["count"] for when in ("before", "after")]
    assert rates == [1, 3]


def test_with_use_reports_count_the_new_grades_and_going_back_costs_nothing(prt: CommandLine) -> None:
    asked = calls(prt)
    told = prt("grade", "latest", "--grader", "{grader: numeric, tolerance: 0.5}", "--use")
    assert "From now on the grades by numeric count" in one_line(told.out)
    assert outcomes()["q2"] == (True, "graded")
    assert prt("report", "latest", "--json").json["source"]["grader"] == "numeric"
    with open_store("prt.db", may_create=False) as store:
        grade = load_run(store, "latest").record.config["grade"]
    assert isinstance(grade, dict)
    assert (grade["grader"], grade["tolerance"]) == ("numeric", 0.5)
    back = prt("grade", "latest", "--grader", "exact", "--use")
    assert back.code == 0
    assert outcomes() == BY_EXACT
    assert calls(prt) == asked


def test_the_run_s_config_brings_its_own_grader_back_without_a_call(prt: CommandLine) -> None:
    asked = calls(prt)
    prt("grade", "latest", "--grader", "numeric", "--use")
    assert prt("run", "prt.yaml", "-q").code == 0
    assert outcomes() == BY_EXACT
    assert calls(prt) == asked


def test_the_grader_of_another_config_is_taken_with_paths_from_its_folder(prt: CommandLine) -> None:
    (prt.folder / "other").mkdir()
    (prt.folder / "other" / "checks.py").write_text("def right(reply, row): return '7' in reply\n", encoding="utf-8")
    other = {**CONFIG, "grade": {"grader": "python", "callable": "checks.py:right"}}
    prt.write("other/prt.yaml", yaml.safe_dump(other))
    told = prt("grade", "latest", "--config", "other/prt.yaml", "--json")
    changed = [row["item_id"] for row in told.json["changes"] if row["condition"] == "baseline"]
    assert changed == ["q1", "q2"]


def test_without_a_grader_named_the_run_s_own_is_taken_as_it_is_now(prt: CommandLine) -> None:
    told = prt("grade", "latest")
    assert "graded by exact, its own grader" in told.out
    assert "The outcome of 0 of 15 replies changes" in one_line(told.out)


def test_what_a_grader_graded_before_is_not_graded_again(prt: CommandLine) -> None:
    prt.write(
        "checks.py",
        "def right(reply, row):\n    with open('graded.txt', 'a') as log: log.write('x')\n    return '5' in reply\n",
    )
    by_mine = ("grade", "latest", "--grader", "{grader: python, callable: 'checks.py:right'}")
    prt(*by_mine)
    first = len((prt.folder / "graded.txt").read_text(encoding="utf-8"))
    prt(*by_mine)
    again = len((prt.folder / "graded.txt").read_text(encoding="utf-8")) - first
    assert first > 15
    assert 0 < again <= first - 15  # the proof alone


def test_a_variant_on_which_the_grader_fails_its_proof_has_no_result(prt: CommandLine) -> None:
    rows = [
        {"id": item, "question": f"What is {item}?", "answer": gold}
        for item, gold in {**GOLDS, "q5": "a dozen eggs or so, or 13"}.items()
    ]
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    prt("run", "prt.yaml", "-q")
    told = prt("grade", "latest", "--grader", "numeric", "--json").json
    assert {row["item_id"] for row in told["untrusted"]} == {"q5"}
    changed = {row["item_id"]: row["after"] for row in told["changes"] if row["condition"] == "baseline"}
    assert (changed["q5"]["status"], changed["q5"]["passed"]) == ("judge_error", None)
    assert changed["q5"]["reason"].startswith("this grader can't be trusted here: the right answer")
    assert told["after"]["summary"]["overall"]["baseline_rate"]["n"] == 4


def test_a_grader_that_can_grade_no_item_is_refused_and_nothing_is_stored(prt: CommandLine) -> None:
    before = stored_grades()
    told = prt("grade", "latest", "--grader", "choice", "--use")
    assert (told.code, told.out) == (2, "")
    assert "prt: the grader 'choice' can grade no item of this run: the item has no options" in told.err
    assert stored_grades() == before
    assert outcomes() == BY_EXACT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--grader", "numerc"), "--grader: grade: expected `choice`"),
        (("--grader", "null"), "--grader: expected a grader's name, a list of graders or a block, found nothing"),
        (
            ("--grader", "{grader: numeric, tolerance: -1}"),
            "--grader: grade.tolerance: expected a number of at least 0",
        ),
        (("--grader", "numeric", "--config", "prt.yaml"), "--grader and --config both name a grader"),
        (("--config", "none.yaml"), "none.yaml"),
        (("--grader", "{grader: code}"), "grade.allow_execution: true"),
    ],
)
def test_what_is_no_grader_is_told_in_a_sentence(prt: CommandLine, arguments: tuple[str, ...], message: str) -> None:
    told = prt("grade", "latest", *arguments)
    assert (told.code, told.out) == (2, "")
    assert message in told.err


def test_a_run_that_is_worked_on_keeps_its_grader(prt: CommandLine) -> None:
    with another_process() as owner:
        with open_store("prt.db", may_create=False) as store, store.writing() as connection:
            connection.execute(update(runs).values(state="running", owner=owner))
        told = prt("grade", "latest", "--grader", "numeric", "--use")
    assert told.code == 2
    assert "is being worked on by another process" in told.err
    assert outcomes() == BY_EXACT


def test_text_of_a_model_steers_no_terminal(prt: CommandLine) -> None:
    told = prt("grade", "latest", "--grader", "numeric", "--show", "99").out
    assert "\x07" not in told
    assert "\u202e" not in told
    assert r"I\x07 can't\u202e tell." in told
