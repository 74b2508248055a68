"""Logs of other tools: each is told by what is in it, and its figures come out as the tool itself reports them."""

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from prt.runner.errors import DatasetError
from prt.runner.results.files import read_files
from prt.runner.results.table import ResultsTable

from .logs import (
    eval_archive,
    evals_log,
    inspect_log,
    lm_eval_results,
    lm_eval_samples,
    promptfoo_output,
    written,
)

INSPECT = inspect_log([("a", 1, {"match": "C"}), ("b", 1, {"match": "I"}), ("c", 1, {"match": "N"})], accuracy=1 / 3)
EPOCHS = [("a", 1, {"m": "C"}), ("a", 2, {"m": "I"}), ("b", 1, {"m": "C"}), ("b", 2, {"m": "C"})]
TESTS: list[dict[str, Any]] = [{"vars": {"q": "one"}, "description": "first"}, {"vars": {"q": "two"}}]
DATE = "2026-01-02T03-04-05.678901"


def refused(*files: str, **options: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        read_files(files, **options)
    return str(caught.value)


def rates(table: ResultsTable) -> dict[str, float]:
    """The pass rate of each condition, over its results."""
    found = {}
    for at, condition in enumerate(table.conditions):
        cells = [result for row in table.passed for result in row[at] if result is not None]
        found[condition] = sum(cells) / len(cells)
    return found


def agrees(table: ResultsTable) -> bool:
    return any("come out the same" in note for note in table.notes) and not warned(table)


def warned(table: ResultsTable) -> list[str]:
    return [note for note in table.notes if note.startswith("warning")]


@pytest.mark.parametrize("name", ["run.eval", "run.json", "run.txt"])
def test_an_inspect_log_is_read_as_archive_and_as_json_whatever_its_name(tmp_path: Path, name: str) -> None:
    content = eval_archive(INSPECT) if name.endswith(".eval") else json.dumps(INSPECT)
    table = read_files([written(tmp_path, name, content)])
    assert table.items == ("a", "b", "c")
    assert table.passed == (((True,),), ((False,),), ((False,),))
    assert rates(table) == {"riddles": pytest.approx(1 / 3)}
    assert agrees(table)


def test_epochs_are_repeats_and_their_mean_is_the_log_s(tmp_path: Path) -> None:
    log = inspect_log(EPOCHS, accuracy=0.75, reducer="mean")
    table = read_files([written(tmp_path, "run.json", log)])
    assert table.repeats == ("1", "2")
    assert table.passed == (((True, False),), ((True, True),))
    assert agrees(table)


def test_a_log_that_reduces_epochs_otherwise_is_said_not_to_be_compared(tmp_path: Path) -> None:
    log = inspect_log(EPOCHS, accuracy=0.5, reducer="mode")
    table = read_files([written(tmp_path, "run.json", log)])
    assert not agrees(table)
    assert any("takes an item's epochs together by `mode`" in note for note in table.notes)


def test_a_figure_that_differs_is_a_warning_with_both_numbers(tmp_path: Path) -> None:
    wrong = INSPECT | {
        "results": {"scores": [{"name": "match", "scorer": "match", "metrics": {"accuracy": {"value": 0.5}}}]}
    }
    table = read_files([written(tmp_path, "run.json", wrong)])
    (warning,) = warned(table)
    assert warning.endswith("itself reports accuracy 0.5, and its 3 scores give 0.333333")


def test_scores_in_between_are_refused_until_a_threshold_says_which_pass(tmp_path: Path) -> None:
    log = inspect_log([("a", 1, {"f": 0.2}), ("b", 1, {"f": 0.8}), ("c", 1, {"f": "P"})], accuracy=0.5)
    file = written(tmp_path, "run.json", log)
    assert refused(file) == (
        f"{file}: 3 of 3 scores of `f` are neither 1 nor 0, such as 0.2 (item `a`);"
        " say from which number on one passes (--threshold 0.5)"
    )
    table = read_files([file], threshold=0.5)
    assert table.passed == (((False,),), ((True,),), ((True,),))
    assert agrees(table)
    assert any("a pass from 0.5 on" in note for note in table.notes)


def test_a_score_that_is_a_text_is_refused_with_and_without_a_threshold(tmp_path: Path) -> None:
    file = written(tmp_path, "run.json", inspect_log([("a", 1, {"f": "fluent", "g": "C"})], accuracy=1))
    assert 'such as "fluent" (item `a`)' in refused(file)
    assert refused(file, threshold=0.5).endswith(
        'are no numbers, such as "fluent" (item `a`); choose another metric (--metric): `g`'
    )
    assert rates(read_files([file], metric="g")) == {"riddles": 1.0}


def test_a_scorer_with_several_values_has_a_metric_for_each(tmp_path: Path) -> None:
    log = inspect_log(
        [("a", 1, {"both": {"long": 12, "right": 1}}), ("b", 1, {"both": {"long": 7, "right": 0}})], accuracy=1
    )
    log["results"] = {"scores": [{"name": "right", "scorer": "both", "metrics": {"accuracy": {"value": 0.5}}}]}
    file = written(tmp_path, "run.json", log)
    table = read_files([file])
    assert rates(table) == {"riddles": 0.5}
    assert agrees(table)
    assert any("its metric is `both/right`; there is also `both/long` (--metric)" in note for note in table.notes)
    assert "neither 1 nor 0, such as 12" in refused(file, metric="long")


def test_a_log_of_an_early_version_with_one_score_is_read(tmp_path: Path) -> None:
    log = inspect_log([("a", 1, {"match": "C"}), ("b", 1, {"match": "I"})], accuracy=0.5)
    for sample in log["samples"]:
        sample["score"] = sample.pop("scores")["match"]
    log["results"] = {"scorer": {"name": "match"}, "metrics": {"accuracy": {"name": "accuracy", "value": 0.5}}}
    table = read_files([written(tmp_path, "run.json", log)])
    assert rates(table) == {"riddles": 0.5}
    assert agrees(table)


def test_a_metric_that_is_not_there_lists_those_that_are(tmp_path: Path) -> None:
    file = written(tmp_path, "run.json", inspect_log([("a", 1, {"match": "C", "includes": "C"})], accuracy=1))
    assert refused(file, metric="matc") == (
        f"{file}: there is no metric `matc`; there are `match`, `includes` (--metric); did you mean `match`?"
    )


def test_what_was_not_scored_is_missing_and_said(tmp_path: Path) -> None:
    log = inspect_log([("a", 1, {"m": "C"}), ("b", 1, {}), ("c", 1, {"m": float("nan")})], accuracy=1, status="error")
    table = read_files([written(tmp_path, "run.json", log)])
    assert table.passed == (((True,),), ((None,),), ((None,),))
    assert any("2 of 3 results have no score: missing" in note for note in table.notes)
    assert any("the run's status is `error`" in note for note in table.notes)


def test_a_log_without_samples_or_cut_off_or_of_another_kind_is_one_sentence(tmp_path: Path) -> None:
    whole = eval_archive(INSPECT)
    assert "no sample in this Inspect log" in refused(written(tmp_path, "a.json", INSPECT | {"samples": []}))
    assert "damaged or cut off" in refused(written(tmp_path, "b.eval", whole[: len(whole) // 2]))
    broken = bytearray(whole)
    broken[60] ^= 0xFF
    assert "damaged or cut off" in refused(written(tmp_path, "c.eval", bytes(broken)))
    with zipfile.ZipFile(tmp_path / "d.zip", "w") as file:
        file.writestr("train.csv", "a,b")
    assert "ZIP archive, but no Inspect log" in refused(str(tmp_path / "d.zip"))


def test_an_archive_packed_by_zstandard_is_read(tmp_path: Path) -> None:
    if sys.version_info < (3, 14):
        packing = pytest.importorskip("backports.zstd.zipfile")
    else:
        packing = zipfile
    path = tmp_path / "new.eval"
    with packing.ZipFile(path, "w", 93) as file:
        file.writestr("samples/a_epoch_1.json", json.dumps(INSPECT["samples"][0]))
        file.writestr("header.json", json.dumps({"status": "success", "eval": INSPECT["eval"]}))
    assert rates(read_files([str(path)])) == {"riddles": 1.0}


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python unpacks Zstandard itself from 3.14 on")
def test_without_its_unpacker_an_archive_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packing = pytest.importorskip("backports.zstd.zipfile")
    path = tmp_path / "new.eval"
    with packing.ZipFile(path, "w", 93) as file:
        file.writestr("header.json", json.dumps({"eval": INSPECT["eval"]}))
    monkeypatch.setitem(sys.modules, "backports.zstd", None)
    assert "pip install 'prompt-robustness[inspect]'" in refused(str(path))


def harness(folder: Path, model: str, values: list[float], mean: float, task: str = "own_mc") -> str:
    written(folder / model, f"results_{DATE}.json", lm_eval_results(task, model, {"acc,none": mean}))
    return written(folder / model, f"samples_{task}_{DATE}.jsonl", lm_eval_samples(values))


def test_samples_of_the_harness_are_compared_with_the_results_beside_them(tmp_path: Path) -> None:
    table = read_files([harness(tmp_path, "m1", [1.0, 0.0, 1.0, 1.0], 0.75)])
    assert table.items == ("0", "1", "2", "3")
    assert rates(table) == {"m1": 0.75}
    assert agrees(table)
    (warning,) = warned(read_files([harness(tmp_path, "m2", [1.0, 0.0], 0.75)]))
    assert warning.endswith("itself reports acc,none 0.75, and its 2 scores give 0.5")


def test_two_files_of_samples_are_two_conditions_named_by_what_differs(tmp_path: Path) -> None:
    files = [harness(tmp_path, "m1", [1.0, 0.0], 0.5), harness(tmp_path, "m2", [1.0, 1.0], 1.0)]
    table = read_files(files)
    assert table.conditions == ("m1", "m2")
    assert table.name == f"2 files: {files[0]}, {files[1]}"
    assert read_files(files, baseline="m2").conditions == ("m2", "m1")
    assert read_files(files, baseline=files[1]).conditions == ("m2", "m1")
    tasks = [files[0], harness(tmp_path, "m1", [0.0, 0.0], 0.0, task="own_typo")]
    assert read_files(tasks).conditions == ("own_mc", "own_typo")


def test_samples_without_results_beside_them_say_that_nothing_was_compared(tmp_path: Path) -> None:
    table = read_files([written(tmp_path / "gpt", f"samples_t_{DATE}.jsonl", lm_eval_samples([1.0]))])
    assert table.conditions == ("gpt",)
    assert any("no results_DATE.json beside it" in note for note in table.notes)


def test_each_filter_of_a_metric_is_a_metric(tmp_path: Path) -> None:
    text = lm_eval_samples([1.0, 0.0], "strict", "exact_match") + lm_eval_samples([1.0, 1.0], "flexible", "exact_match")
    file = written(tmp_path, "samples.jsonl", text)
    assert rates(read_files([file])) == {tmp_path.name: 0.5}
    assert rates(read_files([file], metric="flexible")) == {tmp_path.name: 1.0}
    assert "several metrics are named `exact_match`" in refused(file, metric="exact_match")


def test_a_list_of_samples_as_older_versions_write_it_is_read(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in lm_eval_samples([1.0, 0.0]).splitlines()]
    for row in rows:
        del row["metrics"], row["filter"]
    file = written(tmp_path, "old.jsonl", json.dumps(rows, indent=1))
    assert rates(read_files([file])) == {tmp_path.name: 0.5}


def test_the_file_of_means_says_which_file_is_needed(tmp_path: Path) -> None:
    file = written(tmp_path, f"results_{DATE}.json", lm_eval_results("t", "m", {"acc,none": 0.5}))
    assert "give the samples_*.jsonl" in refused(file)


@pytest.mark.parametrize("lines", [False, True])
def test_prompts_and_providers_of_promptfoo_are_conditions(tmp_path: Path, lines: bool) -> None:  # noqa: FBT001
    outcomes: dict[tuple[str, str], list[bool | None]] = {
        ("plain", "m"): [True, False],
        ("polite", "m"): [True, True],
        ("plain", "n"): [None, True],
    }
    output = promptfoo_output(outcomes, TESTS)
    content = "".join(json.dumps(row) + "\n" for row in output["results"]["results"]) if lines else json.dumps(output)
    table = read_files([written(tmp_path, "out.json", content)])
    assert table.items == ("first", "2")
    assert table.conditions == ("plain · m", "polite · m", "plain · n")
    assert table.passed == (((True,), (True,), (None,)), ((False,), (True,), (True,)))
    assert agrees(table) is not lines
    assert any("JSON Lines have none), so nothing was compared" in note for note in table.notes) is lines
    assert any("1 of 2 results of `plain n` have no score: missing" in note for note in table.notes)


def test_equal_tests_of_promptfoo_are_one_item_asked_again(tmp_path: Path) -> None:
    tests = [TESTS[0], TESTS[0], TESTS[1], TESTS[1]]
    output = promptfoo_output({("p", "m"): [True, False, True, True]}, tests)
    table = read_files([written(tmp_path, "out.json", output)])
    assert table.repeats == ("1", "2")
    assert table.passed == (((True, False),), ((True, True),))
    assert agrees(table)


def test_a_named_score_of_promptfoo_can_be_chosen(tmp_path: Path) -> None:
    file = written(tmp_path, "out.json", promptfoo_output({("p", "m"): [True, False]}, TESTS))
    assert "scores of `tone` are neither 1 nor 0, such as 0.5" in refused(file, metric="tone")
    assert rates(read_files([file], metric="tone", threshold=0.5)) == {"p": 1.0}


def test_counts_of_promptfoo_that_differ_are_a_warning(tmp_path: Path) -> None:
    output = promptfoo_output({("p", "m"): [True, False]}, TESTS)
    output["results"]["prompts"][0]["metrics"]["testPassCount"] = 2
    (warning,) = warned(read_files([written(tmp_path, "out.json", output)]))
    assert warning.endswith("itself reports testPassCount 2, and its 2 scores give 1")


def test_results_of_promptfoo_without_their_test_are_refused(tmp_path: Path) -> None:
    old = {"results": {"results": [{"success": True, "vars": {}}], "stats": {"successes": 1}}}
    assert "no `promptIdx` and `testIdx`" in refused(written(tmp_path, "old.json", old))


def test_events_of_openai_evals_are_paired_by_sample_across_evals(tmp_path: Path) -> None:
    files = [
        written(tmp_path, "one.jsonl", evals_log({3: True, 1: False}, accuracy=0.5)),
        written(tmp_path, "two.jsonl", evals_log({1: True, 3: True}, accuracy=1.0, name="polite")),
    ]
    table = read_files(files)
    assert table.items == ("3", "1")
    assert table.conditions == ("own.dev.v0", "polite.dev.v0")
    assert table.passed == (((True,), (True,)), ((False,), (True,)))
    assert agrees(table)


def test_an_unfinished_log_of_openai_evals_and_unmatched_samples_are_said(tmp_path: Path) -> None:
    text = evals_log({0: True}, accuracy=None)
    text += json.dumps({"run_id": "r", "event_id": 9, "sample_id": "own.dev.7", "type": "error", "data": {}}) + "\n"
    table = read_files([written(tmp_path, "log.jsonl", text)])
    assert table.passed == (((True,),), ((None,),))
    assert any("no final report" in note for note in table.notes)
    assert any("reports no figure of `match`, so nothing was compared" in note for note in table.notes)
    assert any("1 of 2 results have no score: missing" in note for note in table.notes)


def test_metrics_of_openai_evals_that_are_numbers_come_before_words(tmp_path: Path) -> None:
    event = {
        "run_id": "r",
        "event_id": 0,
        "sample_id": "e.dev.0",
        "type": "metrics",
        "data": {"choice": "A", "score": 1.0},
    }
    file = written(
        tmp_path, "log.jsonl", json.dumps(event) + "\n" + json.dumps({"final_report": {"score": 1.0}}) + "\n"
    )
    table = read_files([file])
    assert agrees(table)
    assert any("its metric is `score`; there is also `choice`" in note for note in table.notes)
