"""Keeping secrets out of names, identities and messages."""

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_hash

HIDDEN = "[hidden]"
SHORTEST = 4
"""Shorter values are no secrets, and hiding them would garble every message."""
LEAST, LONG = 8, 20
"""So many characters make a secret that can't be a word of a text: with a digit among them, and without."""

# The last word of the name of a header, a query parameter or a field that lets a caller in.
LETS_IN = re.compile(
    r"(?:^|[^a-z])(?:authorization|auth|api_?key|key|token|secret|passw(?:or)?d|cookie|credentials?|sig(?:nature)?|session)$"
)


class Redactor:
    """Replaces secrets in texts that people will see; has no repr that could show them."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets for form in (secret, quote(secret, safe="")) if len(secret) >= SHORTEST}
        # The longest first, so that a secret that contains another one goes as a whole.
        self._forms = sorted(forms, key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text with every secret hidden."""
        for form in self._forms:
            text = text.replace(form, HIDDEN)
        return text

    def finds(self, text: str) -> bool:
        """Whether there is anything to hide in a text."""
        return any(form in text for form in self._forms)

    def __repr__(self) -> str:
        return "Redactor()"


def is_no_word(secret: str) -> bool:
    """Whether a secret can't be a word of a text, as `EMPTY` and `placeholder`, which stand for no key, may be."""
    return len(secret) >= LEAST and (len(secret) >= LONG or any(map(str.isdigit, secret)))


def lets_in(name: str) -> bool:
    """Whether a header, query parameter or field of this name carries a credential, such as `X-Api-Key`."""
    return bool(LETS_IN.search(re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()))


def public_url(url: str) -> str:
    """The URL without user, password, and query parameters that carry credentials."""
    parts = urlsplit(url)
    pairs = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not lets_in(name)]
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, urlencode(pairs), ""))


def public_params(value: Json) -> Json:
    """The value with what stands under a name that carries a credential replaced by its digest."""
    if isinstance(value, dict):
        return {name: _digest(part) if lets_in(name) else public_params(part) for name, part in value.items()}
    if isinstance(value, list):
        return [public_params(part) for part in value]
    return value


def _digest(value: Json) -> Json:
    return f"sha256:{canonical_hash('parameter', value).hex()}"


def split_login(url: str) -> tuple[str, tuple[str, str] | None]:
    """Take user and password out of a URL, since the libraries below log URLs as they are.

    Returns:
        The URL without them; user and password, None where it has none.
    """
    parts = urlsplit(url)
    login, _, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    address = urlunsplit((parts.scheme, host, parts.path, parts.query, parts.fragment))
    return address, (unquote(user), unquote(password)) if login else None


def url_secrets(url: str) -> Iterator[str]:
    """What `public_url` takes out, each as it stands in the URL, as it reads, and as a header carries it."""
    parts = urlsplit(url)
    user, _, password = parts.netloc.rpartition("@")[0].partition(":")
    yield from filter(None, (user, password, unquote(user), unquote(password)))
    if user or password:
        yield b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
    yield from (value for name, value in parse_qsl(parts.query) if lets_in(name))


def header_secrets(headers: Mapping[str, str]) -> Iterator[str]:
    """Header values, and what follows a scheme such as `Bearer`."""
    for value in headers.values():
        yield value
        yield value.rpartition(" ")[2]


def body_secrets(value: Json, *, inside: bool = False) -> Iterator[str]:
    """Texts of a JSON value that stand under a name that carries a credential."""
    if isinstance(value, str) and inside:
        yield value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from body_secrets(part, inside=inside or lets_in(name))
    elif isinstance(value, list):
        for part in value:
            yield from body_secrets(part, inside=inside)


def custom_headers(env: Mapping[str, str]) -> dict[str, str]:
    """The headers of `OPENAI_CUSTOM_HEADERS`, a line `Name: value` each, as the `openai` package reads them."""
    pairs = (line.partition(":") for line in env.get("OPENAI_CUSTOM_HEADERS", "").split("\n"))
    return {name.strip(): value.strip() for name, colon, value in pairs if colon}
