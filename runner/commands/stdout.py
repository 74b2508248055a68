"""Standard output is for what a command was asked to print: not for user code, and not in vain once its reader left."""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from typing import TextIO, cast


class Readable:
    """A stream whose reader may leave (`prt report | head`): what is written afterwards goes nowhere.

    An exception instead would end the command before its exit code is known, or replace it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> object:
        """All else is the stream's own."""
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text."""
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._let_go()
            return len(text)

    def flush(self) -> None:
        """Write out what is buffered."""
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._let_go()

    def _let_go(self) -> None:
        """Let what is buffered, now and at exit, go nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)


def bear_any_text() -> None:
    """Let a character that a terminal or a pipe cannot encode stand as its escape, instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Bear it that the reader of standard output leaves; at the end all of it is written out."""
    with redirect_stdout(cast(TextIO, Readable(sys.stdout))):
        try:
            yield
        finally:
            sys.stdout.flush()


@contextmanager
def reserved_stdout() -> Iterator[TextIO]:
    """Keep standard output for the command: what user code prints meanwhile, in any thread, goes to standard error.

    Returns:
        Standard output.
    """
    out = sys.stdout
    with redirect_stdout(sys.stderr):
        yield out
