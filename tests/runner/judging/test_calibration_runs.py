"""A judge that graded a run beside people, and the run's pass rates corrected by that."""

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from prt.stats import JudgeTable, corrected_rate
from pydantic import JsonValue as Json

from ..command_line import CommandLine, Ended
from ..fault_server import Behaviour, Call, answers
from .court import Court, court, fenced_text

ITEMS = 20
REPLIES = {f"Land{n:02}": f"City {n:02}" if n % 4 else f"Town {n:02}" for n in range(ITEMS)}
"""The application is right but for every fourth."""
MISTAKEN = {"City 01", "City 02", "Town 00"}
"""Answers that the judge takes for the contrary of what they are; people do not."""


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def erring(call: Call) -> Behaviour:
    """A judge that passes cities, and is mistaken about some."""
    answer = fenced_text(call.prompt, "answer").strip()
    passes = answer.startswith("City") is not (answer in MISTAKEN)
    return answers(json.dumps({"reason": "as I see it", "verdict": "pass" if passes else "fail"}))


@pytest.fixture
def erring_court(prt: CommandLine) -> Iterator[Court]:
    with court(prt, REPLIES, erring) as made:
        yield made


def labels(prt: CommandLine, *more: str, name: str = "labels.csv", items: int = ITEMS) -> str:
    """What people say of the answers under the original prompt."""
    rows = [f"{land},{'right' if city.startswith('City') else 'wrong'}" for land, city in REPLIES.items()]
    return prt.write(name, "\n".join(["item,label", *rows[:items], *more]) + "\n")


def of_run(prt: CommandLine, *args: str) -> Ended:
    return prt("judge", "calibrate", "labels.csv", "--run", "latest", *args)


TABLE = JudgeTable(both_pass=13, judge_only=1, human_only=2, both_fail=4)


def test_the_grades_of_a_run_are_set_beside_labels_without_a_call(erring_court: Court, prt: CommandLine) -> None:
    assert prt("run", erring_court.config(), "-q").code == 0
    judged = erring_court.judged
    labels(prt)
    ended = of_run(prt, "--json")
    assert ended.code == 0, ended.err
    assert JudgeTable(**ended.json["table"]) == TABLE
    assert ended.json["name"] == "judge-1"
    assert {each["item"] for each in ended.json["disagreements"]} == {"Land00", "Land01", "Land02"}
    assert ended.json["disagreements"][0]["answer"] == "Town 00"
    assert erring_court.judged == judged
    words = of_run(prt).out
    assert "Land00 · people fail, judge pass" in words
    assert "the judge: as I see it" in words


def test_rates_of_all_conditions_are_corrected_in_the_report(erring_court: Court, prt: CommandLine) -> None:
    assert prt("run", erring_court.config(), "-q").code == 0
    labels(prt)
    of_run(prt, "--out", "c.json")
    found = prt("report", "--calibration", "c.json", "--json").json["correction"]
    expected = corrected_rate(14, 20, TABLE)
    assert [each["condition"] for each in found["rates"]] == ["baseline", "style.1"]
    for each in found["rates"]:
        assert each["judged"]["count"] == 14
        assert each["corrected"]["estimate"] == pytest.approx(expected.estimate)
        assert (each["corrected"]["low"], each["corrected"]["high"]) == pytest.approx((expected.low, expected.high))
        assert (each["n_effective"], each["corrected"]["n"]) == (20, 20)
    assert expected.estimate == pytest.approx(0.75)  # what people gave the labelled answers, which are these
    told = " ".join(prt("report", "--calibration", "c.json").out.split())
    assert "by c.json: judge judge-1, sensitivity 86.7% (62.1 to 97.6, n 15), specificity 80.0%" in told
    assert f"baseline 20 70.0% 75.0% {100 * (expected.low or 0):.1f} to {100 * (expected.high or 0):.1f}" in told
    assert "If the judge errs more under one condition than under another" in told
    assert "corrected: Rogan-Gladen, Lang-Reiczigel interval" in told


def test_without_a_calibration_nothing_is_said_of_one(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(), "-q")
    assert prt("report", "--json").json["correction"] is None
    assert "corrected" not in prt("report").out


def test_repeats_have_an_effective_n(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(repeats=3), "-q")
    rows = [f"{land},0,{'p' if city.startswith('City') else 'f'}" for land, city in REPLIES.items()]
    prt.write("labels.csv", "\n".join(["item,repeat,label", *rows]) + "\n")
    assert of_run(prt, "--out", "c.json").code == 0
    rate = prt("report", "--calibration", "c.json", "--json").json["correction"]["rates"][0]
    assert rate["n_effective"] == pytest.approx(20, rel=0.15)  # repeats that agree are worth one
    assert "effective sample size" in rate["corrected"]["method"]
    assert "effective n" in prt("report", "--calibration", "c.json").out


