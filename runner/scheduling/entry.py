"""The file of a schedule that `prt due` reads: what is begun, when, and where its log and its keys are."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, PositiveInt, ValidationError

from ..errors import UsageError
from ..suggest import shown
from .times import Times

ADVICE = "`prt schedule CONFIG --at 02:00 --for cron` writes one"


class Entry(BaseModel):
    """What `prt due` needs to know."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    made_by: Literal["prt schedule"] = "prt schedule"
    schema_version: Literal[1] = 1
    name: str
    """Of the schedule."""
    config: Path
    """The config."""
    command: Annotated[tuple[str, ...], Field(min_length=1)]
    """What a night is, with absolute paths."""
    folder: Path
    """Where it works."""
    env_file: Path
    """Holds the keys."""
    log: Path
    """Where its output goes."""
    log_bytes: PositiveInt = 1_000_000
    """How long a log grows before it is put aside."""
    logs_kept: PositiveInt = 4
    """How many logs that were put aside are kept."""
    times: Times
    """When nights are due."""
    tries: PositiveInt
    """How often one night is begun at most."""

    def text(self) -> str:
        """The file."""
        return self.model_dump_json(indent=2) + "\n"


def read_entry(path: Path) -> Entry:
    """Read the file of a schedule.

    Raises:
        UsageError: It can't be read, or is none.
    """
    try:
        return Entry.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: the schedule can't be read ({error.strerror}); {ADVICE}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        found = ": ".join(filter(None, (key, first["msg"])))
        raise UsageError(f"{path}: this is no schedule of this version of prt ({shown(found)}); {ADVICE}") from None
