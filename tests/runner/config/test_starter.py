"""What `prt init` writes."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from prt.runner.commands.setup import init_command
from prt.runner.config.loading import load_config, parse_config
from prt.runner.config.schema import LocalModel
from prt.runner.config.starter import starter_config, starter_items, write_starter
from prt.runner.errors import UsageError
from prt.stats.verdict import FEWEST_ITEMS


def test_the_starter_config_loads_as_it_is_written(tmp_path: Path) -> None:
    assert write_starter(tmp_path / "mine.yaml") == [tmp_path / "mine.yaml", tmp_path / "items.jsonl"]
    loaded = load_config(tmp_path / "mine.yaml", env={})
    assert loaded.config.name == "mine"
    assert loaded.config.model == LocalModel()
    assert [entry[0].name for entry in loaded.config.perturbations] == ["reorder", "format", "paraphrase", "typo"]
    assert (loaded.base / loaded.config.dataset.path).is_file()
    assert "prt check mine.yaml" in (tmp_path / "mine.yaml").read_text(encoding="utf-8")


def test_the_items_have_distinct_options_and_an_answer_among_them() -> None:
    rows = [json.loads(line) for line in starter_items().splitlines()]
    assert len(rows) == 12
    assert len({row["id"] for row in rows}) == len(rows)
    for row in rows:
        assert row["answer"] in row["options"]
        assert len(set(row["options"])) == len(row["options"]) >= 2


def test_the_items_are_enough_for_a_verdict_and_right_in_every_slot() -> None:
    rows = [json.loads(line) for line in starter_items().splitlines()]
    slots = Counter(row["options"].index(row["answer"]) for row in rows)
    assert len(rows) >= FEWEST_ITEMS
    assert set(slots) == {0, 1, 2, 3}
    assert max(slots.values()) <= len(rows) / 2


def commented_blocks() -> list[str]:
    """The blocks of the starter config that are commented out, without their `# `."""
    found = re.findall(r"(?m)^# (\w+:.*\n(?:#   .*\n)*)", starter_config())
    return [re.sub(r"(?m)^# ", "", block) for block in found]


@pytest.mark.parametrize("block", commented_blocks())
def test_each_block_works_when_its_comment_marks_are_removed(block: str) -> None:
    key = block.split(":", maxsplit=1)[0]
    rest = re.sub(rf"(?m)^{key}:.*\n", "", starter_config())
    parse_config(rest + block, Path("prt.yaml"), env={})


def test_each_entry_works_when_its_comment_mark_is_removed() -> None:
    text = re.sub(r"(?m)^# - ", "  - ", starter_config())
    assert len(parse_config(text, Path("prt.yaml"), env={}).config.perturbations) == 6


def test_every_top_level_key_but_name_and_bundle_is_in_it() -> None:
    keys = set(re.findall(r"(?m)^(?:# )?(\w+):", starter_config()))
    assert keys >= {
        "model",
        "dataset",
        "perturbations",
        "prompt",
        "grade",
        "protect",
        "seed",
        "limits",
        "analysis",
        "store",
    }


def test_what_comes_next_is_said_for_the_file_that_was_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my run.yaml"
    init_command(path)
    said = capsys.readouterr().out
    assert said.startswith(f"wrote {path}\nwrote {tmp_path / 'items.jsonl'}\nnext:\n")
    assert [f"prt {command} '{path}'  " in said for command in ("perturb", "check", "run")] == [True] * 3


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text("mine")
    assert write_starter(tmp_path / "prt.yaml") == [tmp_path / "prt.yaml"]
    assert (tmp_path / "items.jsonl").read_text() == "mine"
    with pytest.raises(UsageError, match=r"prt\.yaml exists already, and `prt init` overwrites nothing"):
        write_starter(tmp_path / "prt.yaml")


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"prt\.yaml can't be written: no such file or directory"):
        write_starter(tmp_path / "no" / "prt.yaml")