def test_a_label_must_say_which_repeat_it_is_of(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(repeats=2), "-q")
    labels(prt)
    ended = of_run(prt)
    assert ended.code == 2
    assert "the run has 2 repeats; a column `repeat` must say, from 0, which one a label is of" in ended.err


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (["item,label", "Land99,pass"], 'labels.csv:2: there is no item "Land99" in court-'),
        (["item,label", "Lamd01,pass"], "did you mean `Land"),
        (["item,condition,label", "Land01,stile.1,pass"], "did you mean `style.1`?"),
        (["item,reply,label", "Land01,another answer,pass"], 'the answer to "Land01" is not the one in court-'),
    ],
)
def test_labels_of_other_answers_are_named(erring_court: Court, prt: CommandLine, rows: list[str], told: str) -> None:
    prt("run", erring_court.config(), "-q")
    prt.write("labels.csv", "\n".join(rows) + "\n")
    ended = of_run(prt)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


def test_an_exported_run_with_a_column_label_is_a_file_of_labels(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(), "-q")
    prt("store", "export", "latest", "run.csv")
    rows = list(csv.DictReader(io.StringIO((prt.folder / "run.csv").read_text())))
    out = io.StringIO()
    table = csv.DictWriter(out, [*rows[0], "label"])
    table.writeheader()
    table.writerows({**row, "label": "pass" if row["reply"].startswith("City") else "fail"} for row in rows)
    prt.write("labels.csv", out.getvalue())
    found = of_run(prt, "--json").json
    assert found["n"] == 2 * ITEMS
    assert {name: each["n"] for name, each in found["by_condition"].items()} == {"baseline": ITEMS, "style.1": ITEMS}
    told = " ".join(of_run(prt).out.split())
    assert "By condition" in told
    assert "The 40 answers are of 20 items." in told


def test_what_the_judge_was_not_asked_about_is_in_no_rate(prt: CommandLine) -> None:
    silent = {land: "" if land == "Land03" else city for land, city in REPLIES.items()}
    with court(prt, silent, erring) as made:
        prt("run", made.config(), "-q")
        labels(prt)
        found = of_run(prt, "--out", "c.json", "--json").json
        report = prt("report", "--calibration", "c.json", "--json").json
    assert (found["n"], found["not_asked"]) == (19, {"unparsed": 1})
    assert report["summary"]["overall"]["baseline_rate"]["n"] == 20
    assert report["correction"]["rates"][0]["judged"]["n"] == 19


def test_verdicts_that_cannot_be_read_are_counted(prt: CommandLine) -> None:
    def silent(call: Call) -> Behaviour:
        return answers("Hm.") if "City 05" in fenced_text(call.prompt, "answer") else erring(call)

    with court(prt, REPLIES, silent) as made:
        prt("run", made.config(), "-q")
        labels(prt)
        found = of_run(prt, "--json").json
    assert (found["n"], found["unreadable"]) == (19, 1)


def correct(prt: CommandLine, change: dict[str, Json]) -> Ended:
    """The report on a run by a calibration that is changed."""
    value: dict[str, Any] = json.loads((prt.folder / "c.json").read_text())
    prt.write("changed.json", json.dumps({**value, **change}))
    return prt("report", "--calibration", "changed.json")


def test_a_calibration_of_another_judge_is_refused_and_one_of_none_is_told_of(
    erring_court: Court, prt: CommandLine
) -> None:
    prt("run", erring_court.config(), "-q")
    labels(prt)
    of_run(prt, "--out", "c.json")
    other = correct(prt, {"judge": {**json.loads((prt.folder / "c.json").read_text())["judge"], "rubric": "Another."}})
    assert (other.code, other.out) == (2, "")
    assert "changed.json calibrates another grader than the one that graded court-" in other.err
    assert "they differ in `rubric`" in other.err
    unknown = correct(prt, {"judge": None})
    assert unknown.code == 0
    assert "The calibration does not say which judge it is of" in " ".join(unknown.out.split())


def test_the_judge_of_the_config_is_that_of_the_run(erring_court: Court, prt: CommandLine) -> None:
    name = erring_court.config()
    prt("run", name, "-q")
    rows = [
        f"{land},What is the capital of {land}?,{city},{'p' if city.startswith('City') else 'f'},{land}-City"
        for land, city in REPLIES.items()
    ]
    prt.write("labels.csv", "\n".join(["item,question,reply,label,reference", *rows]) + "\n")
    asked = prt("judge", "calibrate", "labels.csv", "--config", name, "--out", "c.json", "-q")
    assert asked.code == 0, asked.err
    found = prt("report", "--calibration", "c.json", "--json").json["correction"]
    assert found["rates"][0]["corrected"]["estimate"] == pytest.approx(0.75)


