"""The report of a run as a page: where it goes, what it holds, and writing it."""

from pathlib import Path
from threading import Thread

from rich.console import Console
from rich.text import Text

from ..analysis import Results
from ..config.report import ReportConfig
from ..errors import UsageError
from ..findings import Report
from ..reports.text import visible
from ..store.read import StoredRun
from .written_files import write_file

FOLDER = "prt-reports"


def page_of_run(run: StoredRun, report: Report, results: Results | None = None) -> str:
    """The report of a run as a page, with the map of all its items and the texts of as many as its config allows.

    Args:
        run: The run; its store must be open.
        report: Its report.
        results: Its results, where they are read already.
    """
    from ..reports.html import report_page  # noqa: PLC0415 - only a page needs what draws and fills templates
    from ..reports.html.of_run import view_of_run  # noqa: PLC0415

    return report_page(view_of_run(run, report, results))


def write_page(path: Path, page: str) -> None:
    """Write a page; one that was there is replaced, and its folder is made where there is none.

    Raises:
        UsageError: It can't be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{path}: its folder can't be made ({error.strerror or error}); name another") from None
    write_file(path, page.encode())


def place_of_page(config: ReportConfig, *, asked: bool | None, base: Path, store: str, run_id: str) -> Path | None:
    """Where the page of a run goes.

    Args:
        config: The `report` section.
        asked: What the command line says; None leaves it to the config.
        base: The folder of the config file.
        store: The results database, as people are shown it.
        run_id: The run.

    Returns:
        The file; None where no page is wanted.
    """
    if asked is False or (asked is None and config.html is False):
        return None
    if isinstance(config.html, str):
        named = base / Path(config.html).expanduser()
        return named if named.suffix.lower() in {".html", ".htm"} else named / f"{run_id}.html"
    is_server = "://" in store or store.startswith("file:")
    return (Path() if is_server else Path(store).parent) / FOLDER / f"{run_id}.html"


def get_ready(page: Path | None) -> None:
    """Get ready to draw while the model is asked, where a page is wanted; nobody waits for it."""
    if page is None:
        return

    def start() -> None:
        from ..reports.charts.render import start_renderer  # noqa: PLC0415 - as above

        start_renderer()

    Thread(target=start, name="prt-charts", daemon=True).start()


def write_page_of_run(
    run: StoredRun, report: Report, results: Results, path: Path | None, *, told: Console, err: Console
) -> None:
    """Write the page of a run that has just been reported, and say where; a page that can't be written costs no result.

    Args:
        run: The run; its store must be open.
        report: Its report.
        results: Its results.
        path: Where; None writes nothing.
        told: Where to say what was written.
        err: Where to say what went wrong.
    """
    if path is None:
        return
    try:
        write_page(path, page_of_run(run, report, results))
    except UsageError as error:
        advice = f"`prt report {run.record.id} --html FILE` writes the page elsewhere"
        err.print(Text(visible(f"note: {error}; the results are stored, and {advice}")), soft_wrap=True)
    else:
        told.print(Text(visible(f"report page: {path}")), soft_wrap=True)
