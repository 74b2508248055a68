"""Gates from the command line: what is printed, which exit code, and that no call is made for a gate that can't be."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import jsonschema
import pytest
import yaml
from prt.runner.reports.machine import report_schema
from pydantic import JsonValue as Json

from ..command_line import CAPITALS, CommandLine, Ended

PROGRAM = f"""
CAPITALS = {dict(CAPITALS)!r}

def answer(messages):
    text = messages[-1]["content"]
    if BROKEN in text:
        raise ValueError("down")
    for country, capital in CAPITALS.items():
        if f"which city is the capital of {{country}}?" in text:
            return next(line[0] for line in text.splitlines() if line.endswith(capital))
    return "A"

BROKEN = "nothing breaks"
"""
"""Right under the original words alone."""


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def config(
    prt: CommandLine, *gates: Json, program: str = PROGRAM, file: str = "answering.py", items: int = 40, **rest: Json
) -> str:
    prt.write(file, program)
    whole: dict[str, Json] = {
        "model": {"provider": "python", "callable": f"{file}:answer"},
        "dataset": prt.capitals(items),
        "perturbations": [{"typo": {"severity": "hard"}}],
        "gates": [*gates],
        **rest,
    }
    return prt.write("prt.yaml", yaml.safe_dump(whole, sort_keys=False))


WORSE: dict[str, Json] = {"figure": "change", "fail_if_worse_than": 0.05}
FINE: dict[str, Json] = {"figure": "baseline_rate", "fail_if_below": 0.9}


def test_a_run_whose_gates_pass_ends_with_0(prt: CommandLine) -> None:
    ended = prt("run", config(prt, FINE), "--quiet")
    assert (ended.code, ended.err) == (0, "")
    assert "Gates: 1 of 1 passed" in ended.out
    assert "1. baseline rate: fail if proven below 90%" in ended.out


def test_a_run_with_a_gate_that_fails_ends_with_1_and_says_which_and_why(prt: CommandLine) -> None:
    ended = prt("run", config(prt, FINE, WORSE), "--quiet")
    assert ended.code == 1
    section = ended.out[ended.out.index("Gates: 1 of 2 failed") :]
    assert "failed     2. change, each condition: fail if proven worse than 5 points" in section
    assert "proven worse than 5 points" in " ".join(section.split())
    assert ended.err.strip() == ("Gates: 1 of 2 failed: 2. change, each condition: fail if proven worse than 5 points")


def test_the_report_of_a_stored_run_decides_its_gates_again(prt: CommandLine) -> None:
    ran = prt("run", config(prt, WORSE), "--quiet")
    told = prt("report")
    assert (told.code, told.out) == (ran.code, ran.out)


def test_gates_of_a_file_take_the_place_of_a_run_s_own(prt: CommandLine) -> None:
    prt("run", config(prt, WORSE), "--quiet")
    only = prt.write("gates.yaml", yaml.safe_dump({"gates": [FINE]}))
    told = prt("report", "--gates", only)
    assert told.code == 0
    assert "Gates: 1 of 1 passed" in told.out
    whole = prt("report", "--gates", "prt.yaml")
    assert (whole.code, "Gates: 1 of 1 failed" in whole.out) == (1, True)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "gates:\n  - {figure: change, conditions: typ.1, fail_if_worse_than: 0.1}\n",
            "gates.yaml:2: gates[0].conditions",
        ),
        ("gates:\n  - {figure: chang, fail_if_worse_than: 0.1}\n", "did you mean `change`?"),
        ("gates: []\n", "gates.yaml:1:8: gates: expected a list of blocks (at least one), found an empty list"),
        ("gate: []\n", "gates.yaml: there are no gates in this file"),
    ],
)
def test_a_file_of_gates_that_can_not_be_used_ends_with_2(prt: CommandLine, text: str, sentence: str) -> None:
    prt("run", config(prt), "--quiet")
    prt.write("gates.yaml", text)
    told = prt("report", "--gates", "gates.yaml")
    assert (told.code, told.out) == (2, "")
    assert sentence in told.err


def test_json_holds_every_result_and_fits_its_schema(prt: CommandLine) -> None:
    ended = prt("run", config(prt, WORSE, FINE), "--quiet", "--json")
    assert ended.code == 1
    jsonschema.validate(ended.json, report_schema())
    worse, fine = ended.json["gates"]
    assert (worse["subject"], worse["verdict"], worse["effect"], worse["n"]) == ("typo.1", "failed", "fail", 40)
    assert worse["high"] < -0.05
    assert (fine["figure"], fine["verdict"], fine["number"]) == ("baseline_rate", "passed", 2)


def test_an_incomplete_run_ends_with_3_whatever_its_gates_say_and_both_are_told(prt: CommandLine) -> None:
    broken = PROGRAM.replace("nothing breaks", "1: which")
    ended = prt("run", config(prt, WORSE, {"max_errors": 0}, program=broken), "--quiet")
    assert ended.code == 3
    assert "Gates: 2 of 2 failed" in ended.out
    assert "incomplete: " in ended.err
    assert "Gates: 2 of 2 failed" in ended.err


MISTAKES: list[tuple[Json, str]] = [
    ({**WORSE, "conditions": "tyop.1"}, "gates[0].conditions: no condition fits `tyop.1`; did you mean `typo.1`?"),
    ({**WORSE, "conditions": "baseline"}, "gates[0].conditions: `change` is taken against the baseline"),
    (
        {**WORSE, "generators": "format"},
        "gates[0].generators: no generator of the headline fits `format`; there are: `typo`",
    ),
    ({**WORSE, "clusters": "*"}, "gates[0].clusters: no item belongs to a cluster"),
    ({"must_pass": ["q400"]}, "gates[0].must_pass: no item fits `q400`"),
    (
        {"figure": "excess_flips", "fail_if_worse_than": 0.1},
        "gates[0].figure: `excess_flips` needs a condition that asks",
    ),
    ({"figure": "pass_hat_k", "k": 3, "fail_if_below": 0.5}, "gates[0].k: this needs as many runs of each cell"),
    ({"figure": "cost", "fail_if_above": 5}, "gates[0].figure: `cost` needs `prices`"),
    ({"figure": "follows", "fail_if_below": 0.5}, "gates[0].figure: this run has no control"),
]


@pytest.mark.parametrize(("gate", "sentence"), MISTAKES)
def test_a_gate_on_what_is_not_there_is_refused_before_any_call(prt: CommandLine, gate: Json, sentence: str) -> None:
    named = config(prt, gate, program="def answer(messages):\n    open('asked', 'w').close()\n    return 'A'\n")
    for command in ("check", "run"):
        ended = prt(command, named)
        assert ended.code == 2
        assert f"prt.yaml:{line_of(prt)}: {sentence}" in ended.err or f": {sentence}" in ended.err
    assert not (prt.folder / "asked").exists()


def line_of(prt: CommandLine) -> int:
    """The line of the first gate's first key."""
    lines = (prt.folder / "prt.yaml").read_text(encoding="utf-8").splitlines()
    return lines.index("gates:") + 2


