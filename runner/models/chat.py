"""Chat completions, as OpenAI-compatible endpoints serve them, one attempt a call."""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue as Json

from ...perturbations.question import Message
from ..config.limits import CHARACTERS_PER_TOKEN, completion_limit
from ..records import Reply
from .completion import malformed, read_completion, read_object
from .content import as_sent
from .fast_json import encoded
from .network import unsendable
from .pace import Pace
from .status import Endpoint, HttpAnswer, read_refusal
from .throttle import Throttle
from .transport import Transport

TOKENS_A_MESSAGE = 4


class ChatClient:
    """Calls one endpoint; each call is a single attempt."""

    def __init__(
        self, url: str, endpoint: Endpoint, throttle: Throttle, pace: Pace, *, headers: Mapping[str, str]
    ) -> None:
        """Make a client; nothing is sent.

        Args:
            url: Where completions are asked for, without credentials.
            endpoint: How messages speak of it.
            throttle: Bounds the calls in flight.
            pace: Source of the time of day.
            headers: Sent with every call.

        Raises:
            ValueError: The address is none.
        """
        self._endpoint = endpoint
        self._pace = pace
        self._transport = Transport(url, endpoint, throttle, headers={"Content-Type": "application/json", **headers})

    def open(self) -> None:
        """Get ready to call, if that was not done yet."""
        self._transport.open()

    async def complete(self, model: str, messages: Iterable[Message], params: Mapping[str, Json]) -> Reply:
        """Ask for one chat completion.

        Args:
            model: Model name, as the endpoint knows it.
            messages: The conversation.
            params: Passed on verbatim.

        Raises:
            FailedAttempt: No answer.
            FatalReplyError: No call can work.
        """
        try:
            body = encoded({"model": model, "messages": list(as_sent(messages)), **params})
        except UnicodeEncodeError as error:
            raise unsendable(error) from None
        answer = await self._transport.send(body)
        return read_answer(answer, self._endpoint, params, self._pace.now())

    async def close(self) -> None:
        """Close all connections."""
        await self._transport.close()


def read_answer(answer: HttpAnswer, endpoint: Endpoint, params: Mapping[str, Json], now: float) -> Reply:
    """Read what an endpoint answered to a chat completion.

    Args:
        answer: Status, headers and body.
        endpoint: How messages speak of it.
        params: What was sent.
        now: Seconds since 1970.

    Raises:
        FailedAttempt: No answer.
        FatalReplyError: No call can work.
    """
    if not 200 <= answer.status < 300:
        return endpoint.judge(answer, params, now)
    body = read_object(answer, endpoint.url)
    if not body.get("error") or body.get("choices"):
        return read_completion(body, endpoint.url)
    # Routers in front of several providers report a provider's failure in the body of a 200.
    error = body["error"]
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code <= 599:
        return endpoint.judge(HttpAnswer(code, answer.headers, answer.body), params, now)
    message = read_refusal(answer.text, endpoint.redact).message
    raise malformed(f"{endpoint.url} sent an error instead of an answer: {message}")


def weight(messages: Sequence[Message], params: Mapping[str, Json]) -> tuple[int, int | None]:
    """Tokens of a prompt, estimated by its bytes, and the most that its answer may have; None where none is set."""
    text = sum(len(message.content.encode("utf-8", "replace")) for message in messages)
    return text // CHARACTERS_PER_TOKEN + TOKENS_A_MESSAGE * len(messages), completion_limit(params)
