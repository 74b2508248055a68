"""What all sinks share: how one fails, and with what means it works."""

import smtplib
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ..models.pace import Pace

if TYPE_CHECKING:
    from ..models.pool import Pool
    from ..models.status import Endpoint


class SinkError(Exception):
    """A sink that could not be told, in words.

    Attributes:
        again: Whether trying again can help.
        retry_after_s: Seconds that it asks to wait first; None where it does not say.
    """

    def __init__(self, message: str, *, again: bool = False, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.again = again
        self.retry_after_s = retry_after_s


def certificates() -> ssl.SSLContext:
    """What certificates are verified by."""
    from ..models.pool import trusting  # noqa: PLC0415 - aiohttp takes long to import, and most nights tell a file

    return trusting()


def open_pool(endpoint: "Endpoint", headers: Mapping[str, str], url: str) -> "Pool":
    """Connections to one address, through the proxy that the environment names."""
    from yarl import URL  # noqa: PLC0415 - as above

    from ..models.network import proxy_for  # noqa: PLC0415
    from ..models.pool import Pool  # noqa: PLC0415

    address = URL(url)
    return Pool(endpoint, headers, most=1, tls=address.scheme == "https", proxy=proxy_for(address))


@dataclass(frozen=True, slots=True)
class Means:
    """Where time, the environment and connections come from, so that a test can give others.

    Attributes:
        env: Environment variables.
        base: The folder that relative paths start from.
        pace: Time and chance.
        smtp: Opens a connection to a mail server.
        smtp_tls: Opens one that is encrypted from its first byte.
        tls: What certificates are verified by.
        pool: Opens connections to a webhook.
    """

    env: Mapping[str, str]
    base: Path
    pace: Pace = field(default_factory=Pace)
    smtp: Callable[..., smtplib.SMTP] = smtplib.SMTP
    smtp_tls: Callable[..., smtplib.SMTP] = smtplib.SMTP_SSL
    tls: Callable[[], ssl.SSLContext] = certificates
    pool: "Callable[[Endpoint, Mapping[str, str], str], Pool]" = open_pool

    def secret(self, variable: str) -> str:
        """The value of an environment variable.

        Raises:
            SinkError: It is not set, or blank.
        """
        value = self.env.get(variable, "").strip()
        if not value:
            raise SinkError(f"the environment variable {variable} is not set")
        return value
