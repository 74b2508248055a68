"""The command that serves pages on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from .app import app
from .options import StoreOption, examples


@app.command(
    epilog=examples(
        "prt serve", "prt serve --store nightly.db --port 9000", "prt serve --bundle b.jsonl --allow-writes"
    )
)
def serve(
    store: StoreOption = "prt.db",
    port: Annotated[int, typer.Option("--port", "-p", min=0, max=65535, help="The port; 0 takes a free one.")] = 8321,
    host: Annotated[
        str,
        typer.Option(
            "--host", help="The address to listen on; any but this machine's own needs the token that is printed."
        ),
    ] = "127.0.0.1",
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            help="A further name by which the server may be called; may be repeated.",
            show_default=False,
        ),
    ] = None,
    bundle: Annotated[
        list[Path] | None,
        typer.Option("--bundle", help="A bundle of variants to review; may be repeated.", show_default=False),
    ] = None,
    allow_writes: Annotated[
        bool, typer.Option("--allow-writes", help="Let reviews be written into the bundles; all else is only read.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--open", help="Open the first page in a browser.")] = False,
) -> None:
    """Show results as pages in a browser, on this machine alone.

    Paste results and see their report as you type; look through runs, compare them, follow nights, review bundles,
    plan. Nothing leaves the machine, and nothing is changed but reviews, where --allow-writes is given. Needs the extra
    `web`.
    """
    from ..commands.serve import serve_command

    serve_command(
        store=store,
        host=host,
        port=port,
        hosts=allow_host or (),
        bundles=bundle or (),
        writable=allow_writes,
        opened=open_browser,
    )
