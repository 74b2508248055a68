"""What tests of pages share: a real browser, and servers that end with the module that wanted them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from prt.runner.serving.settings import Settings

from ...browser import browser
from .site import Site, serving

__all__ = ["browser"]


@pytest.fixture(scope="module")
def serve() -> Iterator[Callable[[Settings], Site]]:
    """Starts a server: `serve(Settings(str(store)))` gives its `Site`."""
    with ExitStack() as stack:
        yield lambda settings: stack.enter_context(serving(settings))
