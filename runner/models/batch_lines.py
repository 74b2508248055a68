"""The lines of a batch's files: a request each in the one that is sent, what came of it in those that come back."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue as Json

from ..records import Reply, Request
from .chat import read_answer
from .completion import malformed
from .content import as_sent
from .failure import FailedAttempt
from .fast_json import decoded, encoded
from .network import unsendable
from .status import Endpoint, HttpAnswer, one_line
from .valid_text import valid_reply

KEY = re.compile(r"[0-9a-f]{64}")
EXPIRED, CANCELLED = "batch_expired", "batch_cancelled"
"""Codes of requests that a batch did not get to."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a request.

    Attributes:
        key: The key of its cell.
        reply: The answer; None where there is none.
        failure: Why there is none; None also where the batch did not get to it since it was cancelled.
    """

    key: str
    reply: Reply | None = None
    failure: FailedAttempt | None = None


def request_line(key: str, request: Request, *, model: str, params: Mapping[str, Json], path: str) -> bytes:
    """Write a request.

    Args:
        key: The key of its cell, by which its answer is known.
        request: The conversation.
        model: Model name, as the endpoint knows it.
        params: Passed on verbatim.
        path: What is asked for.

    Returns:
        A line, with its end.

    Raises:
        FailedAttempt: The prompt can't be sent.
    """
    body: dict[str, Json] = {"model": model, "messages": list(as_sent(request.messages)), **params, **request.params}
    try:
        return encoded({"custom_id": key, "method": "POST", "url": path, "body": body}) + b"\n"
    except UnicodeEncodeError as error:
        raise unsendable(error) from None


def read_outcome(line: bytes, endpoint: Endpoint, params: Mapping[str, Json], now: float) -> Outcome | None:
    """Read what came of a request.

    Args:
        line: A line of a file of answers or errors.
        endpoint: How messages speak of the endpoint and the model.
        params: The parameters that were sent.
        now: Seconds since 1970.

    Returns:
        What came; None where the line can't be read or names no key.

    Raises:
        FatalReplyError: No request can work: a bad key, no quota, an unknown model.
    """
    value = _value(line)
    key = value.get("custom_id") if isinstance(value, dict) else None
    if not isinstance(value, dict) or not isinstance(key, str) or not KEY.fullmatch(key):
        return None
    try:
        return Outcome(key, reply=_reply(value, endpoint, params, now))
    except FailedAttempt as failure:
        return Outcome(key, failure=failure)


def _value(line: bytes) -> Json:
    """The JSON of a line; null where it is none."""
    try:
        return decoded(line)
    except ValueError:
        pass
    try:
        value: Json = json.loads(line)  # which also reads half of a surrogate pair
    except (ValueError, RecursionError):
        return None
    return value


def _reply(value: dict[str, Json], endpoint: Endpoint, params: Mapping[str, Json], now: float) -> Reply | None:
    error, response = value.get("error"), value.get("response")
    if isinstance(error, dict) and error.get("code") == CANCELLED:
        return None
    if isinstance(error, dict) and error:
        said = one_line(endpoint.redact(str(error.get("message") or error.get("code") or error)))
        if error.get("code") == EXPIRED:
            raise FailedAttempt("timeout", f"the batch expired before it was answered: {said}", again=True)
        raise FailedAttempt("server", f"{endpoint.url} failed in its batch: {said}", again=True)
    if not isinstance(response, dict) or not isinstance(status := response.get("status_code"), int):
        raise malformed(f"{endpoint.url} sent a line of a batch without a response or an error")
    answer = HttpAnswer(status, {}, json.dumps(response.get("body")).encode())
    return valid_reply(read_answer(answer, endpoint, params, now))
