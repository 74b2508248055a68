"""A judge beside people: verdicts in a table, in a run, or asked for; what is wrong in a table is named."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from prt.runner.errors import DatasetError, PrtError
from prt.runner.judging.calibration import Calibrated, calibrated, judged_elsewhere
from prt.runner.judging.calibration_file import read_calibration, write_calibration
from prt.runner.judging.labels import Labels, labels_of
from prt.runner.results.read import pasted
from prt.stats import JudgeTable
from pydantic import JsonValue as Json

from ..command_line import CommandLine
from ..fault_server import Behaviour, Call, FaultServer, answers, fails

TABLE = JudgeTable(both_pass=20, judge_only=10, human_only=5, both_fail=15)


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    return CommandLine(tmp_path, capsys, monkeypatch)


def rows_of(table: JudgeTable) -> list[tuple[str, str]]:
    """Label and verdict of each answer."""
    counts = (table.both_pass, table.judge_only, table.human_only, table.both_fail)
    pairs = (("pass", "pass"), ("fail", "pass"), ("pass", "fail"), ("fail", "fail"))
    return [pair for pair, count in zip(pairs, counts, strict=True) for _ in range(count)]


def csv_of(table: JudgeTable, *more: str) -> str:
    rows = [f"q{at},Say {at}.,It is {at}.,{label},{judge}" for at, (label, judge) in enumerate(rows_of(table))]
    return "\n".join(["item,question,answer,label,judge", *rows, *more]) + "\n"


def read(text: str, **rest: float) -> Labels:
    return labels_of(pasted(text, "labels.csv"), **rest)  # type: ignore[arg-type]  # only `threshold` is given here


def found_in(text: str) -> Calibrated:
    labels = read(text)
    return calibrated(labels, judged_elsewhere(labels))


def test_the_figures_are_those_of_the_table() -> None:
    calibration = found_in(csv_of(TABLE)).calibration
    figures = calibration.figures()
    assert calibration.table == TABLE
    assert (figures.agreement.estimate, figures.sensitivity.estimate, figures.specificity.estimate) == (0.7, 0.8, 0.6)
    assert (figures.agreement.n, figures.sensitivity.n, figures.specificity.n) == (50, 25, 25)
    assert figures.kappa.estimate == pytest.approx(0.4)
    assert figures.lenience.pvalue == pytest.approx(0.3018, abs=5e-5)  # 2·P(Bin(15, ½) ≤ 5)
    assert figures.is_better_than_chance


def test_a_judge_of_the_opposite_opinion_is_not_taken_for_a_good_one() -> None:
    turned = found_in(csv_of(JudgeTable(both_pass=5, judge_only=15, human_only=20, both_fail=10))).calibration.figures()
    assert not turned.is_better_than_chance
    assert turned.kappa.estimate is not None
    assert turned.kappa.estimate < 0


@pytest.mark.parametrize(
    ("words", "passes"),
    [(("pass", "P", "Right", "yes", "TRUE", "1", "1.0", " pass "), True), (("fail", "f", "wrong", "No", "0"), False)],
)
def test_labels_are_read_in_the_words_that_people_use(words: tuple[str, ...], *, passes: bool) -> None:
    labels = read("item,label\n" + "".join(f"q{at},{word}\n" for at, word in enumerate(words)))
    assert [row.label for row in labels.rows] == [passes] * len(words)


def test_json_lines_a_mark_and_line_separators_are_read() -> None:
    rows = [{"item": "a", "reply": "one\u2028two", "label": True}, {"item": "b", "reply": "x", "label": 0}]
    labels = read("\ufeff" + "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
    assert [(row.place.item, row.label, row.texts["answer"]) for row in labels.rows] == [
        ("a", True, "one\u2028two"),
        ("b", False, "x"),
    ]


def test_a_reply_goes_before_an_answer_since_datasets_call_the_right_one_so() -> None:
    (row,) = read("item,answer,reply,label\nq1,Paris,It is Rome.,fail\n").rows
    assert row.texts["answer"] == "It is Rome."
    assert row.row["answer"] == "Paris"


def test_what_has_no_label_or_no_verdict_is_counted_and_in_no_figure() -> None:
    found = found_in(csv_of(TABLE, "u1,,,pass,", "u2,,,fail,judge_error", "u3,,,,pass"))
    calibration = found.calibration
    assert (calibration.table, calibration.unreadable, calibration.unlabelled) == (TABLE, 2, 1)


def test_scores_pass_from_the_threshold_on() -> None:
    labels = read("item,label,judge\na,pass,0.7\nb,pass,0.69\nc,fail,1\nd,fail,\n", threshold=0.7)
    assert [row.verdict for row in labels.rows] == [True, False, True, None]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("item,verdict\nq1,pass\n", "there is no column `label`, found `item`, `verdict`"),
        ("item,lable\nq1,pass\n", "did you mean `lable`?"),
        ("item,label\nq1,maybe\nq2,pass\n", 'labels.csv:2: `label` is "maybe"; pass/fail, p/f'),
        ("item,label\n,pass\n", "labels.csv:2: `item` is empty"),
        ("item,label\nq1,pass\nq1,fail\n", 'labels.csv:3: "q1" has a row already, 2'),
        ("item,repeat,label\nq1,first,pass\n", '`repeat` is "first"; a whole number is needed'),
        ("item,label,judge\nq1,pass,0.7\n", "from which one on they pass: --threshold"),
        ("item,label,judge\nq1,pass,certainly\n", '`judge` is "certainly"'),
        ("item,label\nq1,\n", "no row has a label; fill in the column"),
        ("item,label\n", "a header and no rows"),
        ("item,label\nq1\n", "labels.csv:2: 1 cell where the header has 2"),
        ('{"item": "a", "label": [1]}\n{"item": "b", "label": 1}\n', "`label` is a list"),
        ("", "there is nothing in it"),
    ],
)
def test_what_cannot_be_used_is_named_with_its_line(text: str, told: str) -> None:
    with pytest.raises(DatasetError) as refused:
        read(text)
    assert told in str(refused.value)


@pytest.mark.parametrize("score", ["1.01", "-0.1", "nan", "high", "8/10"])
def test_a_score_out_of_range_is_refused(score: str) -> None:
    with pytest.raises(DatasetError, match="with --threshold it is a score from 0 to 1"):
        read(f"item,label,judge\nq1,pass,{score}\n", threshold=0.5)


def test_answers_of_one_item_are_told_apart_by_condition_and_counted_as_one_item() -> None:
    rows = ["item,condition,label,judge", "a,typo.1,pass,pass", "a,baseline,fail,pass", "b,typo.1,pass,pass"]
    calibration = found_in("\n".join(rows) + "\n").calibration
    assert (calibration.items, calibration.table.n) == (2, 3)
    assert {name: each.table.n for name, each in calibration.by_condition().items()} == {"typo.1": 2, "baseline": 1}


def several(copies: int) -> str:
    """The answers of `TABLE`, each to an item that has so many of them, all judged and labelled alike."""
    said = [(f"q{at}", label, judge) for at, (label, judge) in enumerate(rows_of(TABLE))]
    rows = [f"{item},c{n},{label},{judge}" for item, label, judge in said for n in range(copies)]
    return "\n".join(["item,condition,label,judge", *rows]) + "\n"


def test_answers_to_one_item_are_no_more_evidence_than_they_are_worth() -> None:
    one, three = (found_in(several(copies)).calibration.figures() for copies in (1, 3))
    assert (three.table.n, three.items) == (150, 50)
    assert three.worth == pytest.approx(50, rel=0.15)
    assert three.lenience.pvalue == pytest.approx(one.lenience.pvalue)
    assert three.lenience.method == "Cluster sign-flip exact, two-sided"
    for name in ("agreement", "kappa", "sensitivity", "specificity"):
        narrow, wide = getattr(one, name), getattr(three, name)
        assert wide.estimate == pytest.approx(narrow.estimate)
        assert wide.high - wide.low >= narrow.high - narrow.low - 0.01
        assert "cluster-robust" in wide.method


def test_the_printed_calibration_says_what_answers_to_one_item_are_worth(prt: CommandLine) -> None:
    prt.write("labels.csv", several(3))
    words = " ".join(prt("judge", "calibrate", "labels.csv").out.split())
    assert "The 150 answers are of 50 items. Answers to one item are alike: for the agreement they are worth" in words
    prt.write("single.csv", several(1))
    assert "Answers to one item are alike" not in prt("judge", "calibrate", "single.csv").out


def test_a_calibration_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    calibration = found_in(csv_of(TABLE, "u1,,,pass,")).calibration
    write_calibration(tmp_path / "c.json", calibration)
    assert read_calibration(tmp_path / "c.json").calibration == calibration
    with pytest.raises(PrtError, match="is there already"):
        write_calibration(tmp_path / "c.json", calibration)


def changed(text: str, change: Callable[[dict[str, Json]], object]) -> str:
    value = json.loads(text)
    change(value)
    return json.dumps(value)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda value: value["table"].update(both_pass=99), "its table and its verdicts differ"),
        (lambda value: value["kept"][0].update(label="pass"), "kept.0.label"),
        (lambda value: value.pop("sha256"), "sha256"),
        (lambda value: value.update(prt_calibration=2), "a calibration of form 2"),
        (lambda value: value.pop("prt_calibration"), "it is no calibration"),
    ],
)
def test_a_calibration_that_was_changed_is_refused(
    tmp_path: Path, change: Callable[[dict[str, Json]], object], told: str
) -> None:
    path = tmp_path / "c.json"
    write_calibration(path, found_in(csv_of(TABLE)).calibration)
    path.write_text(changed(path.read_text(), change))
    with pytest.raises(PrtError, match=told) as refused:
        read_calibration(path)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize("text", ["", "not JSON", "[1, 2]", '{"a": 1}', "\ufeff[", "[" * 5000])
def test_what_is_no_calibration_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.json").write_text(text, encoding="utf-8")
    with pytest.raises(PrtError, match=r"name a file that `prt judge calibrate --out` has written"):
        read_calibration(tmp_path / "c.json")


# The command line


def test_verdicts_made_elsewhere_are_told_without_a_call(prt: CommandLine) -> None:
    prt.write("labels.csv", csv_of(TABLE, "u1,,,pass,"))
    ended = prt("judge", "calibrate", "labels.csv", "-n", "2", "--out", "calibration.json")
    words = " ".join(ended.out.split())
    assert ended.code == 0
    assert (
        "50 labelled answers with a verdict of the judge; in no figure: 1 without a verdict that can be read." in words
    )
    assert "agreement 70.0% 56.2 to 80.9 50" in words
    assert "Cohen's κ 0.40 0.14 to 0.64 50" in words
    assert "sensitivity 80.0% 60.9 to 91.1 25" in words
    assert "specificity 60.0% 40.7 to 76.6 25" in words
    assert "judge passes 20 10 judge fails 5 15" in words
    assert "q20 · people fail, judge pass" in words
    assert "and 13 more; --all shows them" in words
    assert not (prt.folder / "prt.db").exists()


def test_all_disagreements_are_shown_where_that_is_asked_for(prt: CommandLine) -> None:
    prt.write("labels.csv", csv_of(TABLE))
    ended = prt("judge", "calibrate", "labels.csv", "--all")
    assert ended.out.count(" · people ") == 15
    assert "more; --all" not in ended.out


def test_json_has_every_figure_and_is_a_calibration_too(prt: CommandLine) -> None:
    prt.write("labels.csv", csv_of(TABLE))
    ended = prt("judge", "calibrate", "labels.csv", "--json")
    assert ended.json["table"] == {"both_pass": 20, "judge_only": 10, "human_only": 5, "both_fail": 15}
    assert ended.json["specificity"]["n"] == 25
    assert len(ended.json["disagreements"]) == 15
    prt.write("c.json", ended.out)
    assert read_calibration(prt.folder / "c.json").calibration.table == TABLE


def test_a_judge_that_passes_all_is_seen_for_what_it_is(prt: CommandLine) -> None:
    prt.write("labels.csv", csv_of(JudgeTable(both_pass=12, judge_only=8, human_only=0, both_fail=0)))
    told = " ".join(prt("judge", "calibrate", "labels.csv").out.split())
    assert "It passes every answer, so its verdicts tell nothing." in told
    assert "It is no better than chance" in told


def test_text_of_answers_steers_no_terminal(prt: CommandLine) -> None:
    prt.write("labels.csv", 'item,answer,label,judge\n"q\x1b[2J","\x1b[31m[bold]x[/bold]\u202e",fail,pass\n')
    out = prt("judge", "calibrate", "labels.csv").out
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold]x[/bold]" in out


@pytest.mark.parametrize(
    ("text", "args", "told"),
    [
        ("item,label\nq1,pass\n", (), "has no column `judge` with verdicts; give --config"),
        ("item,label,judge\nq1,pass,pass\n", ("--run", "latest"), "both give the judge's verdicts"),
        ("item,label\nq1,pass\n", ("--run", "latest", "--config", "prt.yaml"), "both give the judge's verdicts"),
    ],
)
def test_verdicts_come_from_one_place(prt: CommandLine, text: str, args: tuple[str, ...], told: str) -> None:
    prt.write("labels.csv", text)
    ended = prt("judge", "calibrate", "labels.csv", *args)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err


# A judge that is asked


def shown(call: Call, name: str) -> str:
    """A text in a judge's prompt."""
    lines = call.prompt.split("\n")
    (start,) = (at for at, line in enumerate(lines) if line.startswith(f"<{name} "))
    return lines[start + 1]


