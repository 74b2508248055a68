"""The config: what a YAML file may say, as frozen pydantic models. Reading the file is `loading.py`'s job.

A short form (`typo`) and its long form (`typo: {severity: medium}`) mean the same. A key means one thing in the config,
the database, the JSON report and the code. Every default is here (with `config_models.py` and `config_generators.py`)
and nowhere else.
"""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator
from pydantic import JsonValue as Json

from .config_generators import (
    GENERATORS,
    FormatConfig,
    FormatKind,
    GeneratorConfig,
    GeneratorName,
    ParaphraseConfig,
    PerturbationConfig,
    ReorderConfig,
    RerunConfig,
    TypoConfig,
)
from .config_models import (
    PROVIDERS,
    HttpModel,
    LocalModel,
    ModelConfig,
    ModelSection,
    OpenAIModel,
    PythonModel,
    ReplayModel,
    RetryConfig,
)
from .section import Encoding, FunctionName, Name, Names, Pattern, Section, mistake

__all__ = [
    "GENERATORS",
    "PROVIDERS",
    "AnalysisConfig",
    "Config",
    "DatasetConfig",
    "FieldsConfig",
    "FormatConfig",
    "FormatKind",
    "GeneratorConfig",
    "GeneratorName",
    "GradeConfig",
    "HttpModel",
    "InsideOptions",
    "Json",
    "LimitsConfig",
    "LocalModel",
    "ModelConfig",
    "ModelSection",
    "Name",
    "OpenAIModel",
    "ParaphraseConfig",
    "PerturbationConfig",
    "PromptConfig",
    "PythonModel",
    "ReorderConfig",
    "ReplayModel",
    "RerunConfig",
    "RetryConfig",
    "Section",
    "TypoConfig",
]


class InsideOptions(Section):
    """Options that stand as lines inside another field."""

    inside: Name
    """Path of the field whose text holds the options as lines: `(A) text`, `A. text`, or `- text`."""
    pattern: Pattern | None = None
    """Regular expression that finds the options where they have no lines of their own; its first group if it has one.
    All that it matches is taken out of the text: `'Moves: (.+?) Answer with'`."""


class SplitOptions(Section):
    """Options that stand in one text with a separator between them."""

    split: Name
    """Path of the text."""
    at: str = Field(default=",", min_length=1)
    """The separator; white space around the options is taken away."""


class FixedOptions(Section):
    """The same options for every row."""

    fixed: Names
    """Their texts, such as `["True", "False"]`."""


def _shape(value: object) -> str | None:
    """The one reading of a value that may be a path, a list of paths or a block, so that its errors are about that."""
    if isinstance(value, dict):
        return next((tag for key, tag in (("fixed", "<fixed>"), ("split", "<split>")) if key in value), "<block>")
    shapes = {str: "<path>", list: "<list>", type(None): "<null>"}
    blocks = {InsideOptions: "<block>", SplitOptions: "<split>", FixedOptions: "<fixed>"}
    return (shapes | blocks).get(type(value))


PathTag = Annotated[Name, Tag("<path>")]
ListTag = Annotated[Names, Tag("<list>")]
NullTag = Annotated[None, Tag("<null>")]
BlockTag = Annotated[InsideOptions, Tag("<block>")]
SplitTag = Annotated[SplitOptions, Tag("<split>")]
FixedTag = Annotated[FixedOptions, Tag("<fixed>")]


class FieldsConfig(Section):
    """Where a row keeps what: paths such as `question.stem`, `choices[].text`, `0` (a column without header)."""

    question: Name = "question"
    """Path of the question; or a text with paths in braces, such as `{premise} What was the {question}?`."""
    options: Annotated[PathTag | ListTag | BlockTag | SplitTag | FixedTag | NullTag, Discriminator(_shape)] = None
    """A path to a list of texts or to one string of lettered lines; a list of paths (named columns); `{inside: input}`
    for options that are lines of another field; `{split: choices, at: ","}` for one text with separators;
    `{fixed: ["True", "False"]}` for the same in every row. `options` is taken where a row has it."""
    answer: Annotated[PathTag | ListTag, Discriminator(_shape)] = "answer"
    """Path of the gold answer, or a list of paths where several are right."""
    id: Name | None = None
    """Path of a unique id, or a text with paths in braces, such as `{document}-{number}`; `#` is the row's number. `id`
    is taken where a row has it, else the row's number."""
    context: Annotated[PathTag | ListTag | NullTag, Discriminator(_shape)] = None
    """Path or paths of passages that the question refers to."""
    system: Name | None = None
    """Path of a system prompt of the row's own."""
    cluster: Name | None = None
    """Path of what the item belongs to (source document, topic)."""


TABLE_KEYS = {"header": True, "delimiter": None, "quoting": True}
"""What only CSV and TSV files have, with its default."""


