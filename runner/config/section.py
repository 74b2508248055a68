"""What every block of the config is, and the checks that several blocks share."""

import re
import warnings
from dataclasses import dataclass
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetJsonSchemaHandler, model_validator
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError

from .descriptions import descriptions

MISTAKE = "prt"
"""Type of the errors whose message is a sentence of ours."""


class Section(BaseModel):
    """A block of the config: frozen, without unknown keys, without silent conversions."""

    # A run reads one config: its schema is made once, with those of its blocks, when the file is read.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The block's JSON Schema, with what each key means."""
        schema = handler(core_schema)
        for key, description in descriptions(cls).items():
            handler.resolve_ref_schema(schema)["properties"][key]["description"] = description
        return schema

    @model_validator(mode="before")
    @classmethod
    def _empty_block_means_its_default(cls, data: object) -> object:
        """`prompt:` with every line below it commented out is null in YAML."""
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None or key not in cls.blocks()}

    @classmethod
    @cache
    def blocks(cls) -> frozenset[str]:
        """The keys whose default is a block or a list; left empty, they mean that default."""
        defaults = {key: field.get_default(call_default_factory=True) for key, field in cls.model_fields.items()}
        return frozenset(key for key, default in defaults.items() if isinstance(default, Section | dict | list))


@dataclass(frozen=True, slots=True)
class SchemaOf:
    """Says in an annotation that a value's JSON Schema is that of a block.

    Attributes:
        section: The block.
    """

    section: type[Section]

    def __get_pydantic_json_schema__(self, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        """The block's JSON Schema, whatever validates the value."""
        return self.section.model_json_schema()


def mistake(message: str, *, key: str = "", detail: str = "", show: bool = False) -> PydanticCustomError:
    """An error with a sentence of ours.

    Args:
        message: The sentence, without what was found.
        key: The key of this block that is at fault; empty where the validated value itself is.
        detail: What a library said of the value; left out where the value came from the environment.
        show: Whether what was found is to be appended.
    """
    return PydanticCustomError(MISTAKE, "{message}", {"message": message, "key": key, "detail": detail, "show": show})


def _pattern(text: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a possible nested set (`[[a]`) is a set all the same
            re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise mistake("expected a regular expression", detail=str(error), show=True) from None
    return text


def _url(text: str) -> str:
    if not re.match(r"https?://[^\s/?#]+", text) or re.search(r"\s", text):
        raise mistake("expected an address that starts with `http://` or `https://`", show=True)
    return text


def _variable(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        raise mistake(
            "expected the name of an environment variable (letters, digits and `_`), such as `OPENAI_API_KEY`",
            show=True,
        )
    return text


def _function(text: str) -> str:
    if not re.fullmatch(r".+:[^\W\d]\w*(\.[^\W\d]\w*)*", text, re.DOTALL):
        raise mistake("expected `package.module:function` or `file.py:function`", show=True)
    return text


def _encoding(text: str) -> str:
    try:
        "a".encode(text)  # nothing at all would be encoded by any name
    except (LookupError, ValueError):
        raise mistake("expected a text encoding that Python knows, such as `utf-8` or `cp1252`", show=True) from None
    return text


Name = Annotated[str, Field(min_length=1)]
Names = Annotated[list[Name], Field(min_length=1)]
Pattern = Annotated[Name, AfterValidator(_pattern)]
Url = Annotated[str, AfterValidator(_url)]
VariableName = Annotated[str, AfterValidator(_variable)]
FunctionName = Annotated[str, AfterValidator(_function)]
Encoding = Annotated[str, AfterValidator(_encoding)]
