"""A person judges a sample of a run's grades; verdicts are kept, no grade is touched, and the estimate has its n."""

import csv
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from prt.runner.auditing import Case, Graded, concluded, drawn, graded_cases, parameters_of
from prt.runner.commands.audit import judge, take_over
from prt.runner.commands.keyboard import END
from prt.runner.commands.printing import counting
from prt.runner.config.grade_text import parse_grade
from prt.runner.graders.base import make_grader
from prt.runner.graders.suspicion import Kind
from prt.runner.store.database import Store, open_store
from prt.runner.store.read import StoredRun, load_run
from prt.runner.store.schema import grades
from prt.runner.store.verdicts import put_verdicts, verdicts_on
from pydantic import JsonValue as Json
from rich.console import Console
from sqlalchemy import select as sql_select

from .command_line import CommandLine
from .test_review import at_a_terminal

ITEMS = 24
ANSWERING = f"""
def answer(messages):
    text = messages[-1]["content"]
    item = next(n for n in range({ITEMS}, 0, -1) if f"number q{{n}}," in text)
    return [f"{{item}}", f"It is {{item}}.", "no idea", "=1+1", f"{{item}}"][item % 5]
"""
CONFIG: dict[str, Json] = {
    "name": "numbers",
    "model": {"provider": "python", "callable": "answering.py:answer"},
    "dataset": "items.jsonl",
    "perturbations": [{"style": {}}],
    "grade": "exact",
}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    rows = [
        {"id": f"q{n}", "question": f"Which is the number q{n}, please?", "answer": str(n)} for n in range(1, ITEMS + 1)
    ]
    prt.write("items.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    prt.write("answering.py", ANSWERING)
    prt.write("prt.yaml", yaml.safe_dump(CONFIG))
    assert prt("run", "prt.yaml", "-q").code == 0
    return prt


@pytest.fixture
def store(prt: CommandLine) -> Iterator[Store]:
    assert prt.folder.exists()
    with open_store("prt.db", may_create=False) as opened:
        yield opened


def loaded(store: Store) -> tuple[StoredRun, Graded]:
    run = load_run(store, "latest")
    return run, graded_cases(run)


def judged(store: Store, keys: Iterable[str], *, n: int = 10) -> str:
    """Press keys, then end the input; what was printed."""
    run, graded = loaded(store)
    pressed = iter(keys)
    console = Console(file=io.StringIO(), width=100)
    judge(store, run, drawn(graded, n=n, seed=0), console, lambda: next(pressed, END))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def all_grades(store: Store) -> list[tuple[Any, ...]]:
    with store.reading() as connection:
        return [tuple(row) for row in connection.execute(sql_select(grades))]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[dict[str, str]]) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    return path.name


def truth(row: dict[str, str]) -> str:
    """What a careful person says of a reply."""
    return (
        "p"
        if row["right"] in row["reply"].split() or f"{row['right']}." in row["reply"].split()
        else "u"
        if row["reply"] == "no idea"
        else "f"
    )


def test_the_sample_is_the_same_for_a_seed_and_a_larger_one_holds_each_smaller(store: Store) -> None:
    _, graded = loaded(store)
    small, large = drawn(graded, n=8, seed=3), drawn(graded, n=20, seed=3)
    assert large[:8] == small
    assert drawn(graded, n=8, seed=4) != small
    every = drawn(graded, n=1000, seed=3)
    assert Counter(case.reply for case in every) == Counter(case.reply for case in graded.cases)


def test_half_of_the_sample_is_ordinary_and_the_rest_is_shared_by_what_stands_out(store: Store) -> None:
    _, graded = loaded(store)
    assert set(graded.of_kind()) == {"gold_in_fail", "ordinary"}
    kinds = Counter(case.kind for case in drawn(graded, n=8, seed=0))
    assert kinds == {"ordinary": 4, "gold_in_fail": 4}


def test_each_answer_is_stored_before_the_next_question_and_no_grade_is_touched(store: Store) -> None:
    run, _ = loaded(store)
    before, seen = all_grades(store), []

    def keys() -> Iterator[str]:
        for key in "pFu":
            seen.append(sorted(verdicts_on(store, run.record).values()))
            yield key

    judged(store, keys())
    assert seen == [[], ["pass"], ["fail", "pass"]]
    assert sorted(verdicts_on(store, run.record).values()) == ["fail", "none", "pass"]
    assert all_grades(store) == before


