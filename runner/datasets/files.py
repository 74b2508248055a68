"""Opening a data file: its bytes are read once, unpacked, hashed on the way, and named if they are no data at all."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ..errors import DatasetError, Problem
from ..suggest import did_you_mean

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

CHUNK = 1 << 16
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
ZIP = b"PK\x03\x04"
"""How a ZIP archive begins."""
PARQUET = b"PAR1"
"""How a Parquet file begins."""
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How a document of older Microsoft Office begins, and any that has a password."""
ENCRYPTED = "EncryptedPackage".encode("utf-16-le")

Kind = Literal["parquet", "xlsx", "zip"]

# What a file may be instead of data, by its first bytes.
FOREIGN = (
    (
        b"version https://git-lfs.github.com/spec/",
        "is a Git LFS pointer, not the data; fetch the data by `git lfs pull`",
    ),
    (PARQUET, "is a Parquet file; export it as JSONL or CSV"),
    (b"ARROW1", "is an Arrow file; export it as JSONL or CSV"),
    (b"SQLite format 3\x00", "is an SQLite database; export the table as CSV"),
    (b"%PDF-", "is a PDF document, not data"),
    (b"BZh", "is compressed by bzip2; unpack it, or compress it by gzip"),
    (b"\xfd7zXZ\x00", "is compressed by xz; unpack it, or compress it by gzip"),
    (b"\x28\xb5\x2f\xfd", "is compressed by zstd; unpack it, or compress it by gzip"),
)


class HashingReader(io.RawIOBase):
    """Passes a file's bytes on and hashes them, so that even a pipe, which can be read only once, has its hash."""

    def __init__(self, raw: io.RawIOBase) -> None:
        super().__init__()
        self._raw = raw
        self.hash = hashlib.sha256()

    def readable(self) -> bool:
        """Reading is all it does."""
        return True

    def readinto(self, buffer: "WriteableBuffer", /) -> int | None:
        """Read into a buffer, as any raw stream does."""
        view = memoryview(buffer).cast("B")
        count = self._raw.readinto(view)
        self.hash.update(view[:count])
        return count


@dataclass(frozen=True, slots=True)
class Source:
    """A data file that is open for reading.

    Attributes:
        name: The file, as the user named it.
        stream: Its bytes, unpacked.
        packed: Its bytes as they lie on the disk.
        hashing: Where those bytes pass through.
    """

    name: str
    stream: "io.BufferedReader[HashingReader] | gzip.GzipFile"
    packed: "io.BufferedReader[HashingReader]"
    hashing: HashingReader

    def sha256(self) -> str:
        """Read to the end and give the SHA-256 of the bytes on the disk, in hexadecimal."""
        while self.packed.read(CHUNK):
            pass
        return self.hashing.hash.hexdigest()


@contextmanager
def opened(path: Path, name: str, *, takes: Collection[Kind] = ()) -> Iterator[Source]:
    """Open a data file, plain or gzipped (its bytes decide, not its name), for the time of a `with` block.

    Args:
        path: The file.
        name: How messages name it.
        takes: What it may be besides text.

    Raises:
        DatasetError: If it can't be read, then or later within the block; or isn't data.
    """
    try:
        with path.open("rb", buffering=0) as raw:
            source = _unpacked(raw, name)
            head = source.stream.peek(CHUNK)
            if binary_kind(head) not in takes:
                _refuse_foreign(head, name)
            yield source
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DatasetError(Problem("the gzip data is damaged or cut off; fetch the file again", path=name)) from error
    except OSError as error:
        raise DatasetError(Problem(f"can't be read: {_reason(error, path)}", path=name)) from error


def digest_of(digests: Sequence[str]) -> str:
    """The digest of a dataset: its file's own; of several files, the SHA-256 of theirs, one a line."""
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _unpacked(raw: io.RawIOBase, name: str) -> Source:
    hashing = HashingReader(raw)
    packed = io.BufferedReader(hashing, CHUNK)
    gzipped = packed.peek(2)[:2] == b"\x1f\x8b"
    return Source(name, gzip.GzipFile(fileobj=packed) if gzipped else packed, packed, hashing)


def _refuse_foreign(head: bytes, name: str) -> None:
    sentence = foreign(head)
    if sentence:
        raise DatasetError(Problem(sentence, path=name))


def binary_kind(head: bytes) -> Kind | None:
    """What a file is that some can read though it is no text, by its first bytes."""
    if head.startswith(PARQUET):
        return "parquet"
    if head.startswith(ZIP):
        return "xlsx" if b"[Content_Types].xml" in head or b"xl/workbook" in head else "zip"
    return None


def foreign(head: bytes) -> str | None:
    """Say what a file is instead of data, by its first bytes; None where it may be data."""
    if not head:
        return "the file is empty"
    if head.startswith(ZIP):
        return _zip_kind(head)
    if head.startswith(OLE):
        return _ole_kind(head)
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:200].lower()
    if text.startswith((b"<!doctype html", b"<html", b"<?xml")):
        return "is an HTML or XML page, not data (a download page instead of the download?)"
    return next((sentence for magic, sentence in FOREIGN if head.startswith(magic)), None)


def _zip_kind(head: bytes) -> str:
    if binary_kind(head) == "xlsx":
        return "is an Excel workbook (.xlsx); save the sheet as CSV (UTF-8)"
    if b"_journal/" in head or b"samples/" in head:
        return "is an Inspect log (.eval), a finished run and no dataset; `prt analyze` reads it"
    return "is a ZIP archive; unpack it and name the file within"


def _ole_kind(head: bytes) -> str:
    if ENCRYPTED in head:
        return "is protected by a password; save it without one, or save the sheet as CSV (UTF-8)"
    return "is an old Excel workbook (.xls), or one with a password; save the sheet as CSV (UTF-8)"


def _reason(error: OSError, path: Path) -> str:
    if not isinstance(error, FileNotFoundError):
        return (error.strerror or str(error)).lower()
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"there is no folder {path.parent}"
    return "there is no such file" + did_you_mean(path.name, names)
