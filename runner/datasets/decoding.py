"""From bytes to lines of text: every undecodable byte is named by its line, and no line is cut where it doesn't end."""

import codecs
import io
import re
from collections.abc import Iterator
from typing import Literal

from ..errors import DatasetError, Problem
from .files import CHUNK, UTF16_MARKS, Source

ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
BOM = "\ufeff"
UTF8 = "utf-8"
REMEDY = "save the file as UTF-8, or say its own encoding (in a config: dataset.encoding)"


def read_lines(source: Source, encoding: str, newline: Literal["\n", ""]) -> Iterator[str]:
    r"""Decode a file line by line, without the byte order mark.

    Args:
        source: The open file.
        encoding: A codec name of Python's.
        newline: Where lines end: `\n` alone, or (empty, as the csv module wants it) also `\r` and `\r\n`. U+2028 and
            U+0085 never end a line. Line ends are kept.

    Raises:
        DatasetError: For an unknown encoding, a byte that isn't in it, or a NUL.
    """
    stream = _text_stream(source, encoding, newline)
    number = 0
    try:
        for number, line in enumerate(stream, 1):
            _check(line, source.name, number, encoding)
            yield line.removeprefix(BOM) if number == 1 else line
    except UnicodeDecodeError as error:
        text = f"after line {number} there is text that is not {encoding}; {REMEDY}"
        raise DatasetError(Problem(f"{text} ({error.reason})", path=source.name)) from error
    finally:
        if not stream.closed:
            stream.detach()  # or the bytes would be closed with it, before their hash is read


def _text_stream(source: Source, encoding: str, newline: Literal["\n", ""]) -> io.TextIOWrapper:
    if _is_utf8(encoding, source.name) and source.stream.peek(CHUNK).startswith(UTF16_MARKS):
        raise DatasetError(Problem("is UTF-16 text: set dataset.encoding: utf-16, or save as UTF-8", path=source.name))
    try:
        return io.TextIOWrapper(source.stream, encoding, errors="surrogateescape", newline=newline)
    except LookupError as error:
        raise _unknown(encoding, source.name) from error


def _is_utf8(encoding: str, name: str) -> bool:
    try:
        return codecs.lookup(encoding).name in {UTF8, "utf-8-sig"}
    except LookupError as error:
        raise _unknown(encoding, name) from error


def _unknown(encoding: str, name: str) -> DatasetError:
    allowed = "name one of Python's, such as utf-8, utf-16, latin-1, cp1252, shift_jis"
    return DatasetError(Problem(f'no text encoding is named "{encoding}"; {allowed}', path=name))


def _check(line: str, name: str, number: int, encoding: str) -> None:
    if "\0" in line:
        column = line.index("\0") + 1
        text = f"a NUL byte: this is no text, or it is UTF-16; {REMEDY}"
        raise DatasetError(Problem(text, path=name, line=number, column=column))
    bad = ESCAPED_BYTE.search(line)
    if bad:
        byte = ord(bad[0]) - 0xDC00
        text = f"the byte 0x{byte:02x} is not {encoding}; {REMEDY}"
        raise DatasetError(Problem(text, path=name, line=number, column=bad.start() + 1))
