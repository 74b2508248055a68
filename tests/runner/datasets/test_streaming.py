"""A dataset of many rows takes hardly more memory than one of few, and what is wrong in any row is still named."""

import csv
import json
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prt.runner import spool
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import LoadedItems, load_items
from prt.runner.errors import DatasetError

FILLER = "Which of the many old boats in the harbour was painted last, " * 40


def rows(count: int) -> Iterator[dict[str, str]]:
    for number in range(count):
        answer = "AB"[number % 2]
        yield {"id": f"q{number}", "question": f"{FILLER} {number}?", "a": "two", "b": "three", "answer": answer}


def jsonl(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows(count))


def table(path: Path, count: int) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["id", "question", "a", "b", "answer"])
        writer.writeheader()
        writer.writerows(rows(count))


def load(path: Path, **config: object) -> LoadedItems:
    fields = {"options": ["a", "b"]}
    dataset = DatasetConfig.model_validate({"path": path.name, "fields": fields, **config})
    return load_items(dataset, base=path.parent, prompt=PromptConfig(), seed=1)


@pytest.mark.parametrize(("write", "name"), [(jsonl, "d.jsonl"), (table, "d.csv")])
@pytest.mark.parametrize("config", [{}, {"sample": 1_000}, {"filter": {"answer": ["A", "B"]}}])
def test_memory_does_not_grow_with_the_rows(
    write: Callable[[Path, int], None],
    name: str,
    config: dict[str, object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(spool, "IN_MEMORY", 1)

    def peak(count: int) -> int:
        write(tmp_path / name, count)
        tracemalloc.start()
        loaded = load(tmp_path / name, **config)
        assert len(loaded.items) == loaded.rows == count
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(5)
    assert peak(300) - peak(150) < 150 * len(FILLER) / 2


def test_the_ids_of_all_rows_are_known_though_few_are_used(tmp_path: Path) -> None:
    jsonl(tmp_path / "d.jsonl", 30)
    loaded = load(tmp_path / "d.jsonl", limit=3)
    assert [item.id for item in loaded.items] == ["q0", "q1", "q2"]
    assert "q29" in loaded.ids
    assert "q30" not in loaded.ids


def test_a_sample_stands_in_the_order_of_the_file(tmp_path: Path) -> None:
    jsonl(tmp_path / "d.jsonl", 40)
    few, more = ([item.number for item in load(tmp_path / "d.jsonl", sample=count).items] for count in (5, 12))
    assert few == sorted(few)
    assert more == sorted(more)
    assert set(few) < set(more)


def test_every_bad_row_is_named_wherever_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    jsonl(path, 300)
    lines = path.read_text(encoding="utf-8").splitlines()
    for at in (7, 150, 299):
        lines[at] = lines[at].replace('"answer": "', f'"answer": "{at} ')
    path.write_text("\n".join(lines), encoding="utf-8")
    with pytest.raises(DatasetError) as caught:
        load(path)
    assert [problem.row for problem in caught.value.problems] == [8, 151, 300]


def test_an_id_that_stands_twice_is_named_with_both_rows(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    jsonl(path, 300)
    content = path.read_text(encoding="utf-8")
    path.write_text(content.replace('"q250"', '"q3"').replace('"q251"', '"q3"'), encoding="utf-8")
    with pytest.raises(DatasetError, match=r"rows 4 and 251 have the same id .*\n.*rows 4 and 252 have the same id"):
        load(path)
