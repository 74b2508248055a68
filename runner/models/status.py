"""What an HTTP status says about a call: ask again, this call failed, or no call can work."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from html import unescape

from pydantic import JsonValue as Json

from ..errors import FatalReplyError
from ..records import ErrorKind, Reply
from .failure import FailedAttempt
from .redaction import Redactor

LONGEST_MESSAGE = 300
FILTERED = frozenset({"content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"})
NO_QUOTA = frozenset({"insufficient_quota", "billing_not_active", "billing_hard_limit_reached"})
BAD_KEY = frozenset({"invalid_api_key", "account_deactivated"})
NO_MODEL = frozenset({"model_not_found", "DeploymentNotFound"})
ASKED_AGAIN: Mapping[int, ErrorKind] = {408: "timeout", 409: "server", 425: "server", 429: "rate_limit"}
NOT_TAKEN = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"})
SAYS_NOT_TAKEN = re.compile(
    r"unsupported|not supported|(?:does|do) not support|unrecognized|unknown (?:parameter|argument|field)"
    r"|unexpected keyword|extra (?:inputs|fields)|not permitted",
    re.IGNORECASE,
)
OVERLOADED = frozenset({429, 503, 529})
RESUME = "The same command then goes on where this run stopped."


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """A response; the names of `headers` are in lower case, where the mapping cares."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def content_type(self) -> str:
        """What the response calls its body; empty where it does not."""
        return self.headers.get("content-type", "")

    @property
    def text(self) -> str:
        """The body as text."""
        return text_of(self.body, self.content_type)


