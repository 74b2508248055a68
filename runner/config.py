"""The config: what a YAML file may say, as frozen pydantic models. Reading the file is `loading.py`'s job.

A short form (`typo`) and its long form (`typo: {severity: medium}`) mean the same. A key means one thing in the config,
the database, the JSON report and the code. Every default is here and nowhere else.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic import JsonValue as Json

Name = Annotated[str, Field(min_length=1)]


class Section(BaseModel):
    """A block of the config: frozen, without unknown keys, without silent conversions."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


class RetryConfig(Section):
    """When a failed call is asked again, and how long it may take."""

    attempts: int = Field(default=5, ge=1, le=100)
    """Calls per cell at most, the first included; 1 means never again."""
    first_wait_s: float = Field(default=1.0, ge=0)
    """Seconds before the second attempt; doubled each time, with jitter."""
    max_wait_s: float = Field(default=60.0, ge=0)
    """Longest wait between two attempts; a longer Retry-After is honoured up to `total_timeout_s`."""


class ModelSection(Section):
    """What every provider shares."""

    timeout_s: float = Field(default=120.0, gt=0)
    """Seconds that one attempt may take."""
    total_timeout_s: float = Field(default=600.0, gt=0)
    """Seconds that a cell may take over all its attempts and waits."""
    retry: RetryConfig = RetryConfig()
    """Retries of a failed call."""


class OpenAIModel(ModelSection):
    """Any OpenAI-compatible chat endpoint."""

    provider: Literal["openai"] = "openai"
    """Talk to an OpenAI-compatible chat endpoint."""
    name: Name
    """Model name, as the endpoint knows it."""
    base_url: str | None = None
    """Root of the endpoint, such as `http://127.0.0.1:8000/v1`; OpenAI's own where not given."""
    api_key_env: str | None = "OPENAI_API_KEY"
    """Name of the environment variable that holds the key (never the key itself); null for an endpoint without one."""
    params: dict[str, Json] = Field(default_factory=dict)
    """Passed on with every call: `temperature`, `max_tokens`, `seed` and whatever else the endpoint takes."""


class LocalModel(ModelSection):
    """A GGUF model in a child process, by llama.cpp; by default the embedded SmolLM2-135M-Instruct."""

    provider: Literal["local"] = "local"
    """Run a model on this machine."""
    path: str | None = None
    """A GGUF file; the embedded model where not given."""
    threads: int | None = Field(default=None, ge=1)
    """CPU threads; all cores but one where not given."""
    context: int = Field(default=4096, ge=256)
    """Context window in tokens."""
    params: dict[str, Json] = {"temperature": 0, "max_tokens": 64}
    """Passed on with every call."""


class HttpModel(ModelSection):
    """An application behind a JSON endpoint."""

    provider: Literal["http"] = "http"
    """Send each prompt to a JSON endpoint over HTTP."""
    url: Name
    """Where to send the prompt."""
    method: Literal["POST", "PUT", "GET"] = "POST"
    """HTTP method; GET sends `body` as the query."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Request headers; take secrets from the environment: `Authorization: Bearer ${TOKEN}`."""
    body: dict[str, Json] = {"prompt": "{prompt}"}
    """JSON body; a string that is exactly `{prompt}`, `{system}` or `{messages}` is replaced by that value, once."""
    answer: Name = "answer"
    """Path to the answer text in the response, such as `output.text` or `choices[0].message.content`."""


class PythonModel(ModelSection):
    """A callable of the user's own, sync or async."""

    provider: Literal["python"] = "python"
    """Call a Python function."""
    callable: Name
    """`package.module:function`, or `file.py:function` relative to the config; it is given the list of messages
    (`{"role", "content"}`) and returns the answer's text."""


class ReplayModel(ModelSection):
    """Answers that already exist in a file."""

    provider: Literal["replay"] = "replay"
    """Take the replies from a file and call nothing."""
    path: Name
    """JSONL or CSV with the columns `item`, `condition` (default `baseline`), `repeat` (default 0) and `reply`."""


ModelConfig = Annotated[
    OpenAIModel | LocalModel | HttpModel | PythonModel | ReplayModel, Field(discriminator="provider")
]


