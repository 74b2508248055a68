"""Writes a small data file and loads it, as a config would."""

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import LoadedItems, load_items

SHARED = Path(__file__).parents[3].parent / "shared"


def jsonl(*rows: object) -> str:
    """Rows as JSONL."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def write(folder: Path, name: str, content: str | bytes) -> Path:
    """Write a file; gzipped where the name says so."""
    data = content.encode(errors="surrogatepass") if isinstance(content, str) else content
    path = folder / name
    path.write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    return path


def load(
    folder: Path,
    content: str | bytes | Iterable[object],
    name: str = "data.jsonl",
    *,
    prompt: Mapping[str, object] | None = None,
    seed: int = 0,
    **dataset: Any,
) -> LoadedItems:
    """Write a file (rows are written as JSONL) and load it by these keys of a config's `dataset:` block."""
    text = content if isinstance(content, str | bytes) else jsonl(*content)
    write(folder, name, text)
    config = DatasetConfig.model_validate({"path": name} | dataset)
    return load_items(config, base=folder, prompt=PromptConfig.model_validate(dict(prompt or {})), seed=seed)
