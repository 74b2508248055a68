"""What every block of the config is, and the checks that several blocks share."""

import re
import warnings
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

MISTAKE = "prt"
"""Type of the errors whose message is a sentence of ours."""


class Section(BaseModel):
    """A block of the config: frozen, without unknown keys, without silent conversions."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _empty_block_means_its_default(cls, data: object) -> object:
        """`prompt:` with every line below it commented out is null in YAML."""
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None or key not in cls.blocks()}

    @classmethod
    def blocks(cls) -> frozenset[str]:
        """The keys whose default is a block or a list; left empty, they mean that default."""
        defaults = {key: field.get_default(call_default_factory=True) for key, field in cls.model_fields.items()}
        return frozenset(key for key, default in defaults.items() if isinstance(default, Section | dict | list))


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
