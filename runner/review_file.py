"""The reviews in a bundle's file: kept when the bundle is written anew, and put there one at a time."""

import re
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from ..perturbations.bundle import (
    BundleFormatError,
    header_of,
    lines_of,
    read_variants,
    write_bundle,
    write_lines,
    write_whole,
)
from ..perturbations.canonical import canonical_json
from ..perturbations.variant import Review, Variant
from .bundles import opened
from .errors import BundleError, Problem, UsageError
from .reviewing import Carried

ANY_REVIEW = re.compile(rb'"review"\s*:\s*"[^"]')
ANY_BUNDLE = re.compile(rb'\s*\{[^\n]*"format"\s*:\s*"prt-bundle"')


@dataclass(frozen=True, slots=True)
class Written:
    """A bundle that was written.

    Attributes:
        hash: The hash in its header.
        reviews: The bundle with the reviews that were taken over, and what was dropped.
        copy: Where the earlier bundle is kept, since it holds reviews that were dropped; None where none was.
    """

    hash: str
    reviews: Carried
    copy: Path | None


def write_carried(path: Path, reviews: Carried) -> Written:
    """Write a bundle in the place of an earlier one.

    Where a review could not be taken over, since its variant is another one now, a copy of the earlier file is kept.

    Args:
        path: The file; there may be none yet.
        reviews: The bundle with the reviews of the earlier one.

    Raises:
        UsageError: The file can't be written; the earlier one is left as it was.
    """
    try:
        copy = kept_copy(path) if reviews.dropped else None
        return Written(write_bundle(path, reviews.bundle), reviews, copy)
    except OSError as error:
        advice = "name another file by --out, or by `bundle` in the config"
        raise UsageError(f"{path}: the bundle can't be written ({error.strerror}); {advice}") from None


def earlier_variants(path: Path) -> tuple[Variant, ...]:
    """The variants of the bundle that a new one is about to replace; none where no file is there.

    A bundle that was changed by hand is not trusted, but its reviews are looked at: they hold for the variants that
    come out the same.

    Raises:
        BundleError: The file that is there is no bundle, or a damaged one that holds reviews.
        UsageError: It can't be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise UsageError(f"{path}: can't be read ({error.strerror}); name another file by --out") from None
    if content and not ANY_BUNDLE.match(content):
        raise BundleError(
            Problem("this file is no bundle, so it is not overwritten; name another file", path=str(path))
        )
    if not ANY_REVIEW.search(content):
        return ()
    try:
        return tuple(read_variants(path))
    except BundleFormatError as error:
        advice = "it holds reviews, so it is not overwritten: mend the line, or move the file away"
        raise BundleError(Problem(f"{error.message}; {advice}", path=str(path), line=error.line)) from None


def kept_copy(path: Path) -> Path:
    """Keep a copy of a bundle beside it, named by what is in it: `frozen.1f0c4a2b.jsonl`."""
    content = path.read_bytes()
    copy = path.with_name(f"{path.stem}.{sha256(content).hexdigest()[:8]}{path.suffix}")
    write_whole(copy, [content])
    return copy


class ReviewFile:
    """A bundle's file while a person reviews it: each answer is on the disk before the next question."""

    def __init__(self, path: Path) -> None:
        """Read the bundle.

        Raises:
            BundleError: It can't be read.
        """
        self.path = path
        bundle = opened(path, str(path))
        self.variants = list(bundle.variants)
        self._header, self._lines = header_of(bundle), [*lines_of(bundle.variants)]
        self._seen = self._state()

    def put(self, number: int, review: Review) -> None:
        """Write what a person said of the variant of this number, from 0.

        Raises:
            UsageError: The file can't be written, or was changed by someone else; the answer is not saved then.
        """
        variant = replace(self.variants[number], review=review)
        lines = [*self._lines]
        lines[number] = canonical_json(variant)
        try:
            self._refuse_if_changed()
            write_lines(self.path, self._header, lines)
            self._seen = self._state()
        except OSError as error:
            why = f"this answer can't be saved ({error.strerror}); those before it are"
            raise UsageError(f"{self.path}: {why}") from None
        self._lines = lines
        self.variants[number] = variant

    def _refuse_if_changed(self) -> None:
        if self._state() != self._seen:
            raise UsageError(
                f"{self.path}: the file was changed by someone else meanwhile, so this answer is not written over it; "
                "those before it are saved. Start the review again"
            )

    def _state(self) -> tuple[int, int, int]:
        found = self.path.stat()
        return found.st_mtime_ns, found.st_size, found.st_ino
