"""Who is let in, and what a page may do in a browser.

Three attacks are on a server that listens on one's own machine: a page elsewhere that makes its name lead here (DNS
rebinding), one that sends requests here with the visitor's browser (cross-site request forgery), and a text in a result
that wants to be run. The first is refused by the host that a request names, the second by its origin, the third by a
policy that lets a page load only this server's own files, and run nothing that stands in it.
"""

import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .settings import MEBIBYTE, Settings

COOKIE = "prt-token"
TOKEN_PARAMETER = "token"  # noqa: S105 - the name of a parameter
SAME = frozenset({"same-origin", "none"})
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # With `no-referrer`, browsers hide the origin of this server's own forms, too.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class TooLargeError(Exception):
    """A request carries more than is read."""


class Guard:
    """Refuses what is not meant for this server or too large, and gives every answer its headers."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self.refusal(scope)
        if refused is not None:
            await refused(scope, receive, guarded(send))
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = begun or message["type"] == "http.response.start"
            await send(message)

        try:
            await self._app(scope, limited(receive, self._settings.upload_limit), guarded(sending))
        except TooLargeError:
            if begun:
                raise
            await self._too_large()(scope, receive, guarded(send))

    def refusal(self, scope: Scope) -> Response | None:
        """Why a request is not answered; None where it is."""
        headers = Headers(scope=scope)
        host = host_of(headers.get("host", ""))
        if host is None or not self._settings.knows(host):
            return refuse(421, "This server is called by another name. If that is yours, name it with --allow-host.")
        if not is_from_here(headers, scope["method"]):
            return refuse(403, "This request comes from a page of another site, and is not answered.")
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._settings.upload_limit:
            return self._too_large()
        return self._not_let_in(scope, headers)

    def _too_large(self) -> Response:
        most = self._settings.upload_limit / MEBIBYTE
        return refuse(
            413,
            f"This is more than the {most:g} MiB that are read at once. `prt analyze FILE` reads files of any size.",
            {"Connection": "close"},
        )

    def _not_let_in(self, scope: Scope, headers: Headers) -> Response | None:
        token = self._settings.token
        if not token or scope["path"].startswith("/static/"):
            return None
        cookie = cookie_of(scope)
        if any(secrets.compare_digest(given.encode(), token.encode()) for given in tokens_of(headers, cookie)):
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = dict(query).get(TOKEN_PARAMETER, "")
        if scope["method"] in SAFE and secrets.compare_digest(given.encode(), token.encode()):
            rest = [pair for pair in query if pair[0] != TOKEN_PARAMETER]
            return entered(scope["path"], rest, cookie=cookie, token=token)
        return refuse(401, "This server wants its token: open the address that `prt serve` printed when it started.")


def refuse(status: int, why: str, headers: dict[str, str] | None = None) -> Response:
    """An answer that says why there is no other."""
    return PlainTextResponse(f"{why}\n", status_code=status, headers=headers)


def cookie_of(scope: Scope) -> str:
    """The name of the cookie that holds the token: browsers send a cookie to every port of a host."""
    _, port = scope.get("server") or ("", None)
    return COOKIE if port is None else f"{COOKIE}-{port}"


def entered(path: str, query: Iterable[tuple[str, str]], *, cookie: str, token: str) -> Response:
    """Lead a visitor who has the token to the same page without it in the address; a cookie has it from then on."""
    rest = urlencode([*query])
    # A path of two slashes would lead to another host.
    to = "/" + path.lstrip("/") + (f"?{rest}" if rest else "")
    response = RedirectResponse(to, status_code=303)
    response.set_cookie(cookie, token, httponly=True, samesite="strict")
    return response


def tokens_of(headers: Headers, cookie: str) -> Iterable[str]:
    """The tokens that a request carries in its headers."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.casefold() == "bearer":
        yield bearer.strip()
    cookies: SimpleCookie = SimpleCookie()
    try:
        cookies.load(headers.get("cookie", ""))
    except CookieError:
        return
    if cookie in cookies:
        yield cookies[cookie].value


def host_of(header: str) -> str | None:
    """The host that a request names, without its port and without brackets; None where the header is no host."""
    try:
        parts = urlsplit(f"//{header}")
        parts.port  # noqa: B018 - reading it tells whether it is one
    except ValueError:
        return None
    named_alone = not (parts.path or parts.query or parts.fragment or "@" in parts.netloc)
    return parts.hostname if named_alone else None


def is_from_here(headers: Headers, method: str) -> bool:
    """Whether a request comes from a page of this server, or from no page at all.

    Browsers say from which page a request comes: by its origin where it could change something or read across sites,
    and by `Sec-Fetch-Site`. Programs say neither, and carry no one else's cookies.
    """
    origin = headers.get("origin")
    if origin is not None:
        parts = urlsplit(origin)
        return parts.scheme in {"http", "https"} and parts.netloc.casefold() == headers.get("host", "").casefold()
    if method in SAFE:
        return True
    return headers.get("sec-fetch-site", "none") in SAME


def guarded(send: Send) -> Send:
    """Give every answer the headers."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending


def limited(receive: Receive, most: int) -> Receive:
    """Read no more than so many bytes of a request that does not say its length.

    Raises:
        TooLargeError: On receiving, once there are more.
    """
    read = 0

    async def receiving() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise TooLargeError
        return message

    return receiving
