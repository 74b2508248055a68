"""Loading the config file of `prt score`, with settings that the command line gives."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import JsonValue as Json

from ..errors import ConfigError, Problem
from ..problems import quoted
from .environment import fill
from .kinds import refuse_other_kind
from .loading import origins_of, problems_of, read_tree, templates_of, validated
from .origins import Origin
from .public import public_section
from .score import ScoreConfig
from .secret_literals import literal_secrets
from .short_forms import ShortFormError, model_form
from .strict_yaml import YamlError, parse
from .words import is_null
from .yaml_files import read_text
from .yaml_nodes import Fault, KeyPath, MapNode, Mark, Node, ScalarNode

MODELS = ("sut", "judge", "generator")
"""The keys that name a model, whose value may be short."""
ADVICE = "the config of `prt score` has `sut` and `judge`, and perhaps `generator` and settings such as `num_pairs`"
OPTION = "--set"


@dataclass(frozen=True, slots=True, repr=False)
class LoadedScore:
    """The config of a score and where it came from. It may hold secrets; `public()` and its repr don't.

    Attributes:
        config: The whole config, `${VAR}` filled in.
        path: The file; None where there is none.
        origins: Where each value that is given stands, by the dotted keys of `public()`.
        templates: The texts that held `${VAR}`, as the file has them.
    """

    config: ScoreConfig
    path: Path | None
    origins: Mapping[str, Origin]
    templates: Mapping[KeyPath, str]

    def __repr__(self) -> str:
        return f"LoadedScore({str(self.path)!r})"

    def public(self) -> dict[str, Json]:
        """The config as it may be shown and stored, every default said."""
        return public_section(self.config, self.templates)

    @property
    def base(self) -> Path:
        """The folder that relative paths in the config start from."""
        return Path() if self.path is None else self.path.parent


def load_score(path: Path | None, settings: Sequence[str], *, env: Mapping[str, str]) -> LoadedScore:
    """Load the config of a score.

    Args:
        path: The YAML file; None for the defaults.
        settings: Further settings, `KEY=VALUE` each, the value as YAML; they take the place of the file's.
        env: Environment variables, for `${VAR}`.

    Raises:
        ConfigError: All that is wrong with it, a sentence each.
    """
    given = dict(_given(settings))
    if path is None:
        return _loaded(MapNode({}, mark=Mark()), [], None, given, env)
    root, faults = read_tree(read_text(path), path, advice=ADVICE)
    refuse_other_kind(root, path, "score")
    return _loaded(root, faults, path, given, env)


def _given(settings: Sequence[str]) -> Iterator[tuple[str, Node]]:
    """The settings of the command line as nodes of a config."""
    for setting in settings:
        key, equals, value = setting.partition("=")
        try:
            document = parse(f"{key.strip()}: {value}")
        except YamlError as error:
            raise ConfigError(Problem(f"{quoted(setting)}: {error.fault.message}", path=OPTION)) from None
        root = document.root
        if not equals or not isinstance(root, MapNode) or len(root.entries) != 1 or document.faults:
            text = f"{quoted(setting)} is no setting; write KEY=VALUE, such as num_pairs=5"
            raise ConfigError(Problem(text, path=OPTION))
        yield from root.entries.items()


def _loaded(
    root: MapNode, faults: list[Fault], path: Path | None, given: Mapping[str, Node], env: Mapping[str, str]
) -> LoadedScore:
    whole = replace(root, entries={**root.entries, **given})
    faults += literal_secrets(whole)
    filled, more = fill(whole, env)
    long, still_more = _expanded(filled, None if path is None else path.stem)
    faults += [*more, *still_more]
    config = validated(ScoreConfig, long, faults)
    if config is None or faults:
        raise ConfigError(*_problems(faults, path, given))
    return LoadedScore(config, path, origins_of(long), templates_of(long))


def _problems(faults: Sequence[Fault], path: Path | None, given: Mapping[str, Node]) -> Iterator[Problem]:
    """The faults with their places; those of the command line's settings have no line."""
    of_options = [fault for fault in faults if fault.path[:1] and fault.path[0] in given]
    for problem in problems_of(of_options, Path(OPTION)):
        yield replace(problem, line=None, column=None)
    others = [fault for fault in faults if fault not in of_options]
    yield from problems_of(others, path or Path(OPTION))


def _expanded(root: MapNode, stem: str | None) -> tuple[MapNode, list[Fault]]:
    """Every block in its long form, and a fault for each value that has no form at all."""
    faults: list[Fault] = []
    entries = dict(root.entries)
    if "name" not in entries and stem is not None:
        name = stem.encode(errors="replace").decode()
        entries["name"] = ScalarNode(name, name, quoted=True, mark=root.mark, path=("name",), implied=True)
    for key in MODELS:
        if key in entries and not is_null(entries[key]):
            try:
                entries[key] = model_form(entries[key])
            except ShortFormError as error:
                del entries[key]
                faults.append(error.fault)
    return replace(root, entries=entries), faults
