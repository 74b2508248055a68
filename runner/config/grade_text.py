"""A `grade` block that stands by itself: on the command line, or in the config that a run was stored with."""

import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ..errors import ConfigError, Problem
from .loading import parse_config
from .schema import GradeConfig

_REST = "model: local\ndataset: none.jsonl\nperturbations: [rerun]\n"


def parse_grade(text: str, place: str, *, env: Mapping[str, str]) -> GradeConfig:
    """Read what stands behind `grade:` in a config.

    Args:
        text: YAML: a grader's name, a list of graders, or a block.
        place: What messages call the text.
        env: Environment variables, for `${VAR}`.

    Raises:
        ConfigError: What is wrong with it, without a line, since it stands in no file.
    """
    block = textwrap.indent(text.strip() or "''", "  ")
    try:
        config = parse_config(f"{_REST}grade:\n{block}\n", Path("grade.yaml"), env=env).config
    except ConfigError as error:
        problems = (replace(problem, path=place, line=None, column=None) for problem in error.problems)
        raise ConfigError(*problems) from None
    if config.grade is None:
        raise ConfigError(Problem("expected a grader's name, a list of graders or a block, found nothing", path=place))
    return config.grade
