"""Loading the config file of a duel, by the same steps as that of a run."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue as Json

from ..errors import ConfigError
from .duel import DuelConfig
from .environment import fill
from .kinds import refuse_other_kind
from .loading import origins_of, problems_of, read_tree, templates_of, validated
from .origins import Origin
from .public import public_section
from .secret_literals import literal_secrets
from .short_forms import ShortFormError, dataset_form, model_form
from .words import is_null
from .yaml_files import read_text
from .yaml_nodes import Fault, KeyPath, MapNode, Node, ScalarNode

FORMS: Mapping[str, Callable[[Node], Node]] = {"model": model_form, "judge": model_form, "dataset": dataset_form}
"""The keys whose value may be short."""
ADVICE = "the config of a duel has `model`, `prompts`, `dataset` and `dimensions`; `prt duel --suggest` writes one"


@dataclass(frozen=True, slots=True, repr=False)
class LoadedDuel:
    """The config of a duel and the file that it came from. It may hold secrets; `public()` and its repr don't.

    Attributes:
        config: The whole config, `${VAR}` filled in.
        path: The file.
        origins: Where each value that the file gives stands, by the dotted keys of `public()`.
        templates: The texts that held `${VAR}`, as the file has them.
    """

    config: DuelConfig
    path: Path
    origins: Mapping[str, Origin]
    templates: Mapping[KeyPath, str]

    def __repr__(self) -> str:
        return f"LoadedDuel({str(self.path)!r})"

    def public(self) -> dict[str, Json]:
        """The config as it may be shown and stored, every default said."""
        return public_section(self.config, self.templates)

    @property
    def base(self) -> Path:
        """The folder that relative paths in the config start from: the config file's."""
        return self.path.parent


def load_duel(path: Path | str, *, env: Mapping[str, str]) -> LoadedDuel:
    """Load the config of a duel.

    Args:
        path: The YAML file.
        env: Environment variables, for `${VAR}`.

    Raises:
        ConfigError: All that is wrong with it, a sentence each with line, column and key, sorted by place.
    """
    file = Path(path)
    return parse_duel(read_text(file), file, env=env)


def parse_duel(text: str, path: Path, *, env: Mapping[str, str]) -> LoadedDuel:
    """Load the config of a duel from its text.

    Raises:
        ConfigError: As `load_duel`.
    """
    root, faults = read_tree(text, path, advice=ADVICE)
    refuse_other_kind(root, path, "duel")
    faults += literal_secrets(root)
    filled, more = fill(root, env)
    long, still_more = _expanded(filled, path.stem.encode(errors="replace").decode())
    faults += [*more, *still_more]
    config = validated(DuelConfig, long, faults)
    if config is None or faults:
        raise ConfigError(*problems_of(faults, path))
    return LoadedDuel(config, path, origins_of(long), templates_of(long))


def _expanded(root: MapNode, stem: str) -> tuple[MapNode, list[Fault]]:
    """Every block in its long form, and a fault for each value that has no form at all."""
    faults: list[Fault] = []
    entries = dict(root.entries)
    if "name" not in entries:
        entries["name"] = ScalarNode(stem, stem, quoted=True, mark=root.mark, path=("name",), implied=True)
    for key, form in FORMS.items():
        _expand(entries, key, form, faults)
    models = entries.get("models")
    if isinstance(models, MapNode):
        sides: dict[str, Node] = dict(models.entries)
        for side in ("baseline", "candidate"):
            _expand(sides, side, model_form, faults)
        entries["models"] = replace(models, entries=sides)
    return replace(root, entries=entries), faults


def _expand(entries: dict[str, Node], key: str, form: Callable[[Node], Node], faults: list[Fault]) -> None:
    if key not in entries or is_null(entries[key]):
        return
    try:
        entries[key] = form(entries[key])
    except ShortFormError as error:
        del entries[key]
        faults.append(error.fault)
