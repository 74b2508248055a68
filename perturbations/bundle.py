"""A bundle: the variants of a run, frozen in a JSON Lines file that can be reviewed, shared and asked again.

The first line is a header: format, format version, seed, generators with versions and parameters, how many variants
follow, and the SHA-256 of all else in the file. Each further line is one variant. All lines are canonical JSON, so
equal variants make equal files.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from .canonical import canonical_json
from .decode import decode
from .generator import Generator
from .variant import Variant

T = TypeVar("T")

FORMAT = "prt-bundle"
VERSION = 1


class BundleFormatError(ValueError):
    """A file that is no bundle, or no longer the one that was written; the message names file and line."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}")
        self.path = path
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class GeneratorRecord:
    """Which generator made variants, and how; `parameters` are canonical JSON, as in a Variant."""

    name: str
    version: int
    parameters: str


@dataclass(frozen=True, slots=True)
class Bundle:
    """All variants of a run.

    Attributes:
        seed: The run's seed.
        generators: The generators in the order listed.
        variants: The variants, item by item.
    """

    seed: int
    generators: tuple[GeneratorRecord, ...]
    variants: tuple[Variant, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of the file."""

    format: str
    version: int
    seed: int
    generators: tuple[GeneratorRecord, ...]
    variants: int
    hash: str


def records(generators: Iterable[Generator]) -> tuple[GeneratorRecord, ...]:
    """Give the generators of a run as a bundle names them."""
    return tuple(
        GeneratorRecord(generator.name, generator.version, canonical_json(generator.parameters()))
        for generator in generators
    )


def bundle_hash(bundle: Bundle) -> str:
    """Give the SHA-256, in hexadecimal digits, of all that a bundle holds."""
    return header_and_lines(bundle)[0].hash


def write_bundle(path: str | os.PathLike[str], bundle: Bundle) -> str:
    """Write a bundle, the whole file or nothing.

    Returns:
        Its hash.

    Raises:
        OSError: Where the file can't be written; an older one is then left as it was.
    """
    header, lines = header_and_lines(bundle)
    write_whole(Path(path), "".join(f"{line}\n" for line in [canonical_json(header), *lines]).encode())
    return header.hash


def header_and_lines(bundle: Bundle) -> tuple[Header, list[str]]:
    """Write out the variants, and the header that goes before them."""
    lines = [canonical_json(variant) for variant in bundle.variants]
    header = Header(FORMAT, VERSION, bundle.seed, bundle.generators, len(lines), "")
    return replace(header, hash=content_hash(header, lines)), lines


def content_hash(header: Header, lines: Sequence[str]) -> str:
    """Hash a header, its own hash left empty, and the lines after it."""
    digest = hashlib.sha256(canonical_json(replace(header, hash="")).encode())
    for line in lines:
        digest.update(b"\n" + line.encode())
    return digest.hexdigest()


def write_whole(path: Path, content: bytes) -> None:
    """Put a file in place in one step."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_bundle(path: str | os.PathLike[str]) -> Bundle:
    """Read a bundle and prove that it is the one that was written.

    Raises:
        BundleFormatError: Where it is not: file, line, and what is wrong there.
        OSError: Where the file can't be read.
    """
    name = os.fspath(path)
    lines = text_lines(name, Path(path).read_bytes())
    header = read_header(name, lines)
    variants = tuple(read_variant(name, number, line) for number, line in enumerate(lines[1:], 2))
    if len(variants) != header.variants:
        found = f"the header promises {header.variants} variants, the file has {len(variants)}"
        raise BundleFormatError(name, len(lines), f"{found}; it was cut off or put together, write it again")
    if content_hash(header, lines[1:]) != header.hash:
        raise BundleFormatError(name, 1, "the file was changed after it was written (its hash differs); write it again")
    return Bundle(header.seed, header.generators, variants)


def text_lines(path: str, content: bytes) -> list[str]:
    """Decode the lines of the file."""
    lines = []
    for number, line in enumerate(content.removesuffix(b"\n").split(b"\n"), 1):
        try:
            lines.append(line.decode())
        except UnicodeDecodeError as error:
            raise BundleFormatError(path, number, f"not UTF-8 text: {error.reason} at byte {error.start}") from error
    return lines


def read_header(path: str, lines: Sequence[str]) -> Header:
    """Read the first line."""
    try:
        head = json.loads(lines[0])
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BundleFormatError(path, 1, f'no bundle of variants: the first line has no "format": "{FORMAT}"')
    if head.get("version") != VERSION:
        found = f"the bundle has format version {head.get('version')!r}, this prt reads {VERSION}"
        raise BundleFormatError(path, 1, f"{found}; write the bundle again, or use the prt that wrote it")
    return read_line(Header, path, 1, lines[0])


def read_variant(path: str, number: int, line: str) -> Variant:
    """Read one variant."""
    variant = read_line(Variant, path, number, line)
    if sorted(variant.permutation) != list(range(len(variant.question.options))):
        found = f"permutation {list(variant.permutation)} does not fit {len(variant.question.options)} options"
        raise BundleFormatError(path, number, f"{found}; each option's index stands in it once")
    return variant


def read_line(kind: type[T], path: str, number: int, line: str) -> T:
    """Read one line as a dataclass."""
    try:
        return decode(kind, json.loads(line))
    except json.JSONDecodeError as error:
        raise BundleFormatError(path, number, f"no JSON: {error.msg} at column {error.colno}") from error
    except ValueError as error:
        raise BundleFormatError(path, number, str(error)) from error
