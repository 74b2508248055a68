"""The questions that the speed benchmarks ask, and how the mock endpoint answers them.

Each item has a ticket number of seven digits, which no perturbation changes. It decides the right option. The answer is
right for about three of four prompts: a checksum of what follows the number decides, so that a change of the words may
change the answer, as it would with a model.
"""

import json
import re
import zlib
from collections.abc import Iterator

FIRST = 1_000_000
LETTERS = (b"A", b"B", b"C", b"D")
TICKET = re.compile(rb"(?<!\d)(\d{7}): ")
WORDS_SEEN = 60
"""Bytes after the number that decide the answer; what stands there is the same in every encoding of JSON."""

TOWNS = ("Aberdeen", "Bergen", "Cadiz", "Dresden", "Esbjerg", "Faro", "Ghent", "Hamar", "Izmir", "Jena", "Kotka")
GOODS = ("apples", "bricks", "candles", "drums", "engines", "flags", "gloves", "hammers", "inkwells", "jackets")


def rows(count: int) -> Iterator[dict[str, object]]:
    """So many multiple-choice items."""
    for number in range(FIRST, FIRST + count):
        origin, goal = TOWNS[number % 11], TOWNS[(number // 11 + 3) % 11]
        goods = GOODS[number // 7 % 10]
        yield {
            "id": str(number),
            "question": f"Ticket {number}: a lorry with {number % 90 + 10} crates of {goods} leaves {origin} for "
            f"{goal} early in the morning, and the driver wants to know which of the four gates to take. Which is it?",
            "options": [f"the {side} gate" for side in ("northern", "eastern", "southern", "western")],
            "answer": right(number).decode(),
        }


def dataset(count: int) -> str:
    """The items as JSON lines."""
    return "".join(json.dumps(row) + "\n" for row in rows(count))


def right(number: int) -> bytes:
    """The letter of a ticket's right option."""
    return LETTERS[number % 4]


def answered(body: bytes) -> bytes:
    """The letter that the endpoint answers to a prompt, found in the raw body of a call; `A` where it has no ticket."""
    ticket = TICKET.search(body)
    if ticket is None:
        return b"A"
    number, words = int(ticket[1]), body[ticket.end() : ticket.end() + WORDS_SEEN]
    checksum = zlib.crc32(words)
    return LETTERS[(number + (0 if checksum % 4 else 1 + checksum // 4 % 3)) % 4]


def passes(prompt: str) -> bool:
    """Whether the answer to a prompt is the right one."""
    body = json.dumps(prompt).encode()
    ticket = TICKET.search(body)
    return ticket is not None and answered(body) == right(int(ticket[1]))
