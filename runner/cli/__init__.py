"""The command line: each command parses, calls one function, prints, and ends with its exit code.

Each imports what it needs when it is called, so that `--help` is instant.
"""

# The order of these imports is the order of the commands in the help.
from . import running, reading, comparing, grading, judges, duels, scores, nights, schedules, serving, stores  # noqa: F401, I001 - they add their commands
from .app import app, main

__all__ = ["app", "main"]
