"""Writing the scores of rows, a line of JSON each, as they come."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from ..config.score import ScoreConfig
from ..errors import ScoringStoppedError, UsageError
from ..reports.score import row_json
from ..scoring.result import Scored

STDOUT = "-"


@contextmanager
def writing(
    target: str | None, config: ScoreConfig, out: TextIO, *, beside: Path | None
) -> Iterator[Callable[[Scored], None]]:
    """Write a line for each row as it comes; each is in the file before the next one is told of.

    Raises:
        UsageError: The file can't be written, or is the one that is read.
    """
    if target is None:
        yield lambda _: None
        return
    if target == STDOUT:
        yield lambda scored: _write_line(out, row_json(scored, config))
        return
    path = Path(target)
    if beside is not None and path.exists() and path.samefile(beside):
        raise UsageError(f"{target}: it is the file with the rows; write the scores to another one")
    try:
        file = path.open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{target}: can't be written: {(error.strerror or str(error)).lower()}") from error
    with file:
        yield lambda scored: _write_line(file, row_json(scored, config))


def _write_line(file: TextIO, line: str) -> None:
    try:
        file.write(line + "\n")
        file.flush()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ScoringStoppedError(f"the scores can't be written: {reason}; the replies that came are kept") from error
