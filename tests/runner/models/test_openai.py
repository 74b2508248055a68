"""OpenAI-compatible endpoints, by a real server on loopback that does what endpoints do wrong."""

import asyncio
import logging
import traceback
from pathlib import Path

import pytest
from prt.perturbations.question import Message
from prt.runner.config.schema import OpenAIModel, RetryConfig
from prt.runner.errors import FatalReplyError, ModelError
from prt.runner.models.base import open_model
from prt.runner.models.throttle import Caps, Limits
from prt.runner.records import Reply, Request
from pydantic import JsonValue as Json

from ..fault_server import (
    Behaviour,
    FaultServer,
    answers,
    completes,
    fails,
    has_choices,
    is_cut_off,
    is_filtered,
    is_malformed,
    refuses_prompt,
    resets,
    resets_in_the_body,
    sends,
    sends_json,
    shows_a_page,
    stalls,
    stalls_in_the_body,
    waits,
)
from .asking import KEY, FakeTime, chat, opened, replies, reply, request


def reply_to(*behaviours: Behaviour, asked: Request | None = None, **settings: object) -> Reply:
    with FaultServer(*behaviours) as server:
        return reply(opened(chat(server.base_url, **settings)), asked)


def error_of(answer: Reply) -> tuple[str, int]:
    assert answer.error is not None
    return answer.error.kind, answer.attempts


def test_an_answer_carries_text_model_tokens_and_time() -> None:
    answer = reply_to(answers("The answer is B."))
    assert answer == Reply(
        text="The answer is B.",
        finish_reason="stop",
        model="served-model-1",
        prompt_tokens=7,
        completion_tokens=3,
        attempts=1,
    )


def test_the_fingerprint_of_the_endpoint_outlives_a_retry() -> None:
    answer = reply_to(fails(503), answers("B", system_fingerprint="fp_9"))
    assert (answer.text, answer.fingerprint, answer.attempts) == ("B", "fp_9", 2)


def test_the_endpoint_gets_messages_model_key_and_every_parameter_verbatim() -> None:
    params: dict[str, Json] = {
        "temperature": 0,
        "max_tokens": 16,
        "seed": 7,
        "top_k": 1,
        "chat_template_kwargs": {"enable_thinking": False},
        "stop": ["\n"],
    }
    with FaultServer(answers()) as server:
        reply(opened(chat(server.base_url, params=params)), request("Größer?\n\U0001f600", system="Be brief."))
    (call,) = server.calls
    assert call.json == {
        "model": "asked-model",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Größer?\n\U0001f600"},
        ],
        **params,
    }
    assert (call.method, call.path) == ("POST", "/v1/chat/completions")
    assert call.headers["Authorization"] == f"Bearer {KEY}"


def test_parameters_of_a_request_are_laid_over_those_of_the_config() -> None:
    with FaultServer(answers()) as server:
        asked = Request((Message("user", "hi"),), params={"seed": 2})
        reply(opened(chat(server.base_url, params={"seed": 1, "top_p": 1})), asked)
    assert (server.calls[0].json["seed"], server.calls[0].json["top_p"]) == (2, 1)


def test_an_endpoint_without_a_key_gets_a_placeholder() -> None:
    with FaultServer(answers()) as server:
        reply(opened(chat(server.base_url, api_key_env=None)))
    assert server.calls[0].headers["Authorization"] == "Bearer no-key-needed"


def test_unicode_arrives_as_it_was_sent() -> None:
    text = "Ответ: 選項 B \U0001f44d e\u0301 \u2028 \x00."
    assert reply_to(answers(text)).text == text


def test_a_huge_answer_is_kept_whole() -> None:
    text = "word " * 1_000_000
    assert reply_to(answers(text)).text == text


def test_half_a_surrogate_pair_in_an_answer_becomes_the_replacement_character() -> None:
    assert reply_to(answers("a\ud83d")).text == "a\ufffd"


