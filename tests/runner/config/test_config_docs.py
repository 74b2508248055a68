"""The reference of the config file is what the schema says, and its examples load."""

import re
from pathlib import Path

import pytest
from prt.runner.config.docs import BLOCKS, config_reference
from prt.runner.config.keys import _sections_of
from prt.runner.config.loading import parse_config
from prt.runner.config.schema import Config, GradeConfig, HttpModel, LocalModel, ModelSection, OpenAIModel, Section

DOCS = Path(__file__).parents[3] / "docs" / "config.md"
EXAMPLES = re.findall(r"```yaml\n(.*?)```", config_reference(), re.DOTALL)


def test_the_file_is_what_the_schema_says() -> None:
    assert DOCS.read_text(encoding="utf-8") == config_reference(), (
        "run: python -m prt.runner.config.docs > docs/config.md"
    )


def test_every_block_of_a_config_has_its_table() -> None:
    missing = {section for section, _ in _sections_of(Config)} - set(BLOCKS.values())
    assert missing == set()


def test_every_key_has_a_row_that_says_what_it_means() -> None:
    rows = re.findall(r"^\| (`\w+`) \| (.+?) \| (.+?) \| (.+?) \|$", config_reference(), re.MULTILINE)
    keys = [f"`{key}`" for section in BLOCKS.values() for key in own_keys(section)]
    assert [row[0] for row in rows] == keys


def own_keys(section: type[Section]) -> list[str]:
    """The keys of a block, without those that every provider shares."""
    shared = set(HttpModel.model_fields) & set(OpenAIModel.model_fields) & set(LocalModel.model_fields) - {"provider"}
    of_a_provider = issubclass(section, ModelSection) and section is not ModelSection
    return [key for key in section.model_fields if key not in shared or not of_a_provider]


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_examples_load(text: str) -> None:
    config = parse_config(text, Path("config.yaml"), env={"ASSISTANT_TOKEN": "t"}).config
    assert isinstance(config, Config)


def test_the_examples_are_three_and_differ_in_their_models() -> None:
    models = [parse_config(text, Path("c.yaml"), env={"ASSISTANT_TOKEN": "t"}).config.model for text in EXAMPLES]
    assert [type(model) for model in models] == [LocalModel, OpenAIModel, HttpModel]


def test_the_example_of_a_numeric_grader_reads_as_it_says() -> None:
    config = parse_config(EXAMPLES[2], Path("c.yaml"), env={"ASSISTANT_TOKEN": "t"}).config
    assert config.grade == GradeConfig(grader="numeric", tolerance=0.01)
