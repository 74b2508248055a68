"""What `prt run` does otherwise where the model under test is asked in batches."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from ..config.schema import OpenAIModel
from ..errors import UsageError
from ..prepare import Prepared
from ..problems import counted
from ..store.batches import batches_of
from ..store.database import Store
from ..store.runs import RunRecord, finish_run

if TYPE_CHECKING:
    from ..models.batches import Batches


def opened_batches(prepared: Prepared, told: Console) -> "Batches | None":
    """The model of a config as it is asked in batches; None where it is asked by calls. Nothing is called.

    Raises:
        ModelError: Something that it needs is missing, with what to do about it.
    """
    config = prepared.config.model
    if not isinstance(config, OpenAIModel) or config.mode != "batch":
        return None
    from ..models.batches import open_batches  # noqa: PLC0415 - calls need none of it

    return open_batches(config, env=os.environ, progress=lambda line: told.print(Text(line)))


def refuse_cancelling(cancel: bool, batches: "Batches | None", config: Path) -> None:  # noqa: FBT001 - the option itself
    """Refuse `--cancel` where there are no batches.

    Raises:
        UsageError: The config asks by calls.
    """
    if cancel and batches is None:
        raise UsageError(f"--cancel is for batches, and the model of {config} is asked by calls; leave it out.")


def refuse_under_way(store: Store, run: RunRecord) -> None:
    """Refuse to ask by calls, and pay for twice, what batches are answering.

    Raises:
        UsageError: Batches of the run are under way.
    """
    known = batches_of(store, run)
    if not known:
        return
    count = "1 batch" if len(known) == 1 else f"{len(known)} batches"
    requests = counted(sum(batch.requests for batch in known), "request")
    finish_run(store, run, "stopped", f"{count} may be under way at the endpoint")
    raise UsageError(
        f"{run.id}: {count} with {requests} may be under way at the endpoint, and calls would pay for these twice; "
        "collect them with `model.mode: batch`, cancel them by that and --cancel, or begin anew with --fresh."
    )