def test_question_right_answer_grade_and_the_marked_reply_are_shown(store: Store) -> None:
    shown = judged(store, "q", n=40)
    assert "1 of 40" in shown
    assert "Which is the number q" in shown
    assert "right: " in shown
    assert "[=" in shown
    assert "graded: " in shown
    assert "p right answer · f wrong answer · u no answer · s skip · b back · q quit" in shown


def test_back_and_skip_go_where_they_say_and_the_next_time_goes_on_where_it_was_left(store: Store) -> None:
    run, _ = loaded(store)
    shown = judged(store, "psbbfx")
    assert [line for line in shown.splitlines() if line.startswith(("1 of", "2 of", "3 of"))] == [
        "1 of 10", "2 of 10", "3 of 10", "2 of 10", "1 of 10 · right answer so far", "2 of 10",
    ]  # fmt: skip
    assert list(verdicts_on(store, run.record).values()) == ["fail"]
    assert "x means nothing here" in shown
    assert judged(store, "q").count("2 of 10") == 1


def test_the_estimate_weighs_kinds_and_has_its_n_and_its_interval(store: Store) -> None:
    run, graded = loaded(store)
    of_kind = graded.of_kind()
    said = {case.reply: "pass" for case in of_kind["gold_in_fail"][:5]}
    assert concluded(run, graded, said).wrong.estimate is None  # type: ignore[arg-type]  # verdicts all the same
    said |= {case.reply: case.outcome for case in of_kind["ordinary"][:10]}
    audit = concluded(run, graded, said)  # type: ignore[arg-type]  # likewise
    share = len(of_kind["gold_in_fail"]) / len(graded.cases)
    assert audit.wrong.estimate == pytest.approx(share)
    assert audit.wrong.n == 15
    assert audit.false_passes.estimate == 0.0
    assert audit.false_fails.estimate == pytest.approx(share)
    assert audit.wrong.low is not None
    assert audit.wrong.high is not None
    assert audit.wrong.low < share < audit.wrong.high


@pytest.mark.sqlite
def test_the_sample_is_filled_in_elsewhere_and_read_back(prt: CommandLine, store: Store) -> None:
    told = prt("audit", "latest", "--out", "sample.csv", "--n", "20")
    assert told.code == 0
    assert "wrote sample.csv: 20 cases, 0 of them judged before" in told.out
    assert told.out.endswith(" --from sample.csv\n")
    rows = [{**row, "verdict": truth(row)} for row in rows_of(prt.folder / "sample.csv")]
    told = prt("audit", "latest", "--from", write_rows(prt.folder / "done.csv", rows))
    assert told.code == 0
    assert "20 of 48 graded replies are judged by a person." in told.out
    assert "it failed, and the right answer stands in the reply" in told.out
    figures = prt("audit", "latest", "--json").json
    run, graded = loaded(store)
    wrong = sum(case.kind == "gold_in_fail" for case in graded.cases) / len(graded.cases)
    assert figures["wrong"]["estimate"] == pytest.approx(wrong)
    assert figures["wrong"]["n"] == 20
    assert len(verdicts_on(store, run.record)) == 20
    again = prt("audit", "latest", "--out", "again.csv", "--n", "20", "--store", str(prt.folder / "prt.db"))
    assert "20 of them judged before" in again.out
    assert again.out.endswith(f" --from again.csv --store {prt.folder / 'prt.db'}\n")
    assert [row["verdict"] for row in rows_of(prt.folder / "again.csv")] == [
        {"p": "pass", "f": "fail", "u": "none"}[row["verdict"]] for row in rows
    ]


def test_no_reply_becomes_a_formula_in_a_spreadsheet(prt: CommandLine) -> None:
    prt("audit", "latest", "--out", "sample.csv", "--n", "48")
    cells = [cell for row in rows_of(prt.folder / "sample.csv") for cell in row.values()]
    assert "'=1+1" in cells
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in cells)


