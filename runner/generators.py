"""The `perturbations:` block to generators."""

from collections.abc import Mapping
from pathlib import Path

from .. import perturbations
from ..perturbations import Generator, compose
from ..perturbations.perturb import listing
from .config.schema import (
    Config,
    ControlConfig,
    FormatConfig,
    GeneratorConfig,
    LocalModel,
    NoiseConfig,
    OpenAIModel,
    ParaphraseConfig,
    PythonGeneratorConfig,
    ReorderConfig,
    RerunConfig,
    StyleConfig,
    TypoConfig,
)
from .errors import ConfigError, Problem


def build_generators(
    config: Config, *, base: Path, paraphrases: Mapping[int, Generator] | None = None
) -> tuple[Generator, ...]:
    """Make the generators of a config, in its order; the noise floor is added where replies may vary by themselves.

    Args:
        config: The config.
        base: Folder that relative paths are relative to.
        paraphrases: The generators of what a model writes, by the index of the entry that each begins.

    Returns:
        One generator an entry; an entry of several is a composition, applied in its order.

    Raises:
        DatasetError: A file of paraphrases can't be used.
        ConfigError: Two generators of a name can't be kept apart.
    """
    begun = {at: [generator] for at, generator in (paraphrases or {}).items()}
    entries = tuple(
        compose([*begun.get(at, []), *(build(step.config, base) for step in entry[len(begun.get(at, [])) :])])
        for at, entry in enumerate(config.perturbations)
    )
    try:
        listing(entries)
    except ValueError as error:
        raise ConfigError(Problem(str(error), key="perturbations")) from None
    return (*entries, perturbations.Rerun()) if wants_rerun(config) else entries


def wants_rerun(config: Config) -> bool:
    """Whether to ask the original again though the config does not say so: where replies may vary unseen.

    An OpenAI-compatible endpoint samples at temperature 1 unless told otherwise. An application, a function or a file
    is asked once more only where the config lists `rerun`.
    """
    named = any(step.name == "rerun" for entry in config.perturbations for step in entry)
    if named or config.repeats > 1 or config.model.provider not in {"openai", "local"}:
        return False
    return config.model.params.get("temperature", 1) != 0


def rerun_notes(config: Config) -> tuple[str, ...]:
    """Say that `rerun` was added, why, and how to leave it out; nothing where it wasn't."""
    model = config.model
    if not isinstance(model, OpenAIModel | LocalModel) or not wants_rerun(config):
        return ()
    temperature = model.params.get("temperature")
    why = "model.params gives no temperature" if temperature is None else f"the temperature is {temperature}"
    note = (
        f"`rerun` is added, which asks every original once more: {why}, so replies may vary by themselves, and it "
        "shows how often. `model: {params: {temperature: 0}}` leaves it out; `rerun` among the `perturbations`, or "
        "`repeats` above 1, takes its place."
    )
    return (note,)


def build(config: GeneratorConfig, base: Path) -> Generator:
    """Make one generator."""
    match config:
        case ReorderConfig():
            return perturbations.Reorder(of=config.of, kind=config.kind, variants=config.variants)
        case FormatConfig():
            kinds = config.kind or perturbations.FORMAT_SEVERITIES[config.severity]
            return perturbations.Format(kind=tuple(kinds), variants=config.variants)
        case ParaphraseConfig():
            return build_paraphrase(config, base)
        case TypoConfig() | StyleConfig() | NoiseConfig():
            return build_edited(config)
        case PythonGeneratorConfig():
            from .own_loading import make_own  # noqa: PLC0415 - few configs bring one of their own

            return make_own(config, base=base)
        case RerunConfig() | ControlConfig():
            return build_apart(config)


def build_paraphrase(config: ParaphraseConfig, base: Path) -> Generator:
    """Make a generator of paraphrases that are written already."""
    if config.file is None:
        return perturbations.Frames(variants=config.variants)
    from .datasets.paraphrases import read_paraphrases  # noqa: PLC0415 - few configs have such a file

    return perturbations.ParaphraseFile(paraphrases=read_paraphrases(base, config.file), variants=config.variants)


def build_edited(config: TypoConfig | StyleConfig | NoiseConfig) -> Generator:
    """Make a generator that edits texts."""
    parts, variants = tuple(config.parts), config.variants
    if isinstance(config, StyleConfig):
        return perturbations.Style(kind=tuple(config.kind), parts=parts, variants=variants)
    rate = perturbations.SEVERITIES[config.severity] if config.rate is None else config.rate
    if isinstance(config, NoiseConfig):
        return perturbations.Noise(kind=tuple(config.kind), rate=rate, parts=parts, variants=variants)
    operations = tuple(config.operations)
    return perturbations.Typo(rate=rate, layout=config.layout, parts=parts, operations=operations, variants=variants)


def build_apart(config: RerunConfig | ControlConfig) -> Generator:
    """Make a generator whose conditions enter no figure of robustness."""
    if isinstance(config, RerunConfig):
        return perturbations.Rerun(variants=config.variants)
    return perturbations.Control(kinds=tuple(config.kind), variants=config.variants)
