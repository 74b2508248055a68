"""Any OpenAI-compatible chat endpoint, through the `openai` package."""

import re
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self, cast

import httpx2
import openai
from openai.types.chat import ChatCompletionMessageParam
from pydantic import JsonValue as Json

from ...perturbations.question import Message
from ..config.schema import OpenAIModel
from ..errors import ModelError
from ..records import Reply, Request
from .base import Surroundings, provider
from .completion import malformed, parse_object, read_completion
from .content import as_sent
from .network import broken, is_loopback, unsendable
from .pace import Pace
from .redaction import Redactor, public_params, public_url, split_login, url_secrets
from .retry import Retrier
from .status import Endpoint, HttpAnswer, read_refusal
from .throttle import Limits

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "no-key-needed"


class ChatClient:
    """Calls one endpoint; each call is a single attempt."""

    def __init__(self, url: str, key: str | None, endpoint: Endpoint, pace: Pace) -> None:
        """Make a client; nothing is sent.

        Args:
            url: Root of the endpoint.
            key: Its key; None where it asks for none.
            endpoint: How messages speak of it.
            pace: Source of the time of day.
        """
        self._endpoint = endpoint
        self._pace = pace
        # The workers bound the calls in flight, and the retry layer their time. A proxy never leads to this machine.
        address, auth = split_login(url)
        http = openai.DefaultAsyncHttpxClient(
            auth=auth,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=None),
            timeout=None,
            follow_redirects=False,
            trust_env=not is_loopback(url),
        )
        self._client = openai.AsyncOpenAI(
            base_url=address, api_key=key or NO_KEY, max_retries=0, timeout=None, http_client=http
        )

    async def complete(self, model: str, messages: Iterable[Message], params: Mapping[str, Json]) -> Reply:
        """Ask for one chat completion.

        Args:
            model: Model name, as the endpoint knows it.
            messages: The conversation.
            params: Passed on verbatim, whether the `openai` package knows them or not.

        Raises:
            FailedAttempt: No answer.
            FatalReplyError: No call can work.
        """
        response = await self._send(model, messages, params)
        if response.is_success:
            return self._read(response, params)
        return self._judge(response.status_code, response, params)

    async def _send(self, model: str, messages: Iterable[Message], params: Mapping[str, Json]) -> httpx2.Response:
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                model=model,
                messages=cast("list[ChatCompletionMessageParam]", as_sent(messages)),
                extra_body=dict(params),
            )
        except openai.APIStatusError as error:
            return error.response
        except openai.APIConnectionError as error:
            raise broken(self._endpoint, error.__cause__ or error) from None
        except UnicodeEncodeError as error:
            raise unsendable(error) from None
        return raw.http_response

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    def _read(self, response: httpx2.Response, params: Mapping[str, Json]) -> Reply:
        source = self._endpoint.url
        body = parse_object(response.text, source)
        if not body.get("error") or body.get("choices"):
            return read_completion(body, source)
        # Routers in front of several providers report a provider's failure in the body of a 200.
        error = body["error"]
        code = error.get("code") if isinstance(error, dict) else None
        if isinstance(code, int) and 400 <= code <= 599:
            return self._judge(code, response, params)
        message = read_refusal(response.text, self._endpoint.redact).message
        raise malformed(f"{source} sent an error instead of an answer: {message}")

    def _judge(self, status: int, response: httpx2.Response, params: Mapping[str, Json]) -> Reply:
        answer = HttpAnswer(status, {name.lower(): value for name, value in response.headers.items()}, response.text)
        return self._endpoint.judge(answer, params, self._pace.now())


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint."""

    def __init__(self, config: OpenAIModel, key: str | None, pace: Pace, limits: Limits) -> None:
        self.name = config.name
        self._config = config
        url = (config.base_url or OPENAI_URL).rstrip("/")
        self._public_url = public_url(url)
        throttle = limits.throttle(self._public_url)
        self.concurrency = throttle.most
        self._retrier = Retrier(config, pace, throttle)
        endpoint = Endpoint(
            url=self._public_url,
            key=config.api_key_env or "the variable that model.api_key_env names (null now)",
            model=config.name,
            redact=Redactor([key or "", *url_secrets(url)]),
        )
        self._client = ChatClient(url, key, endpoint, pace)

    def identity(self) -> dict[str, Json]:
        """Endpoint, model and parameters."""
        return {
            "provider": "openai",
            "base_url": self._public_url,
            "name": self._config.name,
            "params": public_params(self._config.params),
        }

    async def __aenter__(self) -> Self:
        """There is nothing to do: connections open with the first calls."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        await self._client.close()

    async def ask(self, request: Request) -> Reply:
        """Ask for a chat completion, as `Model.ask` says."""
        params = {**self._config.params, **request.params}
        return await self._retrier.ask(lambda: self._client.complete(self._config.name, request.messages, params))


@provider(OpenAIModel)
def open_openai(config: OpenAIModel, surroundings: Surroundings) -> OpenAIChat:
    """Check the key, the address and the parameters.

    Raises:
        ModelError: The key is missing or can't be one, the address is none, or a parameter asks for several answers.
    """
    refuse_several_answers(config.params)
    key = None if config.api_key_env is None else _key(config.api_key_env, surroundings.env)
    try:
        return OpenAIChat(config, key, surroundings.pace, surroundings.limits)
    except (httpx2.InvalidURL, ValueError):
        url = config.base_url or ""
        shown = Redactor(url_secrets(url))(url)
        raise ModelError(f"model.base_url: {shown} is no address; write one like http://127.0.0.1:8000/v1.") from None


def refuse_several_answers(params: Mapping[str, Json]) -> None:
    """Refuse `n`, since only one answer of a call is read.

    Raises:
        ModelError: It asks for another number than one.
    """
    if params.get("n", 1) != 1:
        raise ModelError(
            f"model.params.n is {params['n']!r}, but one answer is read from each call; leave it out, and ask for "
            "further samples by the perturbation `rerun`."
        )


def _key(name: str, env: Mapping[str, str]) -> str:
    key = env.get(name, "")
    if not key:
        raise ModelError(
            f"model.api_key_env: the environment variable {name} is not set; put the key into it (export {name}=...), "
            "or write `api_key_env: null` for an endpoint that asks for none."
        )
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ModelError(
            f"model.api_key_env: what {name} holds is no key, since it has a space, a line break or a character "
            "outside ASCII in it; set it again."
        )
    return key
