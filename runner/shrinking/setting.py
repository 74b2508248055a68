"""The config that a stored run was asked by, as far as asking and grading need it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue as Json

from ..config.credentials import missing_keys
from ..config.loading import LoadedConfig, parse_config
from ..config.schema import Config
from ..config.show import to_yaml
from ..errors import ConfigError, Problem, UsageError
from ..store.runs import RunRecord

NEEDED = ("name", "model", "grade", "protect", "limits")
REPEATS = 5
"""How often each prompt is asked where replies may vary by themselves."""
FOLDER = "folder"
"""The entry of a run's environment that says where relative paths in its config start."""


def stored_config(record: RunRecord, env: Mapping[str, str]) -> LoadedConfig:
    """Load what a run's config says of the model and the grader; secrets come from the environment, as for the run.

    Relative paths in it start from the folder of the config file where that is still there, else from the working
    directory.

    Args:
        record: The run.
        env: Environment variables.

    Raises:
        ConfigError: A variable or key is not set, or this prt takes the config no longer.
        UsageError: The run's model only repeats what is in a file.
    """
    stored = {key: record.config[key] for key in NEEDED if key in record.config}
    text = to_yaml({**stored, "dataset": "none.jsonl", "perturbations": ["rerun"]})
    folder = Path(str(record.environment.get(FOLDER, "")))
    try:
        loaded = parse_config(text, (folder if folder.is_dir() else Path()) / f"{record.id}.yaml", env=env)
    except ConfigError as error:
        raise in_config_of(record, error.problems) from None
    if problems := missing_keys(loaded, env):
        raise in_config_of(record, problems)
    if loaded.config.model.provider == "replay":
        raise UsageError(
            f"{record.id} took its replies from a file, which has none for new prompts; run the config with a model "
            "that can be asked, and shrink what flips there."
        )
    return loaded


def in_config_of(record: RunRecord, problems: Iterable[Problem]) -> ConfigError:
    """Name the run in problems of its config, of which there is no file here."""
    place = f"the config of {record.id}"
    return ConfigError(*(replace(problem, path=place, line=None, column=None) for problem in problems))


def default_repeats(config: Config) -> int:
    """How often to ask each prompt: once where the temperature is known to be 0."""
    given: Mapping[str, Json] = getattr(config.model, "params", None) or getattr(config.model, "body", None) or {}
    return 1 if given.get("temperature") == 0 else REPEATS


def changed_since(kind: str, before: Mapping[str, Json], now: Mapping[str, Json]) -> list[str]:
    """Say in a sentence where a model or a grader is another one than the run had; none where it is the same."""
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if not names:
        return []
    return [f"the {kind} is not the one that the run had: its {', '.join(names)} changed since"]
