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
from pathlib import Path
from typing import TypeVar

from .canonical import canonical_json, field_values
from .decode import decode
from .generator import Generator
from .perturb import BASELINE
from .variant import Variant

T = TypeVar("T")

FORMAT = "prt-bundle"
VERSION = 2
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
        variants: The variants, item by item.
        protect: The user's patterns for protected text; None where the bundle is of the format version that did not
            record them.
    """

    seed: int
    generators: tuple[GeneratorRecord, ...]
    variants: tuple[Variant, ...]
    protect: tuple[str, ...] | None = ()


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
    header, lines = header_and_lines(bundle)
    return content_hash(header, lines)


def write_bundle(path: str | os.PathLike[str], bundle: Bundle) -> str:
    """Write a bundle, the whole file or nothing.

    Returns:
        The hash in its header.

    Raises:
        OSError: Where the file can't be written; an older one is then left as it was.
    """
    header, lines = header_and_lines(bundle)
    write_lines(path, header, lines)
    return header.hash


def write_lines(path: str | os.PathLike[str], header: Header, lines: Iterable[str]) -> None:
    """Write a header and the lines after it, the whole file or nothing; `OSError` as `write_bundle`."""
    write_whole(Path(path), "".join(f"{line}\n" for line in (header_line(header), *lines)).encode())


def header_and_lines(bundle: Bundle) -> tuple[Header, list[str]]:
    """Write out the variants, and the header that goes before them."""
    lines = [canonical_json(variant) for variant in bundle.variants]
    version = UNRECORDED_PROTECT if bundle.protect is None else VERSION
    header = Header(FORMAT, version, bundle.seed, bundle.generators, len(lines), "", bundle.protect or ())
    return replace(header, hash=content_hash(header, unreviewed(lines, bundle.variants))), lines


def header_line(header: Header) -> str:
    """Write out a header as its format version has it."""
    values = field_values(header)
    if header.version == UNRECORDED_PROTECT:
        del values["protect"]
    return canonical_json(values)


def content_hash(header: Header, lines: Iterable[str]) -> str:
    """Hash a header, its own hash left empty, and the lines after it."""
    digest = hashlib.sha256(header_line(replace(header, hash="")).encode())
    for line in lines:
        digest.update(b"\n" + line.encode())
    return digest.hexdigest()


def unreviewed(lines: Iterable[str], variants: Iterable[Variant]) -> Iterator[str]:
    """Give the lines as they were before anyone reviewed their variants."""
    return (emptied(line) if variant.review else line for line, variant in zip(lines, variants, strict=True))


def emptied(line: str) -> str:
    """Write a variant's line anew, its review empty."""
    values = json.loads(line)
    return canonical_json({**values, "review": ""} if values.get("review") else values)


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
    """Read a bundle and prove that it is the one that was written, but for its reviews.

    Raises:
        BundleFormatError: Where it is not: file, line, and what is wrong there.
        OSError: Where the file can't be read.
    """
    name = os.fspath(path)
    lines = text_lines(name, Path(path).read_bytes())
    header = read_header(name, lines)
    variants = variants_in(name, lines)
    if len(variants) != header.variants:
        found = f"the header promises {header.variants} variants, the file has {len(variants)}"
        raise BundleFormatError(name, len(lines), f"{found}; it was cut off or put together, write it again")
    if not is_as_written(header, lines[1:], variants):
        raise BundleFormatError(name, 1, "the file was changed after it was written (its hash differs); write it again")
    protect = None if header.version == UNRECORDED_PROTECT else header.protect
    return Bundle(header.seed, header.generators, variants, protect)


def read_variants(path: str | os.PathLike[str]) -> tuple[Variant, ...]:
    """Read the variants of a bundle that need not be whole, for the reviews in it.

    Raises:
        BundleFormatError: Where a line is no variant, or the file no bundle.
        OSError: Where the file can't be read.
    """
    name = os.fspath(path)
    lines = text_lines(name, Path(path).read_bytes())
    read_header(name, lines)
    return variants_in(name, lines)


def variants_in(path: str, lines: Sequence[str]) -> tuple[Variant, ...]:
    """Read the variants after a header."""
    return tuple(read_variant(path, number, line) for number, line in enumerate(lines[1:], 2))


def is_as_written(header: Header, lines: Sequence[str], variants: Sequence[Variant]) -> bool:
    """Say whether lines are those that a header was written for, but for reviews and the spacing of their JSON."""
    if content_hash(header, unreviewed(lines, variants)) == header.hash:
        return True
    return content_hash(header, map(emptied, lines)) == header.hash


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
    if head.get("version") not in {UNRECORDED_PROTECT, VERSION}:
        found = f"the bundle has format version {head.get('version')!r}, this prt reads {VERSION} and older ones"
        raise BundleFormatError(path, 1, f"{found}; write the bundle again, or use the prt that wrote it")
    return read_line(Header, path, 1, lines[0])


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
