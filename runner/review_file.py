"""The reviews in a bundle's file: kept when the bundle is written anew, and put there one at a time."""

import errno
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
from .bundles import opened, told_in_full
from .errors import BundleError, Problem, UsageError
from .file_lock import HELD, try_lock
from .reviewing import Carried

ANY_REVIEW = re.compile(rb'"review"\s*:\s*"[^"]')
LOCKLESS = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP}
"""What a file system says that has no locks; a review there still looks whether the file was changed."""
POLL_S, PATIENCE_S = 0.02, 30.0
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
        with told_in_full(str(path)):
            self._seen = state_of(path)  # before it is read, so that a change meanwhile is noticed
        bundle = opened(path, str(path))
        self.variants = list(bundle.variants)
        self._header, self._lines = header_of(bundle), [*lines_of(bundle.variants)]

    @property
    def is_current(self) -> bool:
        """Whether the file is still as it was read, or as this review last wrote it."""
        try:
            return state_of(self.path) == self._seen
        except OSError:
            return False

    def put(self, number: int, review: Review) -> None:
        """Write what a person said of the variant of this number, from 0.

        Raises:
            UsageError: The file can't be written, or was changed by someone else; the answer is not saved then.
        """
        variant = replace(self.variants[number], review=review)
        lines = [*self._lines]
        lines[number] = canonical_json(variant)
        try:
            with alone(self.path):
                self._refuse_if_changed()
                write_lines(self.path, self._header, lines)
                self._seen = state_of(self.path)
        except OSError as error:
            why = f"this answer can't be saved ({error.strerror}); those before it are"
            raise UsageError(f"{self.path}: {why}") from None
        self._lines = lines
        self.variants[number] = variant

    def _refuse_if_changed(self) -> None:
        if state_of(self.path) != self._seen:
            raise UsageError(
                f"{self.path}: the file was changed by someone else meanwhile, so this answer is not written over it; "
                "those before it are saved. Start the review again"
            )


State = tuple[int, int, int]


def state_of(path: Path) -> State:
    """What tells that a file is another one, or was changed; `OSError` where there is none."""
    found = path.stat()
    return found.st_mtime_ns, found.st_size, found.st_ino


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Let no other review write this file meanwhile, so that of two at once none overwrites the other.

    Raises:
        OSError: Nothing can be written there.
        UsageError: Another review does not let go of it.
    """
    lock = path.with_name(f".{path.name}.lock")
    until = time.monotonic() + PATIENCE_S
    while True:
        with lock.open("ab") as file:
            if not (_is_had(file.fileno(), path, until) and _is_there(file.fileno(), lock)):
                continue
            try:
                yield
            finally:
                with suppress(OSError):  # Windows removes no file that is open
                    lock.unlink()
            return


def _is_there(descriptor: int, lock: Path) -> bool:
    """Whether a lock is still the file of its name: who held it before may have removed it meanwhile."""
    try:
        return os.path.samestat(os.fstat(descriptor), lock.stat())
    except FileNotFoundError:
        return False


def _is_had(descriptor: int, path: Path, until: float) -> bool:
    """Take a lock where it is free; wait a little where it is not."""
    try:
        try_lock(descriptor)
    except HELD:
        if time.monotonic() > until:
            raise UsageError(f"{path}: another review is writing this file; this answer is not saved") from None
        time.sleep(POLL_S)
        return False
    except OSError as error:
        if error.errno not in LOCKLESS:
            raise
    return True
