"""The `model:` block: one section a provider."""

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, Self, get_args

from pydantic import AfterValidator, Field, field_validator, model_validator
from pydantic import JsonValue as Json

from .limits import PricesConfig
from .section import FunctionName, Name, Section, Url, VariableName, mistake

PLACEHOLDERS = ("{prompt}", "{system}", "{messages}")
KNOWN_BY = ("base_url", "provider", "azure", "name", "url", "path", "callable")
"""Keys that make two blocks name the same model."""
SET_BY_PRT = ("messages", "model", "stream")
Retried = Literal["timeout", "connection", "rate_limit", "server", "bad_response"]
MODEL_KEYS = ("model", "judge")
MODEL_PLACES = (*MODEL_KEYS, "baseline", "candidate", "sut", "generator", "reference_model")
"""Keys whose block may be that of a model."""
"""The keys that name a model, wherever they stand."""


class RetryConfig(Section):
    """When a failed call is asked again, and how long it may take."""

    retries: int = Field(default=4, ge=0, le=100)
    """How often a failed call is asked again; 0 means one call, whatever comes of it."""
    errors: list[Retried] = Field(default=list(get_args(Retried)))
    """The kinds of error that are asked again; what asking again can't mend, such as a status 400, never is."""
    first_wait_s: float = Field(default=1.0, ge=0)
    """Seconds before the first retry; doubled each time."""
    max_wait_s: float = Field(default=60.0, ge=0)
    """Longest wait between two attempts; a longer Retry-After is honoured up to `total_timeout_s`."""
    jitter: float = Field(default=0.5, ge=0, le=1)
    """The share of a wait that chance may take off, so that calls that failed together do not come back together."""

    @model_validator(mode="after")
    def _waits_grow(self) -> Self:
        if self.first_wait_s > self.max_wait_s:
            raise mistake(
                f"the first wait ({self.first_wait_s:g} s) is longer than the longest, `max_wait_s` "
                f"({self.max_wait_s:g} s); lower it or raise `max_wait_s`",
                key="first_wait_s",
            )
        return self


class ModelSection(Section):
    """What every provider shares."""

    timeout_s: float = Field(default=120.0, gt=0)
    """Seconds that one attempt may take."""
    total_timeout_s: float = Field(default=600.0, gt=0)
    """Seconds that a cell may take over all its attempts and waits."""
    retry: RetryConfig = RetryConfig()
    """Retries of a failed call."""
    prices: PricesConfig | None = None
    """What this model's tokens cost. Where not given, the model under test has the `prices` beside it; another model
    has those too if it is the same one by endpoint and name, and else what it costs is not known."""

    @model_validator(mode="after")
    def _an_attempt_fits_into_the_total(self) -> Self:
        if self.timeout_s > self.total_timeout_s:
            raise mistake(
                f"one attempt may take {self.timeout_s:g} s but all together only {self.total_timeout_s:g} s; lower it "
                "or raise `total_timeout_s`",
                key="timeout_s",
            )
        return self


class AzureConfig(Section):
    """Azure OpenAI by the address of a deployment; what is left out is taken from the environment."""

    endpoint: Url | None = Field(default=None, repr=False)
    """The resource, such as `https://my-resource.openai.azure.com`;
    where not given, the variable AZURE_OPENAI_ENDPOINT."""
    api_version: Name | None = None
    """Version of the interface, such as `2024-10-21`; where not given, the variable OPENAI_API_VERSION."""
    deployment: Name | None = None
    """The deployment; the model's `name` where not given."""


MOST_REQUESTS = 50_000
"""Requests that a file of a batch may hold, by the interface's own bounds."""


class BatchConfig(Section):
    """How batches are made and waited for."""

    poll_s: float = Field(default=60.0, gt=0)
    """Longest wait between two looks at the batches under way, in seconds; it begins with 5 s and doubles."""
    completion_window: Name = "24h"
    """How long the endpoint may take; OpenAI knows `24h` alone."""
    max_requests: int = Field(default=MOST_REQUESTS, ge=1, le=MOST_REQUESTS)
    """Requests in one batch at most. Lower it where the endpoint allows fewer tokens to wait at once."""


