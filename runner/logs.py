"""What a command tells of its work: on standard error with `--verbose`, as JSON lines with `--log-file`.

Nothing is set up on import: modules log to `logging.getLogger(__name__)`, and whoever uses them as a library decides
where that goes. `logged()` sets handlers up for the time of one command. What a handler writes went through a filter
that hides every secret known by then.
"""

import json
import logging
import sys
import threading
import traceback
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from pydantic import JsonValue as Json

from .errors import PrtError, UsageError
from .masking import masked, masked_json
from .reports.text import visible

LOG = logging.getLogger(__name__)
OURS = "prt"
THIRD_PARTY_FROM = 2
"""So many `-v` let other libraries speak too."""


def event(**fields: Json) -> dict[str, object]:
    """The `extra` of an event that only the log tells, with what belongs to it."""
    return {"fields": fields}


def shown(**fields: Json) -> dict[str, object]:
    """The `extra` of an event that the user is shown anyway, so that standard error need not tell it again."""
    return {"fields": fields, "shown": True}


@contextmanager
def logged(verbosity: int, file: Path | None) -> Iterator[None]:
    """Write logs while a command runs.

    Args:
        verbosity: How often `-v` was given: 1 tells the events of a run on standard error, 2 also its details, and what
            other libraries log.
        file: Where to append every event as a line of JSON, whatever the verbosity; details go there with a verbosity
            of 2.

    Raises:
        UsageError: The file can't be written.
    """
    ours, others = logging.getLogger(OURS), logging.getLogger()
    before = (ours.level, others.level)
    handlers = list(_handlers(verbosity, file))
    detailed = verbosity >= THIRD_PARTY_FROM
    ours.setLevel(logging.DEBUG if detailed else logging.INFO)
    others.setLevel(logging.INFO if detailed else logging.WARNING)
    for handler in handlers:
        others.addHandler(handler)
    hook, threading.excepthook = threading.excepthook, tell_of_thread
    try:
        yield
    except PrtError as error:
        LOG.error("ended by an error", extra=shown(error=str(error), exit_code=error.exit_code))  # noqa: TRY400 - its sentence says all
        raise
    except Exception:
        LOG.exception("ended by a mistake of the program", extra=shown())
        raise
    finally:
        threading.excepthook = hook
        for handler in handlers:
            others.removeHandler(handler)
            handler.close()
        ours.setLevel(before[0])
        others.setLevel(before[1])


def tell_of_thread(mistake: threading.ExceptHookArgs) -> None:
    """Show and log the traceback of a thread that nobody waits for, as Python does, but without secrets."""
    if mistake.exc_value is None:
        return
    LOG.error("a thread ended by a mistake of the program", exc_info=mistake.exc_value, extra=shown())
    sys.stderr.write(masked("".join(traceback.format_exception(mistake.exc_value))))


def _handlers(verbosity: int, file: Path | None) -> Iterator[logging.Handler]:
    # Without any handler, logging would print the warnings of other libraries as they are.
    yield logging.NullHandler()
    if verbosity:
        yield _prepared(StandardError(), TextLine(), others=verbosity >= THIRD_PARTY_FROM)
    if file is not None:
        yield _prepared(LogFile(file), JsonLine(), others=True)


def _prepared(handler: logging.Handler, formatter: logging.Formatter, *, others: bool) -> logging.Handler:
    handler.setFormatter(formatter)
    handler.addFilter(hide_secrets)
    if not others:
        handler.addFilter(is_ours)
    return handler


def is_not_shown(record: logging.LogRecord) -> bool:
    """Whether the user is not told of it by other means."""
    return not getattr(record, "shown", False)


def is_ours(record: logging.LogRecord) -> bool:
    """Whether we logged it, and no other library."""
    return record.name == OURS or record.name.startswith(f"{OURS}.")


def hide_secrets(record: logging.LogRecord) -> bool:
    """Hide the secrets in all that a handler may write of a record; it is written in any case."""
    record.msg, record.args = masked(record.getMessage()), None
    if record.exc_info:
        record.exc_text = logging.Formatter().formatException(record.exc_info)
        record.exc_info = None
    record.exc_text = masked(record.exc_text) if record.exc_text else None
    record.stack_info = masked(record.stack_info) if record.stack_info else None
    record.__dict__["fields"] = masked_json(dict(fields_of(record)))
    return True


def fields_of(record: logging.LogRecord) -> Mapping[str, Json]:
    """What was given beside the words of an event, as `extra={"fields": ...}`."""
    fields = getattr(record, "fields", {})
    return fields if isinstance(fields, Mapping) else {}


class TextLine(logging.Formatter):
    """An event on one line: `prt: calls failed, kind server, count 3`; a traceback goes below it."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        who = OURS if is_ours(record) else record.name
        parts = [
            record.getMessage(),
            *(f"{name} {value}" for name, value in fields_of(record).items() if value not in (None, "")),
        ]
        line = visible(f"{who}: {', '.join(parts)}", keep="")
        return f"{line}\n{visible(record.exc_text)}" if record.exc_text else line


class JsonLine(logging.Formatter):
    """An event as a JSON object: `time` (UTC), `level`, `logger`, `event`, `fields`; `traceback` where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        line: dict[str, Json] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            "fields": dict(fields_of(record)),
        }
        if record.exc_text:
            line["traceback"] = record.exc_text
        return json.dumps(line)


class StandardError(logging.StreamHandler[TextIO]):
    """Writes to what standard error is at the time, which a live display changes while it is shown."""

    def __init__(self) -> None:
        super().__init__(sys.stderr)
        self.addFilter(is_not_shown)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        self.stream = sys.stderr
        super().emit(record)


class LogFile(logging.StreamHandler[TextIO]):
    """Appends to a file; where that fails later on, it says so once, and the command goes on.

    Raises:
        UsageError: The file can't be opened.
    """

    def __init__(self, path: Path) -> None:
        try:
            stream = path.open("a", encoding="utf-8")
        except OSError as error:
            raise UsageError(
                f"--log-file: {path} can't be written ({error.strerror}); name a file in a folder that is there and "
                "may be written to."
            ) from None
        super().__init__(stream)
        self._path = path
        self._failed = False

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record."""
        if not self._failed:
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: ARG002, N802 - logging's own signature
        """Say once that the file can't be written any more."""
        self._failed = True
        sys.stderr.write(f"prt: {self._path} can't be written any more ({sys.exc_info()[1]}); the log ends here.\n")

    def close(self) -> None:
        """Close the file."""
        super().close()
        try:
            self.stream.close()
        except OSError as error:
            if not self._failed:
                sys.stderr.write(f"prt: {self._path} could not be written to its end ({error.strerror}).\n")
