"""What an HTTP status and the body of an error mean."""

import json
from email.utils import formatdate

import pytest
from prt.runner.errors import FatalReplyError
from prt.runner.models.failure import FailedAttempt
from prt.runner.models.redaction import Redactor
from prt.runner.models.status import Endpoint, HttpAnswer, read_refusal, retry_after_s
from prt.runner.records import Reply
from pydantic import JsonValue as Json

NOW = 1_700_000_000.0
ENDPOINT = Endpoint("http://here/v1", "THE_KEY", model="m", redact=Redactor(["sk-secret"]))
APPLICATION = Endpoint("http://app/ask", "model.headers")


def body(words: str = "said so", **fields: Json) -> str:
    return json.dumps({"error": {"message": words, **fields}})


def judged(
    status: int,
    text: str = "{}",
    *,
    endpoint: Endpoint = ENDPOINT,
    params: tuple[str, ...] = (),
    headers: dict[str, str] | None = None,
) -> Reply | FailedAttempt | FatalReplyError:
    try:
        return endpoint.judge(HttpAnswer(status, headers or {}, text.encode()), params, NOW)
    except (FailedAttempt, FatalReplyError) as error:
        return error


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (408, "timeout"),
        (409, "server"),
        (425, "server"),
        (429, "rate_limit"),
        (500, "server"),
        (502, "server"),
        (503, "server"),
        (529, "server"),
    ],
)
def test_what_may_pass_is_asked_again(status: int, kind: str) -> None:
    failure = judged(status, body(), headers={"retry-after": "7"})
    assert isinstance(failure, FailedAttempt)
    assert (failure.error.kind, failure.again, failure.retry_after_s) == (kind, True, 7.0)
    assert failure.error.message == f"http://here/v1 answered {status}: said so"


@pytest.mark.parametrize("status", [400, 413, 415, 418, 422])
def test_a_request_that_is_refused_is_not_asked_again(status: int) -> None:
    failure = judged(status, body())
    assert isinstance(failure, FailedAttempt)
    assert (failure.error.kind, failure.again) == ("bad_request", False)


@pytest.mark.parametrize(
    ("status", "code", "sentences"),
    [
        (401, None, "does not accept the key (401: said so). Put a valid key into THE_KEY."),
        (400, "invalid_api_key", "does not accept the key (400: said so). Put a valid key into THE_KEY."),
        (402, None, "has no quota left for this key (402: said so). Raise the quota, or put another key into THE_KEY."),
        (429, "insufficient_quota", "has no quota left for this key (429: said so)."),
        (403, None, "does not allow the model 'm' to this key (403: said so). Check the rights of the key in THE_KEY."),
        (404, "model_not_found", "does not offer the model 'm' (404: said so). Check model.name and model.base_url."),
        (404, None, "does not offer the model 'm' (404: said so). Check model.name and model.base_url."),
        (400, "model_not_found", "does not offer the model 'm' (400: said so)."),
    ],
)
def test_what_no_call_can_mend_stops_the_run_with_what_to_do(status: int, code: str | None, sentences: str) -> None:
    error = judged(status, body(code=code))
    assert isinstance(error, FatalReplyError)
    assert str(error).startswith(f"http://here/v1 {sentences}")
    assert str(error).endswith("The same command then goes on where this run stopped.")


def test_a_code_may_stand_in_the_type() -> None:
    assert isinstance(judged(429, body(type="insufficient_quota", code=None)), FatalReplyError)


@pytest.mark.parametrize("status", [404, 405])
def test_an_application_without_this_address_fails_the_call_and_not_the_run(status: int) -> None:
    failure = judged(status, "no such page", endpoint=APPLICATION)
    assert isinstance(failure, FailedAttempt)
    assert failure.error.kind == "bad_request"
    assert failure.error.message.endswith("Check the address and the method in the config")