class OpenAIModel(ModelSection):
    """Any OpenAI-compatible chat endpoint."""

    provider: Literal["openai"] = "openai"
    """Talk to an OpenAI-compatible chat endpoint."""
    name: Name
    """Model name, as the endpoint knows it."""
    base_url: Url | None = Field(default=None, repr=False)
    """Root of the endpoint, such as `http://127.0.0.1:8000/v1`; where not given, the variable OPENAI_BASE_URL,
    or else OpenAI's own."""
    azure: AzureConfig | None = None
    """Azure OpenAI by deployment and version, in place of `base_url`."""
    api_key_env: VariableName | None = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key (never the key itself); null for an endpoint without one."""
    params: dict[str, Json] = Field(default_factory=dict, repr=False)
    """Passed on with every call: `temperature`, `max_tokens`, `seed` and whatever else the endpoint takes."""
    adapt: bool = False
    """Whether parameters that the model does not take are changed: `max_tokens` and `max_completion_tokens` sent by the
    other name; `temperature`, `top_p`, `seed` and the penalties not sent. Each change is told and kept with the run."""
    mode: Literal["calls", "batch"] = "calls"
    """`batch` sends what `prt run` asks as files of requests that are answered within a day, at OpenAI for half the
    price; `calls` asks one by one."""
    batch: BatchConfig | None = None
    """How batches are made and waited for; the defaults where not given."""

    @model_validator(mode="before")
    @classmethod
    def _azure_has_a_key_of_its_own(cls, given: object) -> object:
        if isinstance(given, dict) and given.get("azure") is not None:
            return {"api_key_env": "AZURE_OPENAI_API_KEY", **given}
        return given

    @model_validator(mode="after")
    def _one_address(self) -> Self:
        if self.base_url is not None and self.azure is not None:
            raise mistake("`azure` says where the endpoint is; leave `base_url` out, or `azure`", key="base_url")
        return self

    @model_validator(mode="after")
    def _batches_can_be_made(self) -> Self:
        if self.mode == "calls" and self.batch is not None:
            raise mistake("this is for `mode: batch`; add that, or leave this out", key="batch")
        if self.mode == "batch" and self.azure is not None:
            raise mistake("prt makes no batches at Azure; leave `mode` out, which asks by calls", key="mode")
        if self.mode == "batch" and self.adapt:
            raise mistake(
                "parameters are adapted by the answers to calls, and a batch is answered at its end; leave `adapt` out",
                key="adapt",
            )
        return self

    @field_validator("params")
    @classmethod
    def _leaves_to_prt_what_prt_sets(cls, params: dict[str, Json]) -> dict[str, Json]:
        taken = next((key for key in SET_BY_PRT if key in params), None)
        if taken:
            raise mistake("prt sets this itself with every call; leave it out", key=taken)
        return params


class LocalModel(ModelSection):
    """A GGUF model in a child process, by llama.cpp; by default the embedded SmolLM2-135M-Instruct."""

    provider: Literal["local"] = "local"
    """Run a model on this machine."""
    path: Name | None = None
    """A GGUF file, relative to the config file; the embedded model where not given."""
    threads: int | None = Field(default=None, ge=1)
    """CPU threads; all cores but one where not given."""
    context: int = Field(default=4096, ge=256)
    """Context window in tokens."""
    params: dict[str, Json] = Field(default={"temperature": 0, "max_tokens": 64}, repr=False)
    """Passed on with every call."""

    @field_validator("params")
    @classmethod
    def _leaves_to_prt_what_prt_sets(cls, params: dict[str, Json]) -> dict[str, Json]:
        return OpenAIModel._leaves_to_prt_what_prt_sets(params)  # noqa: SLF001  one rule for both


class HttpModel(ModelSection):
    """An application behind a JSON endpoint."""

    provider: Literal["http"] = "http"
    """Send each prompt to a JSON endpoint over HTTP."""
    url: Url = Field(repr=False)
    """Where to send the prompt."""
    method: Literal["POST", "PUT", "GET"] = "POST"
    """HTTP method; GET sends `body` as the query."""
    headers: dict[str, str] = Field(default_factory=dict, repr=False)
    """Request headers; take secrets from the environment: `Authorization: Bearer ${TOKEN}`."""
    body: dict[str, Json] = Field(default={"prompt": "{prompt}"}, repr=False)
    """JSON body; a string that is exactly `{prompt}`, `{system}` or `{messages}` is replaced by that value, once."""
    answer: Name = "answer"
    """Path to the answer text in the response, such as `output.text` or `choices[0].message.content`."""

    @field_validator("headers")
    @classmethod
    def _headers_can_be_sent(cls, headers: dict[str, str]) -> dict[str, str]:
        for name, value in headers.items():
            if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
                raise mistake("a header's name is letters, digits and `-`, without spaces", key=name)
            if re.search(r"[\x00-\x08\x0a-\x1f\x7f]", value):
                raise mistake("a header's value is one line without control characters", key=name)
        return headers

    @field_validator("body")
    @classmethod
    def _the_body_holds_the_prompt(cls, body: dict[str, Json]) -> dict[str, Json]:
        texts = list(_texts(body))
        mixed = next((p for text in texts for p in PLACEHOLDERS if p in text and p != text), None)
        if mixed:
            raise mistake(f"`{mixed}` is replaced only where it is the whole text; put nothing else into that text")
        if not {"{prompt}", "{messages}"} & set(texts):
            raise mistake("the body has neither '{prompt}' nor '{messages}' in quotes, so the question is never sent")
        return body


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)


class PythonModel(ModelSection):
    """A callable of the user's own, sync or async."""

    provider: Literal["python"] = "python"
    """Call a Python function."""
    callable: FunctionName
    """`package.module:function`, or `file.py:function` relative to the config; it is given the list of messages
    (`{"role", "content"}`) and returns the answer's text."""


