"""Sequences that lie in a nameless temporary file, so that memory stays flat however many values there are."""

import io
import pickle
import tempfile
import threading
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from operator import attrgetter
from typing import IO, Any, Generic, TypeVar, overload

from .errors import UsageError

T = TypeVar("T")

IN_MEMORY = 1 << 20
"""Bytes up to which a spool needs no file."""
BLOCK = 1 << 16
"""Bytes that are read at a time where values are read in their order."""


class Spool(Sequence[T], Generic[T]):
    """Values that are written once, in order, and read in any order, as often as wanted.

    A value costs 8 bytes of memory. Whatever is read is a new object, equal to the one that was written. Several
    threads may read at a time.
    """

    def __init__(self, encode: Callable[[T], bytes], decode: Callable[[bytes], T], values: Iterable[T] = ()) -> None:
        """Begin a spool.

        Args:
            encode: Writes a value as bytes.
            decode: Reads it again.
            values: The first values.
        """
        self._encode, self._decode = encode, decode
        self._file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - it lives as long as the spool
        self._ends = array("Q", [0])
        self._is_behind_last = True
        self._lock = threading.Lock()
        weakref.finalize(self, self._file.close)
        for value in values:
            self.append(value)

    def append(self, value: T) -> None:
        """Write a value behind the others.

        Raises:
            UsageError: The folder for temporary files is full, or can't be written to.
        """
        self.append_record(self._encode(value))

    def append_record(self, record: bytes) -> None:
        """Write a value that is written out already.

        Raises:
            UsageError: As `append`.
        """
        with self._lock:
            try:
                if not self._is_behind_last:
                    self._file.seek(self._ends[-1])
                self._is_behind_last = False
                self._file.write(record)
            except OSError as error:
                raise _no_room(error) from None
            self._is_behind_last = True
            self._ends.append(self._ends[-1] + len(record))

    def records(self) -> Iterator[bytes]:
        """The values as they were written, in order."""
        first = 0
        while first < len(self):
            last = first + 1
            while last < len(self) and self._ends[last + 1] - self._ends[first] <= BLOCK:
                last += 1
            yield from self._cut(first, last)
            first = last

    def _cut(self, first: int, last: int) -> Iterator[bytes]:
        """Values that lie side by side, as they were written, by one reading."""
        block, start = self._read(first, last), self._ends[first]
        for at in range(first, last):
            yield block[self._ends[at] - start : self._ends[at + 1] - start]

    def _read(self, first: int, last: int) -> bytes:
        with self._lock:
            self._is_behind_last = False
            try:
                self._file.seek(self._ends[first])
                return self._file.read(self._ends[last] - self._ends[first])
            except OSError as error:
                raise _no_room(error) from None

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._ends) - 1

    def __iter__(self) -> Iterator[T]:
        """The values in order."""
        return map(self._decode, self.records())

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        """One value, or a tuple of several."""
        if isinstance(at, slice):
            first, last, step = at.indices(len(self))
            if step == 1:
                return tuple(map(self._decode, self._cut(first, max(first, last))))
            return tuple(self[each] for each in range(first, last, step))
        place = range(len(self))[at]
        return self._decode(self._read(place, place + 1))

    def __eq__(self, other: object) -> bool:
        """Whether another sequence has the same values."""
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as a list has none

    def __repr__(self) -> str:
        """How many values of how many bytes there are."""
        return f"<Spool of {len(self)} values, {self._ends[-1]} bytes>"


def _no_room(error: OSError) -> UsageError:
    folder = tempfile.gettempdir()
    advice = "make room there, or name another folder by the environment variable TMPDIR"
    return UsageError(f"{folder}: the folder for temporary files can't be used ({error.strerror}); {advice}")


class _Pickler(pickle.Pickler):
    """Takes dataclasses apart in one step, where the fields of frozen ones with slots are else asked for one by one."""

    def reducer_override(self, value: Any) -> Any:
        """How a value is made again."""
        kind = type(value)
        return (kind, _values_of(kind)(value)) if is_dataclass(kind) else NotImplemented


@lru_cache(maxsize=256)
def _values_of(kind: Any) -> Callable[[Any], tuple[Any, ...]]:
    names = [field.name for field in fields(kind)]
    return attrgetter(*names) if len(names) > 1 else lambda value: (getattr(value, names[0]),)


def pickled(value: object) -> bytes:
    """A value of builtin types and dataclasses as bytes, for a spool of this process."""
    stream = io.BytesIO()
    _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(value)
    return stream.getvalue()


def unpickled(record: bytes) -> Any:
    """The value that `pickled` wrote."""
    return pickle.loads(record)  # noqa: S301 - nobody else can write to the nameless file of a spool