def test_a_redirection_names_the_address_to_write() -> None:
    failure = judged(308, "", endpoint=APPLICATION, headers={"location": "https://app/ask"})
    assert isinstance(failure, FailedAttempt)
    assert failure.error.message.endswith("It points to https://app/ask; write that address into the config")


@pytest.mark.parametrize(
    "error",
    [
        {"code": "content_filter"},
        {"code": "content_policy_violation"},
        {"code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}},
    ],
)
def test_a_filter_before_the_model_is_a_reply_and_no_failure(error: dict[str, Json]) -> None:
    assert judged(400, json.dumps({"error": {"message": "said so", **error}})) == Reply(
        finish_reason="content_filter", refusal="said so"
    )


@pytest.mark.parametrize(
    ("error", "blamed"),
    [
        (body("Unsupported parameter: use 'max_completion_tokens'.", param="max_tokens"), ["max_tokens"]),
        (body("temperature does not support 0"), ["temperature"]),
        (body("'n' and 'seed' are not supported"), ["n", "seed"]),
        (body("n is no stop"), []),
        (body("max_tokens_total is too large"), []),
        (body("temperature", param="messages"), ["temperature"]),
    ],
)
def test_a_parameter_that_is_refused_is_named_with_its_line_in_the_config(error: str, blamed: list[str]) -> None:
    failure = judged(400, error, params=("max_tokens", "temperature", "n", "seed", "stop"))
    assert isinstance(failure, FailedAttempt)
    named = [
        name for name in ("max_tokens", "temperature", "n", "seed", "stop") if f"model.params.{name}" in str(failure)
    ]
    assert named == blamed


def test_advice_follows_the_code_it_is_for() -> None:
    endpoint = Endpoint("the model", "model", advice={"too_long": "Raise model.context"})
    assert str(judged(400, body(type="too_long"), endpoint=endpoint)) == (
        "the model answered 400: said so. Raise model.context"
    )


@pytest.mark.parametrize("status", [400, 401, 429, 500])
def test_a_key_in_the_endpoint_s_words_is_hidden(status: int) -> None:
    error = judged(status, body("the key sk-secret is unknown"))
    assert "the key [hidden] is unknown" in str(error)
    assert "sk-secret" not in repr(error)


def test_a_key_is_hidden_before_the_message_is_cut() -> None:
    assert "sk-" not in str(judged(400, body("x" * 293 + " sk-secret")))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"error": {"message": "one"}}', "one"),
        ('{"error": "two"}', "two"),
        ('{"object": "error", "message": "three", "code": 400}', "three"),
        ('{"detail": "four"}', "four"),
        ('{"detail": [{"loc": ["body"], "msg": "five"}]}', '[{"loc": ["body"], "msg": "five"}]'),
        ('{"unknown": 6}', '{"unknown": 6}'),
        ('["seven"]', '["seven"]'),
        ("plain\n  text", "plain text"),
        ("<!doctype html><TITLE>Bad &amp; worse</TITLE>", "a page titled 'Bad & worse'"),
        ("<html></html>", "a page without a title"),
        ("", "nothing said"),
        ("x" * 1000, "x" * 299 + "…"),
        ("[" * 100_000, "[" * 299 + "…"),
    ],
)
def test_every_shape_of_an_error_is_read_as_one_short_line(text: str, message: str) -> None:
    assert read_refusal(text, Redactor()).message == message


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "12"}, 12.0),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": formatdate(NOW + 30, usegmt=True)}, 30.0),
        ({"retry-after": formatdate(NOW - 30, usegmt=True)}, 0.0),
        ({"retry-after": formatdate(NOW + 30), "date": formatdate(NOW - 24)}, 54.0),
        ({"retry-after": formatdate(NOW + 30), "date": "today"}, 30.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "Tue, 99 Foo 2023 00:00:00 GMT"}, None),
    ],
)
def test_the_wait_that_an_endpoint_asks_for_is_read_in_each_of_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after_s(headers, NOW) == seconds
