"""A bundle: the variants of a run, frozen in a JSON Lines file that can be reviewed, shared and asked again.

The first line is a header: format, format version, seed, generators with versions and parameters, the user's patterns
for protected text, how many variants follow, and the SHA-256 of all else in the file but its reviews. Each further line
is one variant. All lines are canonical JSON, so equal variants make equal files. The column `review` may be edited by
hand, or by a program that writes the same JSON in other spacing.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Protocol, TypeVar, runtime_checkable

from .canonical import canonical_json, field_values
from .decode import decode
from .generator import Generator
from .perturb import BASELINE
from .variant import Variant

T = TypeVar("T")

FORMAT = "prt-bundle"
VERSION = 2
UNREVIEWED = '"review":""'
"""What stands in the canonical line of each variant that nobody reviewed, and can't stand within a text of it."""
UNRECORDED_PROTECT = 1
"""The format version whose header did not say yet what the user's patterns protected."""


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
        variants: The variants, item by item; any sequence, such as one that lies on a disk.
        protect: The user's patterns for protected text; None where the bundle is of the format version that did not
            record them.
    """

    seed: int
    generators: tuple[GeneratorRecord, ...]
    variants: Sequence[Variant]
    protect: tuple[str, ...] | None = ()


@runtime_checkable
class WrittenOut(Protocol):
    """Variants whose lines need not be written anew."""

    def lines(self) -> Iterator[str]:
        """The canonical JSON of each."""
        ...


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of the file."""

    format: str
    version: int
    seed: int
    generators: tuple[GeneratorRecord, ...]
    variants: int
    hash: str
    protect: tuple[str, ...] = ()


def records(generators: Iterable[Generator]) -> tuple[GeneratorRecord, ...]:
    """Give the generators of a run as a bundle names them."""
    return tuple(
        GeneratorRecord(generator.name, generator.version, canonical_json(generator.parameters()))
        for generator in generators
    )


def bundle_hash(bundle: Bundle) -> str:
    """Give the SHA-256, in hexadecimal digits, of all that a bundle holds, its reviews included.

    It is the hash in the header where nothing was reviewed; that one leaves reviews out.
    """
    return content_hash(unhashed_header(bundle), lines_of(bundle.variants))


def write_bundle(path: str | os.PathLike[str], bundle: Bundle) -> str:
    """Write a bundle, the whole file or nothing.

    Returns:
        The hash in its header.

    Raises:
        OSError: Where the file can't be written; an older one is then left as it was.
    """
    header = header_of(bundle)
    write_lines(path, header, lines_of(bundle.variants))
    return header.hash


def write_lines(path: str | os.PathLike[str], header: Header, lines: Iterable[str]) -> None:
    """Write a header and the lines after it, the whole file or nothing; `OSError` as `write_bundle`."""
    write_whole(Path(path), (f"{line}\n".encode() for each in ((header_line(header),), lines) for line in each))


def lines_of(variants: Iterable[Variant]) -> Iterator[str]:
    """Write out variants, a line each."""
    return variants.lines() if isinstance(variants, WrittenOut) else map(canonical_json, variants)


def header_of(bundle: Bundle) -> Header:
    """Give the header that goes before the variants of a bundle."""
    header = unhashed_header(bundle)
    return replace(header, hash=content_hash(header, map(unreviewed, lines_of(bundle.variants))))


def unhashed_header(bundle: Bundle) -> Header:
    """Give the header of a bundle without its hash."""
    version = UNRECORDED_PROTECT if bundle.protect is None else VERSION
    return Header(FORMAT, version, bundle.seed, bundle.generators, len(bundle.variants), "", bundle.protect or ())


def header_line(header: Header) -> str:
    """Write out a header as its format version has it."""
    values = field_values(header)
    if header.version == UNRECORDED_PROTECT:
        del values["protect"]
    return canonical_json(values)


def content_hash(header: Header, lines: Iterable[str]) -> str:
    """Hash a header, its own hash left empty, and the lines after it."""
    digest = content_digest(header)
    for line in lines:
        digest.update(b"\n" + line.encode())
    return digest.hexdigest()


def content_digest(header: Header) -> "hashlib._Hash":
    """Begin to hash what a header goes before."""
    return hashlib.sha256(header_line(replace(header, hash="")).encode())


def unreviewed(line: str) -> str:
    """Give a line of canonical JSON as it was before anyone reviewed its variant."""
    return line if UNREVIEWED in line else emptied(line)


def emptied(line: str) -> str:
    """Write a variant's line anew, its review empty."""
    values = json.loads(line)
    return canonical_json({**values, "review": ""} if values.get("review") else values)


