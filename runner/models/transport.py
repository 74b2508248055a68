"""HTTP to one address, each call a single attempt, however it ends.

No redirection is followed, no cookie kept, no `.netrc` read, and certificates are always verified. The throttle bounds
the calls in flight, and the retry layer bounds their time, so nothing here waits for its own reasons.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from yarl import URL

from .network import proxy_for
from .status import Endpoint, HttpAnswer
from .throttle import Throttle

if TYPE_CHECKING:
    from .pool import Pool

SENT_ALWAYS = {"Accept": "application/json", "Accept-Encoding": "gzip, deflate", "User-Agent": "prt"}


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
        self._pool: Pool | None = None

    def open(self) -> "Pool":
        """Get ready to call, if that was not done yet; it takes a while, so do it before the time of a call begins."""
        if self._pool is None:
            from .pool import Pool  # noqa: PLC0415  as `pool` says

            self._pool = Pool(
                self._endpoint,
                self._headers,
                most=self._throttle.most,
                tls=self.url.scheme == "https",
                proxy=self._proxy,
            )
        return self._pool

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
        answer = await self.open().send(method, url or self.url, body)
        self._throttle.heed(answer.headers)
        return answer

    async def close(self) -> None:
        """Close all connections."""
        if self._pool is not None:
            await self._pool.close()
        self._pool = None