class DatasetConfig(Section):
    """The dataset and how to read it."""

    path: Name
    """JSONL, JSON, CSV or TSV, plain or gzipped; relative to the config file."""
    format: Literal["auto", "jsonl", "json", "csv", "tsv"] = "auto"
    """How to read it; `auto` goes by the file name."""
    rows: Name | None = None
    """In a JSON file, the path of the list of rows, such as `examples`; the top level where not given."""
    header: bool = True
    """CSV and TSV: the first row names the columns; with `false` columns are `0`, `1`, …"""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """CSV and TSV: the one character between two cells; a comma, in a TSV file a tab, where not given."""
    quoting: bool = True
    """CSV and TSV: double quotes enclose a cell; with `false` they are plain text."""
    encoding: Encoding = "utf-8"
    """Text encoding; a byte order mark is read away."""
    fields: FieldsConfig = FieldsConfig()
    """Where question, options and answer are."""
    answer_as: Literal["auto", "label", "index", "index1", "text"] = "auto"
    """What the answer is: an option's label, its 0-based or 1-based index, or its text. `auto` takes what fits in one
    way only, and asks where two readings differ."""
    answer_pattern: Pattern | None = None
    """Regular expression that finds the answer in its field; its first group where it has one: `'#### (.+)'`."""
    shuffle_options: bool = False
    """Shuffle each item's options once, by the seed; for data that keeps the right one in a column of its own."""
    on_bad_item: Literal["error", "skip"] = "error"
    """An item without a usable answer stops the run, or is counted and skipped."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first so many items."""
    sample: int | None = Field(default=None, ge=1)
    """Only so many items, drawn by the seed."""

    @model_validator(mode="after")
    def _keys_fit_together(self) -> Self:
        if self.limit is not None and self.sample is not None:
            raise mistake(
                "`limit` takes the first items and `sample` draws among all; leave one of them out", key="sample"
            )
        if self.rows is not None and self.format not in ("auto", "json"):
            raise mistake(f"`rows` is for JSON files; with `format: {self.format}` leave it out", key="rows")
        for key, default in TABLE_KEYS.items():
            if getattr(self, key) != default and self.format in ("json", "jsonl"):
                raise mistake(f"`{key}` is for CSV and TSV; with `format: {self.format}` leave it out", key=key)
        return self


class ExampleKeys(Section):
    """What one few-shot example says."""

    question: Name
    """What it asks."""
    options: list[str] = Field(default_factory=list)
    """Its option texts."""
    answer: str | int
    """Its right answer: the text, the option's label, or the option's 0-based index."""


def _example(example: dict[str, Json]) -> dict[str, Json]:
    ExampleKeys.model_validate(example)
    return example


class PromptConfig(Section):
    """What is said around each question."""

    system: str | None = None
    """System prompt."""
    instruction: str | None = None
    """The task in words, above the question."""
    answer: str | None = None
    """The closing line that says how to answer; `{labels}` stands for the labels in use. Derived from the grader where
    not given; an empty text leaves it out."""
    template: Name | None = None
    """The whole user message, with `{question}`, `{options}`, `{context}`, `{instruction}`, `{examples}`, `{answer}`;
    each is filled once, verbatim."""
    examples: list[Annotated[dict[str, Json], AfterValidator(_example)]] = Field(default_factory=list)
    """Few-shot examples: `{question, options, answer}`."""


READS = {
    "pattern": ("regex", "numeric"),
    "tolerance": ("numeric",),
    "relative_tolerance": ("numeric",),
    "ignore_case": ("exact", "contains", "regex"),
    "ignore_punctuation": ("exact",),
    "callable": ("python",),
}
"""Which graders read which key."""
NEEDS = {"regex": "pattern", "python": "callable"}
"""The key that a grader can't do without."""


class GradeConfig(Section):
    """How a reply is judged."""

    grader: Literal["choice", "exact", "contains", "regex", "numeric", "python"]
    """`choice` reads the chosen option; `numeric` a number; `exact` and `contains` compare text; `regex` extracts;
    `python` asks your function."""
    pattern: Pattern | None = None
    """regex: the pattern whose first group (or whole match) is the answer; numeric: where the number stands."""
    tolerance: float = Field(default=0.0, ge=0)
    """numeric: absolute difference that still counts as equal."""
    relative_tolerance: float = Field(default=0.0, ge=0)
    """numeric: relative difference that still counts as equal."""
    ignore_case: bool = True
    """exact, contains, regex: upper and lower case are equal."""
    ignore_punctuation: bool = True
    """exact: punctuation at the ends does not count."""
    callable: FunctionName | None = None
    """python: `package.module:function` or `file.py:function`; given the reply's text and the row, it
    returns true or false."""
    count_as_fail: list[Literal["unparsed", "truncated", "refused"]] = ["unparsed", "truncated", "refused"]
    """Which of these statuses count as fail in the headline; the others are missing cells."""

    @model_validator(mode="after")
    def _has_what_its_grader_reads(self) -> Self:
        needed = NEEDS.get(self.grader)
        if needed and getattr(self, needed) is None:
            raise mistake(f"the grader `{self.grader}` needs `{needed}`", key="grader")
        for key, readers in READS.items():
            if self.grader not in readers and getattr(self, key) != type(self).model_fields[key].default:
                graders = " and ".join(f"`{reader}`" for reader in readers)
                raise mistake(f"only {graders} read this, and the grader is `{self.grader}`; leave it out", key=key)
        return self


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
    perturbations: list[Annotated[list[PerturbationConfig], Field(min_length=1)]] = Field(min_length=1)
    """The generators. Each entry is a name, `{name: {parameters}}`, or a list of these to be composed."""
    prompt: PromptConfig = PromptConfig()
    """What is said around each question."""
    grade: GradeConfig | None = None
    """The grader: a name or a block. `choice` where every item has options; must be given otherwise."""
    protect: list[Pattern] = Field(default_factory=list)
    """Regular expressions for text that no generator may change."""
    seed: int = 0
    """Decides every draw."""
    limits: LimitsConfig = LimitsConfig()
    """Concurrency and completeness."""
    analysis: AnalysisConfig = AnalysisConfig()
    """Significance level and margin."""
    store: Name | None = Field(default=None, repr=False)
    """Results database: a file or an SQLAlchemy URL. `prt.db` in the working directory where not given."""
    bundle: Name | None = None
    """A frozen bundle of variants (JSONL, by `prt perturb`) to use instead of generating."""