def test_a_run_that_the_store_knows_refuses_a_new_gate_on_what_is_not_there(prt: CommandLine) -> None:
    prt("run", config(prt), "--quiet")
    ended = prt("run", config(prt, {**WORSE, "conditions": "tyop.1"}), "--quiet")
    assert ended.code == 2
    assert "no condition fits `tyop.1`; did you mean `typo.1`?" in ended.err
    assert prt("run", config(prt, {**WORSE, "conditions": "typo.*"}), "--quiet").code == 1


def test_check_says_the_gates_in_words_and_which_can_not_decide(prt: CommandLine) -> None:
    gates: list[Json] = [
        WORSE,
        {"figure": "change", "fail_unless_no_worse_than": 0.05},
        {"figure": "flip_rate", "fail_unless_at_most": 0.05, "name": "hardly any flips"},
        {"figure": "flip_rate", "fail_if_above": 1},
        {"figure": "robust_rate", "fail_if_below": 0.5, "min_n": 100},
        {"max_unparsed": 0.02},
    ]
    ended = prt("check", config(prt, *gates))
    assert ended.code == 0
    section = " ".join(ended.out[ended.out.index("Gates") :].split())
    assert "1. change, each condition: fail if proven worse than 5 points 2." in section
    assert (
        "2. change, each condition: fail unless proven no worse than 5 points warning: it can never pass: with 40 "
        "items, even without a single flip they can't rule out a drop of 5 points; it takes 73"
    ) in section
    assert "3. hardly any flips warning: it can never pass: with 40 items" in section
    assert (
        "4. flip rate, each condition: fail if proven above 100% warning: it can never fail: with 40 items" in section
    )
    assert (
        "robust rate: fail if proven below 50% warning: it can never fail: with 40 items, and `min_n` is 100" in section
    )
    assert section.endswith("6. share of replies without a readable answer: fail if proven above 2%")


