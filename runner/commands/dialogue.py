"""Asking a person about one thing after another at the terminal, by single keys."""

import sys
from collections.abc import Callable, Mapping

from rich.console import Console
from rich.text import Text

from ..errors import UsageError
from ..reports.text import visible
from .keyboard import END, ReadKey

SKIP, BACK, QUIT = "s", "b", "q"
ENDS = {QUIT, END}
"""Keys that end a dialogue; every answer is saved already."""
LATER = "s skip · b back · q quit"


def refuse_without_terminal(what: str, instead: str) -> None:
    """Say what to do instead where nobody can be asked.

    Args:
        what: What asks: the option or command.
        instead: What else can be done, as a clause.

    Raises:
        UsageError: Standard input or output is no terminal.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError(f"{what} asks a person at a terminal, and this is none; {instead}")


def walk(count: int, ask: Callable[[int], str], is_open: Callable[[int], bool]) -> None:
    """Ask about one thing after the other, until none is left or the person leaves.

    Args:
        count: How many there are.
        ask: Asks about one by its number, keeps the answer, and gives the key.
        is_open: Whether one is still to be asked about; `back` goes to any.
    """
    at = _following(count, -1, is_open)
    while at < count:
        key = ask(at)
        if key in ENDS:
            return
        at = max(at - 1, 0) if key == BACK else _following(count, at, is_open)


def _following(count: int, at: int, is_open: Callable[[int], bool]) -> int:
    return next((place for place in range(at + 1, count) if is_open(place)), count)


def answer(console: Console, read_key: ReadKey, keys: str, said: Mapping[str, str]) -> str:
    """Wait for a key that means something.

    Args:
        console: Where the keys are named.
        read_key: Waits for a key.
        keys: The keys, as they are named.
        said: The keys that answer, each with what is shown when it is pressed.
    """
    console.print(Text(keys, style="dim"), end=" ")
    while (key := read_key().lower()) not in {*said, *ENDS, SKIP, BACK}:
        console.print(Text(f"\n{visible(key, keep='')} means nothing here: {keys}", style="dim"), end=" ")
    console.print(Text(said.get(key, visible(key))))
    return key
