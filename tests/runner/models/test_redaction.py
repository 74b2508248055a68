"""No secret in what people see or what is kept."""

import pytest
from prt.runner.models.redaction import (
    Redactor,
    body_secrets,
    header_secrets,
    lets_in,
    public_params,
    public_url,
    url_secrets,
)
from pydantic import JsonValue as Json


@pytest.mark.parametrize(
    "name",
    [
        "Authorization",
        "Proxy-Authorization",
        "X-Api-Key",
        "api-key",
        "apikey",
        "apiKey",
        "Ocp-Apim-Subscription-Key",
        "key",
        "access_token",
        "accessToken",
        "client_secret",
        "PASSWORD",
        "Cookie",
        "sig",
        "OPENAI_API_KEY",
    ],
)
def test_names_of_credentials_are_known(name: str) -> None:
    assert lets_in(name)


@pytest.mark.parametrize("name", ["max_tokens", "token_limit", "Content-Type", "monkey", "author", "keyboard", "model"])
def test_other_names_are_not_taken_for_credentials(name: str) -> None:
    assert not lets_in(name)


def test_a_secret_is_hidden_wherever_and_however_often_it_stands() -> None:
    assert Redactor(["s3cret/=1"])("a s3cret/=1, b s3cret%2F%3D1") == "a [hidden], b [hidden]"


def test_a_secret_within_another_one_leaves_nothing_of_the_longer() -> None:
    assert Redactor(["abcd", "abcdefgh"])("abcdefgh abcd") == "[hidden] [hidden]"


def test_nothing_is_hidden_for_an_empty_secret() -> None:
    assert Redactor(["", "ab"])("absolutely") == "absolutely"


def test_a_redactor_shows_no_secret_of_its_own() -> None:
    assert "s3cret" not in repr(Redactor(["s3cret"]))


def test_a_public_url_has_neither_user_nor_credential() -> None:
    url = "https://ann:pa55word@host:8443/v1/ask?api-version=3&api-key=k3y-value&x=#part"
    assert public_url(url) == "https://host:8443/v1/ask?api-version=3&x="
    assert set(url_secrets(url)) == {"ann", "pa55word", "YW5uOnBhNTV3b3Jk", "k3y-value"}


def test_a_header_s_secret_is_its_value_with_and_without_the_scheme() -> None:
    assert set(header_secrets({"Authorization": "Bearer t0ken"})) == {"Bearer t0ken", "t0ken"}


def test_a_body_s_secrets_stand_under_names_of_credentials() -> None:
    body: Json = {"prompt": "hello", "auth": {"user": "ann"}, "items": [{"token": "t0ken"}], "tokens": 5}
    assert set(body_secrets(body)) == {"ann", "t0ken"}


def test_a_credential_among_parameters_becomes_a_digest_that_tells_them_apart() -> None:
    one, other = (
        public_params({"seed": 1, "x": [{"api_key": "one"}]}),
        public_params({"seed": 1, "x": [{"api_key": "two"}]}),
    )
    assert one != other
    assert "one" not in str(one)
    assert isinstance(one, dict)
    assert one["seed"] == 1
