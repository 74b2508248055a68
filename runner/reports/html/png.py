"""Pictures of few colours as PNG, from bytes; the same pixels always give the same file."""

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Colour = tuple[int, int, int]


def png(pixels: NDArray[np.uint8], palette: Sequence[Colour]) -> bytes:
    """Write a picture of at most 16 colours; the first one is transparent.

    Args:
        pixels: Rows × columns of places in the palette.
        palette: Red, green and blue of each colour.

    Returns:
        The file, four bits a pixel (PNG, second edition, ISO/IEC 15948).
    """
    height, width = pixels.shape
    even = np.pad(pixels, ((0, 0), (0, width % 2)))
    packed = (even[:, ::2] << 4) | even[:, 1::2]
    lines = np.pad(packed, ((0, 0), (1, 0)))  # each line begins with its filter: none
    return SIGNATURE + b"".join(
        (
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)),
            chunk(b"PLTE", bytes(value for colour in palette for value in colour)),
            chunk(b"tRNS", b"\0"),
            chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)),
            chunk(b"IEND", b""),
        )
    )


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk of a PNG file, with its length and checksum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