def test_a_file_that_is_there_is_not_written_over(prt: CommandLine) -> None:
    prt.write("sample.csv", "mine")
    told = prt("audit", "latest", "--out", "sample.csv")
    assert (told.code, told.out) == (2, "")
    assert "sample.csv is there already, and may hold verdicts; name another file" in told.err
    assert (prt.folder / "sample.csv").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"verdict": "maybe"}, 'done.csv:2: verdict: expected p, f, u or nothing, found "maybe"'),
        ({"case": "c0"}, 'done.csv:2: case: there is no case "c0" in numbers-'),
        ({"case": "second"}, "has another verdict in an earlier line; keep one"),
    ],
)
def test_a_line_that_can_not_be_read_keeps_everything_out(
    prt: CommandLine, store: Store, change: dict[str, str], message: str
) -> None:
    prt("audit", "latest", "--out", "sample.csv", "--n", "4")
    rows = [{**row, "verdict": "p", "asked": "x"} for row in rows_of(prt.folder / "sample.csv")]
    if change.get("case") == "second":
        rows[1] = {**rows[0], "verdict": "f"}
    else:
        rows[0] = {**rows[0], **change}
    told = prt("audit", "latest", "--from", write_rows(prt.folder / "done.csv", rows))
    assert (told.code, told.out) == (2, "")
    assert message in told.err
    assert verdicts_on(store, load_run(store, "latest").record) == {}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "done.csv can't be read: No such file"),
        (b"a,b\n1,2\n", "expected a table that `prt audit --out` has written, found no column `case`, `verdict`"),
        (b"", "found no column `case`, `verdict`"),
        (b"case,verdict\n\xff,p\n", "done.csv is no CSV in UTF-8"),
        (b'case,verdict\n"c1"x,p\n', "done.csv is no CSV in UTF-8"),
    ],
)
def test_what_is_no_such_table_is_told_in_a_sentence(prt: CommandLine, content: bytes | None, message: str) -> None:
    if content is not None:
        (prt.folder / "done.csv").write_bytes(content)
    told = prt("audit", "latest", "--from", "done.csv")
    assert (told.code, told.out) == (2, "")
    assert message in told.err


def test_empty_cells_are_not_judged(prt: CommandLine, store: Store) -> None:
    prt("audit", "latest", "--out", "sample.csv", "--n", "4")
    told = prt("audit", "latest", "--from", "sample.csv")
    assert told.code == 0
    assert "No share is estimated before each kind has been judged" in told.out
    assert verdicts_on(store, load_run(store, "latest").record) == {}


def test_after_another_grader_the_same_replies_need_no_second_judgement(prt: CommandLine, store: Store) -> None:
    run, graded = loaded(store)
    put_verdicts(store, run.record, {case.reply: "pass" for case in drawn(graded, n=48, seed=0)[:30]})
    prt("grade", "latest", "--grader", "numeric", "--use")
    again, regraded = loaded(store)
    assert verdicts_on(store, again.record) == {}
    sample = drawn(regraded, n=12, seed=0)
    take_over(store, again, sample)
    taken = verdicts_on(store, again.record)
    assert 0 < len(taken) <= 12
    assert set(taken) == {case.reply for case in sample} & set(verdicts_on(store, run.record))
    assert len(verdicts_on(store, run.record)) == 30


def test_verdicts_under_another_grader_are_told_and_so_are_the_parameters_of_the_one_that_counts(
    prt: CommandLine, store: Store
) -> None:
    run, graded = loaded(store)
    assert "another grader" not in prt("audit", "latest", "--report").out
    put_verdicts(store, run.record, {case.reply: "pass" for case in drawn(graded, n=48, seed=0)[:30]})
    prt("grade", "latest", "--grader", "{grader: numeric, tolerance: 0.5, count_as_fail: [refused]}", "--use")
    told = " ".join(prt("audit", "latest", "--report").out.split())
    again, regraded = loaded(store)
    assert "graded by numeric (tolerance 0.5, count_as_fail refused)" in told
    assert f"0 of {len(regraded.cases)} graded replies are judged by a person. 30 more were judged while" in told
    audit = prt("audit", "latest", "--json").json
    assert (audit["grader"], audit["judged_elsewhere"]) == ("numeric", 30)
    take_over(store, again, drawn(regraded, n=12, seed=0))
    taken = len(verdicts_on(store, again.record))
    assert f"{30 - taken} more were judged" in " ".join(prt("audit", "latest", "--report").out.split())


