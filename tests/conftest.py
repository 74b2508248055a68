"""What all tests share: property tests draw the same examples every time, and where the stores of runs are kept."""

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from prt.runner.store import database as store_database

from .postgres import SERVER, Schemas, UnavailableError, server

settings.register_profile("steady", derandomize=True, deadline=None, database=None)
settings.load_profile("steady")

OF_THE_STORE = Path(__file__).parent / "runner" / "store"
IN_SERVER = Path(__file__).parent / "in_server"
"""Holds a `sitecustomize`, which each Python process that finds it imports when it starts."""
DATABASES = ("sqlite", "postgresql")
SERVERS = pytest.StashKey["Servers"]()


class Servers:
    """The PostgreSQL server of a session of tests, started when the first test wants it."""

    def __init__(self, *, required: bool) -> None:
        """Get ready.

        Args:
            required: Whether the tests fail where there can be no server, since they were to run on one.
        """
        self._required = required
        self.started: Schemas | None = None
        self._stack = ExitStack()
        self._why_not = ""

    def schemas(self) -> Schemas:
        """The server's stores; where there can be none, the test that asks is skipped, or fails if one is required."""
        if self.started is None and not self._why_not:
            try:
                url = self._stack.enter_context(server())
            except UnavailableError as error:
                self._why_not = f"no PostgreSQL server here: {error}"
            else:
                self.started = Schemas(url.render_as_string(hide_password=False))
        if self.started is None and self._required:
            pytest.fail(self._why_not, pytrace=False)
        if self.started is None:
            pytest.skip(self._why_not)
        return self.started

    def stop(self) -> None:
        """End the server."""
        self._stack.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--store",
        choices=DATABASES,
        help="the database in which tests keep the results of runs; without it SQLite, and for tests of the store both",
    )


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SERVERS] = Servers(required=config.getoption("--store") == "postgresql")
    os.environ.setdefault("PRT_HTML", "0")  # a test of the page asks for it; drawing one takes a second


def pytest_sessionstart() -> None:
    """Let reports be as wide in a worker as in one process, where nothing says how wide a terminal is."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        os.environ.pop("COLUMNS", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what looks at pages in a browser, which are the same whatever keeps the results."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")


def pytest_unconfigure(config: pytest.Config) -> None:
    config.stash[SERVERS].stop()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Let tests of the store run on both databases, but for those that are about one of them."""
    if metafunc.config.getoption("--store") is None and OF_THE_STORE in metafunc.definition.path.parents:
        about = [name for name in DATABASES if any(metafunc.definition.iter_markers(name))]
        metafunc.parametrize("database", about or DATABASES, indirect=True)


@pytest.fixture(scope="module", autouse=True)
def database(request: pytest.FixtureRequest) -> Iterator[str]:
    """The database that keeps the stores of a test."""
    name: str = getattr(request, "param", None) or request.config.getoption("--store") or "sqlite"
    if name == "sqlite":
        yield name
        return
    schemas = request.config.stash[SERVERS].schemas()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store_database, "store_url", schemas.store_url)
        patch.setenv(SERVER, schemas.url)
        patch.syspath_prepend(str(IN_SERVER))
        patch.setenv("PYTHONPATH", os.pathsep.join([str(IN_SERVER), *filter(None, [os.environ.get("PYTHONPATH")])]))
        yield name
    schemas.clear()


@pytest.fixture(autouse=True)
def _about_one_database(request: pytest.FixtureRequest, database: str) -> None:
    """Skip what is about another database than the one that keeps the stores."""
    about = [name for name in DATABASES if request.node.get_closest_marker(name)]
    if about and database not in about:
        pytest.skip(f"about {about[0]}")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many stores were kept in PostgreSQL."""
    schemas = config.stash[SERVERS].started
    if schemas is not None:
        terminalreporter.write_line(f"{schemas.opened} stores were kept in PostgreSQL {schemas.version}")
