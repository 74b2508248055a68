"""The keys that the environment must hold for the model to be called."""

from collections.abc import Mapping

from ..errors import Problem
from .loaded import LoadedConfig
from .schema import OpenAIModel


def missing_keys(loaded: LoadedConfig, env: Mapping[str, str]) -> list[Problem]:
    """What the environment lacks for the model to be called: the API key of an OpenAI-compatible endpoint.

    Args:
        loaded: The config.
        env: Environment variables.

    Returns:
        One problem for each key that is not set, or is blank.
    """
    model = loaded.config.model
    if not isinstance(model, OpenAIModel) or model.api_key_env is None or env.get(model.api_key_env, "").strip():
        return []
    place = loaded.origins.get("model.api_key_env") or loaded.origins.get("model")
    instead = "set it, or say `api_key_env: null` for an endpoint without a key"
    message = f"the environment variable `{model.api_key_env}`, which holds the API key, is not set; {instead}"
    return [Problem(message, str(loaded.path), place.line if place else None, key="model.api_key_env")]