def test_what_check_warns_of_is_what_a_run_leaves_undecided(prt: CommandLine) -> None:
    ended = prt("run", config(prt, {"figure": "baseline_rate", "fail_unless_at_least": 0.95}), "--quiet")
    assert ended.code == 1
    assert "Gates: 1 of 1 undecided, 1 of which fails the command" in ended.out
    warned = prt("run", config(prt, {"figure": "baseline_rate", "fail_if_below": 0.99, "min_n": 50}), "--quiet")
    assert warned.code == 0
    assert "`min_n` is 50 (a warning)" in " ".join(warned.out.split())


def test_a_gate_against_another_run_is_on_the_change_from_it(prt: CommandLine) -> None:
    first = prt("run", config(prt, name="good"), "--quiet", "--json").json["source"]["name"]
    worse = PROGRAM.replace("        if f", "        if country != 'Spain' and f")
    against: dict[str, Json] = {**WORSE, "conditions": "baseline", "against": first}
    ended = prt("run", config(prt, against, program=worse, file="worse.py", name="bad"), "--quiet")
    section = " ".join(ended.out[ended.out.index("Gates") :].split())
    assert f"pass rate against {first}" in section
    assert "baseline: −20.0 points" in section
    assert ended.code == 1


@pytest.mark.sqlite
def test_a_gate_against_a_run_that_is_not_there_is_refused_before_any_call(prt: CommandLine) -> None:
    program = "def answer(messages):\n    open('asked', 'w').close()\n    return 'A'\n"
    ended = prt("run", config(prt, {**WORSE, "against": "nobody"}, program=program), "--quiet")
    assert ended.code == 2
    assert "gates[0].against: prt.db: there are no runs in it yet" in ended.err
    assert not (prt.folder / "asked").exists()


def test_two_stored_runs_are_held_against_each_other_by_the_later_one_s_gates(prt: CommandLine) -> None:
    gate: Json = {**WORSE, "conditions": "baseline", "against": "compared"}
    prt("run", config(prt, gate, name="good"), "--quiet")
    worse = PROGRAM.replace("        if f", "        if country != 'Spain' and f")
    prt("run", config(prt, gate, program=worse, file="worse.py", name="bad"), "--quiet")
    ended = prt("compare", "good", "bad")
    section = " ".join(ended.out[ended.out.index("Gates: 1 of 1 failed") :].split())
    assert "baseline: −20.0 points" in section
    assert ended.code == 1
    assert "Gates: 1 of 1 failed" in ended.err
    assert prt("compare", "bad", "good").code == 0
    assert prt("compare", "good", "bad", "--json").json["gates"][0]["verdict"] == "failed"
    assert "**failed** fails" in prt("compare", "good", "bad", "--markdown").out


