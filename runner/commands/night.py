"""`prt night`: ask, compare with the baseline and with last night, decide, keep, report, tell."""

import asyncio
import json
import os
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..config.loading import load_config
from ..config.nightly import NightlyConfig
from ..errors import PrtError
from ..masking import masked
from ..nightly.message import Message
from ..nightly.notify import lacking, notify
from ..nightly.sink import Means
from ..reports.digest import digest_json, digest_text, failure_message, message_of
from ..reports.text import visible
from .night_run import Night
from .stdout import reserved_stdout


def night_command(
    config: Path, *, restart: bool, store: str | None, html: bool | None, as_json: bool, quiet: bool
) -> int:
    """Run a night and tell of it.

    Args:
        config: The config file.
        restart: Count looks anew from this night; with a stored baseline it becomes that.
        store: Results database, instead of the config's.
        html: Whether to write pages; None leaves it to the config.
        as_json: Print the digest as JSON.
        quiet: Show no progress.

    Returns:
        The exit code: 0 quiet, 1 an alarm or a failed gate, 3 incomplete.

    Raises:
        PrtError: What the user can act on; the sinks are told of it.
    """
    err = Console(stderr=True, highlight=False)
    told_of = Console(stderr=True, highlight=False, quiet=quiet)
    loaded = load_config(config, env=os.environ)
    nightly, means = loaded.config.nightly, Means(os.environ, loaded.base)
    for line in lacking(nightly.notify, means):
        err.print(Text(f"note: {visible(line)}"), soft_wrap=True)
    with reserved_stdout() as out:
        try:
            alarming = err if quiet else told_of
            night = Night(loaded, restart=restart, store=store, html=html, told=told_of, alarming=alarming)
            ended = night.run()
        except PrtError as error:
            tell(nightly, failure_message(loaded.config.name, str(error), error.exit_code), means, err)
            raise
        summary, previous = ended.summary, ended.previous
        if as_json:
            found = digest_json(ended.digest, summary, previous, files=ended.files)
            out.write(json.dumps(found, indent=2, allow_nan=False) + "\n")
        else:
            out.write(masked(digest_text(ended.digest)))
        out.flush()
    tell(nightly, message_of(ended.digest, summary, previous, page=ended.page, files=ended.files), means, err)
    return summary.exit_code


def tell(nightly: NightlyConfig, message: Message, means: Means, err: Console) -> None:
    """Tell the sinks, and say which could not be told."""
    for line in asyncio.run(notify(nightly.notify, message, means)):
        err.print(Text(f"warning: {visible(line)}"), soft_wrap=True)
