"""`prt store prune`: give up what old runs hold; figures and pinned baselines stay."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import timedelta

from rich.console import Console
from rich.text import Text

from ..errors import UsageError
from ..problems import counted, quoted
from ..reports.text import visible
from ..store.database import open_store
from ..store.pruning import Pruned, Pruning, prune
from .printing import output_console, watching
from .trend import series_of

AGE = re.compile(r"(\d{1,5})\s*(h|d|w)")
UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}
NAMED = 10
MIB = 1024 * 1024


def prune_command(
    *,
    keep_nights: int | None,
    older_than: str | None,
    series: str | None,
    all_runs: bool,
    replies_only: bool,
    dry_run: bool,
    store: str,
    as_json: bool,
) -> None:
    """Remove the results of old nights, or old runs.

    Args:
        keep_nights: How many nights of a series keep theirs.
        older_than: The age from which on results are removed, such as `90d`.
        series: The series; None for all.
        all_runs: Whether runs that no night made are meant, too.
        replies_only: Whether only the texts of replies are removed.
        dry_run: Whether it is only said what would be removed.
        store: The results database.
        as_json: Print JSON.

    Raises:
        UsageError: The options don't fit one another.
    """
    age = checked_age(keep_nights, older_than, series, all_runs=all_runs)
    told = Console(stderr=True, highlight=False)
    with open_store(store, may_create=False, watch=watching(told)) as opened:
        pruning = Pruning(
            keep_nights=keep_nights,
            before=None if age is None else opened.now() - age,
            series=None if series is None else series_of(opened, series),
            all_runs=all_runs,
            texts_only=replies_only,
        )
        done = prune(opened, pruning, dry_run=dry_run)
    if as_json:
        sys.stdout.write(json.dumps(asdict(done), indent=2) + "\n")
        return
    for line in lines_of(done):
        output_console().print(Text(visible(line)), soft_wrap=True)


def checked_age(
    keep_nights: int | None, older_than: str | None, series: str | None, *, all_runs: bool
) -> timedelta | None:
    """The age that is meant; None where a number of nights is.

    Raises:
        UsageError: The options don't fit one another, or this is no age.
    """
    if (keep_nights is None) == (older_than is None):
        both = ", not both" if keep_nights is not None else ""
        raise UsageError(f"say which results go: either --keep-nights N or --older-than AGE, such as 90d{both}")
    if all_runs and (older_than is None or series is not None):
        raise UsageError(
            "--all-runs goes with --older-than alone, since only nights are counted, and only they are a series"
        )
    return None if older_than is None else age_of(older_than)


def age_of(text: str) -> timedelta:
    """`36h`, `90d` or `12w` as a span of time.

    Raises:
        UsageError: It is none.
    """
    found = AGE.fullmatch(text.strip().lower())
    if found is None:
        raise UsageError(f"--older-than: {quoted(text)} is no age; write hours, days or weeks, such as 36h, 90d or 12w")
    return int(found[1]) * UNITS[found[2]]


def lines_of(done: Pruned) -> Iterator[str]:
    """What was removed, or would be, for a person."""
    would = "" if done.done else "would be "
    what = "replies lose their texts" if done.texts_only else f"replies and {done.grades:,} grades"
    if not done.runs and not done.judging:
        yield f"{done.place}: there is nothing to remove"
    elif done.texts_only:
        yield f"{done.place}: {subject(done)}: {done.replies:,} {what}, {size(done)}" + (
            "" if done.done else " (nothing is removed yet)"
        )
    else:
        yield f"{done.place}: {subject(done)} with {done.replies:,} {what} {would}removed, {size(done)}"
    yield from (f"  {run}" for run in done.runs[:NAMED])
    if len(done.runs) > NAMED:
        yield f"  and {len(done.runs) - NAMED} more"
    if done.pinned:
        yield f"kept, since a baseline is pinned to it: {', '.join(done.pinned)}"
    if done.busy:
        yield f"kept, since it is being worked on: {', '.join(done.busy)}"
    if (done.runs or done.judging) and done.done:
        yield "The history of nights keeps every figure. Later results use the room; `prt store vacuum` gives it back."


def subject(done: Pruned) -> str:
    """Whose replies these are: `2 runs and what judges said of them`."""
    if not done.runs:
        return "what judges said of runs that were pruned before"
    of_judges = f" and what judges said of {'it' if len(done.runs) == 1 else 'them'}" if done.judging else ""
    return counted(len(done.runs), "run") + of_judges


def size(done: Pruned) -> str:
    """`12.3 MiB of text`."""
    return f"about {done.characters / MIB:.1f} MiB of text"
