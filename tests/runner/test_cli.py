"""The command line, whole: what a user types, what is printed, what is stored, and the exit code agree."""

import json
import re
import sys
from collections import Counter
from io import StringIO
from pathlib import Path

import jsonschema
import pytest
import yaml
from prt.runner.config.json_schema import json_schema
from prt.runner.errors import StoreError
from prt.runner.reports.machine import report_schema
from pydantic import JsonValue as Json

from .command_line import CAPITALS, KEY, CommandLine
from .fault_server import (
    Behaviour,
    Call,
    FaultServer,
    answers,
    fails,
    has_choices,
    is_cut_off,
    is_filtered,
    is_malformed,
    stalls,
)
from .test_analysis import WORKED_EXAMPLE

ROOT = Path(__file__).parents[2]


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    monkeypatch.setenv("NO_COLOR", "1")
    return CommandLine(tmp_path, capsys, monkeypatch)


def knows_capitals(call: Call) -> Behaviour:
    """The label of the right option, as the prompt shows it."""
    country = re.search(r"France|Spain|Italy|Japan|Egypt", call.prompt)
    assert country, call.prompt
    capital = dict(CAPITALS)[country[0]]
    label = re.search(rf"^([A-E])\. {capital}$", call.prompt, re.MULTILINE)
    assert label, call.prompt
    return answers(label[1])


def number_of(call: Call) -> int:
    found = re.search(r"(\d+): which", call.prompt)
    assert found
    return int(found[1])


