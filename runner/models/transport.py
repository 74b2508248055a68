"""HTTP by aiohttp: one pool of connections to one address, and each call a single attempt, however it ends.

No redirection is followed, no cookie kept, no `.netrc` read, and certificates are always verified. The throttle bounds
the calls in flight, and the retry layer bounds their time, so nothing here waits for its own reasons.
"""

import ssl
from collections.abc import Mapping

import aiohttp
import certifi
from yarl import URL

from .broken import broken
from .completion import malformed
from .network import proxy_for
from .status import Endpoint, HttpAnswer
from .throttle import Throttle

MOST_BYTES = 64 * 1024 * 1024
"""A longer body is no answer to a prompt."""
KEPT_ALIVE_S = 4.0
"""Idle connections are given up before servers do (often after 5 s): a call that meets a closing one fails."""
NAMES_KEPT_S = 60
"""Addresses of a name are looked up again after so long, since endpoints move."""
IDEMPOTENT = frozenset({"GET", "PUT"})
SENT_ALWAYS = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate", "User-Agent": "prt"}


class BrokenOffError(Exception):
    """A connection that was kept alive is gone; hides that from aiohttp, which would call again on its own."""

    def __init__(self, why: Exception) -> None:
        super().__init__()
        self.why = why


class Transport:
    """Sends calls to one endpoint. Connections open with the first calls; close it at the end."""

    def __init__(self, url: str, endpoint: Endpoint, throttle: Throttle, *, headers: Mapping[str, str]) -> None:
        """Make a transport; nothing is opened.

        Args:
            url: Where all calls go, without credentials.
            endpoint: How messages speak of it.
            throttle: Told what the headers of responses say about rates; bounds the connections.
            headers: Sent with every call.

        Raises:
            ValueError: The address is none.
            ModelError: The environment names a proxy of a kind that can't be used.
        """
        self.url = URL(url)
        if not self.url.host or self.url.scheme not in {"http", "https"}:
            raise ValueError(url)
        self._endpoint = endpoint
        self._throttle = throttle
        self._headers = {**SENT_ALWAYS, **headers}
        self._proxy = proxy_for(self.url)
        self._session: aiohttp.ClientSession | None = None

    async def send(self, body: bytes | None, *, method: str = "POST", url: URL | None = None) -> HttpAnswer:
        """Make one call.

        Args:
            body: The request's body.
            method: How to send it.
            url: Where to, if not to the transport's own address.

        Returns:
            The response, whatever its status, with its whole body.

        Raises:
            FailedAttempt: There is none, or not all of it; the cause is named.
        """
        session = self._session or self._open()
        try:
            response = await session.request(
                method,
                url or self.url,
                data=body,
                allow_redirects=False,
                proxy=self._proxy,
                middlewares=(once,) if method in IDEMPOTENT else None,
            )
            try:
                content = await self._read(response)
            except BaseException:
                response.close()
                raise
        except (aiohttp.ClientError, OSError, BrokenOffError) as error:
            raise broken(self._endpoint, error.why if isinstance(error, BrokenOffError) else error) from None
        self._throttle.heed(response.headers)
        return HttpAnswer(response.status, response.headers, text_of(content, response.headers.get("Content-Type", "")))

    async def close(self) -> None:
        """Close all connections."""
        if self._session is not None:
            await self._session.close()
        self._session = None

    def _open(self) -> aiohttp.ClientSession:
        connector = aiohttp.TCPConnector(
            limit=self._throttle.most,
            keepalive_timeout=KEPT_ALIVE_S,
            ttl_dns_cache=NAMES_KEPT_S,
            ssl=trusting() if self.url.scheme == "https" else True,
        )
        self._session = aiohttp.ClientSession(
            connector=connector,
            headers=self._headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
        )
        return self._session

    async def _read(self, response: aiohttp.ClientResponse) -> bytes:
        stream = response.content
        first = await stream.readany()
        if stream.at_eof():
            return first
        chunks, length = [first], len(first)
        while not stream.at_eof():
            if length > MOST_BYTES:
                raise malformed(f"{self._endpoint.url} sent more than {MOST_BYTES >> 20} MiB", again=False)
            chunk = await stream.readany()
            chunks.append(chunk)
            length += len(chunk)
        return b"".join(chunks)


async def once(request: aiohttp.ClientRequest, handler: aiohttp.ClientHandlerType) -> aiohttp.ClientResponse:
    """Keep aiohttp from making a call twice where a kept connection turns out to be closed: retries are ours."""
    try:
        return await handler(request)
    except (aiohttp.ClientOSError, aiohttp.ServerDisconnectedError) as error:
        raise BrokenOffError(error) from None


def trusting() -> ssl.SSLContext:
    """Verify by the certificates of this system, or those of the environment (`SSL_CERT_FILE`), or else certifi's."""
    paths = ssl.get_default_verify_paths()
    return ssl.create_default_context(cafile=None if paths.cafile or paths.capath else certifi.where())


def text_of(body: bytes, content_type: str) -> str:
    """The text of a body, by the charset that it names; what can't be read becomes U+FFFD."""
    charset = "utf-8"
    if "charset" in content_type.lower():
        charset = content_type.lower().partition("charset=")[2].partition(";")[0].strip("\"' ") or charset
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
