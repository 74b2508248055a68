"""Drift of a judge: changed verdicts are tested exactly and listed, and the judge is asked anew whatever is stored."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from prt.runner.judging.calibration import Saved, calibrated, judged_as_written, judged_elsewhere
from prt.runner.judging.drift import Drift, anchored, drifted
from prt.runner.judging.labels import labels_of
from prt.runner.results.read import pasted
from pydantic import JsonValue as Json

from ..command_line import CommandLine, Ended
from ..fault_server import Behaviour, Call, FaultServer, answers, fails
from .court import fenced_text

Verdicts = list[str]


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


def table(verdicts: Verdicts, *, label: str = "pass") -> str:
    rows = [f"q{at},It is {at}.,{label if at % 2 else 'fail'},{verdict}" for at, verdict in enumerate(verdicts)]
    return "\n".join(["item,reply,label,judge", *rows]) + "\n"


def saved(verdicts: Verdicts) -> Saved:
    labels = labels_of(pasted(table(verdicts), "then.csv"))
    return Saved("c.json", calibrated(labels, judged_elsewhere(labels)).calibration)


def drift(then: Verdicts, now: Verdicts, *, alpha: float = 0.05) -> Drift:
    earlier = saved(then)
    labels = anchored(labels_of(pasted(table(now), "now.csv"), needs_labels=False), earlier)
    return drifted(earlier, labels, [*map(judged_as_written, labels.rows)], alpha=alpha)


def test_the_same_verdicts_are_no_drift() -> None:
    found = drift(["pass", "fail"] * 20, ["pass", "fail"] * 20)
    assert (found.table.n, found.changed.count, found.test.pvalue, found.is_found) == (40, 0, 1.0, False)
    assert found.then == found.now
    assert found.changes == ()


def test_six_changes_all_one_way_are_drift_and_five_are_not() -> None:
    then = ["pass"] * 20 + ["fail"] * 20
    six, five = (drift(then, ["fail"] * count + then[count:]) for count in (6, 5))
    assert six.test.pvalue == pytest.approx(2 * 0.5**6)
    assert five.test.pvalue == pytest.approx(2 * 0.5**5)
    assert (six.is_found, five.is_found) == (True, False)
    assert six.fewest == 6
    assert six.shift.estimate == pytest.approx(-6 / 40)
    assert six.changed.estimate == pytest.approx(6 / 40)
    assert [each.now.row.place.item for each in six.changes] == ["q0", "q1", "q2", "q3", "q4", "q5"]


def test_changes_that_cancel_are_no_shift_but_are_shown() -> None:
    then = ["pass"] * 10 + ["fail"] * 10
    found = drift(then, then[::-1])
    assert (found.test.pvalue, found.is_found, found.changed.estimate) == (1.0, False, 1.0)
    assert len(found.changes) == 20


def of_items(verdicts: Verdicts) -> str:
    """Three answers an item, all with one verdict."""
    rows = [f"q{at},c{n},a,fail,{verdict}" for at, verdict in enumerate(verdicts) for n in range(3)]
    return "\n".join(["item,condition,reply,label,judge", *rows]) + "\n"


def test_changes_on_answers_to_one_item_are_one_piece_of_evidence() -> None:
    then, now = (labels_of(pasted(of_items(each), "l.csv")) for each in (["pass"] * 20, ["fail"] * 5 + ["pass"] * 15))
    earlier = Saved("c.json", calibrated(then, judged_elsewhere(then)).calibration)
    found = drifted(earlier, anchored(now, earlier), [*map(judged_as_written, now.rows)])
    assert (found.table.n, found.items, found.changed.count, found.is_found) == (60, 20, 15, False)
    assert found.test.pvalue == pytest.approx(2 * 0.5**5)
    single = drift(["pass"] * 20, ["fail"] * 5 + ["pass"] * 15)
    assert found.shift.estimate == pytest.approx(single.shift.estimate)
    assert (found.shift.method, found.changed.n) == ("Newcombe hybrid score, cluster-robust", 60)


def test_agreement_with_people_is_on_the_same_answers_then_and_now() -> None:
    found = drift(["fail", "pass", "pass", "fail", "fail", "pass"], ["fail", "pass", "pass", "pass", "", "pass"])
    assert (found.then.table.n, found.now.table.n, found.lost) == (5, 5, 1)
    assert (found.then.agreement.estimate, found.now.agreement.estimate) == (3 / 5, 4 / 5)


def test_answers_without_both_verdicts_are_counted_by_what_they_lack() -> None:
    found = drift(["pass", "", "", "fail", "pass"], ["", "pass", "", "fail"])
    assert (found.lost, found.gained, found.without_either, found.only_then, found.only_now) == (1, 1, 1, 1, 0)
    assert found.table.n == 1


# The command line


def by_digit(mark: str) -> Callable[[Call], Behaviour]:
    """A judge that fails answers with one of these digits."""

    def judge(call: Call) -> Behaviour:
        answer = fenced_text(call.prompt, "answer")
        said = "fail" if any(digit in answer for digit in mark) else "pass"
        return answers(json.dumps({"reason": f"strict about {mark}", "verdict": said}))

    return judge


def prepared(prt: CommandLine, base_url: str, **judge: Json) -> Ended:
    """A calibration of twenty answers by the judge of a config."""
    rows = [f"q{n:02},Say {n:02}.,It is {n:02}.,{'pass' if n % 2 else 'fail'}" for n in range(20)]
    prt.write("anchors.csv", "\n".join(["item,question,reply,label", *rows]) + "\n")
    config(prt, base_url, **judge)
    return prt("judge", "calibrate", "anchors.csv", "-c", "prt.yaml", "--out", "c.json", "-q")


def config(prt: CommandLine, base_url: str, **judge: Json) -> None:
    block: dict[str, Json] = {"name": "j", "base_url": base_url, "api_key_env": None, "timeout_s": 5, **judge}
    whole: dict[str, Json] = {
        "model": {"name": "m", "base_url": "http://127.0.0.1:9/v1"},
        "dataset": "items.jsonl",
        "perturbations": ["rerun"],
        "grade": {
            "grader": "judge",
            "rubric": "It is odd.",
            "reference": False,
            "model": {**block, "retry": {"retries": 0}},
        },
    }
    prt.write("prt.yaml", yaml.safe_dump(whole))


def checked(prt: CommandLine, *args: str) -> Ended:
    return prt("judge", "drift", "anchors.csv", "--since", "c.json", "-c", "prt.yaml", "-q", *args)


def test_a_judge_that_changed_is_found_though_its_old_replies_are_stored(prt: CommandLine) -> None:
    strict = {"mark": "24"}

    def judge(call: Call) -> Behaviour:
        return by_digit(strict["mark"])(call)

    with FaultServer(by=judge) as server:
        assert prepared(prt, server.base_url).code == 0
        same = checked(prt)
        assert len(server.calls) == 40
        strict["mark"] = "2345678"
        ended = checked(prt)
        assert len(server.calls) == 60
        as_json = checked(prt, "--json")
    assert same.code == 0
    assert "That the judge has become stricter or more lenient is not shown. 0 of 20 verdicts changed" in same.out
    assert ended.code == as_json.code == 1
    words = " ".join(ended.out.split())
    assert "judge: j, set up as it was" in words
    assert "The judge has become stricter. 10 of 20 verdicts changed: 10 to fail, 0 to pass (p = .0020)." in words
    assert "q03 · people pass, judge fail" in words
    assert "the judge: strict about 2345678" in words
    assert "then: pass; people: pass" in words
    assert "McNemar exact, two-sided" in words
    assert "and 0 more" not in words
    assert as_json.json["found"] is True
    assert [each["item"] for each in as_json.json["changes"]][:2] == ["q03", "q05"]
    assert as_json.json["test"]["pvalue"] == pytest.approx(2 * 0.5**10)


def test_another_judge_is_told_from_the_same_one(prt: CommandLine) -> None:
    with FaultServer(by=by_digit("24")) as server:
        prepared(prt, server.base_url)
        config(prt, server.base_url, name="another")
        ended = checked(prt)
    words = " ".join(ended.out.split())
    assert "judge then: j; now: another. They are set up differently, so this compares two judges." in words


def test_anchors_must_be_those_of_the_calibration(prt: CommandLine) -> None:
    with FaultServer(by=by_digit("24")) as server:
        prepared(prt, server.base_url)
        calls = len(server.calls)
        text = (prt.folder / "anchors.csv").read_text()
        prt.write("anchors.csv", text.replace("It is 07.", "It is 7."))
        changed = checked(prt)
        prt.write("anchors.csv", text.replace("q", "r"))
        others = checked(prt)
        assert len(server.calls) == calls
    assert (changed.code, others.code) == (2, 2)
    assert "anchors.csv:9: its texts are not those that c.json has a verdict on" in changed.err
    assert "none of its answers is in c.json" in others.err


def test_a_judge_that_fails_leaves_nothing_compared(prt: CommandLine) -> None:
    broken = {"now": False}

    def failing(call: Call) -> Behaviour:
        return fails(401) if broken["now"] else by_digit("24")(call)

    with FaultServer(by=failing) as server:
        prepared(prt, server.base_url)
        broken["now"] = True
        ended = checked(prt)
    assert (ended.code, ended.out) == (3, "")
    assert "the judge has given 0 of 20 verdicts" in ended.err
    assert "Begin anew with: prt judge drift anchors.csv --since c.json --config prt.yaml" in ended.err


def test_verdicts_of_now_may_stand_in_the_table(prt: CommandLine) -> None:
    then = ["pass"] * 20
    prt.write("then.csv", table(then))
    prt("judge", "calibrate", "then.csv", "--out", "c.json")
    prt.write("now.csv", table(["fail"] * 8 + then[8:]))
    ended = prt("judge", "drift", "now.csv", "--since", "c.json", "-n", "1")
    words = " ".join(ended.out.split())
    assert ended.code == 1
    assert "Whether they are set up alike is not known." in words
    assert "shift −40.0" in words
    assert "and 7 more; --all shows them" in words
    assert prt("judge", "drift", "now.csv", "--since", "c.json", "--alpha", "0.001").code == 0


def test_a_label_that_changed_is_told_of_and_does_not_count(prt: CommandLine) -> None:
    prt.write("then.csv", table(["pass"] * 10))
    prt("judge", "calibrate", "then.csv", "--out", "c.json")
    prt.write("now.csv", table(["pass"] * 10, label="fail"))
    ended = prt("judge", "drift", "now.csv", "--since", "c.json", "--json")
    assert ended.json["now"]["table"] == ended.json["then"]["table"]
    told = "5 anchors have another label than in the calibration; that of the calibration is taken"
    assert told in ended.json["notes"]


def test_a_table_without_verdicts_names_what_is_lacking(prt: CommandLine) -> None:
    prt.write("then.csv", table(["pass"] * 10))
    prt("judge", "calibrate", "then.csv", "--out", "c.json")
    prt.write("now.csv", "item,reply\nq1,It is 1.\n")
    ended = prt("judge", "drift", "now.csv", "--since", "c.json")
    assert ended.code == 2
    assert "give --config and the config whose judge is to be asked\n" in ended.err
