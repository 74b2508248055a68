"""No reply holds what lets a caller in to the model, wherever the endpoint puts it."""

import asyncio
from dataclasses import asdict
from types import TracebackType
from typing import Self

import pytest
from prt.runner.config.models import HttpModel, OpenAIModel
from prt.runner.errors import FatalReplyError
from prt.runner.models.discreet import Discreet, model_secrets
from prt.runner.models.redaction import is_no_word
from prt.runner.records import Reply, ReplyError, Request
from pydantic import JsonValue as Json

KEY = "sk-planted-9a8b7c6d5e4f"


class Echo:
    """A model that answers with one reply, or fails with one error."""

    name = "echo"
    concurrency = 3
    extra = "of its own"

    def __init__(self, answer: Reply | FatalReplyError) -> None:
        self._answer = answer

    def identity(self) -> dict[str, Json]:
        return {"provider": "echo"}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    async def ask(self, request: Request) -> Reply:
        assert request.messages == ()
        if isinstance(self._answer, FatalReplyError):
            raise self._answer
        return self._answer


def asked(answer: Reply | FatalReplyError, *secrets: str) -> Reply:
    async def ask() -> Reply:
        async with Discreet(Echo(answer), secrets) as model:
            return await model.ask(Request(()))

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "reply",
    [
        Reply(f"before {KEY} after"),
        Reply(reasoning=f"before {KEY} after"),
        Reply(refusal=f"before {KEY} after"),
        Reply(model=f"before {KEY} after"),
        Reply(finish_reason=f"before {KEY} after"),
        Reply(fingerprint=f"before {KEY} after"),
    ],
)
def test_a_key_in_any_text_of_a_reply_is_hidden(reply: Reply) -> None:
    shown = asked(reply, KEY)
    assert "before [hidden] after" in asdict(shown).values()
    assert KEY not in repr(shown)


def test_a_reply_without_a_key_is_given_on_as_it_is() -> None:
    reply = Reply("The answer is B.", latency_s=0.5, prompt_tokens=3)
    assert asked(reply, KEY) is reply


def test_a_key_in_an_error_is_hidden_and_the_error_stays_what_it_is() -> None:
    reply = asked(Reply(error=ReplyError("server", f"it said {KEY}"), attempts=3), KEY)
    assert reply == Reply(error=ReplyError("server", "it said [hidden]"), attempts=3)


def test_a_key_in_what_ends_a_run_is_hidden_and_not_kept_as_its_cause() -> None:
    with pytest.raises(FatalReplyError, match=r"^bad key \[hidden\]$") as caught:
        asked(FatalReplyError(f"bad key {KEY}"), KEY)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("word", ["EMPTY", "none", "placeholder", "not-needed", "x1"])
def test_what_stands_for_no_key_stays_a_word_of_an_answer(word: str) -> None:
    assert not is_no_word(word)
    assert asked(Reply(f"Write {word} there."), word).text == f"Write {word} there."


def test_all_else_is_the_model_s_own() -> None:
    model = Discreet(Echo(Reply()), [KEY])
    assert (model.name, model.concurrency, model.identity(), model.extra) == (
        "echo",
        3,
        {"provider": "echo"},
        "of its own",
    )


def test_the_secrets_of_an_endpoint_are_its_key_its_login_and_the_keys_of_the_package() -> None:
    config = OpenAIModel(
        name="m", base_url="http://ann:pa55word@host/v1", api_key_env="MY_KEY", params={"api_key": "p1"}
    )
    env = {"MY_KEY": KEY, "OPENAI_API_KEY": "other-key", "OPENAI_ORG_ID": "org", "PATH": "/bin", "DB_PASSWORD": "db"}
    assert set(model_secrets(config, env)) >= {KEY, "other-key", "pa55word", "YW5uOnBhNTV3b3Jk", "p1"}
    assert not {"org", "/bin", "db"} & set(model_secrets(config, env))


def test_an_address_and_headers_of_the_environment_have_secrets_too() -> None:
    env = {
        "OPENAI_BASE_URL": "https://ann:pa55word@gateway/v1?api_key=k3y-canary",
        "OPENAI_CUSTOM_HEADERS": "X-Team: sales\nX-Gateway-Token: Bearer t0ken-canary",
    }
    found = set(model_secrets(OpenAIModel(name="m", api_key_env=None), env))
    assert found >= {"pa55word", "k3y-canary", "t0ken-canary"}
    assert "sales" not in found


def test_the_secrets_of_an_application_stand_in_its_address_headers_and_body() -> None:
    config = HttpModel(
        url="http://host/ask?token=t0ken1",
        headers={"Authorization": "Bearer t0ken2", "X-Team": "blue"},
        body={"prompt": "{prompt}", "auth": {"secret": "t0ken3"}},
    )
    assert set(model_secrets(config, {})) == {"t0ken1", "Bearer t0ken2", "t0ken2", "t0ken3"}
