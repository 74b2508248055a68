"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from .. import completing


def examples(*calls: str) -> str:
    """How a command is called, for the end of its help: one call a line, which is not wrapped."""
    return "\n".join(["\b", "Examples:" if len(calls) > 1 else "Example:", *(f"  {call}" for call in calls)])


ConfigPath = Annotated[Path, typer.Argument(metavar="CONFIG", help="The YAML config.", show_default=False)]


StoreOption = Annotated[
    str, typer.Option("--store", envvar="PRT_STORE", help="Results database: a file, or an SQLAlchemy URL.")
]


ConfigStoreOption = Annotated[
    str | None,
    typer.Option("--store", envvar="PRT_STORE", help="Results database, instead of the config's.", show_default=False),
]


RUN_HELP = "A run's id or its beginning, its name, or 'latest'."


RunArgument = Annotated[
    str, typer.Argument(metavar="[RUN]", help=RUN_HELP, show_default=False, autocompletion=completing.runs)
]


NamedRun = Annotated[str, typer.Argument(metavar="RUN", help=RUN_HELP, autocompletion=completing.runs)]


ItemArgument = Annotated[str, typer.Argument(metavar="ITEM", help="The item's id.", autocompletion=completing.items)]


JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]


VerboseOption = Annotated[
    int,
    typer.Option(
        "--verbose",
        "-v",
        count=True,
        help="Log the events of the work on standard error; twice: also its details.",
        show_default=False,
    ),
]


LogFileOption = Annotated[
    Path | None,
    typer.Option(
        "--log-file",
        help="Append the events to this file, each as a line of JSON; secrets are hidden.",
        show_default=False,
    ),
]


QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the result.")]


QuietReportOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, only the report.")]


FreshOption = Annotated[bool, typer.Option("--fresh", help="Ask everything again, using no stored reply.")]


AlphaOption = Annotated[float, typer.Option(min=1e-6, max=0.5, help="Significance level; intervals are 1 − alpha.")]


MarkdownOption = Annotated[
    bool,
    typer.Option("--markdown", help="Print Markdown instead of text, short enough for a comment on a pull request."),
]


JunitOption = Annotated[
    Path | None,
    typer.Option(
        "--junit",
        metavar="FILE",
        help="Write JUnit XML there, too: a test for each condition, control and gate; '-' prints it instead of text.",
        show_default=False,
    ),
]


CsvOption = Annotated[
    Path | None,
    typer.Option(
        "--csv",
        metavar="FILE",
        help="Write a table there, too: a row for each condition with all its figures; '-' prints it instead of text.",
        show_default=False,
    ),
]


HtmlOption = Annotated[
    Path | None,
    typer.Option(
        "--html",
        metavar="FILE",
        help="Write the report as a page there, too: one file, which opens without network; '-' prints it instead.",
        show_default=False,
    ),
]


ChartsOption = Annotated[
    Path | None,
    typer.Option(
        "--charts",
        metavar="DIR",
        help="Write each chart of the report into this folder, too, as SVG and as PNG.",
        show_default=False,
    ),
]