def write_whole(path: Path, content: Iterable[bytes]) -> None:
    """Put a file in place in one step."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with draft.open("wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


class BundleFile:
    """A bundle's file, whose variants are read one by one, so that it may be larger than memory.

    Attributes:
        header: Its first line.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read the first line.

        Raises:
            BundleFormatError: Where it is none of a bundle.
            OSError: Where the file can't be read.
        """
        self._path = path
        self.header = read_header(os.fspath(path), next(text_lines(path), ""))

    def variants(self) -> Iterator[Variant]:
        """Read the variants, and prove behind the last one that they are those that were written, but for reviews.

        Raises:
            BundleFormatError: Where they are not: file, line, and what is wrong there.
            OSError: Where the file can't be read.
        """
        return (variant for _, variant in self.lines())

    def lines(self) -> Iterator[tuple[str, Variant]]:
        """Read each variant together with its line, as `variants`."""
        name, header = os.fspath(self._path), self.header
        digest, number = content_digest(header), 1
        for number, line in enumerate(text_lines(self._path), 1):
            if number > 1:
                variant = read_variant(name, number, line)
                digest.update(b"\n" + (emptied(line) if variant.review else line).encode())
                yield line, variant
        if number - 1 != header.variants:
            found = f"the header promises {header.variants} variants, the file has {number - 1}"
            raise BundleFormatError(name, number, f"{found}; it was cut off or put together, write it again")
        if digest.hexdigest() != header.hash and self._hash_in_other_spacing() != header.hash:
            text = "the file was changed after it was written (its hash differs); write it again"
            raise BundleFormatError(name, 1, text)

    def whole(self, variants: Sequence[Variant]) -> Bundle:
        """Give the bundle with these variants, which are its own."""
        protect = None if self.header.version == UNRECORDED_PROTECT else self.header.protect
        return Bundle(self.header.seed, self.header.generators, variants, protect)

    def _hash_in_other_spacing(self) -> str:
        return content_hash(self.header, map(emptied, islice(text_lines(self._path), 1, None)))


def read_bundle(path: str | os.PathLike[str]) -> Bundle:
    """Read a bundle and prove that it is the one that was written, but for its reviews.

    Raises:
        BundleFormatError: Where it is not: file, line, and what is wrong there.
        OSError: Where the file can't be read.
    """
    file = BundleFile(path)
    return file.whole(tuple(file.variants()))


def read_variants(path: str | os.PathLike[str]) -> Iterator[Variant]:
    """Read the variants of a bundle that need not be whole, for the reviews in it.

    Raises:
        BundleFormatError: Where a line is no variant, or the file no bundle.
        OSError: Where the file can't be read.
    """
    name, lines = os.fspath(path), text_lines(path)
    read_header(name, next(lines, ""))
    return (read_variant(name, number, line) for number, line in enumerate(lines, 2))


def text_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Decode the lines of a file, one by one."""
    with Path(path).open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                yield line.removesuffix(b"\n").decode()
            except UnicodeDecodeError as error:
                found = f"not UTF-8 text: {error.reason} at byte {error.start}"
                raise BundleFormatError(os.fspath(path), number, found) from error


def read_header(path: str, line: str) -> Header:
    """Read the first line."""
    try:
        head = json.loads(line)
    except ValueError:
        head = None
    if not isinstance(head, dict) or head.get("format") != FORMAT:
        raise BundleFormatError(path, 1, f'no bundle of variants: the first line has no "format": "{FORMAT}"')
    if head.get("version") not in {UNRECORDED_PROTECT, VERSION}:
        found = f"the bundle has format version {head.get('version')!r}, this prt reads {VERSION} and older ones"
        raise BundleFormatError(path, 1, f"{found}; write the bundle again, or use the prt that wrote it")
    return read_line(Header, path, 1, line)


def read_variant(path: str, number: int, line: str) -> Variant:
    """Read one variant."""
    variant = read_line(Variant, path, number, line)
    if sorted(variant.permutation) != list(range(len(variant.question.options))):
        found = f"permutation {list(variant.permutation)} does not fit {len(variant.question.options)} options"
        raise BundleFormatError(path, number, f"{found}; each option's index stands in it once")
    if problem := review_problem(variant):
        raise BundleFormatError(path, number, problem)
    return variant


def review_problem(variant: Variant) -> str:
    """Say why a variant can't have the review that it has; empty where it can."""
    if not variant.review:
        return ""
    name = f"the variant {variant.condition} of the item {variant.item_id!r}"
    if variant.condition == BASELINE:
        return f"{name} is the original, which is not reviewed; empty its `review`"
    if variant.review == "accept" and variant.outcome != "applied":
        outcome = variant.outcome.replace("_", " ")
        why = f" ({variant.reason})" if variant.reason else ""
        return f"{name} is {outcome}{why}, and an accept overrules no check; empty its `review`, or write `reject`"
    return ""


def read_line(kind: type[T], path: str, number: int, line: str) -> T:
    """Read one line as a dataclass."""
    try:
        return decode(kind, json.loads(line))
    except json.JSONDecodeError as error:
        raise BundleFormatError(path, number, f"no JSON: {error.msg} at column {error.colno}") from error
    except ValueError as error:
        raise BundleFormatError(path, number, str(error)) from error
