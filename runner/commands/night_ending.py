"""The end of a night: its digest, its reports as files, and what is no longer kept."""

import json
import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ..analysis import Results
from ..config.loading import LoadedConfig
from ..errors import StoreError, UsageError
from ..findings import Report
from ..masking import masked
from ..nightly.summary import NightSummary, read_history
from ..problems import counted
from ..reports.digest import Digest, digest_json, digest_markdown, digest_of
from ..reports.night_pages import night_page
from ..safe_names import own_name
from ..store import DEFAULT_STORE
from ..store.database import Store
from ..store.nights import list_nights
from ..store.pruning import Pruning, prune
from ..store.read import StoredRun
from .opening import STORE_VARIABLE
from .report_page import FOLDER, page_of_run, place_of_page, write_page

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Ended:
    """A night that ended.

    Attributes:
        summary: What it came to.
        previous: The night before; None for a first one.
        digest: What there is to say of it.
        files: The reports that were written.
        page: A page of HTML that says the same.
    """

    summary: NightSummary
    previous: NightSummary | None
    digest: Digest
    files: tuple[str, ...] = ()
    page: str = ""


@dataclass(frozen=True, slots=True)
class Decided:
    """A night whose verdict is known.

    Attributes:
        summary: What it came to.
        run: Its run; the store must be open.
        report: The report of the run.
        results: The run's results.
    """

    summary: NightSummary
    run: StoredRun
    report: Report
    results: Results


def end_night(
    loaded: LoadedConfig, night: Decided, previous: NightSummary | None, *, html: bool | None, say: Say, warn: Say
) -> Ended:
    """Say what there is to say of a night that is in the store, and write its reports.

    Args:
        loaded: The config.
        night: The night.
        previous: The one before it.
        html: Whether to write pages; None leaves it to the config.
        say: Tells the user a sentence.
        warn: Tells the user what went wrong.
    """
    summary, store = night.summary, night.run.store
    digest = digest_of(summary, previous, commands(store, summary))
    page = place_of_page(loaded.config.report, asked=html, base=loaded.base, store=store.place, run_id=summary.run)
    files = reports(night, digest, previous, page=page, say=say, warn=warn)
    return Ended(summary, previous, digest, files, masked(night_page(digest, summary, (), drawn=False)))


def commands(store: Store, summary: NightSummary) -> list[str]:
    """The commands that show more of a night."""
    option = [] if os.environ.get(STORE_VARIABLE) or store.place == DEFAULT_STORE else ["--store", store.place]
    shown = ["report", summary.run], ["trend", summary.series]
    return [shlex.join(["prt", *words, *option]) for words in shown]


def reports(
    night: Decided, digest: Digest, previous: NightSummary | None, *, page: Path | None, say: Say, warn: Say
) -> tuple[str, ...]:
    """Write the reports of a night; that one can't be written costs no result.

    Args:
        night: The night.
        digest: Its digest.
        previous: The night before it.
        page: Where the page of its run goes; None writes no pages.
        say: Tells the user a sentence.
        warn: Tells the user what went wrong.

    Returns:
        The files.
    """
    summary, place = night.summary, night.run.store.place
    is_file = "://" not in place and not place.startswith("file:")
    folder = page.parent if page is not None else (Path(place).parent if is_file else Path()) / FOLDER
    name = f"{own_name(summary.series, otherwise='series')}-night-{summary.night:04d}"
    texts: dict[Path, Callable[[], str]] = {
        folder / f"{name}.md": lambda: masked(digest_markdown(digest)),
        folder / f"{name}.json": lambda: json.dumps(digest_json(digest, summary, previous), indent=2) + "\n",
    }
    if page is not None:
        texts[folder / f"{name}.html"] = lambda: masked(night_page(digest, summary, history_of(night)))
        texts[page] = lambda: page_of_run(night.run, night.report, night.results)
    written: list[str] = []
    for file, text in texts.items():
        try:
            write_page(file, text())
        except UsageError as error:
            warn(f"{error}; the night is stored all the same")
        except Exception as error:  # noqa: BLE001 - who waits to be told of an alarm shall be, whatever a page meets
            warn(f"{file}: it can't be made ({type(error).__name__}: {error}); the night is stored all the same")
        else:
            written.append(str(file))
    if written:
        say(f"reports of the night: {', '.join(written)}")
    return tuple(written)


def history_of(night: Decided) -> tuple[NightSummary, ...]:
    """The nights of the series, this one with them."""
    return read_history(list_nights(night.run.store, night.summary.series)).nights


def keep_nights(store: Store, series: str, nights: int | None, *, say: Say, warn: Say) -> None:
    """Remove the results of nights beyond those to be kept; that it fails costs no result.

    Args:
        store: The results database.
        series: The series.
        nights: How many are kept; None for all.
        say: Tells the user a sentence.
        warn: Tells the user what went wrong.
    """
    if nights is None:
        return
    try:
        done = prune(store, Pruning(keep_nights=nights, series=series))
    except StoreError as error:
        warn(f"old nights could not be pruned: {error}")
        return
    if done.runs or done.judging:
        of_judges = ", those of judges among them," if done.judging else ""
        say(f"nightly.keep: {done.replies:,} replies of {counted(len(done.runs), 'old run')}{of_judges} are removed")
