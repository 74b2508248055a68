"""What decides a run's items and variants, as a hash: by it a later run knows that a store has them already."""

import os
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from sys import version as python_version

from ..perturbations.canonical import canonical_hash
from .bundles import bundle_file
from .config.loading import LoadedConfig
from .config.schema import Config, GradeConfig, ParaphraseConfig, PythonGeneratorConfig
from .datasets.locating import data_files
from .errors import DatasetError
from .generators import rerun_notes
from .paraphrasing.paraphrasers import asks_a_model

DECISIVE = ("dataset", "perturbations", "prompt", "grade", "protect", "repeats", "seed", "bundle")
"""The parts of a config that decide items, variants, and whether the grader can be trusted with them."""
TELLABLE = frozenset({"choice", "multi", "numeric", "exact", "contains", "label", "regex", "json", "code", "any_of"})
"""The graders that their part of the config decides, with the files that it names; no function or model takes part."""
CHUNK = 1 << 20


def recipe_of(loaded: LoadedConfig) -> str | None:
    """Hash all that decides the items and variants of a config: its parts, the files that it names, and prt itself.

    Args:
        loaded: The config.

    Returns:
        64 hexadecimal digits. None where something takes part that no hash can tell: a function of the user's, a
        model, a data set that is not a file, files that the rows name, or a file that can't be read or is a pipe.
    """
    config = loaded.config
    if is_beyond_hashing(config):
        return None
    try:
        files = {name: digest(file) for name, file in named_files(loaded)}
    except (OSError, DatasetError):
        return None
    if None in files.values():
        return None
    whole = config.model_dump(include=set(DECISIVE))
    parts = {
        "config": whole,
        "path": str(loaded.path),
        "files": files,
        "model": [config.model.provider, *rerun_notes(config)],
        "prt": [version("prompt-robustness"), own_files()],
        "python": python_version,
    }
    return canonical_hash("prt.recipe", parts).hex()


def is_beyond_hashing(config: Config) -> bool:
    """Whether something takes part in making variants, or in proving the grader, that no hash can tell."""
    own = any(isinstance(step.config, PythonGeneratorConfig) for entry in config.perturbations for step in entry)
    return (
        own
        or asks_a_model(config)
        or any(each.grader not in TELLABLE for each in graders_of(config))
        or "://" in config.dataset.path
        or bool(config.dataset.fields.images)
    )


def named_files(loaded: LoadedConfig) -> Iterator[tuple[str, Path]]:
    """The files that a config names, apart from its store and what belongs to its model, each with a name of its own.

    Raises:
        DatasetError: The dataset's files can't be found.
    """
    config, base = loaded.config, loaded.base
    for number, file in enumerate(data_files(base, config.dataset.path)):
        yield f"dataset {number} {file.name}", file.path
    for at, entry in enumerate(config.perturbations):
        for step in entry:
            if isinstance(step.config, ParaphraseConfig) and step.config.file is not None:
                yield f"paraphrases {at}", base / step.config.file
    if (frozen := bundle_file(loaded)) is not None:
        yield "bundle", frozen
    for at, grader in enumerate(graders_of(config)):
        if isinstance(grader.json_schema, str):
            yield f"schema {at}", base / grader.json_schema


def graders_of(config: Config) -> tuple[GradeConfig, ...]:
    """The grader of a config, and those that it puts together."""
    if config.grade is None:
        return ()
    return (config.grade, *map(GradeConfig.model_validate, config.grade.graders or ()))


def digest(file: Path) -> str | None:
    """SHA-256 of a file's bytes; None where it can't be read twice.

    Raises:
        OSError: It can't be read.
    """
    path = file.expanduser()
    if not path.is_file():
        return None
    found = sha256()
    with path.open("rb") as opened:
        while chunk := opened.read(CHUNK):
            found.update(chunk)
    return found.hexdigest()


@cache
def own_files() -> str:
    """Tell the code of prt, and its word lists, from any other state of them: by the sizes and times of the files."""
    found = sorted(each for name in ("perturbations", "runner") for each in _states(Path(__file__).parents[1] / name))
    return canonical_hash("prt.own_files", found).hex()


def _states(package: Path) -> Iterator[tuple[str, str, int, int]]:
    """Each file of a package with its size and time; without pathlib's globs, which take twice as long."""
    for folder, _, names in os.walk(package):
        within = Path(folder).relative_to(package)
        for name in names:
            if "." in name and not name.endswith(".pyc"):
                status = os.stat(f"{folder}/{name}")  # noqa: PTH116 - as above
                yield package.name, (within / name).as_posix(), status.st_size, status.st_mtime_ns
