"""A dataset of several files: folders, patterns, ids that name the file, and rows that are picked by a filter."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import LoadedItems, load_items
from prt.runner.encoding import suite_hash
from prt.runner.errors import DatasetError

from .dataset_files import jsonl, load, write


def read(folder: Path, path: str, **config: Any) -> LoadedItems:
    dataset = DatasetConfig.model_validate({"path": path} | config)
    return load_items(dataset, base=folder, prompt=PromptConfig(), seed=0)


def refused(folder: Path, path: str, **config: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        read(folder, path, **config)
    return str(caught.value)


def ids(loaded: LoadedItems) -> list[str]:
    return [item.id for item in loaded.items]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data" / "more").mkdir(parents=True)
    for name, count in (("b.jsonl", 1), ("a.json", 2), ("more/c.csv", 1), (".hidden.jsonl", 1)):
        rows = [{"question": f"{name} {number}?", "answer": "x"} for number in range(count)]
        csv = "question,answer\n" + "".join(f"{row['question']},x\n" for row in rows)
        content = csv if name.endswith("csv") else json.dumps(rows) if name.endswith("json") else jsonl(*rows)
        write(tmp_path / "data", name, content)
    (tmp_path / "data" / "README.md").write_text("# About\n", encoding="utf-8")
    return tmp_path


def test_a_folder_stands_for_its_data_files_and_their_names_stand_before_the_ids(folder: Path) -> None:
    loaded = read(folder, "data")
    assert ids(loaded) == ["a/1", "a/2", "b/1", "more/c/1"]
    assert loaded.rows == 4
    assert any("stands for 3 files" in note for note in loaded.notes)
    files = [folder / "data" / name for name in ("a.json", "b.jsonl", "more/c.csv")]
    digests = [hashlib.sha256(file.read_bytes()).hexdigest() for file in files]
    assert loaded.sha256 == hashlib.sha256("\n".join(digests).encode()).hexdigest()


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("data/*.json*", ["a/1", "a/2", "b/1"]),
        ("data/**/*.csv", ["1"]),
        ("d?ta/[ab].*", ["a/1", "a/2", "b/1"]),
        ("data/**/*.[cj]s*", ["a/1", "a/2", "b/1", "more/c/1"]),
    ],
)
def test_a_pattern_stands_for_the_files_that_it_finds(folder: Path, pattern: str, found: list[str]) -> None:
    assert ids(read(folder, pattern)) == found


def test_a_file_whose_own_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    write(tmp_path, "items[1].jsonl", jsonl({"question": "Why?", "answer": "So."}))
    assert ids(read(tmp_path, "items[1].jsonl")) == ["1"]


def test_files_that_differ_in_their_ending_alone_keep_it_in_the_ids(tmp_path: Path) -> None:
    row = {"question": "Why?", "answer": "So."}
    write(tmp_path, "a.jsonl", jsonl(row))
    write(tmp_path, "a.json", json.dumps([row]))
    assert ids(read(tmp_path, "*.json*")) == ["a.json/1", "a.jsonl/1"]


def test_the_file_may_be_an_item_s_cluster_and_part_of_its_id(folder: Path) -> None:
    loaded = read(folder, "data/*.json*", fields={"cluster": "#file", "id": "{#file}-{#}"})
    assert [(item.id, item.cluster) for item in loaded.items] == [("a-1", "a"), ("a-2", "a"), ("b-1", "b")]
    assert [(item.file, item.number) for item in loaded.items][-1] == ("data/b.jsonl", 1)


def test_where_the_files_lie_is_no_part_of_what_a_run_resumes_by(folder: Path) -> None:
    by_name = read(folder, "data/*.json*").items
    by_path = read(folder, str(folder / "data" / "*.json*")).items
    assert [item.file for item in by_name] != [item.file for item in by_path]
    assert suite_hash(by_name, ()) == suite_hash(by_path, ())
    assert suite_hash(by_name, ()) != suite_hash(by_name[1:], ())


def test_ids_that_stand_in_two_files_name_both(folder: Path) -> None:
    text = refused(folder, "data/*.json*", fields={"id": "{#}"})
    assert text.startswith('data/b.jsonl:1: {#}: row 1 and row 1 of data/a.json have the same id "1"')
    assert "`#file` for the file's name" in text


def test_a_bad_row_is_named_with_its_own_file(folder: Path) -> None:
    write(folder / "data", "b.jsonl", jsonl({"question": "", "answer": "x"}))
    assert refused(folder, "data").startswith("data/b.jsonl:1: question: row 1: the question is empty")


def test_a_folder_or_pattern_without_data_is_one_sentence(folder: Path) -> None:
    (folder / "docs").mkdir()
    assert "is a folder without data files in it" in refused(folder, "docs")
    (folder / "docs" / "a.txt").touch()
    assert refused(folder, "docs").endswith("; there are `a.txt`")
    assert refused(folder, "data/*.xml") == "data/*.xml: no file is named like that"
    assert "there is no folder" in refused(folder, "dta/*.json")


ROWS = [
    {"question": "1?", "answer": "x", "level": 5, "subject": "law", "tags": ["old", "easy"]},
    {"question": "2?", "answer": "x", "level": "4", "subject": "art", "tags": []},
    {"question": "3?", "answer": "x", "level": 5.0, "meta": {"subject": "bio"}, "tags": ["new"]},
]


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [
        ({"level": 5}, ["1", "3"]),
        ({"level": "5"}, ["1", "3"]),
        ({"level": [4, 5]}, ["1", "2", "3"]),
        ({"subject": ["law", "art"]}, ["1", "2"]),
        ({"subject": {"not_in": ["law"]}}, ["2", "3"]),
        ({"subject": None}, ["3"]),
        ({"subject": {"regex": "^a"}}, ["2"]),
        ({"meta.subject": "bio"}, ["3"]),
        ({"tags": "easy"}, ["1"]),
        ({"tags": {"not_in": ["new", "old"]}}, ["2"]),
        ({"level": 5, "subject": "law"}, ["1"]),
    ],
)
def test_a_filter_keeps_the_rows_where_all_of_it_holds(tmp_path: Path, wanted: dict[str, Any], kept: list[str]) -> None:
    loaded = load(tmp_path, ROWS, filter=wanted)
    assert ids(loaded) == kept
    assert f"dataset.filter keeps {len(kept)} of 3 rows" in loaded.notes


def test_a_filter_that_keeps_nothing_or_names_no_field_is_one_sentence(tmp_path: Path) -> None:
    assert load(tmp_path, ROWS).rows == 3
    assert (
        refused(tmp_path, "data.jsonl", filter={"level": 9}) == "data.jsonl: dataset.filter: keeps none of the 3 rows"
    )
    assert "dataset.filter: `lvel` is in no row" in refused(tmp_path, "data.jsonl", filter={"lvel": 9})


def test_a_limit_counts_the_rows_that_a_filter_keeps(tmp_path: Path) -> None:
    assert ids(load(tmp_path, ROWS, filter={"level": 5}, limit=2)) == ["1", "3"]
