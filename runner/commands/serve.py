"""`prt serve`: the pages, on this machine."""

import re
import secrets
import socket
import webbrowser
from collections.abc import Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ..errors import UsageError
from ..reports.text import visible

NEEDED = ("starlette", "uvicorn", "python_multipart")
EVERY_4, EVERY_6 = "127.0.0.1", "::1"
"""This machine's own address, where every one of its addresses is listened on."""
ELSEWHERE = "from other machines: this machine's address in place of {}; a name of it needs --allow-host"
HOST = re.compile(r"[A-Za-z0-9._-]+|[0-9A-Fa-f:]+")
"""A name or an address, without a port and without brackets."""
WAITING = 128
"""Connections that wait to be taken."""


def serve_command(
    *,
    store: str,
    host: str,
    port: int,
    hosts: Sequence[str],
    bundles: Sequence[Path],
    writable: bool,
    opened: bool,
) -> None:
    """Serve the pages until an interrupt.

    Args:
        store: Results database; it need not exist yet.
        host: The address to listen on; where it is not this machine's own, a visitor needs a token, which is printed.
        port: The port; 0 takes one that is free.
        hosts: Further names by which the server may be called.
        bundles: Bundles of variants that may be reviewed.
        writable: Whether reviews are written into them.
        opened: Whether a browser is opened.

    Raises:
        UsageError: The extra is not installed, or nothing can be listened on there.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        lacking = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed"
        raise UsageError(f"{lacking}; pip install 'prompt-robustness[web]', or '.[web]' in a checkout")
    import uvicorn  # noqa: PLC0415 - of an extra

    from ..serving.app import create_app  # noqa: PLC0415 - of an extra
    from ..serving.settings import Settings, is_every_address, is_loopback  # noqa: PLC0415 - as above

    unread = next((bundle for bundle in bundles if not bundle.is_file()), None)
    if unread is not None:
        found = "it is a folder" if unread.is_dir() else "there is no such file"
        raise UsageError(f"--bundle {unread}: {found}; `prt perturb CONFIG` writes a bundle")
    nameless = next((name for name in hosts if not HOST.fullmatch(name)), None)
    if nameless is not None:
        raise UsageError(f"--allow-host {nameless}: this is no name of a host; leave out port and path")
    token = "" if is_loopback(host) else secrets.token_urlsafe(24)
    settings = Settings(store, host, tuple(hosts), token, tuple(bundles), writable)
    err = Console(stderr=True, highlight=False)
    with closing(listening(host, port)) as listener:
        # An address that stands for all of them can be listened on; few systems can open it.
        here = (EVERY_6 if ":" in host else EVERY_4) if is_every_address(host) else host
        address = address_of(here, listener.getsockname()[1], token)
        err.print(Text(f"prt serve: {visible(address)} (Ctrl-C stops it)"), soft_wrap=True)
        if here != host:
            err.print(Text(f"prt serve: {ELSEWHERE.format(here)}"), soft_wrap=True)
        if opened:
            webbrowser.open(address)
        config = uvicorn.Config(
            create_app(settings), log_level="warning", access_log=False, server_header=False, lifespan="off", ws="none"
        )
        with suppress(KeyboardInterrupt):  # which the server passes on once it has stopped
            uvicorn.Server(config).run(sockets=[listener])


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises:
        UsageError: Nothing can be listened on there.
    """
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise UsageError(f"--host {host}: there is no such address ({error.strerror or error})") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(place)
        listener.listen(WAITING)
    except OSError as error:
        listener.close()
        why = error.strerror or error
        raise UsageError(f"{host}:{port} can't be listened on ({why}); `--port 0` takes a free port") from None
    return listener


def address_of(host: str, port: int, token: str) -> str:
    """The address of the first page; with the token that it needs."""
    named = f"[{host}]" if ":" in host else host
    return f"http://{named}:{port}/" + (f"?token={token}" if token else "")
