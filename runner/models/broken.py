"""Why a call has no response, or only part of one: each cause by its name, with what can be done about it."""

import errno
import os
import socket
import ssl

import aiohttp

from .completion import malformed
from .failure import FailedAttempt
from .status import Endpoint, one_line

CHECK_PROXY = "Check the proxy that the environment names"
OF_A_CONNECTION = (
    (aiohttp.ClientProxyConnectionError, "the proxy can't be reached: ", CHECK_PROXY),
    (aiohttp.ClientConnectorDNSError, "its name is not known: ", "Check the address and the network"),
    (aiohttp.ClientConnectorSSLError, "no TLS connection: ", "Check whether the address is one of https"),
)
FILES_USED_UP = frozenset({errno.EMFILE, errno.ENFILE})


def broken(endpoint: Endpoint, error: Exception) -> FailedAttempt:
    """The failure of a call whose connection could not be made, broke off, or carried no HTTP.

    Args:
        endpoint: How messages speak of the endpoint.
        error: What aiohttp or the system raised.
    """
    if isinstance(error, aiohttp.ClientConnectorCertificateError):
        said = _said(error.certificate_error)
        advice = "Set SSL_CERT_FILE to the authority that signed it, if you trust that"
        return _connection(endpoint, f"its TLS certificate is not accepted: {said}", advice, again=False)
    if isinstance(error, aiohttp.ClientResponseError) and not isinstance(error, aiohttp.ClientHttpProxyError):
        return malformed(endpoint.redact(f"{endpoint.url} sent what is no HTTP response ({one_line(error.message)})"))
    if isinstance(error, aiohttp.ClientPayloadError):
        return _half(endpoint, error)
    return _connection(endpoint, *_cause(error), again=True)


def _half(endpoint: Endpoint, error: aiohttp.ClientPayloadError) -> FailedAttempt:
    """A body that breaks off, or can't be unpacked."""
    said = one_line(str(error.__cause__ or error))
    if "content-encoding" in f"{error} {said}".lower():
        return malformed(f"{endpoint.url} sent a body that is not packed as its Content-Encoding says")
    return FailedAttempt("connection", f"{endpoint.url} broke off in the middle of its response", again=True)


def _cause(error: Exception) -> tuple[str, str]:
    """What happened, and what to do; empty where that is plain."""
    if isinstance(error, OSError) and error.errno in FILES_USED_UP:
        return "this process may open no more files", "Lower limits.concurrency, or raise `ulimit -n`"
    if isinstance(error, aiohttp.ServerDisconnectedError):
        return "it was closed without a response", ""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return f"the proxy refuses it: {error.status} {error.message}", CHECK_PROXY
    if isinstance(error, aiohttp.ClientConnectorError):
        before, advice = next((words for kind, *words in OF_A_CONNECTION if isinstance(error, kind)), ("", ""))
        return f"{before}{_said(error.os_error)}", advice
    return _said(error), ""


def _connection(endpoint: Endpoint, cause: str, advice: str, *, again: bool) -> FailedAttempt:
    said = f"no connection to {endpoint.url}, or it broke off ({one_line(endpoint.redact(cause))})"
    return FailedAttempt("connection", f"{said}. {advice}" if advice else said, again=again)


def _said(error: BaseException) -> str:
    """The system's own words, without what the libraries wrap around them."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.replace("_", " ").lower()
    if isinstance(error, OSError) and not isinstance(error, socket.gaierror) and error.errno:
        return os.strerror(error.errno)
    words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return words or type(error).__name__
