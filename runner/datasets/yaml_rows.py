"""YAML files of data: plain values only, nothing constructed, nothing bent."""

import re
from collections.abc import Hashable
from typing import Any

import yaml
from pydantic import JsonValue as Json

from ..config.foreign import other_tool
from ..config.strict_yaml import YamlError, parse
from ..errors import DatasetError, Problem
from .values import json_value

PLAIN = (
    ("tag:yaml.org,2002:null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("tag:yaml.org,2002:int", r"[-+]?(?:0|[1-9][0-9]*)", list("-+0123456789")),
    (
        "tag:yaml.org,2002:float",
        r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+]?[0-9]+[eE][-+]?[0-9]+",
        list("-+.0123456789"),
    ),
)
"""What a word without quotes may be besides a text; `yes`, `no`, `on`, dates and `1:30` are texts, as they stand."""


class Loader(yaml.SafeLoader):
    """Reads plain values; a key that stands twice is an error."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML declares it so

    def refuse_tag(self, node: Any) -> Any:
        """Data has no tags; they are how other tools write a program's values."""
        text = f"the tag `{node.tag}` stands for a program's value, and data has none (is this another tool's config?)"
        raise yaml.constructor.ConstructorError(None, None, text, node.start_mark)

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:  # noqa: FBT001, FBT002 - PyYAML's own
        """Make a mapping whose keys are texts."""
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    twice = f"the key `{key.value}` stands twice"
                    raise yaml.constructor.ConstructorError(None, None, twice, key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


Loader.add_constructor(None, Loader.refuse_tag)
for _tag, _pattern, _first in PLAIN:
    Loader.add_implicit_resolver(_tag, re.compile(f"(?:{_pattern})$"), _first)
Loader.add_implicit_resolver("tag:yaml.org,2002:merge", re.compile("<<$"), ["<"])


def other_config(text: str) -> str | None:
    """What a file is that is no data but configures another tool; None where it is no such file, or no YAML."""
    if text.lstrip().startswith(("-", "[")):
        return None
    try:
        return other_tool(parse(text).root)
    except YamlError:
        return None


def parse_yaml(text: str, name: str) -> Json:
    """Read a YAML text; several documents in it are a list.

    Raises:
        DatasetError: If it is no YAML, or has a tag.
    """
    try:
        documents = [json_value(document) for document in yaml.load_all(text, Loader)]
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise DatasetError(
            Problem(f"not valid YAML: {error.problem}", path=name, line=place[0], column=place[1])
        ) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        deep = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if deep else str(error).split("\n", maxsplit=1)[0]
        raise DatasetError(Problem(f"not valid YAML: {reason}", path=name)) from None
    return documents[0] if len(documents) == 1 else documents
