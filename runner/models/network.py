"""Where an address leads: to this machine or another, and through which proxy."""

from base64 import b64encode
from ipaddress import ip_address
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from yarl import URL

from ..errors import ModelError
from .failure import FailedAttempt
from .redaction import public_url

USABLE = frozenset({"http", "https"})


def is_loopback(url: str) -> bool:
    """Whether the URL names this machine by a loopback address."""
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or host.endswith(".localhost") or ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(url: URL) -> URL | None:
    """The proxy that the environment, or the system, names for an address; never one for this machine.

    Raises:
        ModelError: It is of a kind that can't be used.
    """
    host = url.host or ""
    if is_loopback(str(url)) or proxy_bypass(host):
        return None
    proxies = getproxies()
    named = proxies.get(url.scheme) or proxies.get("all")
    if not named:
        return None
    proxy = URL(named if "://" in named else f"http://{named}")
    if proxy.scheme not in USABLE:
        raise ModelError(
            f"the proxy of the environment, {public_url(named)}, is of the kind {proxy.scheme}; prt can use those of "
            f"http and https. Name one by {url.scheme.upper()}_PROXY, or take this address out by NO_PROXY={host}."
        )
    return proxy


def basic_login(user: str, password: str) -> str:
    """The header `Authorization` for a user and a password."""
    return f"Basic {b64encode(f'{user}:{password}'.encode()).decode()}"


def unsendable(error: UnicodeEncodeError) -> FailedAttempt:
    """The failure of a prompt that UTF-8 can't hold."""
    found = error.object[error.start]
    message = f"the prompt can't be sent, since it holds {found!r}, which is half a character"
    return FailedAttempt("bad_request", message, again=False)