class Places:
    """Where texts stand in a sequence, in 16 to 24 bytes each: their hashes alone are kept."""

    def __init__(self) -> None:
        """Begin with no text."""
        self._hashes = array("q")
        self._table = array("q", [-1]) * 16

    def __len__(self) -> int:
        """How many texts there are."""
        return len(self._hashes)

    def append(self, text: str) -> None:
        """Note that a text stands behind the others."""
        if 2 * len(self._hashes) >= len(self._table):
            self._table = array("q", [-1]) * (2 * len(self._table))
            for place, known in enumerate(self._hashes):
                self._enter(known, place)
        self._hashes.append(hash(text))
        self._enter(self._hashes[-1], len(self._hashes) - 1)

    def of(self, text: str) -> Iterator[int]:
        """The places where a text may stand, the first one first; look there whether it does."""
        wanted, mask = hash(text), len(self._table) - 1
        slot = wanted & mask
        while (place := self._table[slot]) >= 0:
            if self._hashes[place] == wanted:
                yield place
            slot = (slot + 1) & mask

    def _enter(self, known: int, place: int) -> None:
        mask = len(self._table) - 1
        slot = known & mask
        while self._table[slot] >= 0:
            slot = (slot + 1) & mask
        self._table[slot] = place


class Groups(Mapping[str, Sequence[T]], Generic[T]):
    """A flat sequence whose values are in groups, each of which has a name: the variants of items, by their ids."""

    def __init__(self, values: Spool[T], name_of: Callable[[T], str]) -> None:
        """Begin with no group.

        Args:
            values: Where the values are written.
            name_of: The name of a value's group.
        """
        self.in_order = values
        self._name_of = name_of
        self._places = Places()
        self._ends = array("Q", [0])

    def append(self, name: str, values: Iterable[T]) -> None:
        """Write a group, of one value at least, behind the others."""
        for value in values:
            self.in_order.append(value)
        self.end(name)

    def end(self, name: str) -> None:
        """Make a group of the values that were written since the last one; there is one at least."""
        self._ends.append(len(self.in_order))
        self._places.append(name)

    def first(self, name: str) -> tuple[int, T] | None:
        """Which group has a name, from 0, and its first value; None where none has."""
        for place in self._places.of(name):
            value = self.in_order[self._ends[place]]
            if self._name_of(value) == name:
                return place, value
        return None

    def __getitem__(self, name: str) -> Sequence[T]:
        """The values of a group."""
        for place in self._places.of(name):
            group = self.in_order[self._ends[place] : self._ends[place + 1]]
            if self._name_of(group[0]) == name:
                return group
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        """The names of the groups in order."""
        return (self._name_of(self.in_order[first]) for first in self._ends[:-1])

    def __len__(self) -> int:
        """How many groups there are."""
        return len(self._places)


class Named(Mapping[str, T], Generic[T]):
    """A sequence whose values have names, such as items by their ids; it may lie in a file, and stays there."""

    def __init__(self, values: Sequence[T], name_of: Callable[[T], str]) -> None:
        """Note where each name stands.

        Args:
            values: The values, no two of one name.
            name_of: The name of a value.
        """
        self._values, self._name_of = values, name_of
        self._places = Places()
        for value in values:
            self._places.append(name_of(value))

    def __getitem__(self, name: str) -> T:
        """The value of a name."""
        for place in self._places.of(name):
            value = self._values[place]
            if self._name_of(value) == name:
                return value
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return map(self._name_of, self._values)

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._values)


class Late(Sequence[T], Generic[T]):
    """A sequence that is fetched when something of it is first asked for, but for its length."""

    def __init__(self, length: int, fetch: Callable[[], Sequence[T]]) -> None:
        """Fetch nothing yet.

        Args:
            length: How many values there are.
            fetch: Gives them.
        """
        self._length = length
        self._fetched = cache(fetch)

    def __len__(self) -> int:
        """How many values there are."""
        return self._length

    def __iter__(self) -> Iterator[T]:
        """The values in order."""
        return iter(self._fetched())

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        """One value, or several."""
        return self._fetched()[at]


class LateMapping(Mapping[str, T], Generic[T]):
    """A mapping that is fetched when something of it is first asked for."""

    def __init__(self, fetch: Callable[[], Mapping[str, T]]) -> None:
        """Fetch nothing yet."""
        self._fetched = cache(fetch)

    def __getitem__(self, name: str) -> T:
        """The value of a name."""
        return self._fetched()[name]

    def __iter__(self) -> Iterator[str]:
        """The names in order."""
        return iter(self._fetched())

    def __len__(self) -> int:
        """How many names there are."""
        return len(self._fetched())
