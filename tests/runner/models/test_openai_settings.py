"""Addresses and keys from the config and the environment, compared with what the `openai` package sends."""

import asyncio
import os
from collections.abc import Mapping

import httpx2
import openai
import pytest
from prt.runner.config.schema import OpenAIModel
from prt.runner.errors import ModelError
from prt.runner.models.openai_settings import read_settings
from yarl import URL

KEY = "sk-canary-0123456789"
AZURE = {
    "AZURE_OPENAI_API_KEY": KEY,
    "AZURE_OPENAI_ENDPOINT": "https://my-resource.openai.azure.com/",
    "OPENAI_API_VERSION": "2024-10-21",
}
COMPARED = {"authorization", "api-key", "openai-organization", "openai-project", "x-team", "x-note"}


def environment(monkeypatch: pytest.MonkeyPatch, env: Mapping[str, str]) -> None:
    for name in list(os.environ):
        if name.startswith(("OPENAI_", "AZURE_OPENAI_")):
            monkeypatch.delenv(name)
    for name, value in env.items():
        monkeypatch.setenv(name, value)


def as_the_package_sends(client: openai.AsyncOpenAI) -> tuple[URL, dict[str, str]]:
    """Where the package asks for a completion, and with which headers."""
    asyncio.run(client.chat.completions.create(model="my model", messages=[{"role": "user", "content": "Q"}]))
    sent = SENT.pop()
    return URL(str(sent.url)), {name: value for name, value in sent.headers.items() if name in COMPARED}


def as_we_send(config: dict[str, object], env: Mapping[str, str]) -> tuple[URL, dict[str, str]]:
    settings = read_settings(OpenAIModel.model_validate({"name": "my model", **config}), env)
    headers = {name.lower(): value for name, value in settings.headers.items()}
    return URL(settings.url), {name: value for name, value in headers.items() if name in COMPARED}


SENT: list[httpx2.Request] = []


def answered(sent: httpx2.Request) -> httpx2.Response:
    SENT.append(sent)
    return httpx2.Response(
        200, json={"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}
    )


def transport() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.MockTransport(answered))


@pytest.mark.parametrize(
    "env",
    [
        {},
        {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"},
        {"OPENAI_BASE_URL": "http://127.0.0.1:9/openai/v1/"},
        {"OPENAI_ORG_ID": "org-1", "OPENAI_PROJECT_ID": "proj-1"},
        {"OPENAI_CUSTOM_HEADERS": "X-Team: sales\nX-Note:a: b"},
    ],
)
def test_the_environment_is_read_as_the_package_reads_it(monkeypatch: pytest.MonkeyPatch, env: dict[str, str]) -> None:
    env = {"OPENAI_API_KEY": KEY, **env}
    environment(monkeypatch, env)
    assert as_we_send({}, env) == as_the_package_sends(openai.AsyncOpenAI(http_client=transport()))


def test_the_config_s_address_comes_before_that_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    env = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    environment(monkeypatch, env)
    ours = as_we_send({"base_url": "http://127.0.0.1:8/v1"}, env)
    assert ours == as_the_package_sends(openai.AsyncOpenAI(base_url="http://127.0.0.1:8/v1", http_client=transport()))


@pytest.mark.parametrize("deployment", [None, "my-deployment", "of a/b"])
def test_azure_is_called_as_the_package_calls_it(monkeypatch: pytest.MonkeyPatch, deployment: str | None) -> None:
    environment(monkeypatch, AZURE)
    client = openai.AsyncAzureOpenAI(azure_deployment=deployment, http_client=transport())
    url, headers = as_the_package_sends(client)
    ours, our_headers = as_we_send({"azure": {"deployment": deployment}}, AZURE)
    assert our_headers == headers == {"api-key": KEY}
    if deployment != "of a/b":  # the package takes a deployment for part of a path, and asks for another one
        assert ours == url
    assert ours.raw_path.startswith(
        f"/openai/deployments/{(deployment or 'my model').replace(' ', '%20').replace('/', '%2F')}/"
    )
    assert ours.query == {"api-version": "2024-10-21"}


def test_what_the_config_says_of_azure_comes_before_the_environment() -> None:
    azure = {"endpoint": "https://other.openai.azure.com", "api_version": "2025-01-01", "deployment": "d"}
    url, headers = as_we_send({"azure": azure, "api_key_env": "MINE"}, {**AZURE, "MINE": "another-key"})
    assert str(url) == "https://other.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-01-01"
    assert headers == {"api-key": "another-key"}


@pytest.mark.parametrize(
    ("missing", "sentence"),
    [
        ("AZURE_OPENAI_API_KEY", "the environment variable AZURE_OPENAI_API_KEY is not set"),
        ("AZURE_OPENAI_ENDPOINT", "model.azure.endpoint is not given, and AZURE_OPENAI_ENDPOINT is not set"),
        ("OPENAI_API_VERSION", "model.azure.api_version is not given, and OPENAI_API_VERSION is not set"),
    ],
)
def test_what_azure_lacks_is_told_before_any_call(missing: str, sentence: str) -> None:
    env = {name: value for name, value in AZURE.items() if name != missing}
    with pytest.raises(ModelError) as failed:
        as_we_send({"azure": {}}, env)
    assert sentence in str(failed.value)


def test_a_query_of_the_root_stays() -> None:
    url, _ = as_we_send({"base_url": "https://h/api/v1?version=2"}, {"OPENAI_API_KEY": KEY})
    assert str(url) == "https://h/api/v1/chat/completions?version=2"


@pytest.mark.parametrize(
    ("env", "name"),
    [
        ({"OPENAI_BASE_URL": "http://ann:pa55word@h:port/v1"}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "nowhere"}, "OPENAI_BASE_URL"),
    ],
)
def test_an_address_of_the_environment_that_is_none_is_told_with_its_variable(env: dict[str, str], name: str) -> None:
    with pytest.raises(ModelError, match=rf"^{name}: .* is no address") as failed:
        as_we_send({}, {"OPENAI_API_KEY": KEY, **env})
    assert "pa55word" not in str(failed.value)


def test_settings_show_no_key() -> None:
    settings = read_settings(OpenAIModel(name="m"), {"OPENAI_API_KEY": KEY})
    assert KEY in settings.secrets
    assert KEY not in repr(settings)