@pytest.mark.parametrize(
    "grade", ["choice", "numeric", "exact", "contains", {"grader": "regex", "pattern": "x(.)"}, ["numeric", "exact"]]
)
def test_parameters_are_told_only_where_they_are_not_the_default(grade: Json, tmp_path: Path) -> None:
    config = parse_grade(json.dumps(grade), "grade", env={}).config.grade
    assert config is not None
    told = parameters_of(make_grader(config, base=tmp_path).identity())
    assert set(told) == {"regex": {"pattern"}, "any_of": {"graders"}}.get(config.grader, set())


def test_a_judge_is_told_by_its_name() -> None:
    identity: dict[str, Json] = {"name": "judge", "model": {"name": "big", "url": "http://x"}, "threshold": 0.5}
    assert parameters_of(identity)["model"] == "big"


def test_a_reply_that_took_the_place_of_another_is_judged_anew(store: Store) -> None:
    run, graded = loaded(store)
    case = graded.cases[0]
    later = replace(case.reply, reply_id=case.reply.reply_id + 10_000)
    said = {case.reply: "pass"}
    replaced = Graded((Case(later, case.kind, case.outcome),), {})
    assert concluded(run, replaced, said).kinds[0].judged == 0  # type: ignore[arg-type]  # a verdict all the same


def test_where_nobody_can_be_asked_it_says_what_to_do_instead(prt: CommandLine) -> None:
    told = prt("audit", "latest")
    assert (told.code, told.out) == (2, "")
    assert "asks a person at a terminal, and this is none; write the sample by --out FILE" in told.err


@pytest.mark.parametrize("arguments", [("--out", "a.csv", "--from", "b.csv"), ("--out", "a.csv", "--json")])
def test_options_that_contradict_one_another_are_refused(prt: CommandLine, arguments: tuple[str, ...]) -> None:
    assert prt("audit", "latest", *arguments).code == 2


def test_each_reply_that_is_looked_at_is_counted(store: Store) -> None:
    seen: list[None] = []
    graded = graded_cases(load_run(store, "latest"), on_done=lambda: seen.append(None))
    assert len(seen) == len(graded.cases) + sum(graded.left_out.values()) == 2 * ITEMS


@pytest.mark.parametrize(("terminal", "shown"), [(True, True), (False, False)])
def test_progress_is_shown_at_a_terminal_alone(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, shown: bool) -> None:
    monkeypatch.setenv("TERM", "xterm")
    told = Console(file=io.StringIO(), width=80, force_terminal=terminal)
    with counting(told, "looking", 3) as on_done:
        on_done()
    assert isinstance(told.file, io.StringIO)
    assert ("looking" in told.file.getvalue(), bool(told.file.getvalue())) == (shown, shown)


def test_a_run_without_replies_has_nothing_to_audit(prt: CommandLine, store: Store) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql("DELETE FROM grades")
    told = prt("audit", "latest", "--report")
    assert told.code == 2
    assert "has no graded replies yet, so there is nothing to audit" in told.err


def test_failed_calls_are_counted_and_not_judged(store: Store) -> None:
    with store.writing() as connection:
        connection.exec_driver_sql(
            "UPDATE grades SET status = 'judge_error', passed = NULL "
            "WHERE variant IN (SELECT position FROM variants WHERE item_id = 'q1')"
        )
    _, graded = loaded(store)
    assert graded.left_out == {"judge_error": 2}
    assert len(graded.cases) == 46


def test_a_misread_grade_that_rightly_does_not_pass_is_told_apart(store: Store) -> None:
    run, graded = loaded(store)
    kinds: dict[Kind, list[Case]] = graded.of_kind()
    failed = [case for case in kinds["ordinary"] if case.outcome == "fail"]
    audit = concluded(run, graded, {failed[0].reply: "none", failed[1].reply: "fail"})
    assert (audit.misread, sum(each.wrong for each in audit.kinds)) == (1, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="a pseudo terminal is wanted")
def test_at_a_terminal_single_keys_are_read_and_the_estimate_follows(prt: CommandLine) -> None:
    printed, code = at_a_terminal(["audit", "latest", "--n", "3"], "pps")
    assert code == 0
    assert printed.count("p right answer ·") == 3
    assert "2 of 48 graded replies are judged by a person." in printed
    assert prt("audit", "latest", "--json").json["wrong"]["n"] == 2
    printed, code = at_a_terminal(["audit", "latest", "--n", "3"], "q")
    assert (code, "3 of 3" in printed, "2 of 3" in printed) == (0, True, False)