def test_half_a_surrogate_pair_in_a_prompt_is_this_call_s_error() -> None:
    answer = reply_to(answers(), asked=request("a\ud83d"))
    assert error_of(answer) == ("bad_request", 1)
    assert answer.error is not None
    assert answer.error.message == "the prompt can't be sent, since it holds '\\ud83d', which is half a character"


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (fails(429), "rate_limit"),
        (fails(429, headers={"Retry-After": "2"}), "rate_limit"),
        (fails(500), "server"),
        (shows_a_page(502), "server"),
        (fails(503), "server"),
        (is_malformed(), "bad_response"),
        (sends(""), "bad_response"),
        (sends("true"), "bad_response"),
        (sends("plain", content_type="text/plain"), "bad_response"),
        (shows_a_page(), "bad_response"),
        (has_choices(None), "bad_response"),
        (has_choices([]), "bad_response"),
        (sends_json({"error": {"message": "the provider is down", "code": "x"}}), "bad_response"),
        (sends_json({"error": {"message": "slow down", "code": 429}}), "rate_limit"),
        (resets(), "connection"),
        (resets_in_the_body(), "connection"),
        (sends("not gzip", headers={"Content-Encoding": "gzip"}), "bad_response"),
    ],
)
def test_a_fault_is_asked_again_and_kept_where_it_stays(fault: Behaviour, kind: str) -> None:
    assert error_of(reply_to(fault)) == (kind, 2)
    answer = reply_to(fault, answers("B"))
    assert (answer.text, answer.attempts, answer.error) == ("B", 2, None)


@pytest.mark.parametrize("fault", [stalls(), stalls_in_the_body()])
def test_a_stalled_connection_is_broken_off_in_time(fault: Behaviour) -> None:
    answer = reply_to(fault, timeout_s=0.2)
    assert error_of(answer) == ("timeout", 2)
    assert reply_to(fault, answers("B"), timeout_s=0.2).text == "B"


def test_a_connection_that_nobody_accepts_is_told_with_its_address() -> None:
    with FaultServer(answers()) as server:
        base_url = server.base_url
    answer = reply(opened(chat(base_url)))
    assert error_of(answer) == ("connection", 2)
    assert f"no connection to {base_url}" in str(answer.error)


def test_retry_after_is_waited_by_the_clock_that_was_given() -> None:
    time = FakeTime()
    with FaultServer(fails(429, headers={"Retry-After": "30"}), answers("B")) as server:
        assert reply(opened(chat(server.base_url), time=time)).text == "B"
    assert len(time.slept) == 1
    assert 30 <= time.slept[0] <= 31


def test_an_answer_cut_off_before_its_first_word_is_an_empty_text_with_its_reason() -> None:
    answer = reply_to(is_cut_off())
    assert (answer.text, answer.finish_reason, answer.error) == ("", "length", None)


@pytest.mark.parametrize("behaviour", [is_filtered(), refuses_prompt()])
def test_a_content_filter_is_a_reply_whether_it_stands_before_or_after_the_model(behaviour: Behaviour) -> None:
    answer = reply_to(behaviour)
    assert (answer.finish_reason, answer.attempts, answer.error) == ("content_filter", 1, None)


def test_refusal_and_reasoning_are_kept_apart_from_the_text() -> None:
    answer = reply_to(completes({"content": "B", "refusal": "I'd rather not.", "reasoning_content": "Well."}))
    assert (answer.text, answer.refusal, answer.reasoning) == ("B", "I'd rather not.", "Well.")


def test_a_parameter_that_the_model_refuses_is_named_with_its_line_and_not_asked_again() -> None:
    words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    answer = reply_to(fails(400, message=words, param="max_tokens"), params={"max_tokens": 5})
    assert error_of(answer) == ("bad_request", 1)
    assert answer.error is not None
    assert answer.error.message.endswith(
        f"{words} Change or remove model.params.max_tokens, or let prt do that by model.adapt: true"
    )