def even(call: Call) -> Behaviour:
    """A judge that passes what ends with an even digit; of the seventh it says nothing that can be read."""
    answer = shown(call, "answer")
    if answer.endswith("7"):
        return answers("I could not say.")
    return answers(json.dumps({"reason": "so it seems", "verdict": "pass" if int(answer[-1]) % 2 == 0 else "fail"}))


def config(prt: CommandLine, base_url: str, **grade: Json) -> str:
    judge: dict[str, Json] = {"name": "j", "base_url": base_url, "timeout_s": 5, "retry": {"retries": 0}}
    whole: dict[str, Json] = {
        "model": {"name": "m", "base_url": "http://127.0.0.1:9/v1"},
        "dataset": "items.jsonl",
        "perturbations": ["rerun"],
        "grade": {"grader": "judge", "rubric": "The number is even.", "model": judge, "reference": False, **grade},
    }
    return prt.write("prt.yaml", yaml.safe_dump(whole, sort_keys=False))


def numbers(*more: str, columns: str = "item,question,reply,label") -> str:
    rows = [f"q{n},Say {n}.,It is {n},{'pass' if n < 6 else 'fail'}" for n in range(10)]
    return "\n".join([columns, *rows, *more]) + "\n"


def test_the_judge_of_a_config_is_asked_once_about_each_labelled_answer(prt: CommandLine) -> None:
    prt.write("labels.csv", numbers("q10,Say 10.,It is 10,", "q11,Say 11.,,fail"))
    with FaultServer(by=even) as judge:
        name = config(prt, judge.base_url)
        ended = prt("judge", "calibrate", "labels.csv", "--config", name, "--json", "-q")
        assert len(judge.calls) == 10
        again = prt("judge", "calibrate", "labels.csv", "--config", name, "-q", "-n", "1")
        assert len(judge.calls) == 10
        prt("judge", "calibrate", "labels.csv", "--config", name, "-q", "--fresh")
        assert len(judge.calls) == 20
    assert ended.code == 0
    assert ended.json["table"] == {"both_pass": 3, "judge_only": 2, "human_only": 3, "both_fail": 1}
    assert (ended.json["unreadable"], ended.json["unlabelled"], ended.json["not_asked"]) == (1, 1, {"unparsed": 1})
    assert ended.json["name"] == "j"
    assert ended.json["judge"]["rubric"] == "The number is even."
    assert "labels.csv · judge j" in again.out
    assert "the judge: so it seems" in again.out