class InsideOptions(Section):
    """Options that stand as lines inside another field."""

    inside: Name
    """Path of the field whose text holds the options as lines: `(A) text`, `A. text`, or `- text`."""


class FieldsConfig(Section):
    """Where a row keeps what: paths such as `question.stem`, `choices[].text`, `0` (a column without header)."""

    question: Name = "question"
    """Path of the question; or a text with paths in braces, such as `{premise} What was the {question}?`."""
    options: str | list[Name] | InsideOptions | None = None
    """A path to a list of texts or to one string of lettered lines; a list of paths (named columns); or
    `{inside: input}` for options that are lines of another field. `options` is taken where a row has it."""
    answer: str | list[Name] = "answer"
    """Path of the gold answer, or a list of paths where several are right."""
    id: str | None = None
    """Path of a unique id; `id` is taken where a row has it, else the row's number."""
    context: str | list[Name] | None = None
    """Path or paths of passages that the question refers to."""
    system: str | None = None
    """Path of a system prompt of the row's own."""
    cluster: str | None = None
    """Path of what the item belongs to (source document, topic)."""


class DatasetConfig(Section):
    """The dataset and how to read it."""

    path: Name
    """JSONL, JSON, CSV or TSV, plain or gzipped; relative to the config file."""
    format: Literal["auto", "jsonl", "json", "csv", "tsv"] = "auto"
    """How to read it; `auto` goes by the file name."""
    rows: str | None = None
    """In a JSON file, the path of the list of rows, such as `examples`; the top level where not given."""
    header: bool = True
    """CSV and TSV: the first row names the columns; with `false` columns are `0`, `1`, …"""
    encoding: str = "utf-8"
    """Text encoding; a byte order mark is read away."""
    fields: FieldsConfig = FieldsConfig()
    """Where question, options and answer are."""
    answer_as: Literal["auto", "label", "index", "index1", "text"] = "auto"
    """What the answer is: an option's label, its 0-based or 1-based index, or its text. `auto` takes what fits in one
    way only, and asks where two readings differ."""
    answer_pattern: str | None = None
    """Regular expression that finds the answer in its field; its first group where it has one: `'#### (.+)'`."""
    shuffle_options: bool = False
    """Shuffle each item's options once, by the seed; for data that keeps the right one in a column of its own."""
    on_bad_item: Literal["error", "skip"] = "error"
    """An item without a usable answer stops the run, or is counted and skipped."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first so many items."""
    sample: int | None = Field(default=None, ge=1)
    """Only so many items, drawn by the seed."""


class PromptConfig(Section):
    """What is said around each question."""

    system: str | None = None
    """System prompt."""
    instruction: str | None = None
    """The task in words, above the question."""
    answer: str | None = None
    """The closing line that says how to answer; `{labels}` stands for the labels in use. Derived from the grader where
    not given; an empty text leaves it out."""
    template: str | None = None
    """The whole user message, with `{question}`, `{options}`, `{context}`, `{instruction}`, `{examples}`, `{answer}`;
    each is filled once, verbatim."""
    examples: list[dict[str, Json]] = Field(default_factory=list)
    """Few-shot examples: `{question, options, answer}`."""


class ReorderConfig(Section):
    """Another order of the options (tier: guaranteed)."""

    kind: Literal["balanced", "cyclic", "each_slot", "random", "reverse", "length", "alphabet"] = "balanced"
    """`balanced` gives the right option a slot drawn evenly; `cyclic` rotates; `each_slot` puts the right option into
    every slot in turn (as many variants as options); `length` and `alphabet` sort."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""


FormatKind = Literal["separators", "case", "labels", "option_separator", "markdown", "xml", "json", "yaml"]


class FormatConfig(Section):
    """Another way to write the same parts out (tier: guaranteed)."""

    kind: list[FormatKind] = ["separators", "case", "labels", "option_separator"]
    """What may change; a variant draws among them."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""