class ReplayModel(ModelSection):
    """Answers that already exist in a file."""

    provider: Literal["replay"] = "replay"
    """Take the replies from a file and call nothing."""
    path: Name
    """JSONL or CSV with the columns `item`, `condition` (default `baseline`), `repeat` (default 0) and `reply`;
    relative to the config file."""


ModelConfig = Annotated[
    OpenAIModel | LocalModel | HttpModel | PythonModel | ReplayModel, Field(discriminator="provider")
]


def asked_by_calls(model: ModelConfig) -> ModelConfig:
    """Refuse batches where each question waits for the answer to another one."""
    if isinstance(model, OpenAIModel) and model.mode == "batch":
        raise mistake("only the model under test of `prt run` is asked in batches; leave `mode` out here", key="mode")
    if model.prices is not None and model.prices.batch is not None:
        raise mistake(
            "only the model under test of `prt run` is asked in batches; leave `batch` out of its prices", key="prices"
        )
    return model


CalledModel = Annotated[ModelConfig, AfterValidator(asked_by_calls)]
"""A model that is asked by calls alone."""
PROVIDERS: dict[str, type[ModelSection]] = {
    "openai": OpenAIModel,
    "local": LocalModel,
    "http": HttpModel,
    "python": PythonModel,
    "replay": ReplayModel,
}


def known_by(model: ModelConfig) -> tuple[object, ...]:
    """What makes two model blocks name the same model: provider, endpoint and name."""
    return known_by_values({key: getattr(model, key, None) for key in KNOWN_BY})


def known_by_values(block: Mapping[str, object]) -> tuple[object, ...]:
    """The same for the keys and values of a block."""
    address, *others = (block.get(key) for key in KNOWN_BY)
    return str(address or "").rstrip("/"), *others
