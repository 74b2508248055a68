"""Every recipe of docs/datasets.md loads, and reads what the page says it reads."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import load_items
from prt.runner.records import Item
from prt.runner.results.read import read_results

PAGE = (Path(__file__).parents[3] / "docs" / "datasets.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```(\w+) ?(\S*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(match[1], match[2], match[3]) for match in BLOCK.finditer(PAGE)]


class Recipe(NamedTuple):
    """One or more files, the block that reads them, and what is read."""

    files: dict[str, str]
    config: str
    reads: str


def recipes() -> list[Recipe]:
    found = []
    files: dict[str, str] = {}
    for (language, name, text), (after, _, reads) in zip(BLOCKS, [*BLOCKS[1:], ("", "", "")], strict=True):
        if name:
            files[name] = text
        elif language == "yaml" and after == "reads":
            found.append(Recipe(files, text, reads))
            files = {}
    return found


RECIPES = recipes()


def line(item: Item) -> str:
    options = f" [{' | '.join(item.question.options)}]" if item.question.options else ""
    right = [item.question.options[index] for index in item.gold.options] or list(item.gold.texts)
    return f"{item.question.text}{options} => {'; '.join(right)}"


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: next(iter(recipe.files)))
def test_a_recipe_reads_what_the_page_says(tmp_path: Path, recipe: Recipe) -> None:
    for name, content in recipe.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    block = yaml.safe_load(recipe.config)["dataset"]
    dataset = DatasetConfig.model_validate({"path": block} if isinstance(block, str) else block)
    loaded = load_items(dataset, base=tmp_path, prompt=PromptConfig(), seed=0)
    assert [line(item) for item in loaded.items] == recipe.reads.splitlines()


def test_every_block_of_the_page_is_a_part_of_a_recipe_or_a_results_table() -> None:
    assert len(RECIPES) == 18
    results = sum(1 for language, _, _ in BLOCKS if language == "results")
    assert sum(len(recipe.files) + 2 for recipe in RECIPES) + results == len(BLOCKS)


@pytest.mark.parametrize("text", [text for language, _, text in BLOCKS if language == "results"])
def test_the_results_tables_of_the_page_are_read(text: str) -> None:
    assert read_results(None, text).conditions == ("baseline", "typo")
