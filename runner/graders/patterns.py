"""Patterns that are compiled when they are first used: a grader pays for those alone that its replies need."""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Protocol

_END = sys.maxsize


class Part:
    """A part of patterns that is written out when the first pattern that holds it is compiled."""

    def __init__(self, write: Callable[[], str]) -> None:
        self._write = write

    @cached_property
    def _text(self) -> str:
        return self._write()

    def __str__(self) -> str:
        return self._text


class _Find(Protocol):
    """`re.Pattern.search`, `match` or `fullmatch`."""

    def __call__(self, string: str, pos: int = 0, endpos: int = _END, /) -> re.Match[str] | None: ...


class _FindAll(Protocol):
    """`re.Pattern.finditer`."""

    def __call__(self, string: str, pos: int = 0, endpos: int = _END, /) -> Iterator[re.Match[str]]: ...


class _Substitute(Protocol):
    """`re.Pattern.sub`."""

    def __call__(self, repl: str | Callable[[re.Match[str]], str], string: str, /) -> str: ...


class Pattern:
    """A pattern as `re.compile` makes it, compiled at its first use; its methods are those of `re.Pattern`.

    Example:
        >>> Pattern(lambda: "a+").fullmatch("aaa") is not None
        True
    """

    def __init__(self, write: Callable[[], str], flags: int = 0) -> None:
        self._write = write
        self._flags = flags

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self._write(), self._flags)

    @cached_property
    def search(self) -> _Find:
        """See `re.Pattern`."""
        return self._compiled.search

    @cached_property
    def match(self) -> _Find:
        """See `re.Pattern`."""
        return self._compiled.match

    @cached_property
    def fullmatch(self) -> _Find:
        """See `re.Pattern`."""
        return self._compiled.fullmatch

    @cached_property
    def finditer(self) -> _FindAll:
        """See `re.Pattern`."""
        return self._compiled.finditer

    @cached_property
    def sub(self) -> _Substitute:
        """See `re.Pattern`."""
        return self._compiled.sub
