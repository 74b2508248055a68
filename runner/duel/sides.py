"""Both sides of a duel as they are asked: the same items, each with its prompt, and the model that answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...perturbations import Subject, baseline_variant
from ...perturbations.variant import Variant
from ..config.duel import DuelConfig
from ..config.duel_loading import LoadedDuel
from ..config.models import LocalModel, ModelConfig
from ..config.schema import PromptConfig
from ..datasets.load import load_items
from ..encoding import variant_groups
from ..errors import Problem, UsageError
from ..problems import listed, quoted
from ..records import Item
from ..spool import Groups

SideName = Literal["baseline", "candidate"]
SIDES: tuple[SideName, SideName] = ("baseline", "candidate")


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a duel.

    Attributes:
        name: Which one.
        model: The model that answers.
        prompt: What is said around each question.
        items: The items.
        variants: Each item as it is asked.
        dataset_sha256: SHA-256 of the dataset's bytes.
        notes: Sentences that the user should read.
        skipped: Rows that can't be used, where the config says to skip them.
    """

    name: SideName
    model: ModelConfig
    prompt: PromptConfig
    items: Sequence[Item]
    variants: Groups[Variant]
    dataset_sha256: str
    notes: tuple[str, ...]
    skipped: tuple[Problem, ...]


def sides_of(loaded: LoadedDuel) -> tuple[Side, Side]:
    """The baseline and the candidate, before any call.

    Raises:
        DatasetError: The dataset can't be used, or lacks an answer that a dimension's judge is to be shown.
        ConfigError: A prompt can't be used.
    """
    baseline, candidate = (_side(loaded, name) for name in SIDES)
    return baseline, candidate


def _side(loaded: LoadedDuel, name: SideName) -> Side:
    config = loaded.config
    prompt = prompt_of(config, name)
    data = load_items(
        config.dataset,
        base=loaded.base,
        prompt=prompt,
        seed=config.seed,
        answer_form="none",
        need_answers=any(dimension.reference for dimension in config.dimensions),
    )
    model = model_of(config, name)
    variants = variant_groups()
    for item in data.items:
        if item.attachments and isinstance(model, LocalModel):
            raise UsageError(
                f"{config.dataset.path}: the item {quoted(item.id)} carries an image or another attachment, and "
                f"`local`, the model of the {name}, reads text alone; name an endpoint that takes it"
            )
        original = baseline_variant(Subject(item.id, item.question, gold=item.gold))
        variants.append(item.id, (replace(original, condition=name, generator=name),))
    return Side(name, model, prompt, data.items, variants, data.sha256, data.notes, data.skipped)


def prompt_of(config: DuelConfig, name: SideName) -> PromptConfig:
    """What a side says around each question."""
    return config.prompt if config.prompts is None else getattr(config.prompts, name)


def model_of(config: DuelConfig, name: SideName) -> ModelConfig:
    """The model that answers for a side."""
    model = config.model if config.models is None else getattr(config.models, name)
    if model is None:
        raise ValueError("a config without `models` has a `model`; its validation sees to it")
    return model


def refuse_other_models(config: DuelConfig, resolved: Mapping[SideName, Sequence[str]]) -> None:
    """Refuse to compare prompts that were answered by different models: the difference might be theirs.

    Args:
        config: The duel.
        resolved: The names that the endpoint gave back, of each side.

    Raises:
        UsageError: There is more than one name.
    """
    if config.prompts is not None:
        refuse_several_models(resolved)


def refuse_several_models(resolved: Mapping[SideName, Sequence[str]]) -> None:
    """Refuse prompts that were not answered by one model.

    Args:
        resolved: The names that the endpoint gave back, of each side.

    Raises:
        UsageError: There is more than one name.
    """
    if len({name for names in resolved.values() for name in names}) < 2:
        return
    told = "; ".join(f"the {side} by {listed(names)}" for side, names in resolved.items())
    raise UsageError(
        f"two prompts are compared, and not one model answered under both: {told}. The difference may be the models', "
        "so there is no verdict; name a model with its date in `model.name`, and ask again with --fresh"
    )


def shared_items(sides: tuple[Side, Side]) -> Iterator[Item]:
    """The items that both sides are asked, as the baseline has them."""
    asked = {item.id for item in sides[1].items}
    return (item for item in sides[0].items if item.id in asked)


def unshared_note(sides: tuple[Side, Side]) -> list[str]:
    """Say which items only one side is asked, since the other side's prompt can't be made for them."""
    ids = [{item.id for item in side.items} for side in sides]
    alone = sorted(ids[0] ^ ids[1])
    if not alone:
        return []
    return [f"{len(alone)} items are asked of one side only and are in no figure, such as {quoted(alone[0])}"]
