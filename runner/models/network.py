"""What providers that speak HTTP have in common: where an address leads, and how a connection fails."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from .failure import FailedAttempt
from .status import Endpoint


def is_loopback(url: str) -> bool:
    """Whether the URL names this machine by a loopback address."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:
        return False


def broken(endpoint: Endpoint, error: BaseException) -> FailedAttempt:
    """The failure of a call whose connection could not be made or broke off."""
    reason = endpoint.redact(f"{type(error).__name__}: {error}".strip(": "))
    return FailedAttempt("connection", f"no connection to {endpoint.url}, or it broke off ({reason})", again=True)


def unsendable(error: UnicodeEncodeError) -> FailedAttempt:
    """The failure of a prompt that UTF-8 can't hold."""
    found = error.object[error.start]
    message = f"the prompt can't be sent, since it holds {found!r}, which is half a character"
    return FailedAttempt("bad_request", message, again=False)
