"""Replies of a judge in JSON of a schema, where its endpoint can be held to one."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import JsonValue as Json

from ..config.models import LocalModel, OpenAIModel
from ..config.schema import ModelConfig
from ..models.openai_settings import OPENAI_URL
from ..records import Request
from .forms import FORMATS, Form

STRUCTURED_HOSTS = (urlsplit(OPENAI_URL).hostname,)
"""Hosts of endpoints that are known to take a schema for every reply."""


def takes_schema(model: ModelConfig, address: str) -> bool:
    """Whether an endpoint is known to take `response_format`, and the config does not set one itself.

    Args:
        model: The model's block; the engine of local models takes one.
        address: Where its calls go, as its identity says.
    """
    if not isinstance(model, OpenAIModel | LocalModel) or "response_format" in model.params:
        return False
    return isinstance(model, LocalModel) or urlsplit(address).hostname in STRUCTURED_HOSTS


def in_schema(request: Request) -> Mapping[str, Json]:
    """The parameters that hold a reply to the form that its prompt asks for."""
    asked = request.messages[-1].content
    form = next((form for form, wording in FORMATS.items() if asked.endswith(wording)), None)
    return {} if form is None else {"response_format": response_format(form)}


def response_format(form: Form) -> dict[str, Json]:
    """The schema of a form: a reason, which comes first, and the verdict."""
    labels: list[Json] = [*form.labels]
    value: dict[str, Json] = {"type": "string", "enum": labels} if labels else {"type": "number"}
    properties: dict[str, Json] = {"reason": {"type": "string"}, form.key: value}
    schema: dict[str, Json] = {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }
    return {"type": "json_schema", "json_schema": {"name": "verdict", "strict": True, "schema": schema}}
