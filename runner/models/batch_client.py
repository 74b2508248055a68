"""The `openai` package as the Batch API needs it; it takes half a second to import, which only batches pay."""

import httpx2
import openai
from yarl import URL

from .completion import malformed
from .failure import FailedAttempt
from .network import proxy_for
from .openai_settings import NO_KEY
from .pool import trusting
from .status import Endpoint, HttpAnswer, one_line

# What the package can't read, such as a page instead of JSON, it passes on as it is, and may stumble over later.
OF_ANOTHER_SHAPE = (openai.OpenAIError, ValueError, AttributeError, TypeError)


def opened_client(root: str, headers: dict[str, str]) -> openai.AsyncOpenAI:
    """A client that makes each call once, follows no redirection and asks nobody who is not named.

    Args:
        root: The endpoint's root, without credentials.
        headers: Sent with every call; they say who calls.

    Raises:
        ModelError: The environment names a proxy of a kind that can't be used.
    """
    address = URL(root)
    proxy = proxy_for(address)
    return openai.AsyncOpenAI(
        api_key=NO_KEY,
        base_url=str(address.with_query(None)),
        default_query=dict(address.query),
        default_headers=headers,
        max_retries=0,
        timeout=None,
        http_client=openai.DefaultAsyncHttpxClient(
            follow_redirects=False,
            trust_env=False,
            proxy=None if proxy is None else str(proxy),
            verify=trusting(),
            timeout=None,
        ),
    )


def failed_call(error: Exception, endpoint: Endpoint) -> HttpAnswer | FailedAttempt:
    """What the package raised for a call: the answer that is no success, or why there is none.

    Raises:
        Exception: The error itself, where it is not of the call.
    """
    if isinstance(error, openai.APIStatusError):
        return HttpAnswer(error.status_code, error.response.headers, error.response.content)
    if isinstance(error, openai.APIConnectionError | httpx2.HTTPError):
        cause = error.__cause__ or error
        said = one_line(endpoint.redact(str(cause) or type(cause).__name__))
        return FailedAttempt("connection", f"no connection to {endpoint.url}, or it broke off ({said})", again=True)
    if isinstance(error, OF_ANOTHER_SHAPE):
        return malformed(f"{endpoint.url} sent what the Batch API does not ({one_line(endpoint.redact(str(error)))})")
    raise error
