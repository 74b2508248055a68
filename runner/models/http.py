"""An application behind a JSON endpoint."""

import json
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_hash
from ...perturbations.question import Message
from ..config.schema import HttpModel
from ..datasets.paths import PathError, kind_of, resolve
from ..errors import ModelError
from ..records import Reply, Request
from .base import Surroundings, provider
from .chat import weight
from .completion import malformed, parse_json
from .content import as_sent
from .failure import FailedAttempt
from .fast_json import encoded
from .network import basic_login, unsendable
from .redaction import Redactor, body_secrets, header_secrets, lets_in, public_url, split_login, url_secrets
from .retry import Retrier
from .status import Endpoint, HttpAnswer
from .transport import Transport


class HttpApplication:
    """An application that takes a prompt and gives an answer."""

    def __init__(self, config: HttpModel, around: Surroundings) -> None:
        self.name = public_url(config.url)
        self._config = config
        self._pace = around.pace
        throttle = around.limits.throttle(self.name, longest_pause_s=config.total_timeout_s, tell=around.progress)
        self.concurrency = throttle.most
        self._retrier = Retrier(config, around.pace, throttle)
        secrets = (*url_secrets(config.url), *header_secrets(config.headers), *body_secrets(config.body))
        self._endpoint = Endpoint(self.name, key="model.headers", redact=Redactor(secrets))
        address, login = split_login(config.url)
        own = {} if config.method == "GET" else {"Content-Type": "application/json"}
        if login:
            own["Authorization"] = basic_login(*login)
        given = {name.title(): value for name, value in config.headers.items()}
        self._transport = Transport(address, self._endpoint, throttle, headers={**own, **given})

    def identity(self) -> dict[str, Json]:
        """Address and method in words; what may hold a secret as a digest, and without the headers that let one in."""
        headers = {name.lower(): value for name, value in self._config.headers.items() if not lets_in(name)}
        digest = canonical_hash("http-request", {"headers": headers, "body": self._config.body}).hex()
        return {
            "provider": "http",
            "url": self.name,
            "method": self._config.method,
            "answer": self._config.answer,
            "request_sha256": digest,
        }

    async def __aenter__(self) -> Self:
        """There is nothing to do: connections open with the first calls."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._transport.close()

    async def ask(self, request: Request) -> Reply:
        """Send the prompt, as `Model.ask` says."""
        self._transport.open()
        return await self._retrier.ask(lambda: self._attempt(request), lambda: weight(request.messages, {}))

    async def _attempt(self, request: Request) -> Reply:
        body = filled(self._config.body, request.messages)
        try:
            answer = await self._send(body)
        except UnicodeEncodeError as error:
            raise unsendable(error) from None
        if not 200 <= answer.status < 300:
            return self._endpoint.judge(answer, (), self._pace.now())
        return Reply(text=self._answer(answer))

    async def _send(self, body: dict[str, Json]) -> HttpAnswer:
        if self._config.method == "GET":
            query = {name: value if isinstance(value, str) else json.dumps(value) for name, value in body.items()}
            return await self._transport.send(None, method="GET", url=self._transport.url.update_query(query))
        return await self._transport.send(encoded(body), method=self._config.method)

    def _answer(self, answer: HttpAnswer) -> str:
        path = self._config.answer
        try:
            value = resolve(parse_json(answer.text, self.name, answer.content_type), path)
        except PathError as error:
            reason = str(error).replace("the row", "the response")
            raise malformed(f"{self.name} sent a response without model.answer {path!r}: {reason}") from None
        if isinstance(value, str):
            return value
        if isinstance(value, int | float):
            return json.dumps(value)
        raise malformed(f"{self.name} sent a response whose model.answer {path!r} is {kind_of(value)}, not a text")


def filled(body: dict[str, Json], messages: tuple[Message, ...]) -> dict[str, Json]:
    """The body with each text that is exactly a placeholder replaced by its value.

    Raises:
        FailedAttempt: The messages hold something for which the body has no place.
    """
    *earlier, last = (message for message in messages if message.role != "system")
    system = "\n\n".join(message.content for message in messages if message.role == "system")
    values: dict[str, Json] = {
        "{prompt}": last.content,
        "{system}": system,
        "{messages}": list(as_sent(messages)),
    }
    used: set[str] = set()
    whole = {name: _filled(value, values, used) for name, value in body.items()}
    if "{messages}" not in used:
        _refuse_loss(
            earlier="an attachment" if last.attachments else "earlier turns" if earlier else "",
            system=bool(system) and "{system}" not in used,
        )
    return whole


def _filled(value: Json, values: Mapping[str, Json], used: set[str]) -> Json:
    if isinstance(value, str) and value in values:
        used.add(value)
        return values[value]
    if isinstance(value, dict):
        return {name: _filled(part, values, used) for name, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, values, used) for part in value]
    return value


def _refuse_loss(*, earlier: str, system: bool) -> None:
    lost = earlier or ("a system prompt" if system else "")
    places = "'{messages}'" if earlier else "'{system}' or '{messages}'"
    if lost:
        message = f"the prompt has {lost}, and model.body has no place for that; put {places} into it"
        raise FailedAttempt("bad_request", message, again=False)


@provider(HttpModel)
def open_http(config: HttpModel, surroundings: Surroundings) -> HttpApplication:
    """Check the address and the headers.

    Raises:
        ModelError: One of them can't be sent.
    """
    if not all(value.isascii() for value in config.headers.values()):
        raise ModelError("model.headers: a value holds a character outside ASCII, which can't be sent.")
    try:
        return HttpApplication(config, surroundings)
    except ValueError:
        shown = Redactor(url_secrets(config.url))(config.url)
        raise ModelError(f"model.url: {shown} is no address; write one like https://example.org/ask.") from None
