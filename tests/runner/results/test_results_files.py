"""Real records: the rates that others published must come out. The files are not part of the project."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest
from prt.runner.errors import DatasetError
from prt.runner.results.files import read_files
from prt.runner.results.read import read_results
from prt.runner.results.table import ResultsTable

from ..datasets.dataset_files import SHARED


def file(path: str) -> Path:
    found = SHARED / path
    if not found.exists():
        pytest.skip(f"needs {found}, a file that is not part of the project")
    return found


def passes(table: ResultsTable, condition: str) -> tuple[int, int]:
    """Passes and results of a condition, missing ones apart."""
    at = table.conditions.index(condition)
    cells = [result for row in table.passed for result in row[at] if result is not None]
    return sum(cells), len(cells)


def test_the_accuracies_of_big_bench_hard_come_out_in_54_of_54() -> None:
    table = read_results(file("records/bbh_codex/pass.long.csv"), None)
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for item, row in zip(table.items, table.passed, strict=True):
        for condition, cell in zip(table.conditions, row, strict=True):
            found[item.split("/")[0], condition] += [result for result in cell if result is not None]
    with file("records/bbh_codex/accuracy_check.csv").open(newline="", encoding="utf-8") as lines:
        published = list(csv.DictReader(lines))
    assert len(table.items) == 6511
    assert len(published) == len(found) == 54
    for line in published:
        results = found[line["task"], line["condition"]]
        assert len(results) == int(line["n"])
        assert 100 * sum(results) / len(results) == pytest.approx(float(line["accuracy_in_repo"]))


def test_four_systems_are_four_conditions() -> None:
    table = read_results(file("records/gsm8k_solutions/pass.long.csv"), None, baseline="175b_finetuning")
    assert len(table.items) == 1319
    assert table.conditions[0] == "175b_finetuning"
    assert [passes(table, condition)[0] for condition in table.conditions] == [458, 286, 515, 742]


def test_trials_of_one_agent_are_read_and_said_to_be_repeats() -> None:
    table = read_results(file("records/tau_bench/pass.long.csv"), None)
    assert [passes(table, condition) for condition in table.conditions] == [(21, 50), (22, 50), (20, 50), (21, 50)]
    assert any("look like repeats" in note for note in table.notes)


def test_the_worked_examples_are_read() -> None:
    whole = read_results(file("stats/worked_example.csv"), None)
    assert whole.conditions == ("baseline", "format", "reorder", "paraphrase", "typo")
    assert [passes(whole, condition)[0] for condition in whole.conditions] == [15, 7, 15, 13, 13]
    assert passes(read_results(file("stats/worked_missing.csv"), None), "baseline") == (15, 19)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("llmbar_judges/gpt4_vanilla.score.csv", "compares two answers with each other (`model_a`, `model_b`)"),
        ("llmbar_judges/chatgpt_vanilla.score.csv", "compares two answers with each other (`model_a`, `model_b`)"),
        ("llmbar_judges/check.csv", "the column `judge` holds no result"),
        ("bbh_codex/accuracy_check.csv", "but none of `passed`"),
    ],
)
def test_records_of_another_kind_are_refused_with_a_sentence(path: str, words: str) -> None:
    with pytest.raises(DatasetError) as caught:
        read_results(file(f"records/{path}"), None)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["log_formats.eval", "log_formats.json"])
def test_a_finished_run_of_inspect_is_read_in_both_of_its_formats(name: str) -> None:
    table = read_files([str(file(f"records/inspect_logs/{name}"))])
    assert table.items == ("1",)
    assert table.conditions == ("popularity",)
    assert passes(table, "popularity") == (0, 1)
    assert any("the figures that it reports itself (`accuracy`) come out the same" in note for note in table.notes)
