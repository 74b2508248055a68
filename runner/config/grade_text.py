"""A `grade` block that stands by itself: on the command line, in a file, or in the config of a stored run."""

import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue as Json

from ..errors import ConfigError, Problem
from .loaded import LoadedConfig
from .loading import parse_config
from .show import to_yaml

_REST = "model: local\ndataset: none.jsonl\nperturbations: [rerun]\n"


def parse_grade(
    text: str, place: str, *, env: Mapping[str, str], base: Path = Path(), beside: Mapping[str, Json] | None = None
) -> LoadedConfig:
    """Read what stands behind `grade:` in a config.

    Args:
        text: YAML: a grader's name, a list of graders, or a block.
        place: What messages call the text.
        env: Environment variables, for `${VAR}`.
        base: The folder that its relative paths start from.
        beside: Other keys of a config that count with it, such as `limits`.

    Returns:
        A config whose `grade` is given; all else in it, but for `beside`, means nothing.

    Raises:
        ConfigError: What is wrong with it, without a line, since it stands in no config.
    """
    block = textwrap.indent(text.strip() or "''", "  ")
    rest = _REST + (to_yaml(dict(beside)) if beside else "")
    try:
        loaded = parse_config(f"{rest}grade:\n{block}\n", base / "grade.yaml", env=env)
    except ConfigError as error:
        problems = (replace(problem, path=place, line=None, column=None) for problem in error.problems)
        raise ConfigError(*problems) from None
    if loaded.config.grade is None:
        raise ConfigError(Problem("expected a grader's name, a list of graders or a block, found nothing", path=place))
    return loaded