@dataclass(frozen=True, slots=True)
class Refusal:
    """What an endpoint says in the body of an error.

    Attributes:
        message: In its own words, on one line, cut to a bearable length.
        codes: Every machine-readable code and type.
        param: The parameter that it blames; empty where it blames none.
    """

    message: str
    codes: frozenset[str] = frozenset()
    param: str = ""

    @property
    def is_of_a_parameter(self) -> bool:
        """Whether the model does not take a parameter, or not this value of it; a value out of range is neither."""
        return bool(self.codes & NOT_TAKEN or SAYS_NOT_TAKEN.search(self.message))


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Who answered, in the words of messages.

    Attributes:
        url: The endpoint, without credentials.
        key: Where its key is given: the name of a variable, or a config line.
        model: The model asked for; empty where the endpoint has only one.
        advice: What to do about an error with this code.
        adaptable: Parameters that `model.adapt` would change where the model does not take them.
        redact: Takes the secrets out of what it says.
    """

    url: str
    key: str
    model: str = ""
    advice: Mapping[str, str] = field(default_factory=dict)
    adaptable: frozenset[str] = frozenset()
    redact: Redactor = field(default_factory=Redactor)

    def judge(self, answer: HttpAnswer, params: Iterable[str], now: float) -> Reply:
        """Turn an answer that is no success into what it means.

        Args:
            answer: Status, headers and body.
            params: Names of the parameters that were sent, to name the config's line.
            now: Seconds since 1970.

        Returns:
            A reply with the finish reason `content_filter`, where a filter stopped the prompt.

        Raises:
            FatalReplyError: No call can work: a bad key, no quota, no such model or address.
            FailedAttempt: This call failed.
        """
        refusal = read_refusal(answer.text, self.redact)
        if refusal.codes & FILTERED and answer.status < 500:
            return Reply(finish_reason="content_filter", refusal=refusal.message)
        fatal = self._fatal(answer.status, refusal.codes)
        if fatal:
            raise FatalReplyError(f"{self.url} {fatal[0]} ({answer.status}: {refusal.message}). {fatal[1]} {RESUME}")
        raise self._failed(answer, refusal, params, now)

    def _fatal(self, status: int, codes: frozenset[str]) -> tuple[str, str] | None:
        """What the endpoint refuses for good, and what to do."""
        if codes & NO_QUOTA or status == 402:
            return "has no quota left for this key", f"Raise the quota, or put another key into {self.key}."
        if codes & BAD_KEY or status == 401:
            return "does not accept the key", f"Put a valid key into {self.key}."
        if codes & NO_MODEL or (status == 404 and self.model):
            return f"does not offer the model {self.model!r}", "Check model.name and model.base_url."
        if status == 403:
            what = f"the model {self.model!r}" if self.model else "the call"
            return f"does not allow {what} to this key", f"Check the rights of the key in {self.key}."
        return None

    def _failed(self, answer: HttpAnswer, refusal: Refusal, params: Iterable[str], now: float) -> FailedAttempt:
        said = f"{self.url} answered {answer.status}: {refusal.message}"
        kind = ASKED_AGAIN.get(answer.status, "server" if answer.status >= 500 else "bad_request")
        if kind != "bad_request":
            return FailedAttempt(
                kind,
                said,
                again=True,
                retry_after_s=retry_after_s(answer.headers, now),
                overloaded=answer.status in OVERLOADED,
            )
        refused = tuple(blamed(refusal, params))
        said = ". ".join([said.rstrip("."), *self._mend(answer, refusal, refused)])
        return FailedAttempt(kind, said, again=False, refuses=refused if refusal.is_of_a_parameter else ())

    def _mend(self, answer: HttpAnswer, refusal: Refusal, refused: tuple[str, ...]) -> list[str]:
        """Sentences that say what to change, without their full stops."""
        if 300 <= answer.status < 400 and "location" in answer.headers:
            return [f"It points to {self.redact(answer.headers['location'])}; write that address into the config"]
        if answer.status in {404, 405}:
            return ["Check the address and the method in the config"]
        advice = [self.advice[code] for code in sorted(refusal.codes & self.advice.keys())]
        adapt = ", or let prt do that by model.adapt: true"
        return advice + [
            f"Change or remove model.params.{name}"
            + (adapt if refusal.is_of_a_parameter and name in self.adaptable else "")
            for name in refused
        ]


def blamed(refusal: Refusal, params: Iterable[str]) -> list[str]:
    """The parameters among those sent that an endpoint blames, by its own field or else by their names."""
    sent = list(params)
    if refusal.param in sent:
        return [refusal.param]
    return [name for name in sent if _speaks_of(refusal.message, name)]


def _speaks_of(message: str, param: str) -> bool:
    """A short name, such as `n` or `stop`, is a word of any sentence unless it stands in quotes."""
    bare = rf"(?<!\w){re.escape(param)}(?!\w)"
    return bool(re.search(bare if len(param) > 4 else rf"[`'\"]{re.escape(param)}[`'\"]", message))


def read_refusal(text: str, redact: Redactor) -> Refusal:
    """Read the body of an error in any of the shapes in use; a page or plain text is its own message.

    Args:
        text: The body.
        redact: Takes secrets out of the message, before it is cut and a secret with it.
    """
    try:
        body: Json = json.loads(text)
    except (ValueError, RecursionError):
        return Refusal(one_line(redact(page_title(text))))
    error = body.get("error", body) if isinstance(body, dict) else body
    if not isinstance(error, dict):
        return Refusal(one_line(redact(error if isinstance(error, str) else json.dumps(error))))
    inner = error.get("innererror")
    codes = (error.get("code"), error.get("type"), inner.get("code") if isinstance(inner, dict) else None)
    message = error.get("message") or error.get("detail") or error
    return Refusal(
        one_line(redact(message if isinstance(message, str) else json.dumps(message))),
        frozenset(code for code in codes if isinstance(code, str)),
        param=str(error.get("param") or ""),
    )


def text_of(body: bytes, content_type: str) -> str:
    """The text of a body, by the charset that it names; what can't be read becomes U+FFFD."""
    charset = "utf-8"
    if "charset" in content_type.lower():
        charset = content_type.lower().partition("charset=")[2].partition(";")[0].strip("\"' ") or charset
    try:
        return body.decode(charset, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")


def page_title(text: str) -> str:
    """An HTML page by its title; other text as it is."""
    if not text.lstrip().startswith("<"):
        return text
    title = re.search(r"<title[^>]*>(.*?)</title>", text, re.IGNORECASE | re.DOTALL)
    return f"a page titled {unescape(title[1]).strip()!r}" if title else "a page without a title"


def one_line(text: str) -> str:
    """The text as messages show it: on one line, cut to a bearable length."""
    line = " ".join(text.split()) or "nothing said"
    return line if len(line) <= LONGEST_MESSAGE else line[: LONGEST_MESSAGE - 1] + "…"


def retry_after_s(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds that an endpoint asks to wait, by `retry-after-ms` or `retry-after` (seconds or a date); None if unsaid.

    A date is compared with that of the response, where it has one: this machine's clock may be wrong.

    Args:
        headers: With names in lower case.
        now: Seconds since 1970, to compare with a date.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    value = headers.get("retry-after", "")
    seconds = _number(value)
    if seconds is not None:
        return seconds
    until_s, sent_s = _moment(value), _moment(headers.get("date", ""))
    return None if until_s is None else max(0.0, until_s - (now if sent_s is None else sent_s))


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\s*\d+(\.\d+)?\s*", text, re.ASCII) else None


def _moment(date: str) -> float | None:
    """Seconds since 1970 of a date as headers write it; None of what is none."""
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, OverflowError):
        return None
