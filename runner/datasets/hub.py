"""Datasets of the Hugging Face hub: `hf://owner/name[/config][@revision]?split=test`, through its own library."""

import hashlib
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_json
from ..errors import DatasetError, Problem
from ..problems import listed
from .columnar import rows_of
from .extras import needed

FORM = (
    "hf://owner/name, then /config, @revision and ?split=… where wanted, such as hf://owner/name/main@v1.0?split=test"
)
BATCH = 1000
COMMIT = re.compile(r"/([0-9a-f]{40})/")
"""The folder in the library's cache that is named by the state of the dataset."""


@dataclass(frozen=True, slots=True)
class HubPath:
    """What an address names.

    Attributes:
        repository: `owner/name`.
        config: The dataset's configuration, None for its only or default one.
        revision: Branch, tag or commit, None for the newest.
        split: The split, None for the only one.
    """

    repository: str
    config: str | None
    revision: str | None
    split: str | None


@dataclass(frozen=True, slots=True)
class HubRows:
    """A dataset's rows, with the SHA-256 of all of them as canonical JSON, and what the user should read."""

    rows: tuple[dict[str, Json], ...]
    sha256: str
    notes: tuple[str, ...]


def parse_hub_path(address: str) -> HubPath:
    """Take an address apart.

    Raises:
        DatasetError: If it is no such address.
    """
    parts = urlsplit(address)
    path, _, revision = f"{parts.netloc}{parts.path}".removeprefix("datasets/").partition("@")
    names = [name for name in path.split("/") if name]
    query = parse_qsl(parts.query, keep_blank_values=True)
    if not 2 <= len(names) <= 3 or parts.fragment or [key for key, _ in query if key != "split"] or len(query) > 1:
        raise DatasetError(Problem(f"is no address of a dataset; write {FORM}", path=address))
    split = query[0][1] if query else None
    return HubPath("/".join(names[:2]), names[2] if len(names) > 2 else None, revision or None, split or None)


def read_hub(address: str) -> HubRows:
    """Load a dataset; its files are kept in the library's own cache.

    Raises:
        DatasetError: If the library is not installed, the dataset can't be had, or it isn't said which split to read.
    """
    named = parse_hub_path(address)
    library = _quiet(needed("datasets", "hf", address, "a dataset of the Hugging Face hub"))
    try:
        loaded = library.load_dataset(named.repository, name=named.config, split=named.split, revision=named.revision)
    except Exception as error:
        raise DatasetError(Problem(f"can't be loaded: {_reason(error)}", path=address)) from error
    split = loaded if named.split else _only(loaded, address)
    rows = tuple(_rows(split, address))
    digest = hashlib.sha256()
    for row in rows:
        digest.update(canonical_json(row).encode() + b"\n")
    return HubRows(rows, digest.hexdigest(), tuple(_notes(split, named)))


def _quiet(library: Any) -> Any:
    """The library without its progress bars and warnings, which would stand among a run's own lines."""
    library.disable_progress_bars()
    library.utils.logging.set_verbosity_error()
    importlib.import_module("huggingface_hub").logging.set_verbosity_error()
    return library


def _only(splits: Any, address: str) -> Any:
    """The one split that there is."""
    if len(splits) > 1:
        names = list(splits)
        text = f"it has the splits {listed(names)}; name one: {address.partition('?')[0]}?split={names[-1]}"
        raise DatasetError(Problem(text, path=address))
    return next(iter(splits.values()))


def _rows(split: Any, address: str) -> Iterator[dict[str, Json]]:
    """The rows as they are stored, so that images are their bytes."""
    for table in split.with_format("arrow").iter(batch_size=BATCH):
        yield from rows_of(table, address)


def _notes(split: Any, named: HubPath) -> Iterator[str]:
    """Say which state was read, where the address leaves that open."""
    if named.revision is None:
        files = [Path(file["filename"]).as_posix() for file in split.cache_files]
        commit = next((found[1] for file in files if (found := COMMIT.search(file))), "")
        state = f"its state is {commit}; `@{commit[:12]}` pins it" if commit else "`@revision` pins its state"
        yield f"{named.repository} is read as it is on the hub now: {state}"


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).split("\n") if line.strip()]
    return f"{(lines or [type(error).__name__])[0]}".rstrip(".")