def test_a_judge_that_knows_nothing_corrects_nothing_and_that_is_said(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(), "-q")
    rows = [f"Land{n:02},{'fail' if REPLIES[f'Land{n:02}'].startswith('City') else 'pass'}" for n in range(ITEMS)]
    prt.write("labels.csv", "\n".join(["item,label", *rows]) + "\n")
    of_run(prt, "--out", "c.json")
    ended = prt("report", "--calibration", "c.json")
    told = " ".join(ended.out.split())
    assert ended.code == 0
    assert "On these labels the judge is no better than chance, so no rate can be corrected by it." in told
    assert "baseline 20 70.0% –" in told


# A sample to be labelled


def sampled(prt: CommandLine, name: str, *args: str) -> list[dict[str, str]]:
    ended = prt("judge", "sample", "latest", "--out", name, *args)
    assert ended.code == 0, ended.err
    return list(csv.DictReader(io.StringIO((prt.folder / name).read_text("utf-8-sig"))))


def test_a_sample_is_one_answer_an_item_without_the_judges_word(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(repeats=2), "-q")
    rows = sampled(prt, "a.csv")
    assert sorted(row["item"] for row in rows) == sorted(REPLIES)
    assert {row["condition"] for row in rows} == {"baseline", "style.1"}
    assert {row["repeat"] for row in rows} == {"0", "1"}
    assert {row["label"] for row in rows} == {""}
    first = rows[0]
    assert first["reply"] == REPLIES[first["item"]]
    assert first["reference"] == f"{first['item']}-City"
    assert first["item"] in first["question"]
    assert "as I see it" not in (prt.folder / "a.csv").read_text()


def test_a_sample_has_all_that_its_judge_was_shown_so_that_asking_it_costs_nothing(
    erring_court: Court, prt: CommandLine
) -> None:
    name = erring_court.config(grade=erring_court.grade(context="question"), perturbations=["rerun"])
    prt("run", name, "-q")
    calls = erring_court.judged
    rows = sampled(prt, "labels.csv")
    assert rows[0]["context"] == f"What is the capital of {rows[0]['item']}, please?"
    for condition in ("baseline", "rerun.1"):
        text = (prt.folder / "labels.csv").read_text("utf-8-sig")
        prt.write("labels.csv", text.replace(f"{condition},0,,", f"{condition},0,pass,"))
    ended = prt("judge", "calibrate", "labels.csv", "-c", name, "--json", "-q")
    assert (ended.code, ended.json["n"]) == (0, ITEMS)
    assert erring_court.judged == calls
    assert ended.json["table"] == of_run(prt, "--json").json["table"]


def test_a_sample_is_the_same_by_seed_and_a_larger_one_holds_it(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(), "-q")
    few, again, more = sampled(prt, "a.csv", "-n", "5"), sampled(prt, "b.csv", "-n", "5"), sampled(prt, "c.csv")
    assert few == again == more[:5]
    assert sampled(prt, "d.csv", "-n", "5", "--seed", "1") != few


def test_a_sample_is_read_back_once_it_is_filled_in(prt: CommandLine) -> None:
    formulas = {"=Land": "=City", "-Land": "+Town", "Other": "-City"}

    def judge(call: Call) -> Behaviour:
        passes = "City" in fenced_text(call.prompt, "answer")
        return answers(json.dumps({"reason": "seen", "verdict": "pass" if passes else "fail"}))

    with court(prt, formulas, judge) as made:
        prt("run", made.config(), "-q")
    rows = sampled(prt, "labels.csv")
    assert {row["item"] for row in rows} == {"'=Land", "'-Land", "Other"}
    out = io.StringIO()
    table = csv.DictWriter(out, list(rows[0]))
    table.writeheader()
    table.writerows({**row, "label": "p" if "City" in row["reply"] else "f"} for row in rows)
    prt.write("labels.csv", out.getvalue())
    found = of_run(prt, "--json")
    assert found.code == 0, found.err
    assert JudgeTable(**found.json["table"]) == JudgeTable(2, 0, 0, 1)


def test_a_sample_overwrites_nothing(erring_court: Court, prt: CommandLine) -> None:
    prt("run", erring_court.config(), "-q")
    labels(prt)
    ended = prt("judge", "sample", "latest", "--out", "labels.csv")
    assert ended.code == 2
    assert "labels.csv is there already, and may hold labels" in ended.err


def test_a_run_without_answers_has_none_to_label(prt: CommandLine) -> None:
    with court(prt, dict.fromkeys(REPLIES, ""), erring) as made:
        prt("run", made.config(), "-q")
    ended = prt("judge", "sample", "latest", "--out", "a.csv")
    assert ended.code == 2
    assert "has no graded answers yet, so there are none to label" in ended.err
    assert not (prt.folder / "a.csv").exists()
