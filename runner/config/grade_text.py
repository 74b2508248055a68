"""A `grade` block that stands by itself: on the command line, in a file, or in the config of a stored run."""

import textwrap
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue as Json

from ..errors import ConfigError, Problem
from .environment import can_be_filled
from .loaded import LoadedConfig
from .loading import parse_config
from .models import KNOWN_BY
from .pricing import stored_prices
from .show import to_yaml

_UNKNOWN: dict[str, Json] = {"provider": "replay", "path": "none.jsonl"}
"""Stands for a model under test that is not known: no judge is a file of replies, so none is taken for this one."""
_REST: Mapping[str, Json] = {"model": _UNKNOWN, "dataset": "none.jsonl", "perturbations": ["rerun"]}
SPENDING = ("limits", "prices")


def parse_grade(
    text: str, place: str, *, env: Mapping[str, str], base: Path = Path(), beside: Mapping[str, Json] | None = None
) -> LoadedConfig:
    """Read what stands behind `grade:` in a config.

    Args:
        text: YAML: a grader's name, a list of graders, or a block.
        place: What messages call the text.
        env: Environment variables, for `${VAR}`.
        base: The folder that its relative paths start from.
        beside: Other keys of a config that count with it, such as those of `beside_grade`.

    Returns:
        A config whose `grade` is given; all else in it, but for `beside`, means nothing.

    Raises:
        ConfigError: What is wrong with it, without a line, since it stands in no config.
    """
    block = textwrap.indent(text.strip() or "''", "  ")
    rest = to_yaml({**_REST, **(beside or {})})
    try:
        loaded = parse_config(f"{rest}grade:\n{block}\n", base / "grade.yaml", env=env)
    except ConfigError as error:
        problems = (replace(problem, path=place, line=None, column=None) for problem in error.problems)
        raise ConfigError(*problems) from None
    if loaded.config.grade is None:
        raise ConfigError(Problem("expected a grader's name, a list of graders or a block, found nothing", path=place))
    return loaded


def beside_grade(config: Mapping[str, Json], env: Mapping[str, str]) -> dict[str, Json]:
    """What of a stored run's config counts with another grader of its replies: what may be spent, at which prices.

    Args:
        config: The config.
        env: Environment variables, for `${VAR}`.

    Returns:
        Its limits and prices, and its model under test as far as a judge may be that model: what it is known by, unless
        the environment lacks a variable of that, and what its tokens cost.
    """
    block, priced = config.get("model"), stored_prices(config)
    known = {key: block[key] for key in KNOWN_BY if block.get(key) is not None} if isinstance(block, dict) else {}
    model = {**known} if known and can_be_filled(to_yaml(known), env) else {**_UNKNOWN}
    for prices in filter(None, map(priced.price_of, priced.tested)):
        model["prices"] = prices.model_dump()
    return {**{key: config[key] for key in SPENDING if config.get(key) is not None}, "model": model}
