"""Connections to one address, by aiohttp: a call at a time each, kept for the next one.

Apart from `transport`, since aiohttp takes longer to import than many commands to run: it is loaded by the first call.
"""

import ssl
from collections.abc import Mapping

import aiohttp
import certifi
from yarl import URL

from .broken import broken
from .completion import malformed
from .status import Endpoint, HttpAnswer

MOST_BYTES = 64 * 1024 * 1024
"""A longer body is no answer to a prompt."""
KEPT_ALIVE_S = 4.0
"""Idle connections are given up before servers do (often after 5 s): a call that meets a closing one fails."""
NAMES_KEPT_S = 60
"""Addresses of a name are looked up again after so long, since endpoints move."""
IDEMPOTENT = frozenset({"GET", "PUT"})


class BrokenOffError(Exception):
    """A connection that was kept alive is gone; hides that from aiohttp, which would call again on its own."""

    def __init__(self, why: Exception) -> None:
        super().__init__()
        self.why = why


class Pool:
    """Open connections; made in the event loop that uses them."""

    def __init__(
        self, endpoint: Endpoint, headers: Mapping[str, str], *, most: int, tls: bool, proxy: URL | None
    ) -> None:
        """Make a pool; connections open with the calls.

        Args:
            endpoint: How messages speak of the endpoint.
            headers: Sent with every call.
            most: Connections at most.
            tls: Whether calls go by https.
            proxy: What they go through.
        """
        self._endpoint = endpoint
        self._proxy = proxy
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=most,
                keepalive_timeout=KEPT_ALIVE_S,
                ttl_dns_cache=NAMES_KEPT_S,
                ssl=trusting() if tls else True,
            ),
            headers=headers,
            cookie_jar=aiohttp.DummyCookieJar(),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),
        )

    async def send(self, method: str, url: URL, body: bytes | None) -> HttpAnswer:
        """Make one call, as `Transport.send` says."""
        try:
            response = await self._session.request(
                method,
                url,
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
        return HttpAnswer(response.status, response.headers, content)

    async def close(self) -> None:
        """Close all connections."""
        await self._session.close()

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
