"""The map of items × conditions: a band of pixels a condition, a column an item or several, every flip to be seen."""

import base64
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...explorer import FLIPPED, NO_RESULT, NOT_ASKED, PASS, RESULT, UNREAD, CellMap
from ..text import percent
from .png import Colour, png

COLUMNS = 1000
"""Columns of pixels at most; where there are more items, each column shows the shares of several."""
HEIGHT = 24
"""Rows of pixels of a band."""
KINDS = ("not asked", "no result", "unread", "to fail", "to pass", "fail", "pass")
"""What a cell is drawn as; the first that holds. A flip is away from the baseline's result."""
NONE, MISSING, CANT_READ, TO_FAIL, TO_PASS, FAILS, PASSES = range(7)
BOTTOM_UP = (PASSES, TO_PASS, FAILS, TO_FAIL, CANT_READ, MISSING, NONE)
"""The order in which the shares of a column lie on one another."""
BACK, INK, SOFT = 0, 1, 2
LIGHT: tuple[Colour, ...] = ((255, 255, 255), (194, 65, 13), (176, 184, 193), (0, 104, 179), (217, 224, 231))
DARK: tuple[Colour, ...] = ((13, 17, 23), (255, 148, 89), (92, 101, 112), (108, 182, 255), (48, 55, 64))
WORSE, MUTED, BETTER, PALE = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Band:
    """One condition in the map.

    Attributes:
        condition: The condition.
        role: What it is for.
        counts: How many items are of each of `KINDS`.
        summary: The same in words.
        light: The picture for a light page, as a data URI.
        dark: For a dark one.
    """

    condition: str
    role: str
    counts: tuple[int, ...]
    summary: str
    light: str
    dark: str


def bands(cells: CellMap) -> tuple[Band, ...]:
    """Draw the map, a band for each condition, the baseline first."""
    every = kinds(cells.cells)
    named = zip(cells.conditions, cells.roles, strict=True)
    return tuple(band(name, role, every[:, at]) for at, (name, role) in enumerate(named))


def kinds(cells: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """What each cell is drawn as, as a place in `KINDS`."""
    result, flipped = cells & RESULT, (cells & FLIPPED) > 0
    passes = result == PASS
    return np.select(
        [result == NOT_ASKED, (cells & UNREAD) > 0, result == NO_RESULT, flipped & ~passes, flipped, ~passes],
        [NONE, CANT_READ, MISSING, TO_FAIL, TO_PASS, FAILS],
        PASSES,
    ).astype(np.uint8)


def band(condition: str, role: str, column: NDArray[np.uint8]) -> Band:
    """Draw one condition; `column` is what each item is drawn as, in the order of the map."""
    counts = np.bincount(column, minlength=len(KINDS)).tolist()
    pixels = picture(shares(column))
    return Band(
        condition=condition,
        role=role,
        counts=tuple(counts),
        summary=summary(counts),
        light=uri(png(pixels, LIGHT)),
        dark=uri(png(pixels, DARK)),
    )


def summary(counts: list[int]) -> str:
    """`of 44 items 30 pass (68.2%), 5 to fail (11.4%)`: all kinds that occur, in the order in which they lie."""
    n = sum(counts)
    said = (f"{counts[kind]} {KINDS[kind]} ({percent(counts[kind] / n)})" for kind in BOTTOM_UP if counts[kind])
    return f"of {n} items {', '.join(said)}" if n else "no items"


def shares(column: NDArray[np.uint8]) -> NDArray[np.intp]:
    """How many pixels of each column of the picture are of each kind.

    Returns:
        Columns × kinds, `HEIGHT` together; a kind that occurs at all has a pixel.
    """
    n, width = len(column), min(COLUMNS, len(column))
    at = (np.arange(n) * width) // max(n, 1)
    counts = np.zeros((width, len(KINDS)), dtype=np.intp)
    np.add.at(counts, (at, column), 1)
    total = counts.sum(axis=1, keepdims=True)
    pixels = np.asarray(counts * HEIGHT // np.maximum(total, 1))
    pixels[(counts > 0) & (pixels == 0)] = 1
    most = np.argmax(pixels, axis=1)
    pixels[np.arange(width), most] += HEIGHT - pixels.sum(axis=1)
    return pixels


def picture(pixels: NDArray[np.intp]) -> NDArray[np.uint8]:
    """Paint the columns: each kind has a colour and a pattern of its own, so that none needs its colour to be told."""
    width = len(pixels)
    limits = np.cumsum(pixels[:, BOTTOM_UP], axis=1)
    height = HEIGHT - 1 - np.arange(HEIGHT)
    place = (height[:, None, None] >= limits[None, :, :]).sum(axis=2)
    kind = np.array(BOTTOM_UP, dtype=np.uint8)[place]
    rows = np.arange(HEIGHT)[:, None]
    painted = np.zeros((HEIGHT, width), dtype=np.uint8)
    for drawn, where in (
        ((PASSES, PALE), True),
        ((FAILS, MUTED), True),
        ((TO_FAIL, WORSE), True),
        ((TO_PASS, BETTER), rows % 4 < 2),
        ((CANT_READ, WORSE), (rows % 3 == 0)),
        ((MISSING, MUTED), rows % 6 == 0),
    ):
        painted[(kind == drawn[0]) & where] = drawn[1]
    return painted


def uri(file: bytes) -> str:
    """A PNG file as a data URI."""
    return "data:image/png;base64," + base64.b64encode(file).decode()
