"""Opening data files: what is no data is named, and a file is read once."""

import gzip
import hashlib
import io
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from prt.runner.datasets.files import foreign, opened
from prt.runner.errors import DatasetError

from .dataset_files import load

ROW = b'{"question": "Why?", "answer": "So."}\n'
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"


def message(folder: Path, content: bytes, name: str = "data.jsonl", **config: Any) -> str:
    with pytest.raises(DatasetError) as caught:
        load(folder, content, name, **config)
    return str(caught.value)


def archive(*names: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        for name in names:
            file.writestr(name, "x")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (LFS, "Git LFS pointer"),
        (b"PAR1\x15\x04", "Parquet"),
        (b"ARROW1\x00\x00", "Arrow"),
        (archive("[Content_Types].xml", "xl/workbook.xml"), "the workbook is damaged or cut off"),
        (archive("_journal/start.json", "samples/1_epoch_1.json"), "Inspect log"),
        (archive("train.csv"), "ZIP archive"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "old Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "protected by a password"),
        (b"SQLite format 3\x00", "SQLite"),
        (b"%PDF-1.7\n", "PDF"),
        (b"BZh91AY", "bzip2"),
        (b"\xfd7zXZ\x00\x00", "xz"),
        (b"\x28\xb5\x2f\xfd\x04", "zstd"),
        (b"\n <!DOCTYPE html><html>", "HTML"),
        (b'\xef\xbb\xbf<?xml version="1.0"?>', "XML"),
    ],
)
@pytest.mark.parametrize("name", ["data.jsonl", "data.csv", "data.json", "data.jsonl.gz"])
def test_what_is_no_data_is_named_whatever_the_file_is_called(
    tmp_path: Path, content: bytes, words: str, name: str
) -> None:
    assert words in message(tmp_path, content, name)


def test_data_is_not_taken_for_anything_else() -> None:
    assert foreign(ROW) is None
    assert foreign(b"question,answer\n") is None


def test_utf16_says_which_key_to_set(tmp_path: Path) -> None:
    assert "dataset.encoding: utf-16" in message(tmp_path, ROW.decode().encode("utf-16"))


def test_utf16_loads_when_the_config_says_so(tmp_path: Path) -> None:
    loaded = load(tmp_path, ROW.decode().encode("utf-16"), encoding="utf-16")
    assert loaded.items[0].question.text == "Why?"


def test_utf16_cut_in_a_character_is_one_sentence(tmp_path: Path) -> None:
    text = message(tmp_path, (ROW * 3).decode().encode("utf-16")[:-1], encoding="utf-16")
    assert "that is not utf-16" in text


def test_a_nul_byte_is_named_with_its_line(tmp_path: Path) -> None:
    assert message(tmp_path, ROW + b'{"question": "\x00"}\n').startswith("data.jsonl:2:15: a NUL byte")


def test_an_undecodable_byte_is_named_with_line_and_column(tmp_path: Path) -> None:
    text = message(tmp_path, ROW + '{"question": "Café?"}\n'.encode("latin-1"))
    assert text.startswith("data.jsonl:2:18: the byte 0xe9 is not utf-8")


def test_another_encoding_is_read_when_the_config_says_so(tmp_path: Path) -> None:
    loaded = load(tmp_path, "question,answer\nCafé?,olé\n".encode("cp1252"), "data.csv", encoding="cp1252")
    assert loaded.items[0].question.text == "Café?"


def test_gzip_is_told_by_its_bytes_and_not_by_its_name(tmp_path: Path) -> None:
    assert load(tmp_path, gzip.compress(ROW)).items[0].question.text == "Why?"


def test_a_cut_off_gzip_file_is_one_sentence(tmp_path: Path) -> None:
    assert "damaged or cut off" in message(tmp_path, gzip.compress(ROW * 1000)[:-12])


def test_a_damaged_gzip_file_is_one_sentence(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(ROW))
    packed[-6] ^= 0xFF
    assert "damaged or cut off" in message(tmp_path, bytes(packed))


def test_the_hash_is_that_of_the_bytes_on_the_disk(tmp_path: Path) -> None:
    for name in ("data.jsonl", "data.jsonl.gz"):
        loaded = load(tmp_path, ROW, name)
        assert loaded.sha256 == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a POSIX thing")
def test_a_pipe_is_read_once_and_has_its_hash(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(ROW,))
    writer.start()
    with opened(pipe, "pipe.jsonl") as source:
        assert source.stream.read() == ROW
        assert source.sha256() == hashlib.sha256(ROW).hexdigest()
    writer.join()


def test_a_missing_file_names_its_neighbour(tmp_path: Path) -> None:
    (tmp_path / "tickets.jsonl").write_bytes(ROW)
    with (
        pytest.raises(DatasetError, match=r"there is no such file; did you mean `tickets\.jsonl`\?"),
        opened(tmp_path / "ticket.jsonl", "ticket.jsonl"),
    ):
        pass


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="there is no folder"), opened(tmp_path / "no" / "x.csv", "no/x.csv"):
        pass


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="is a directory"), opened(tmp_path, "data"):
        pass
