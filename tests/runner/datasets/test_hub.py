"""Datasets of a hub, by a small one on loopback: each split, configuration and revision, and what can't be had."""

import base64
import hashlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from prt.runner.datasets.hub import HubPath, parse_hub_path
from prt.runner.errors import DatasetError

from ..fault_server import Behaviour, Call, FaultServer, sends, sends_json

COMMIT = "0123456789abcdef0123456789abcdef01234567"
PNG = b"\x89PNG\r\n\x1a\n"
PICTURE = {"bytes": PNG, "path": "a.png"}
NOT_FOUND = sends_json(
    {"error": "not found"}, status=404, headers={"X-Error-Code": "EntryNotFound", "X-Repo-Commit": COMMIT}
)
GONE = sends_json({"error": "not found"}, status=404, headers={"X-Error-Code": "RepoNotFound"})
LOAD = """
import json, sys
from pathlib import Path
from prt.runner.config.schema import DatasetConfig, PromptConfig
from prt.runner.datasets.load import load_items
from prt.runner.errors import DatasetError

def load(address):
    config = DatasetConfig.model_validate({"path": address, "fields": {"images": "picture"}})
    try:
        loaded = load_items(config, base=Path(), prompt=PromptConfig(), seed=0)
    except DatasetError as error:
        return str(error)
    items = [[item.id, item.question.text, [each.part for each in item.attachments]] for item in loaded.items]
    return {"items": items, "notes": loaded.notes, "sha256": loaded.sha256}

print(json.dumps([load(address) for address in sys.argv[1:]]))
"""


def parquet(*rows: dict[str, Any]) -> bytes:
    arrow = pytest.importorskip("pyarrow")
    written = io.BytesIO()
    pytest.importorskip("pyarrow.parquet").write_table(arrow.Table.from_pylist(list(rows)), written)
    return written.getvalue()


def row(question: str, picture: dict[str, Any] | None) -> dict[str, Any]:
    return {"question": question, "answer": "x", "picture": picture}


def hub(files: dict[str, bytes]) -> Callable[[Call], Behaviour]:
    """What a hub with one dataset, `own/riddles`, answers."""

    def answer(call: Call) -> Behaviour:
        path = call.path
        if path == "/api/datasets/own/riddles" or path.startswith("/api/datasets/own/riddles/revision/"):
            siblings: list[Any] = [{"rfilename": name} for name in files]
            return sends_json({"_id": "1", "id": "own/riddles", "sha": COMMIT, "siblings": siblings})
        if "/riddles/tree/" in path:
            folder = path.partition(f"/tree/{COMMIT}")[2].strip("/")
            return sends_json(listing(files, folder))
        if path.startswith("/datasets/own/riddles/resolve/"):
            name = path.split("/", 6)[6]
            return file(files[name]) if name in files else NOT_FOUND
        return GONE

    return answer


def file(content: bytes) -> Behaviour:
    headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()}"', "X-Repo-Commit": COMMIT}
    return sends(content, headers=headers, content_type="application/octet-stream")


def listing(files: dict[str, bytes], folder: str) -> list[Any]:
    within = [name for name in files if name.startswith(folder)]
    entries = [{"type": "file", "oid": "0", "size": len(files[name]), "path": name} for name in within]
    folders = {name.partition("/")[0] for name in within if not folder and "/" in name}
    return [*entries, *({"type": "directory", "oid": "0", "size": 0, "path": name} for name in sorted(folders))]


def test_splits_are_read_and_what_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    files = {
        "data/train-00000-of-00001.parquet": parquet(row("One?", PICTURE)),
        "data/test-00000-of-00001.parquet": parquet(row("Two?", PICTURE), row("Three?", None)),
    }
    addresses = [
        "hf://own/riddles?split=test",
        f"hf://own/riddles/default@{COMMIT}?split=train",
        "hf://own/riddles",
        "hf://own/riddles?split=dev",
        "hf://own/riddles/hard?split=test",
        "hf://own/elsewhere?split=test",
    ]
    with FaultServer(by=hub(files)) as server:
        env = {
            **os.environ,
            "HF_ENDPOINT": server.url,
            "HF_HOME": str(tmp_path),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        done = subprocess.run(  # noqa: S603 - our own interpreter and text
            [sys.executable, "-c", LOAD, *addresses], capture_output=True, text=True, env=env, check=True, timeout=120
        )
    test, train, unsaid, other_split, other_config, gone = json.loads(done.stdout)
    assert not done.stderr
    assert isinstance(test, dict), test
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}}
    assert [item[:2] for item in test["items"]] == [["1", "Two?"], ["2", "Three?"]]
    assert [[json.loads(part) for part in item[2]] for item in test["items"]] == [[image], []]
    assert test["notes"][0].startswith(f"own/riddles is read as it is on the hub now: its state is {COMMIT}")
    assert [item[1] for item in train["items"]] == ["One?"]
    assert not any("hub now" in note for note in train["notes"])
    assert test["sha256"] != train["sha256"]
    assert unsaid.endswith("it has the splits `train`, `test`; name one: hf://own/riddles?split=test")
    assert other_split.startswith('hf://own/riddles?split=dev: can\'t be loaded: Unknown split "dev"')
    assert "BuilderConfig 'hard' not found" in other_config
    assert gone.startswith("hf://own/elsewhere?split=test: can't be loaded: Dataset 'own/elsewhere' doesn't exist")


@pytest.mark.parametrize(
    ("address", "named"),
    [
        ("hf://own/riddles", HubPath("own/riddles", None, None, None)),
        ("hf://own/riddles?split=test", HubPath("own/riddles", None, None, "test")),
        ("hf://datasets/own/riddles/main", HubPath("own/riddles", "main", None, None)),
        ("hf://own/riddles/main@v1.0?split=test[:50]", HubPath("own/riddles", "main", "v1.0", "test[:50]")),
        ("hf://own/riddles@refs/convert/parquet", HubPath("own/riddles", None, "refs/convert/parquet", None)),
    ],
)
def test_an_address_names_repository_configuration_revision_and_split(address: str, named: HubPath) -> None:
    assert parse_hub_path(address) == named


@pytest.mark.parametrize(
    "address", ["hf://", "hf://own", "hf://a/b/c/d", "hf://own/riddles?spl=test", "hf://own/riddles?split=a&split=b"]
)
def test_what_is_no_address_is_told_how_to_write_one(address: str) -> None:
    with pytest.raises(DatasetError, match="is no address of a dataset; write hf://owner/name"):
        parse_hub_path(address)
