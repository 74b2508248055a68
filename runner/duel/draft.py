"""The draft of a duel's config, as YAML that `prt duel` reads."""

from collections.abc import Mapping
from pathlib import Path

from pydantic import JsonValue as Json
from pydantic import ValidationError

from ..config.duel import DuelPrompts
from ..config.duel_loading import parse_duel
from ..config.environment import fill
from ..config.loading import problems_of, read_tree
from ..config.messages import explain
from ..config.public import written
from ..config.schema import PromptConfig
from ..config.show import to_yaml
from ..config.yaml_files import read_text
from ..config.yaml_nodes import MapNode, plain
from ..errors import ConfigError, UsageError
from .suggesting import Suggested, suggested
from .templates import Task

PLACEHOLDER = PromptConfig(system="You are a helpful assistant.")
OTHER_PLACEHOLDER = PromptConfig(system="You are a helpful assistant. Answer in at most 80 words.")
JUDGE: dict[str, Json] = {"name": "judge-model"}
"""What stands for the judge until the user names one."""


def draft_of_prompts(baseline: Path | None, candidate: Path | None, task: Task | None) -> str:
    """Draft a whole config.

    Args:
        baseline: A file with the prompt as it is, taken as the system prompt; None for a text to be replaced.
        candidate: A file with the prompt that may take its place.
        task: The task; None to go by the prompts.

    Raises:
        UsageError: One of two files is missing, or can't be read.
    """
    if (baseline is None) != (candidate is None):
        raise UsageError("--suggest takes both prompts or none: --baseline OLD.txt and --candidate NEW.txt")
    before, after = PLACEHOLDER, OTHER_PLACEHOLDER
    if baseline is not None and candidate is not None:
        before, after = (PromptConfig(system=prompt_text(path)) for path in (baseline, candidate))
        if before == after:
            raise UsageError(f"{baseline} and {candidate} hold the same prompt, so there is nothing to compare")
    config: dict[str, Json] = {
        "model": {"name": "model-under-test"},
        "dataset": "items.jsonl",
        "prompts": {"baseline": {"system": before.system}, "candidate": {"system": after.system}},
    }
    draft = suggested(before, after, task)
    text = to_yaml(written(config)) + _dimensions(draft, judge=True)
    parse_duel(text, Path("duel.yaml"), env={})
    return _HEAD + _told(draft).lstrip() + text


def prompt_text(path: Path) -> str:
    """A prompt in a file.

    Raises:
        UsageError: There is no such file, or it can't be read.
    """
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file; name a text file that holds the prompt")
    return read_text(path).strip()


_HEAD = """\
# A draft by `prt duel --suggest`. Name the model, the judge (another model) and the dataset; keep the dimensions that
# matter to you, in your own words; then: prt duel THIS-FILE
"""


def draft_of_config(path: Path, task: Task | None, *, env: Mapping[str, str]) -> str:
    """Complete a config that has prompts and no dimensions yet.

    Args:
        path: The config; what stands in it stays as it is.
        task: The task; None to go by the prompts.
        env: Environment variables, for `${VAR}`.

    Raises:
        ConfigError: It can't be read, has dimensions already, or no prompts; or is wrong elsewhere.
        UsageError: As `ConfigError`.
    """
    text = read_text(path)
    root, faults = read_tree(text, path)
    root, more = fill(root, env)
    if faults or more:
        raise ConfigError(*problems_of([*faults, *more], path))
    if "dimensions" in root.entries:
        raise UsageError(f"{path} has `dimensions` already; take them out to have others suggested")
    prompts = _prompts(root, path)
    draft = suggested(prompts.baseline, prompts.candidate, task)
    whole = text.rstrip("\n") + "\n" + _told(draft) + _dimensions(draft, judge="judge" not in root.entries)
    parse_duel(whole, path, env=env)
    return whole


def _prompts(root: MapNode, path: Path) -> DuelPrompts:
    node = root.entries.get("prompts")
    if not isinstance(node, MapNode):
        raise UsageError(f"{path} has no `prompts: {{baseline: …, candidate: …}}`, by whose difference to suggest")
    try:
        return DuelPrompts.model_validate(plain(node))
    except ValidationError as error:
        raise ConfigError(*problems_of(explain(error, node, DuelPrompts), path)) from None


def _told(draft: Suggested) -> str:
    by = "told by the words of the prompts; another: --task" if draft.guessed else "as asked for"
    return f"\n# Dimensions for the task {draft.task} ({by}).\n"


def _dimensions(draft: Suggested, *, judge: bool) -> str:
    """The blocks `judge`, where it is needed, and `dimensions`, each with why it is there."""
    needs = judge and any(each.grader != "rule" for each, _ in draft.dimensions)
    lines = [to_yaml({"judge": JUDGE})] if needs else []
    lines.append("dimensions:\n")
    for each, why in draft.dimensions:
        block = to_yaml(written([each.block()])).rstrip("\n").split("\n")
        lines.append(f"  # {' '.join(why.split())}\n" + "".join(f"  {line}\n" for line in block))
    return "".join(lines)