def test_what_the_judge_is_to_be_shown_must_stand_in_every_row(prt: CommandLine) -> None:
    prt.write("labels.csv", numbers())
    with FaultServer(by=even) as judge:
        ended = prt("judge", "calibrate", "labels.csv", "--config", config(prt, judge.base_url, reference=True))
        no_answers = prt.write("short.csv", "item,label\nq1,pass\n")
        without = prt("judge", "calibrate", no_answers, "--config", "prt.yaml")
        assert not judge.calls
    assert (ended.code, without.code) == (2, 2)
    assert "the row has no right answer to show the judge" in ended.err
    assert "there is no column `question`, `answer`, which the judge is to be asked about" in without.err


def test_reference_and_context_are_shown_to_the_judge(prt: CommandLine) -> None:
    prt.write("labels.csv", "item,question,reply,label,reference,source\nq1,Say 2.,It is 2,pass,two,the book\n")
    row = '{"question": "Say 2.", "reply": "4", "label": 1, "reference": "four", "context": ["a book", "a page"]}\n'
    prt.write("labels.jsonl", row + row.replace('"4"', '"5"'))
    with FaultServer(by=even) as judge:
        name = config(prt, judge.base_url, reference=True, context="source")
        assert prt("judge", "calibrate", "labels.csv", "-q", "-c", name).code == 0
        config(prt, judge.base_url, reference=True, context="policy.text")
        assert prt("judge", "calibrate", "labels.jsonl", "-q", "-c", name).code == 0
        first, second, _ = judge.calls
    assert (shown(first, "reference"), shown(first, "context")) == ("two", "the book")
    assert (shown(second, "reference"), shown(second, "context")) == ("four", "a book")
    assert "\na book\n\na page\n</context " in second.prompt


def test_a_judge_that_fails_stops_with_the_command_that_goes_on(prt: CommandLine) -> None:
    prt.write("labels.csv", numbers())
    with FaultServer(fails(401)) as judge:
        ended = prt(
            "judge", "calibrate", "labels.csv", "--config", config(prt, judge.base_url), "--out", "c.json", "-q"
        )
    assert (ended.code, ended.out) == (3, "")
    assert "the judge has given 0 of 10 verdicts" in ended.err
    assert "Resume with: prt judge calibrate labels.csv --out c.json --config prt.yaml" in ended.err
    assert not (prt.folder / "c.json").exists()


def test_a_config_without_a_judge_is_refused(prt: CommandLine) -> None:
    prt.write("labels.csv", numbers())
    prt.write("prt.yaml", "model: local\ndataset: items.jsonl\nperturbations: [rerun]\ngrade: exact\n")
    ended = prt("judge", "calibrate", "labels.csv", "--config", "prt.yaml")
    assert ended.code == 2
    assert "its `grade` is no judge" in ended.err
