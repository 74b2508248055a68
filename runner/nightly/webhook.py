"""Telling a webhook: one POST of JSON."""

import json
import re

from pydantic import JsonValue as Json

from ..config.nightly import WebhookSink
from ..errors import ModelError
from ..masking import keep_secrets
from ..models.failure import FailedAttempt
from ..models.redaction import Redactor, url_secrets
from ..models.status import ASKED_AGAIN, Endpoint, one_line, read_refusal, retry_after_s
from .message import Message
from .sink import Means, SinkError


async def tell_webhook(sink: WebhookSink, message: Message, means: Means) -> None:
    """Make one attempt.

    Args:
        sink: The webhook.
        message: What to tell.
        means: What it works with.

    Raises:
        SinkError: It was not told.
    """
    url = means.secret(sink.url_env)
    token = means.secret(sink.token_env) if sink.token_env else ""
    hidden = [url, url.partition("://")[2], *url_secrets(url), *([token] if token else [])]
    keep_secrets(hidden)
    if not re.match(r"https?://[^\s/?#]+", url) or re.search(r"\s", url):
        raise SinkError(f"the environment variable {sink.url_env} holds no address that begins with https://")
    endpoint = Endpoint("the address", key=sink.url_env, redact=Redactor(hidden))
    headers = {"Content-Type": "application/json", "User-Agent": "prt"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    await _post(url, body_of(sink, message), endpoint, headers, means)


def body_of(sink: WebhookSink, message: Message) -> Json:
    """What is posted."""
    return {"text": message.slack} if sink.format == "slack" else message.data


async def _post(url: str, body: Json, endpoint: Endpoint, headers: dict[str, str], means: Means) -> None:
    from yarl import URL  # noqa: PLC0415 - most nights tell no webhook

    try:
        pool = means.pool(endpoint, headers, url)
    except ModelError as error:
        raise SinkError(endpoint.redact(str(error))) from None
    except ValueError:
        raise SinkError(f"the environment variable {endpoint.key} holds an address that can't be read") from None
    try:
        answer = await pool.send("POST", URL(url), json.dumps(body).encode())
    except FailedAttempt as failure:
        raise SinkError(endpoint.redact(str(failure)), again=failure.again) from None
    except ValueError as error:
        raise SinkError(f"the address can't be used: {endpoint.redact(one_line(str(error)))}") from None
    finally:
        await pool.close()
    if not 200 <= answer.status < 300:
        said = read_refusal(answer.text, endpoint.redact).message
        raise SinkError(
            f"it answered {answer.status}: {said}",
            again=answer.status in ASKED_AGAIN or answer.status >= 500,
            retry_after_s=retry_after_s(answer.headers, means.pace.now()),
        )
