"""Model files: whether one is, and which."""

import hashlib
import os
from pathlib import Path

import pytest
from prt.runner.errors import ModelError
from prt.runner.models.gguf import check_gguf, gguf_sha256


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "model.path: shown.gguf is no GGUF file"),
        (b"GGU", "model.path: shown.gguf is no GGUF file"),
        (b"PK\x03\x04 a zip", "model.path: shown.gguf is no GGUF file"),
        (b"version https://git-lfs.github.com/spec/v1\noid", "is a Git LFS pointer, not the model"),
    ],
)
def test_what_is_no_model_file_is_told_as_the_user_named_it(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError) as failed:
        check_gguf(path, "shown.gguf")
    assert sentence in str(failed.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"shown\.gguf does not exist"):
        check_gguf(tmp_path / "no.gguf", "shown.gguf")
    with pytest.raises(ModelError, match=r"shown\.gguf is a folder; name the file in it"):
        check_gguf(tmp_path, "shown.gguf")


def test_a_file_with_the_magic_letters_passes(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF\x03\x00")
    check_gguf(path, "model.gguf")


def test_a_digest_is_remembered_until_the_file_changes(tmp_path: Path) -> None:
    path, cache = tmp_path / "model.gguf", tmp_path / "cache"
    path.write_bytes(b"GGUF one")
    os.utime(path, ns=(1, 1))
    one = hashlib.sha256(b"GGUF one").hexdigest()
    assert gguf_sha256(path, cache) == one
    path.write_bytes(b"GGUF two")
    os.utime(path, ns=(1, 1))
    assert gguf_sha256(path, cache) == one  # same size, same time: read from memory
    os.utime(path, ns=(2, 2))
    assert gguf_sha256(path, cache) == hashlib.sha256(b"GGUF two").hexdigest()
    path.write_bytes(b"GGUF three")
    assert gguf_sha256(path, cache) == hashlib.sha256(b"GGUF three").hexdigest()


@pytest.mark.parametrize("memory", [b"", b"{}", b"[]", b"[1, 2]", b"\xff"])
def test_a_broken_memory_only_costs_the_time_to_hash_again(tmp_path: Path, memory: bytes) -> None:
    path, cache = tmp_path / "model.gguf", tmp_path / "cache"
    path.write_bytes(b"GGUF")
    right = gguf_sha256(path, cache)
    for file in (cache / "digests").iterdir():
        file.write_bytes(memory)
    assert gguf_sha256(path, cache) == right


def test_a_cache_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    in_the_way = tmp_path / "cache"
    in_the_way.write_text("a file where the folder should be")
    assert gguf_sha256(path, in_the_way) == hashlib.sha256(b"GGUF").hexdigest()
