"""The forms in which a report is printed and written to files."""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..errors import UsageError
from ..findings import Report
from ..problems import counted
from ..reports.csv_files import report_csv
from ..reports.junit import report_junit
from ..reports.markdown import report_markdown
from ..reports.text import visible
from .printing import print_report_as
from .written_files import write_file

STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Forms:
    """How a report is wanted.

    Attributes:
        as_json: Print JSON instead of text.
        markdown: Print Markdown instead of text.
        junit: Write JUnit XML there, too; `-` prints it instead of text.
        csv: Write a table of the conditions there, too; `-` likewise.
        charts: Write the charts into this folder, too.
        html: Write the page there, too; `-` prints it instead of text.
    """

    as_json: bool = False
    markdown: bool = False
    junit: Path | None = None
    csv: Path | None = None
    charts: Path | None = None
    html: Path | None = None

    @property
    def printed(self) -> tuple[str, ...]:
        """The options that ask for something on standard output instead of text."""
        asked = {
            "--json": self.as_json,
            "--markdown": self.markdown,
            "--junit -": str(self.junit) == STDOUT,
            "--csv -": str(self.csv) == STDOUT,
            "--html -": str(self.html) == STDOUT,
        }
        return tuple(option for option, wanted in asked.items() if wanted)


def refuse_several(forms: Forms) -> None:
    """Refuse more than one thing on standard output, before any work.

    Raises:
        UsageError: That is asked for.
    """
    if len(forms.printed) > 1:
        raise UsageError(f"{' and '.join(forms.printed)}: only one of them can be printed; name a file for the others")


def give(report: Report, forms: Forms, page: Callable[[], str]) -> None:
    """Write a report to the files that are wanted, and print it.

    Args:
        report: The report.
        forms: How it is wanted.
        page: Makes the page of it.

    Raises:
        UsageError: A file can't be written; then nothing is printed.
    """
    refuse_several(forms)
    told = Console(stderr=True, highlight=False)
    for line in _written(report, forms, page):
        told.print(Text(visible(line)), soft_wrap=True)
    match forms.printed:
        case ("--markdown",):
            sys.stdout.write(report_markdown(report))
        case ("--junit -",):
            sys.stdout.write(report_junit(report))
        case ("--csv -",):
            sys.stdout.write(report_csv(report))
        case ("--html -",):
            sys.stdout.write(page())
        case _:
            print_report_as(report, as_json=forms.as_json)


def _written(report: Report, forms: Forms, page: Callable[[], str]) -> Iterator[str]:
    """Write what is wanted to files, and say what was written where."""
    if forms.junit is not None and str(forms.junit) != STDOUT:
        write_file(forms.junit, report_junit(report).encode())
        yield f"{forms.junit}: the report as JUnit XML"
    if forms.csv is not None and str(forms.csv) != STDOUT:
        write_file(forms.csv, report_csv(report).encode())
        yield f"{forms.csv}: the conditions as CSV"
    if forms.html is not None and str(forms.html) != STDOUT:
        write_file(forms.html, page().encode())
        yield f"{forms.html}: the report as a page"
    if forms.charts is not None:
        yield f"{forms.charts}: {counted(write_charts(report, forms.charts), 'chart')}, each as SVG and PNG"


def write_charts(report: Report, folder: Path) -> int:
    """Write each chart of a report that has anything to show as SVG and as PNG.

    Args:
        report: The report.
        folder: Where; it is made where there is none.

    Returns:
        How many charts there are.

    Raises:
        UsageError: The folder or a file in it can't be written.
    """
    from ..reports.charts import png, report_charts, svg  # noqa: PLC0415 - only charts need what draws

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: the folder can't be made ({error.strerror or error}); name another") from None
    charts = report_charts(report)
    for chart in charts:
        write_file(folder / f"{chart.name}.svg", svg(chart).encode())
        write_file(folder / f"{chart.name}.png", png(chart))
    return len(charts)