@pytest.mark.sqlite
def test_a_run_asks_grades_stores_and_reports(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        ended = prt("run", prt.config(server.base_url))
        assert len(server.calls) == 36
    assert ended.code == 0
    assert "100.0%" in ended.out
    assert "12 of 12 pass under the original and every variant" in ended.out
    assert "36/36 done" in ended.err
    assert (prt.folder / "prt.db").exists()


def test_the_same_command_again_asks_nothing_and_reports_the_same(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        config = prt.config(server.base_url)
        first = prt("run", config)
        second = prt("run", config)
        assert len(server.calls) == 36
        assert (second.code, second.out) == (0, first.out)
        fresh = prt("run", "--fresh", config)
        assert len(server.calls) == 72
    assert fresh.code == 0


def test_a_model_that_always_says_a_is_found_out_by_reordering(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        config = prt.config(server.base_url, items=20, perturbations=[{"reorder": {"kind": "each_slot"}}])
        ended = prt("run", "--json", config)
    rates = {
        each["summary"]["condition"]: each["summary"]["variant_rate"]["estimate"] for each in ended.json["conditions"]
    }
    assert rates == {"reorder.1": 1.0, "reorder.2": 0.0, "reorder.3": 0.0, "reorder.4": 0.0, "reorder.5": 0.0}
    assert ended.json["summary"]["overall"]["robust_rate"]["estimate"] == 0.0


FAULTS: dict[int, Behaviour] = {
    1: fails(429, headers={"Retry-After": "0"}),
    2: fails(500),
    3: stalls(),
    4: is_malformed(),
    5: has_choices(None),
    6: is_cut_off(),
    7: is_filtered(),
    8: answers("no idea"),
}


def test_every_fault_of_an_endpoint_ends_in_its_own_count_and_exit_code_3(prt: CommandLine) -> None:
    with FaultServer(by=lambda call: FAULTS.get(number_of(call)) or knows_capitals(call)) as server:
        config = prt.config(server.base_url, perturbations=["reorder"], model={"timeout_s": 0.5})
        ended = prt("run", "--json", config)
        text = prt("report")
    assert ended.code == 3
    assert ended.json["baseline_statuses"] == {
        "graded": 4,
        "unparsed": 1,
        "truncated": 1,
        "refused": 1,
        "error": 5,
        "judge_error": 0,
    }
    causes = Counter(each["reason"].partition(":")[0] for each in ended.json["baseline_left_out"])
    assert causes == {"rate_limit": 1, "server": 1, "timeout": 1, "bad_response": 2}
    assert "incomplete: 10 of 24 cells have no result" in ended.err
    assert "Resume with: prt run prt.yaml" in ended.err
    assert "incomplete" in text.out
    assert "scripted failure" in text.out
    assert "scripted failure" in prt("show", "latest", "q1").out


def test_a_run_in_which_nothing_could_be_read_says_so_first(prt: CommandLine) -> None:
    with FaultServer(answers("I would rather talk about cats.")) as server:
        ended = prt("run", prt.config(server.base_url))
    assert "12 of 12 replies to the original prompts gave no readable answer (12 unparsed)" in ended.out
    with FaultServer(answers("Let me think about", finish_reason="length")) as server:
        cut = prt("run", prt.config(server.base_url))
    assert "raise `max_tokens`" in " ".join(cut.out.split())


def test_a_model_that_passes_nothing_is_no_proof_of_robustness(prt: CommandLine) -> None:
    with FaultServer(answers("E")) as server:
        dataset = prt.capitals(4)
        ended = prt("run", prt.config(server.base_url, items=4, perturbations=["typo"], name=dataset))
    assert "nothing could fall" in " ".join(ended.out.split())


@pytest.mark.parametrize("columns", ["80", "100"])
def test_piped_reports_fit_the_width_that_is_asked_for_and_end_no_line_in_blanks(
    prt: CommandLine, columns: str
) -> None:
    prt.monkeypatch.setenv("COLUMNS", columns)
    with FaultServer(by=knows_capitals) as server:
        out = prt(
            "run", prt.config(server.base_url, perturbations=["reorder", "paraphrase", ["paraphrase", "typo"]])
        ).out
    assert max(len(line) for line in out.split("\n")) <= int(columns)
    assert not [line for line in out.split("\n") if line != line.rstrip()]


def test_errors_are_asked_again_by_the_same_command_and_nothing_else_is(prt: CommandLine) -> None:
    broken = {1}
    with FaultServer(by=lambda call: fails(500) if number_of(call) in broken else knows_capitals(call)) as server:
        config = prt.config(server.base_url, perturbations=["reorder"])
        assert prt("run", config).code == 3
        broken.clear()
        healed = prt("run", config)
        again = [number_of(call) for call in server.calls[24:]]
    assert (healed.code, again) == (0, [1, 1])
    assert "24/24 done, 22 reused" in healed.err


def test_a_few_failures_are_allowed_where_the_config_says_so(prt: CommandLine) -> None:
    with FaultServer(by=lambda call: fails(500) if number_of(call) == 1 else knows_capitals(call)) as server:
        config = prt.config(server.base_url, perturbations=["reorder"], limits={"max_error_rate": 0.1})
        ended = prt("run", config)
    assert ended.code == 0
    assert "Cells without a result: 2." in ended.out


def test_a_refused_key_stops_the_run_with_advice_and_shows_no_key(prt: CommandLine) -> None:
    with FaultServer(fails(401, message=f"Incorrect API key provided: {KEY}")) as server:
        ended = prt("run", prt.config(server.base_url))
        assert len(server.calls) <= 8
    assert ended.code == 3
    assert "OPENAI_API_KEY" in ended.err
    stored = b"".join(path.read_bytes() for path in prt.folder.iterdir())
    assert KEY not in ended.out + ended.err
    assert KEY.encode() not in stored


def test_an_endpoint_that_refuses_every_call_is_given_up_with_its_words_and_resumed(prt: CommandLine) -> None:
    broken = True
    refused = fails(400, message="max_tokens must be positive")
    with FaultServer(by=lambda call: refused if broken else knows_capitals(call)) as server:
        config = prt.config(server.base_url, items=40, limits={"concurrency": 2})
        ended = prt("run", config)
        assert len(server.calls) < 30
        broken = False
        assert prt("run", config).code == 0
    assert ended.code == 3
    assert "stopped: the first" in ended.err
    assert "max_tokens must be positive" in ended.err
    assert "Resume with: prt run prt.yaml" in ended.err


def test_an_endpoint_where_nobody_listens_is_given_up_after_a_few_calls(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        address = server.base_url
    ended = prt("run", prt.config(address, items=40))
    assert (ended.code, json.loads(prt("runs", "--json").out)[0]["state"]) == (3, "stopped")
    assert "stopped: the first 5 calls failed: " in ended.err


def test_replies_that_a_file_lacks_are_no_reason_to_give_up(prt: CommandLine) -> None:
    replies = "".join(json.dumps({"item": f"q{at}", "reply": "A"}) + "\n" for at in range(20, 40))
    prt.write("replies.jsonl", replies)
    config = {"model": {"provider": "replay", "path": "replies.jsonl"}, "dataset": prt.capitals(40)}
    prt.write("prt.yaml", yaml.safe_dump({**config, "perturbations": ["rerun"]}))
    ended = prt("run", "--json", "prt.yaml")
    assert ended.json["baseline_statuses"]["graded"] == 20
    assert "incomplete: 60 of 80 cells" in ended.err


def test_a_missing_key_is_said_before_any_call(prt: CommandLine) -> None:
    prt.monkeypatch.delenv("OPENAI_API_KEY")
    with FaultServer(answers("A")) as server:
        config = prt.config(server.base_url)
        ended, checked = prt("run", config), prt("check", config)
        assert server.calls == []
    assert (ended.code, checked.code) == (2, 2)
    assert "OPENAI_API_KEY" in ended.err
    assert "OPENAI_API_KEY" in checked.err


def test_check_says_what_a_run_would_do_and_calls_nothing(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        ended = prt("check", "--show", prt.config(server.base_url))
        assert server.calls == []
    assert ended.code == 0
    assert "12 items, 36 calls" in ended.out
    assert "dataset.on_bad_item: error  # default" in ended.out
    assert "model.name: m  # prt.yaml:3" in ended.out


@pytest.mark.parametrize("command", ["run", "check", "perturb"])
def test_a_mistake_in_the_config_is_one_sentence_and_exit_code_2(prt: CommandLine, command: str) -> None:
    config = prt.write("prt.yaml", "model: local\ndataset: items.jsonl\nperturbation: [typo]\n")
    ended = prt(command, config)
    assert (ended.code, ended.out) == (2, "")
    assert "prt.yaml:3:1: perturbation: unknown key; did you mean `perturbations`?" in ended.err


def test_a_row_without_a_gold_is_named(prt: CommandLine) -> None:
    row = json.dumps({"question": "Which?", "options": ["x", "y"], "answer": "z"})
    config = prt.write("prt.yaml", "model: local\ndataset: items.jsonl\nperturbations: [typo]\n")
    prt.write("items.jsonl", row + "\n")
    ended = prt("check", config)
    assert ended.code == 2
    assert "items.jsonl:1" in ended.err
    assert '"z"' in ended.err


def test_free_answers_without_a_grader_name_the_graders(prt: CommandLine) -> None:
    config = prt.write("prt.yaml", "model: local\ndataset: items.jsonl\nperturbations: [typo]\n")
    prt.write("items.jsonl", '{"question": "What is 2 + 2?", "answer": "4"}\n')
    ended = prt("check", config)
    assert ended.code == 2
    assert "grade: numeric" in ended.err


def test_perturb_shows_marked_variants_and_freezes_them(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        config = prt.config(server.base_url)
        shown = prt("perturb", "-o", "frozen.jsonl", "--item", "q1", config)
        assert (shown.code, "q1" in shown.out, "q2" in shown.out) == (0, True, False)
        assert "{+" in shown.out
        prt.write(config, (prt.folder / config).read_text() + "bundle: frozen.jsonl\n")
        assert prt("run", config).code == 0
        assert len(server.calls) == 36
        rows = (prt.folder / "capitals.jsonl").read_text().replace("3: which", "33: which")
        prt.write("capitals.jsonl", rows)
        changed = prt("run", config)
    assert changed.code == 2
    assert "'q2' was frozen with another text" in changed.err


def test_a_stored_run_can_be_listed_reported_and_read_item_by_item(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        prt("run", prt.config(server.base_url, name="capitals"))
    listed = prt("runs", "--json")
    (row,) = json.loads(listed.out)
    assert (row["name"], row["state"], row["grader"]) == ("capitals", "complete", "choice")
    assert row["id"] in prt("runs").out
    report = prt("report", "capitals", "--json")
    jsonschema.validate(report.json, report_schema())
    item = prt("show", "latest", "q3", "-c", "reorder.1")
    assert "→ pass" in item.out
    assert "Japan" in item.out
    as_json = prt("show", "latest", "q3", "--json").json
    assert len(as_json["conditions"]) == 3


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("report", "nosuch"), "there is no run"),
        (("show", "latest", "q99"), "there is no item"),
        (("show", "latest", "q1", "-c", "tpyo.1"), "did you mean `typo.1`?"),
        (("show", "latest", "q1", "-c", "x"), 'there is no condition "x"; there are `baseline`, '),
    ],
)
def test_what_is_not_in_the_store_is_said(prt: CommandLine, args: tuple[str, ...], sentence: str) -> None:
    with FaultServer(by=knows_capitals) as server:
        prt("run", prt.config(server.base_url))
    ended = prt(*args)
    assert ended.code == 2
    assert sentence in ended.err


@pytest.mark.sqlite
@pytest.mark.parametrize("command", [("report",), ("runs",), ("show", "latest", "q1")])
@pytest.mark.parametrize("store", ["nowhere.db", "missing/folder/prt.db"])
def test_a_store_that_is_not_there_is_said(prt: CommandLine, command: tuple[str, ...], store: str) -> None:
    ended = prt(*command, "--store", store)
    assert ended.code == 2
    assert Path(store).name in ended.err
    assert not (prt.folder / store).exists()


@pytest.mark.sqlite
def test_a_run_whose_store_can_not_be_made_calls_nothing_and_is_a_usage_error(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        ended = prt("run", "--store", "missing/folder/prt.db", prt.config(server.base_url))
        assert server.calls == []
    assert ended.code == 2
    assert "missing/folder does not exist" in ended.err


def test_a_store_that_fails_during_a_run_leaves_it_to_be_resumed(prt: CommandLine) -> None:
    def disk_is_full(*_: object) -> None:
        raise StoreError("prt.db: the disk is full")

    with FaultServer(by=knows_capitals) as server:
        config = prt.config(server.base_url)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("prt.runner.engine.journal.add_results", disk_is_full)
            ended = prt("run", config)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("prt.runner.commands.run.load_run", disk_is_full)
            unread = prt("run", config)
        healed = prt("run", config)
    assert (ended.code, unread.code, healed.code) == (3, 3, 0)
    assert "stopped: prt.db: the disk is full" in ended.err
    assert "prt: prt.db: the disk is full" in unread.err


def test_results_made_elsewhere_are_analysed_from_a_file_or_a_paste(prt: CommandLine) -> None:
    prt.write("worked.csv", WORKED_EXAMPLE)
    from_file = prt("analyze", "worked.csv")
    assert from_file.code == 0
    assert "−58.3 to −14.3" in from_file.out
    prt.monkeypatch.setattr(sys, "stdin", StringIO(WORKED_EXAMPLE))
    pasted = prt("analyze", "-", "--json")
    assert pasted.json["summary"]["bonferroni_bar"] == 0.0125


def test_one_malformed_line_rejects_results_and_names_it(prt: CommandLine) -> None:
    prt.write("worked.csv", WORKED_EXAMPLE.replace("q07,1,1,1,1,1", "q07,1,1,maybe,1,1"))
    ended = prt("analyze", "worked.csv")
    assert (ended.code, ended.out) == (2, "")
    assert "worked.csv:8" in ended.err
    assert "maybe" in ended.err


def test_conditions_that_are_runs_of_one_system_give_pass_k(prt: CommandLine) -> None:
    rows = [[1, 1, 1], [1, 0, 1], [0, 0, 0], [1, 0, 0]]
    lines = [f"q{at},{','.join(map(str, row))}\n" for at, row in enumerate(rows)]
    prt.write("runs.csv", "item,run1,run2,run3\n" + "".join(lines))
    ended = prt("analyze", "--repeats", "--json", "runs.csv")
    found = ended.json["summary"]["overall"]["baseline_pass_k"]
    shares = [round(each["all_of_them"]["estimate"], 4) for each in found]
    assert shares == [0.5, 0.3333, 0.25]
    assert "pass^k" in prt("analyze", "--repeats", "runs.csv").out


def test_clusters_named_by_the_item_ids_widen_the_interval(prt: CommandLine) -> None:
    lines = [f"{task}/{at},1,{int(task in 'ab')}\n" for task in "abcdef" for at in range(10)]
    prt.write("tasks.csv", "item,baseline,variant\n" + "".join(lines))
    plain = prt("analyze", "tasks.csv", "--json").json["summary"]["conditions"][0]["change"]
    found = prt("analyze", "--clusters", "^[^/]+", "tasks.csv", "--json").json["summary"]
    clustered = found["conditions"][0]["change"]
    assert found["clusters"] == 6
    assert clustered["high"] - clustered["low"] > plain["high"] - plain["low"]
    assert "as if independent" in prt("analyze", "--clusters", "^[^/]+", "tasks.csv").out
    refused = prt("analyze", "--clusters", "x+", "tasks.csv")
    assert (refused.code, "finds nothing" in refused.err) == (2, True)


def test_repeats_show_the_noise_floor_and_are_asked_that_often(prt: CommandLine) -> None:
    def wavers(call: Call) -> Behaviour:
        return answers("A" if call.number % 2 else "B")

    with FaultServer(by=wavers) as server:
        config = prt.config(server.base_url, repeats=3, perturbations=["typo"], limits={"concurrency": 1})
        ended = prt("run", config)
        assert len(server.calls) == 72
        report = prt("report", "--json").json
        shown = prt("show", "latest", "q1")
    assert ended.code == 0
    assert "floor, original" in ended.out
    assert report["summary"]["repeats"] == 3
    assert shown.out.count("→") == 6


def test_reruns_give_the_excess_flips_where_the_temperature_lets_answers_vary(prt: CommandLine) -> None:
    with FaultServer(by=knows_capitals) as server:
        config = prt.config(server.base_url, model={"params": {"temperature": 1}}, perturbations=["typo"])
        ended = prt("run", config)
        assert len(server.calls) == 36
    assert "flips of rerun" in ended.out
    assert "rerun.1" in ended.out


@pytest.mark.parametrize(
    ("params", "why"),
    [({}, "model.params gives no temperature"), ({"temperature": 0.7}, "the temperature is 0.7")],
)
def test_a_rerun_that_is_added_is_told_with_the_reason_and_the_way_out(
    prt: CommandLine, params: dict[str, Json], why: str
) -> None:
    with FaultServer(by=knows_capitals) as server:
        config = prt.config(server.base_url, model={"params": params}, perturbations=["typo"])
        checked, planned, ran = (prt(command, config) for command in ("check", "plan", "run"))
    for said in (checked.out, planned.out, ran.err):
        told = " ".join(said.split())
        assert f"note: `rerun` is added, which asks every original once more: {why}," in told
        assert "`model: {params: {temperature: 0}}` leaves it out" in told


@pytest.mark.parametrize(
    ("temperature", "repeats", "perturbations"), [(0, 1, ["typo"]), (1, 2, ["typo"]), (1, 1, ["typo", "rerun"])]
)
def test_a_rerun_that_is_not_added_is_not_told(
    prt: CommandLine, temperature: int, repeats: int, perturbations: list[Json]
) -> None:
    params: dict[str, Json] = {"temperature": temperature}
    config = prt.config("http://h/v1", model={"params": params}, repeats=repeats, perturbations=perturbations)
    assert "is added" not in prt("check", config).out


def test_plan_says_what_a_run_asks_costs_and_can_see_without_a_call(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        model: dict[str, Json] = {"params": {"temperature": 0, "max_tokens": 10}}
        config = prt.config(server.base_url, items=50, model=model, prices={"input": 1.0, "output": 2.0}, repeats=2)
        plan = prt("plan", config, "--json", "--flip-rate", "0.3", "--change", "0.1").json
        text = prt("plan", config).out
        assert server.calls == []
    assert (plan["items"], plan["repeats"], plan["expense"]["calls"]) == (50, 2, 300)
    assert plan["expense"]["completion_tokens"] == 3000
    spent = (plan["expense"]["prompt_tokens"] * 1.0 + 3000 * 2.0) / 1e6
    assert plan["expense"]["cost"] == pytest.approx(spent)
    assert plan["sight"]["fewest_flips"] == 7
    assert plan["sight"]["items_for_margin"] == 73
    assert "at most 0.0" in text


def test_the_plan_for_one_variant_has_the_published_sample_size(prt: CommandLine) -> None:
    with FaultServer(answers("A")) as server:
        config = prt.config(server.base_url, perturbations=["typo"])
        plan = prt("plan", config, "--json", "--flip-rate", "0.3", "--change", "0.1").json
    assert plan["sight"]["items_needed"] == 249


def test_init_writes_what_check_accepts_and_overwrites_nothing(prt: CommandLine) -> None:
    assert prt("init").code == 0
    assert prt("check", "prt.yaml").code == 0
    again = prt("init")
    assert again.code == 2
    assert "prt.yaml" in again.err


def test_schemas_are_valid_and_accept_every_config_that_is_shipped(prt: CommandLine) -> None:
    for of in ("config", "report"):
        jsonschema.Draft202012Validator.check_schema(prt("schema", of).json)
    for path in (ROOT / "configs").glob("*.yaml"):
        jsonschema.validate(yaml.safe_load(path.read_text()), json_schema())
