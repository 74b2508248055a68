"""Fixtures for the tests of providers."""

import functools
import ssl
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def _certificates_are_read_once() -> Iterator[None]:
    """Each client reads all certificate authorities, which takes longer than most tests, and none here uses TLS."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", functools.cache(ssl.create_default_context))
        yield
