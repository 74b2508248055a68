"""What each key means is read from the class's source, as pydantic itself would read it."""

from prt.runner.config.descriptions import descriptions
from prt.runner.config.schema import GENERATORS, PROVIDERS, Config, DatasetConfig, GradeConfig, PromptConfig, Section
from pydantic import BaseModel, ConfigDict


class Plain(Section):
    """A block."""

    size: int = 3
    """How large,
    in lines."""
    unsaid: str = ""
    name: str
    """What it is called."""


class Further(Plain):
    """A block with more."""

    colour: str = "red"
    """Its `colour`."""


class ByPydantic(BaseModel):
    """The same, read by pydantic."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    size: int = 3
    """How large,
    in lines."""
    unsaid: str = ""
    name: str
    """What it is called."""


def test_descriptions_are_those_that_pydantic_finds() -> None:
    found = {name: field.description for name, field in ByPydantic.model_fields.items() if field.description}
    assert descriptions(Plain) == found == {"size": "How large,\nin lines.", "name": "What it is called."}


def test_a_block_has_those_of_the_block_that_it_extends() -> None:
    assert descriptions(Further) == {**descriptions(Plain), "colour": "Its `colour`."}


def test_the_schema_says_what_each_key_means() -> None:
    properties = Further.model_json_schema()["properties"]
    assert {key: about.get("description") for key, about in properties.items()} == {
        "size": "How large,\nin lines.",
        "unsaid": None,
        "name": "What it is called.",
        "colour": "Its `colour`.",
    }


def test_every_key_of_the_config_says_what_it_means() -> None:
    sections: tuple[type[Section], ...] = (
        Config,
        DatasetConfig,
        PromptConfig,
        GradeConfig,
        *PROVIDERS.values(),
        *GENERATORS.values(),
    )
    silent = {
        f"{section.__name__}.{key}"
        for section in sections
        for key in section.model_fields
        if not descriptions(section).get(key)
    }
    assert silent == set()