def test_a_file_s_gates_decide_a_comparison_of_two_runs_and_of_no_more(prt: CommandLine) -> None:
    prt("run", config(prt, name="good"), "--quiet")
    prt("run", config(prt, name="again"), "--quiet")
    file = prt.write("gates.yaml", yaml.safe_dump({"gates": [{**WORSE, "against": "compared"}]}))
    ended = prt("compare", "good", "again", "--gates", file)
    assert (ended.code, "Gates: 1 of 1 passed" in ended.out) == (0, True)
    assert prt("compare", "good", "again", "again", "--gates", file).code == 2


def test_without_a_run_to_compare_with_a_gate_is_undecided_and_warns(prt: CommandLine) -> None:
    ended = prt("run", config(prt, {**WORSE, "against": "compared"}), "--quiet")
    assert ended.code == 0
    assert "there is no run to compare with" in ended.out


def results(ended: Ended, figure: str) -> list[tuple[str, str, int]]:
    return [(each["subject"], each["verdict"], each["n"]) for each in ended.json["gates"] if each["figure"] == figure]


def test_slots_reruns_and_what_a_run_took_can_be_gates(prt: CommandLine) -> None:
    program = """
def answer(messages):
    return "A"
"""
    gates: list[Json] = [
        {"figure": "position_effect", "fail_if_above": 0.1},
        {"figure": "excess_flips", "fail_if_worse_than": 0.1},
        {"figure": "calls", "fail_if_above": 100},
        {"figure": "latency_p99_s", "fail_if_above": 600},
        {"figure": "calls", "conditions": "rerun.1", "fail_if_above": 100},
    ]
    named = config(prt, *gates, program=program, perturbations=[{"reorder": {"kind": "each_slot"}}, "rerun"])
    ended = prt("run", named, "--quiet", "--json")
    assert ended.code == 1
    slots = results(ended, "position_effect")
    assert ("slot A", "failed", 40) in slots
    assert [verdict for _, verdict, _ in slots] == ["failed", *["passed"] * 4]
    assert {each[0].partition(".")[0] for each in results(ended, "excess_flips")} == {"reorder"}
    cells = ended.json["usage"]["total"]["calls"]
    assert results(ended, "calls") == [("all conditions", "failed", cells), ("rerun.1", "passed", 40)]
    assert [verdict for _, verdict, _ in results(ended, "latency_p99_s")] == ["passed"]


def test_text_of_a_dataset_does_not_steer_the_terminal(prt: CommandLine) -> None:
    named = config(prt, {"must_pass": ["*"]})
    rows = [json.loads(line) for line in (prt.folder / "capitals.jsonl").read_text(encoding="utf-8").splitlines()]
    rows[0]["id"] = "\x1b[31mred"
    prt.write("capitals.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    ended = prt("run", named, "--quiet")
    assert ended.code == 1
    assert "\x1b[31m" not in ended.out + ended.err


@pytest.mark.sqlite
def test_a_file_s_gate_against_a_run_that_is_not_there_is_told_with_its_line(prt: CommandLine) -> None:
    prt("run", config(prt), "--quiet")
    lacking = prt.write("gates.yaml", yaml.safe_dump({"gates": [FINE, {**WORSE, "against": "mian"}]}))
    told = prt("report", "--gates", lacking)
    assert told.code == 2
    assert re.match(r'prt: gates\.yaml:\d+: gates\[1\]\.against: prt\.db: there is no run "mian"', told.err)


@pytest.mark.sqlite
def test_a_stored_run_whose_gates_another_version_wrote_is_told_in_a_sentence(prt: CommandLine, tmp_path: Path) -> None:
    prt("run", config(prt, FINE), "--quiet")
    with closing(sqlite3.connect(tmp_path / "prt.db")) as database:
        database.execute("UPDATE runs SET config = replace(config, 'fail_if_below', 'fails_if_ever_below')")
        database.commit()
    ended = prt("report", "latest")
    assert ended.code == 2
    assert "its gates are for prt" in ended.err
    prt.write("gates.yaml", yaml.safe_dump({"gates": [FINE]}))
    assert prt("report", "latest", "--gates", "gates.yaml").code == 0