class ParaphraseConfig(Section):
    """Other words for the same request (tier: checked)."""

    kind: Literal["frames", "file"] = "frames"
    """`frames` rewords the instruction and the frame of the question, offline; `file` takes yours."""
    file: str | None = None
    """JSONL of yours: `{id, text}` rows (further rows of an id are further variants), optionally `instruction`."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""


class TypoConfig(Section):
    """Typing mistakes (tier: checked)."""

    severity: Literal["mild", "medium", "hard"] = "mild"
    """Share of eligible words with one mistake: .05, .10, .20."""
    rate: float | None = Field(default=None, ge=0, le=1)
    """The share itself, instead of a severity."""
    layout: Literal["qwerty", "azerty", "qwertz"] = "qwerty"
    """Keyboard for neighbouring keys."""
    parts: list[Literal["text", "instruction", "context", "system"]] = ["text"]
    """Which parts may be mistyped."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""


class RerunConfig(Section):
    """The original prompt again: how often an answer flips by itself (the noise floor)."""

    variants: int = Field(default=1, ge=1, le=100)
    """How many further samples of each item."""


GeneratorName = Literal["reorder", "format", "paraphrase", "typo", "rerun"]
GeneratorConfig = ReorderConfig | FormatConfig | ParaphraseConfig | TypoConfig | RerunConfig


class PerturbationConfig(Section):
    """One entry of `perturbations:`, or one step of a composition."""

    name: GeneratorName
    """The generator."""
    config: GeneratorConfig
    """Its parameters."""


class GradeConfig(Section):
    """How a reply is judged."""

    grader: Literal["choice", "exact", "contains", "regex", "numeric", "python"]
    """`choice` reads the chosen option; `numeric` a number; `exact` and `contains` compare text; `regex` extracts;
    `python` asks your function."""
    pattern: str | None = None
    """regex: the pattern whose first group (or whole match) is the answer; numeric: where the number stands."""
    tolerance: float = Field(default=0.0, ge=0)
    """numeric: absolute difference that still counts as equal."""
    relative_tolerance: float = Field(default=0.0, ge=0)
    """numeric: relative difference that still counts as equal."""
    ignore_case: bool = True
    """exact, contains, regex: upper and lower case are equal."""
    ignore_punctuation: bool = True
    """exact: punctuation at the ends does not count."""
    callable: str | None = None
    """python: `package.module:function` or `file.py:function`; given the reply's text and the row, it
    returns true or false."""
    count_as_fail: list[Literal["unparsed", "truncated", "refused"]] = ["unparsed", "truncated", "refused"]
    """Which of these statuses count as fail in the headline; the others are missing cells."""


class LimitsConfig(Section):
    """How hard the endpoint may be pushed, and what may be missing at the end."""

    concurrency: int | None = Field(default=None, ge=1, le=4096)
    """Calls in flight; 1 for the local model, 8 for others where not given."""
    max_error_rate: float = Field(default=0.0, ge=0, le=1)
    """Share of cells that may stay without a result for the run to count as complete (exit code 0)."""


class AnalysisConfig(Section):
    """How the figures are decided."""

    alpha: float = Field(default=0.05, gt=0, lt=1)
    """Significance level over all variants together (Holm); intervals have level 1 − alpha."""
    margin: float = Field(default=0.05, gt=0, lt=1)
    """Largest drop that you would call no worse, in rate (.05 = five points)."""


class Config(Section):
    """A whole run."""

    name: Name = "run"
    """Name of the run; the config file's name where not given."""
    model: ModelConfig
    """The model under test. `local`, or a block with `provider`."""
    dataset: DatasetConfig
    """The dataset: a path, or a block."""
    perturbations: list[list[PerturbationConfig]] = Field(min_length=1)
    """The generators. Each entry is a name, `{name: {parameters}}`, or a list of these to be composed."""
    prompt: PromptConfig = PromptConfig()
    """What is said around each question."""
    grade: GradeConfig | None = None
    """The grader: a name or a block. `choice` where every item has options; must be given otherwise."""
    protect: list[str] = Field(default_factory=list)
    """Regular expressions for text that no generator may change."""
    seed: int = 0
    """Decides every draw."""
    limits: LimitsConfig = LimitsConfig()
    """Concurrency and completeness."""
    analysis: AnalysisConfig = AnalysisConfig()
    """Significance level and margin."""
    store: str | None = None
    """Results database: a file or an SQLAlchemy URL. `prt.db` in the working directory where not given."""
    bundle: str | None = None
    """A frozen bundle of variants (JSONL, by `prt perturb`) to use instead of generating."""
