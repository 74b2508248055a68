"""Where an OpenAI-compatible endpoint is and what lets a caller in, from the config and the environment.

The variables are those that the `openai` package reads, with the same meaning; that package itself takes half a second
to import, which every command would pay.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from yarl import URL

from ..config.models import AzureConfig, OpenAIModel
from ..errors import ModelError
from .network import basic_login
from .redaction import Redactor, custom_headers, header_secrets, public_url, split_login, url_secrets

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "no-key-needed"


@dataclass(frozen=True, slots=True, repr=False)
class Settings:
    """How to call an endpoint; without a repr, since it holds secrets.

    Attributes:
        url: Where completions are asked for, without credentials.
        public_url: Its root, as people may see it.
        headers: Sent with every call.
        key_variable: Where the key is given, in the words of messages.
        secrets: What no message may show.
    """

    url: str
    public_url: str
    headers: Mapping[str, str]
    key_variable: str
    secrets: tuple[str, ...]


def read_settings(config: OpenAIModel, env: Mapping[str, str]) -> Settings:
    """Resolve what the config leaves to the environment.

    Args:
        config: The model's section.
        env: Environment variables.

    Raises:
        ModelError: A key or an address is missing, or can't be one.
    """
    key = None if config.api_key_env is None else _key(config.api_key_env, env)
    root = _root(config, env) if config.azure is None else _azure_root(config.azure, config.name, env)
    address, login = split_login(root)
    headers = {**_caller(config, key, login, env), **custom_headers(env)}
    return Settings(
        url=_completions(address, root, _given_by(config)),
        public_url=public_url(root),
        headers=headers,
        key_variable=config.api_key_env or "the variable that model.api_key_env names (null now)",
        secrets=(key or "", *url_secrets(root), *header_secrets(custom_headers(env))),
    )


def _root(config: OpenAIModel, env: Mapping[str, str]) -> str:
    return (config.base_url or env.get("OPENAI_BASE_URL") or OPENAI_URL).rstrip("/")


def _given_by(config: OpenAIModel) -> str:
    """What to mend where the address is none."""
    if config.azure is not None:
        return "model.azure.endpoint" if config.azure.endpoint else "AZURE_OPENAI_ENDPOINT"
    return "model.base_url" if config.base_url else "OPENAI_BASE_URL"


def _azure_root(azure: AzureConfig, name: str, env: Mapping[str, str]) -> str:
    """Root of a deployment, with the version of the interface as its query."""
    endpoint = azure.endpoint or _said("endpoint", "AZURE_OPENAI_ENDPOINT", env)
    version = azure.api_version or _said("api_version", "OPENAI_API_VERSION", env)
    deployment = quote(azure.deployment or name, safe="")
    return f"{endpoint.rstrip('/')}/openai/deployments/{deployment}?api-version={quote(version, safe='')}"


def _said(key: str, variable: str, env: Mapping[str, str]) -> str:
    value = env.get(variable, "")
    if not value:
        raise ModelError(f"model.azure.{key} is not given, and {variable} is not set; give one of them.")
    return value


def _completions(address: str, shown: str, given_by: str) -> str:
    """Where completions are asked for; a query of the root, such as a version, stays."""
    try:
        url = URL(address)
        if url.host and url.scheme in {"http", "https"}:
            path = f"{url.raw_path.rstrip('/')}/chat/completions"
            return str(url.with_path(path, encoded=True, keep_query=True))
    except ValueError:  # as it is where there is no host
        pass
    shown = Redactor(url_secrets(shown))(shown)
    raise ModelError(f"{given_by}: {shown} is no address; write one like http://127.0.0.1:8000/v1.")


def _caller(
    config: OpenAIModel, key: str | None, login: tuple[str, str] | None, env: Mapping[str, str]
) -> dict[str, str]:
    """The headers that say who calls."""
    organisation = {"OpenAI-Organization": env.get("OPENAI_ORG_ID"), "OpenAI-Project": env.get("OPENAI_PROJECT_ID")}
    said = {name: value for name, value in organisation.items() if value}
    if login is not None:
        return {**said, "Authorization": basic_login(*login)}
    if config.azure is not None:
        return {**said, "api-key": key} if key else said
    return {**said, "Authorization": f"Bearer {key or NO_KEY}"}


def _key(name: str, env: Mapping[str, str]) -> str:
    key = env.get(name, "")
    if not key:
        raise ModelError(
            f"model.api_key_env: the environment variable {name} is not set; put the key into it (export {name}=...), "
            "or write `api_key_env: null` for an endpoint that asks for none."
        )
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ModelError(
            f"model.api_key_env: what {name} holds is no key, since it has a space, a line break or a character "
            "outside ASCII in it; set it again."
        )
    return key
