"""Single keys from a terminal, without Enter."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

try:
    import termios
    import tty
except ImportError:  # Windows has neither, and typer reads its console
    CAN_BE_SET = False
else:
    CAN_BE_SET = True

ReadKey = Callable[[], str]

END = "\x04"
INTERRUPT = "\x03"
UNSET = b"\0"
CHARACTERS = 6
"""Where the attributes of a terminal have what its special characters are."""
KEY = re.compile(r"\x1b(?:\[[\d;]*.|O.|.)?|.", re.DOTALL)
"""One key: the several characters that a key such as an arrow sends, or a single one."""


class Keys:
    """Reads the keys of a terminal one by one; those pressed ahead of a question wait for it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._pressed = ""

    def __call__(self) -> str:
        """Wait for a key; `END` where the terminal is gone, and for Ctrl-C."""
        if not self._pressed:
            self._pressed = os.read(self._descriptor, 256).decode(errors="replace") or END
        key = KEY.match(self._pressed)
        found = key[0] if key else END
        self._pressed = self._pressed[len(found) :]
        return END if found == INTERRUPT else found


@contextmanager
def single_keys() -> Iterator[ReadKey]:
    """Let keys of standard input, a terminal, be read one by one; it is put back as it was afterwards.

    Ctrl-C is a key, too. As a signal, one that comes between a question and the wait for its answer could be lost.

    Returns:
        Waits for a key; the end of input is the key `END`.
    """
    if not CAN_BE_SET:
        yield typed
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor, termios.TCSANOW)
    wanted = termios.tcgetattr(descriptor)
    wanted[CHARACTERS][termios.VINTR] = UNSET
    termios.tcsetattr(descriptor, termios.TCSANOW, wanted)
    try:
        yield Keys(descriptor)
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def typed() -> str:
    """Wait for a key as typer reads it."""
    try:
        return typer.getchar()
    except EOFError:
        return END
