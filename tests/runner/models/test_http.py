"""Applications behind a JSON endpoint, by a real server on loopback."""

import traceback

import pytest
from prt.perturbations.question import Message
from prt.runner.config.schema import HttpModel, RetryConfig
from prt.runner.errors import FatalReplyError, ModelError
from prt.runner.records import Reply, Request
from pydantic import JsonValue as Json

from ..fault_server import (
    Behaviour,
    FaultServer,
    fails,
    is_malformed,
    resets,
    resets_in_the_body,
    sends,
    sends_json,
    shows_a_page,
    stalls,
)
from .asking import opened, replies, reply, request

SECRET = "t0ken-canary-42"  # noqa: S105  a canary, to be looked for
TURNS = (Message("user", "Hi"), Message("assistant", "Hello"))


def application(url: str, **settings: object) -> HttpModel:
    return HttpModel.model_validate({"url": url, "retry": RetryConfig(retries=1), **settings})


def reply_to(*behaviours: Behaviour, asked: Request | None = None, **settings: object) -> Reply:
    with FaultServer(*behaviours) as server:
        return reply(opened(application(f"{server.url}/ask", **settings)), asked)


def error_of(answer: Reply) -> tuple[str, int]:
    assert answer.error is not None
    return answer.error.kind, answer.attempts


def test_the_prompt_goes_out_and_the_answer_comes_back() -> None:
    with FaultServer(sends_json({"answer": "B"})) as server:
        answer = reply(opened(application(f"{server.url}/ask")), request("Größer? \U0001f600"))
    assert answer == Reply(text="B")
    (call,) = server.calls
    assert (call.method, call.path, call.json) == ("POST", "/ask", {"prompt": "Größer? \U0001f600"})


def test_placeholders_are_replaced_wherever_they_are_the_whole_text() -> None:
    body: Json = {
        "input": {"text": "{prompt}", "system": "{system}", "turns": ["{messages}"]},
        "note": "no placeholder",
        "k": 3,
    }
    with FaultServer(sends_json({"answer": "B"})) as server:
        reply(opened(application(server.url, method="PUT", body=body)), request("Q", system="S"))
    messages: Json = [{"role": "system", "content": "S"}, {"role": "user", "content": "Q"}]
    assert server.calls[0].method == "PUT"
    assert server.calls[0].json == {
        "input": {"text": "Q", "system": "S", "turns": [messages]},
        "note": "no placeholder",
        "k": 3,
    }


def test_a_prompt_that_looks_like_a_placeholder_is_sent_verbatim() -> None:
    with FaultServer(sends_json({"answer": "B"})) as server:
        model = opened(application(server.url, body={"a": "{prompt}", "b": "{system}"}))
        reply(model, request("{system}", system="{prompt}"))
    assert server.calls[0].json == {"a": "{system}", "b": "{prompt}"}


def test_get_sends_the_body_as_the_query_beside_that_of_the_url() -> None:
    with FaultServer(sends_json({"answer": "B"})) as server:
        url = f"{server.url}/ask?version=2"
        body: Json = {"q": "{prompt}", "k": 3, "chat": "{messages}"}
        reply(opened(application(url, method="GET", body=body)), request("a & b?"))
    assert server.calls[0].query == {
        "version": "2",
        "q": "a & b?",
        "k": "3",
        "chat": '[{"role": "user", "content": "a & b?"}]',
    }


@pytest.mark.parametrize(
    ("system", "earlier", "body", "lost"),
    [
        ("S", (), {"p": "{prompt}"}, "a system prompt"),
        ("", TURNS, {"p": "{prompt}", "s": "{system}"}, "earlier turns"),
        ("S", TURNS, {"p": "{prompt}", "s": "{system}"}, "earlier turns"),
    ],
)
def test_a_body_without_a_place_for_part_of_the_prompt_is_an_error_and_no_loss(
    system: str, earlier: tuple[Message, ...], body: Json, lost: str
) -> None:
    first = (Message("system", system),) if system else ()
    asked = Request((*first, *earlier, Message("user", "Q")))
    with FaultServer(sends_json({"answer": "B"})) as server:
        answer = reply(opened(application(server.url, body=body)), asked)
    assert error_of(answer) == ("bad_request", 1)
    assert f"the prompt has {lost}, and model.body has no place for that" in str(answer.error)
    assert server.calls == []


@pytest.mark.parametrize(
    ("response", "path", "text"),
    [
        ({"output": {"text": "B"}}, "output.text", "B"),
        ({"choices": [{"message": {"content": "B"}}]}, "choices[0].message.content", "B"),
        ([{"generated_text": "B"}], "[0].generated_text", "B"),
        ({"answer": ""}, "answer", ""),
        ({"answer": 42}, "answer", "42"),
        ({"answer": True}, "answer", "true"),
    ],
)
def test_the_answer_is_found_by_its_path(response: Json, path: str, text: str) -> None:
    assert reply_to(sends_json(response), answer=path) == Reply(text=text)