@pytest.mark.parametrize(
    ("behaviour", "sentence"),
    [
        (fails(401, message=f"Incorrect key: {KEY}"), "does not accept the key (401: Incorrect key: [hidden])"),
        (fails(403), "does not allow the model 'asked-model' to this key"),
        (fails(404, code="model_not_found"), "does not offer the model 'asked-model'"),
        (fails(429, code="insufficient_quota"), "has no quota left for this key"),
    ],
)
def test_a_refusal_for_good_is_raised_at_once_and_shows_no_key(behaviour: Behaviour, sentence: str) -> None:
    with FaultServer(behaviour) as server:
        with pytest.raises(FatalReplyError) as failed:
            reply(opened(chat(server.base_url)))
        assert len(server.calls) == 1
    assert sentence in str(failed.value)
    assert KEY not in "".join(traceback.format_exception(failed.value))


def test_the_key_is_in_no_repr_identity_name_or_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with FaultServer(fails(400, message=f"what is {KEY}?")) as server:
        url = server.base_url.replace("http://", "http://ann:pa55word@")
        model = opened(chat(url, params={"api_key": "another-secret"}))
        answer = reply(model)
    shown = f"{model!r} {vars(model)!r} {model.identity()} {model.name} {answer!r} {caplog.text}"
    assert not [secret for secret in (KEY, "pa55word", "another-secret") if secret in shown]


def test_the_identity_is_what_decides_a_reply_and_nothing_else() -> None:
    one = opened(chat("http://127.0.0.1:1/v1/", params={"seed": 1}, timeout_s=5))
    assert one.identity() == {
        "provider": "openai",
        "base_url": "http://127.0.0.1:1/v1",
        "name": "asked-model",
        "params": {"seed": 1},
    }
    assert opened(OpenAIModel(name="m")).identity()["base_url"] == "https://api.openai.com/v1"


def test_a_proxy_in_the_environment_does_not_catch_calls_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert reply_to(answers("B")).text == "B"


def test_an_address_in_the_environment_is_not_taken_for_the_config_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert reply_to(answers("B")).text == "B"


def test_many_workers_are_served_at_once() -> None:
    workers = 50
    with FaultServer(waits(0.3, answers("B"))) as server:
        model = opened(chat(server.base_url), limits=Limits(Caps(concurrency=workers)))

        async def run() -> list[Reply]:
            async with model:
                return await asyncio.gather(*(model.ask(request()) for _ in range(workers)))

        assert [answer.text for answer in asyncio.run(run())] == ["B"] * workers
    assert server.most_at_once == workers


def test_faults_of_single_items_stay_with_them() -> None:
    faults = {"limit": fails(429), "cut": is_cut_off(), "broken": is_malformed(), "fine": answers("B")}
    with FaultServer(by=lambda call: faults[call.prompt]) as server:
        got = replies(opened(chat(server.base_url)), *(request(name) for name in faults))
    kinds = [answer.error.kind if answer.error else answer.finish_reason for answer in got]
    assert kinds == ["rate_limit", "length", "bad_response", "stop"]


@pytest.mark.parametrize(
    ("env", "sentence"),
    [
        ({}, "the environment variable OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": ""}, "the environment variable OPENAI_API_KEY is not set"),
        ({"OPENAI_API_KEY": f"{KEY}\n"}, "what OPENAI_API_KEY holds is no key"),
        ({"OPENAI_API_KEY": f"{KEY}é"}, "what OPENAI_API_KEY holds is no key"),
    ],
)
def test_a_key_that_is_missing_or_broken_is_told_before_any_call(env: dict[str, str], sentence: str) -> None:
    with pytest.raises(ModelError) as failed:
        open_model(OpenAIModel(name="m"), base=Path(), env=env, progress=print)
    assert sentence in str(failed.value)
    assert KEY not in str(failed.value)


def test_several_answers_a_call_are_refused_with_what_to_do() -> None:
    with pytest.raises(ModelError, match=r"model\.params\.n is 3, .* leave it out"):
        opened(OpenAIModel(name="m", params={"n": 3}))
    assert opened(OpenAIModel(name="m", params={"n": 1}, retry=RetryConfig(retries=0))).name == "m"


def test_an_address_that_is_none_is_told_without_its_password() -> None:
    with pytest.raises(ModelError, match=r"is no address") as failed:
        opened(chat("http://ann:pa55word@127.0.0.1:port/v1"))
    assert "pa55word" not in str(failed.value)
