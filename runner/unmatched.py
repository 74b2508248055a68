"""What perturbations ask for and the dataset does not give: items of paraphrases, and passages that no field names."""

from collections.abc import Iterator, Sequence

from ..perturbations import Generator
from ..perturbations.compose import Composition
from .config.schema import Config, ParaphraseConfig, ReorderConfig
from .datasets.load import LoadedItems
from .errors import DatasetError, Problem
from .problems import counted, listed, quoted

PASSAGES = frozenset({"context", "contexts", "passage", "passages", "document", "documents"})
"""Columns that hold passages, by their names."""


def unmatched_notes(config: Config, data: LoadedItems, generators: Sequence[Generator]) -> tuple[str, ...]:
    """Say which paraphrases belong to no row, and which column may hold the passages that are missing.

    Args:
        config: The config.
        data: Its dataset.
        generators: Its generators, one an entry of `perturbations`, and perhaps more behind them.

    Raises:
        DatasetError: No id of a file of paraphrases is in the dataset.
    """
    notes: dict[str, None] = {}
    for entry, generator in zip(config.perturbations, generators, strict=False):
        steps = generator.steps if isinstance(generator, Composition) else (generator,)
        for step, made in zip(entry, steps, strict=True):
            if isinstance(step.config, ParaphraseConfig) and step.config.file is not None:
                notes |= dict.fromkeys(unknown_ids(step.config.file, made, data, config.dataset.path))
            if isinstance(step.config, ReorderConfig) and step.config.of == "context":
                notes |= dict.fromkeys(unnamed_passages(data))
    return tuple(notes)


def unknown_ids(file: str, made: Generator, data: LoadedItems, dataset: str) -> Iterator[str]:
    """Count the ids of a file of paraphrases that no row of the dataset has.

    Raises:
        DatasetError: They are all that it has.
    """
    from ..perturbations import ParaphraseFile  # noqa: PLC0415 - few configs have such a file

    if not isinstance(made, ParaphraseFile):
        raise TypeError(f"a file of paraphrases makes no {made.name}")
    unknown = [item_id for item_id in made.paraphrases if item_id not in data.ids]
    if unknown and len(unknown) == len(made.paraphrases):
        none = "its id" if len(unknown) == 1 else f"none of its {len(unknown)} ids"
        isnt = "is not" if len(unknown) == 1 else "is"
        raise DatasetError(
            Problem(
                f"{none} {isnt} in the dataset {dataset}: it has {quoted(unknown[0])}, and the dataset "
                f"{quoted(data.items[0].id)}; write the ids of the dataset, as `prt perturb` shows them",
                path=file,
            )
        )
    if unknown:
        are = "is" if len(unknown) == 1 else "are"
        yield (
            f"{file}: {len(unknown)} of {counted(len(made.paraphrases), 'id')} {are} in no row of the dataset "
            f"({quoted(unknown[0])} is one), and the paraphrases there are not used"
        )


def unnamed_passages(data: LoadedItems) -> Iterator[str]:
    """Name the columns that look like passages, where no item has any."""
    columns = [name for name in data.unnamed if name.casefold() in PASSAGES]
    if columns and not any(item.question.context for item in data.items):
        yield (
            f"`reorder: {{of: context}}` finds no passages, and the rows have {listed(columns)}, which no field names: "
            f"`dataset: {{fields: {{context: {columns[0]}}}}}` reads passages from there"
        )