@pytest.mark.parametrize(
    ("response", "reason"),
    [
        ({"text": "B"}, "sent a response without model.answer 'answer': no `answer`; there is `text`"),
        ({"answer": None}, "model.answer 'answer' is null, not a text"),
        ({"answer": ["B"]}, "model.answer 'answer' is a list, not a text"),
        ([], "without model.answer 'answer': the response is a list"),
    ],
)
def test_a_response_without_an_answer_says_what_it_has(response: Json, reason: str) -> None:
    answer = reply_to(sends_json(response))
    assert error_of(answer) == ("bad_response", 2)
    assert answer.error is not None
    assert reason in answer.error.message


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (fails(429, headers={"Retry-After": "1"}), "rate_limit"),
        (fails(500), "server"),
        (shows_a_page(503), "server"),
        (is_malformed(), "bad_response"),
        (shows_a_page(), "bad_response"),
        (resets(), "connection"),
        (resets_in_the_body(), "connection"),
        (sends("no gzip", headers={"Content-Encoding": "gzip"}), "bad_response"),
    ],
)
def test_a_fault_is_asked_again_and_kept_where_it_stays(fault: Behaviour, kind: str) -> None:
    assert error_of(reply_to(fault)) == (kind, 2)
    assert reply_to(fault, sends_json({"answer": "B"})) == Reply(text="B", attempts=2)


def test_a_stalled_connection_is_broken_off_in_time() -> None:
    assert error_of(reply_to(stalls(), timeout_s=0.2)) == ("timeout", 2)


@pytest.mark.parametrize("status", [400, 404, 405, 422])
def test_a_refused_request_is_this_call_s_error(status: int) -> None:
    assert error_of(reply_to(fails(status))) == ("bad_request", 1)


def test_a_redirection_is_not_followed_with_the_prompt_but_named() -> None:
    answer = reply_to(sends("", status=307, headers={"Location": "http://127.0.0.1:9/elsewhere"}))
    assert error_of(answer) == ("bad_request", 1)
    assert "It points to http://127.0.0.1:9/elsewhere; write that address into the config" in str(answer.error)


def test_half_a_surrogate_pair_in_a_prompt_is_this_call_s_error() -> None:
    assert error_of(reply_to(sends_json({"answer": "B"}), asked=request("a\ud83d"))) == ("bad_request", 1)


def test_no_cookie_ties_one_call_to_another() -> None:
    with FaultServer(sends_json({"answer": "B"}, headers={"Set-Cookie": "session=1"})) as server:
        replies(opened(application(server.url)), request("1"), request("2"))
    assert ["Cookie" in call.headers for call in server.calls] == [False, False]


def test_headers_are_sent_and_never_shown() -> None:
    echo = fails(401, message=f"Bearer {SECRET} is no token of ann:pa55word")
    with FaultServer(echo) as server:
        url = server.url.replace("http://", "http://ann:pa55word@") + "/ask?api-key=k3y-canary&version=2"
        headers = {"Authorization": f"Bearer {SECRET}", "X-Team": "sales-canary"}
        model = opened(application(url, headers=headers, body={"p": "{prompt}", "secret": "b0dy-canary"}))
        with pytest.raises(FatalReplyError) as failed:
            reply(model)
    assert server.calls[0].headers["Authorization"] == f"Bearer {SECRET}"
    assert "Put a valid key into model.headers" in str(failed.value)
    trace = "".join(traceback.format_exception(failed.value))
    shown = f"{model!r} {model.name} {model.identity()} {trace}"
    secrets = (SECRET, "pa55word", "k3y-canary", "sales-canary", "b0dy-canary")
    assert not [secret for secret in secrets if secret in shown]


def test_the_identity_changes_with_what_decides_a_reply_and_not_with_a_new_token() -> None:
    def identity(**settings: object) -> dict[str, Json]:
        return opened(application("http://127.0.0.1:1/ask", **settings)).identity()

    plain = identity(headers={"Authorization": "one", "X-Tenant": "a"})
    assert plain == identity(headers={"authorization": "two", "x-tenant": "a"}, timeout_s=5)
    changed = [
        identity(headers={"X-Tenant": "b"}),
        identity(headers={"X-Tenant": "a"}, body={"prompt": "{prompt}", "k": 1}),
        identity(headers={"X-Tenant": "a"}, method="PUT"),
        identity(headers={"X-Tenant": "a"}, answer="text"),
    ]
    assert all(plain != other for other in changed)


def test_an_address_or_header_that_cannot_be_sent_is_told_before_any_call() -> None:
    with pytest.raises(ModelError, match=r"model\.url: http://\[hidden\]:\[hidden\]@h:port/ is no address"):
        opened(application("http://anna:pa55word@h:port/"))
    with pytest.raises(ModelError, match=r"model\.headers: a value holds a character outside ASCII"):
        opened(application("http://h/", headers={"X-Name": "Größe"}))


def test_a_proxy_in_the_environment_does_not_catch_calls_to_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert reply_to(sends_json({"answer": "B"})).text == "B"


def test_user_and_password_of_the_url_are_sent_unless_a_header_says_otherwise() -> None:
    with FaultServer(sends_json({"answer": "B"})) as server:
        url = server.url.replace("http://", "http://ann:p%40ss@")
        reply(opened(application(url)))
        reply(opened(application(url, headers={"authorization": "Bearer x"})))
    assert [call.headers["Authorization"] for call in server.calls] == ["Basic YW5uOnBAc3M=", "Bearer x"]
