"""The config: what a YAML file may say, as frozen pydantic models. Reading the file is `loading.py`'s job.

A short form (`typo`) and its long form (`typo: {severity: medium}`) mean the same. A key means one thing in the config,
the database, the JSON report and the code. Every default is here (with `config_dataset.py`, `config_models.py`
and `config_generators.py`) and nowhere else.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, WithJsonSchema, field_validator, model_validator
from pydantic import JsonValue as Json

from ...perturbations.question import Question
from ...perturbations.rendering.template import FIELDS, template_problems
from .dataset import DatasetConfig, FieldsConfig, FilterTest, FixedOptions, InsideOptions, SplitOptions
from .gates import GateConfig
from .generators import (
    GENERATORS,
    ControlConfig,
    FormatConfig,
    GeneratorConfig,
    GeneratorName,
    NoiseConfig,
    ParaphraseConfig,
    PerturbationConfig,
    PythonGeneratorConfig,
    ReorderConfig,
    RerunConfig,
    StyleConfig,
    TypoConfig,
    control_alone,
)
from .impact import ImpactConfig
from .limits import LimitsConfig, PricesConfig, completion_limit
from .models import (
    PROVIDERS,
    CalledModel,
    HttpModel,
    LocalModel,
    ModelConfig,
    ModelSection,
    OpenAIModel,
    PythonModel,
    ReplayModel,
    RetryConfig,
    known_by,
)
from .nightly import NightlyConfig
from .pricing import Asked, PriceList, check_prices
from .report import ReportConfig
from .section import FunctionName, Name, Names, Pattern, SchemaOf, Section, mistake

__all__ = [
    "GENERATORS",
    "PROVIDERS",
    "AnalysisConfig",
    "Config",
    "ControlConfig",
    "DatasetConfig",
    "ExampleKeys",
    "FieldsConfig",
    "FilterTest",
    "FixedOptions",
    "FormatConfig",
    "GateConfig",
    "GeneratorConfig",
    "GeneratorName",
    "GradeConfig",
    "HttpModel",
    "ImpactConfig",
    "InsideOptions",
    "Json",
    "LimitsConfig",
    "LocalModel",
    "ModelConfig",
    "ModelSection",
    "Name",
    "NightlyConfig",
    "NoiseConfig",
    "OpenAIModel",
    "ParaphraseConfig",
    "PerturbationConfig",
    "PricesConfig",
    "PromptConfig",
    "PythonGeneratorConfig",
    "PythonModel",
    "ReorderConfig",
    "ReplayModel",
    "ReportConfig",
    "RerunConfig",
    "RetryConfig",
    "RubricFile",
    "Section",
    "SplitOptions",
    "StyleConfig",
    "TypoConfig",
]


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


TESTED = ("model", "nightly")
"""Keys of the config that hold models under test."""
LABEL_FIELDS = ("labels", "label_range")
"""Fields of the closing line."""
_TEMPLATE_ONLY = tuple(name for name in FIELDS if name != "answer")
_BRACED = re.compile(r"(?<![\w{])\{(\w+)\}")  # but no argument of LaTeX, as in \boxed{answer}


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
    examples: list[Annotated[dict[str, Json], AfterValidator(_example), SchemaOf(ExampleKeys)]] = Field(
        default_factory=list
    )
    """Few-shot examples: `{question, options, answer}`."""

    @field_validator("system", "instruction", "answer")
    @classmethod
    def _no_field_that_stays(cls, text: str | None, given: ValidationInfo) -> str | None:
        filled = LABEL_FIELDS if given.field_name == "answer" else ()
        for name in (found[1] for found in _BRACED.finditer(text or "")):
            if name in LABEL_FIELDS and name not in filled:
                raise mistake(f"`{{{name}}}` would stay as it is written here; it is filled in `prompt.answer` only")
            if name in _TEMPLATE_ONLY:
                raise mistake(f"`{{{name}}}` would stay as it is written here; it is filled in `prompt.template` only")
        return text

    @field_validator("template")
    @classmethod
    def _only_known_fields(cls, template: str | None) -> str | None:
        problems = template_problems(template, Question(text="?")) if template else ()
        if problems:
            raise mistake(
                "this template can't be filled", detail=" ".join(problems).replace("The template", "it").rstrip(".")
            )
        return template


READS = {
    "pattern": ("regex", "numeric"),
    "tolerance": ("numeric", "json"),
    "relative_tolerance": ("numeric", "json"),
    "decimal": ("numeric",),
    "labels": ("label",),
    "partial": ("multi",),
    "json_schema": ("json",),
    "fields": ("json",),
    "ignore_case": ("exact", "contains", "regex"),
    "ignore_accents": ("exact", "contains", "regex"),
    "ignore_punctuation": ("exact",),
    "callable": ("python",),
    "allow_execution": ("code",),
    "tests": ("code",),
    "entry_point": ("code",),
    "stub": ("code",),
    "solutions": ("code",),
    "time_limit_s": ("code",),
    "memory_limit_mb": ("code",),
    "graders": ("any_of",),
    "rubric": ("judge",),
    "model": ("judge",),
    "verdict": ("judge",),
    "threshold": ("judge",),
    "reference": ("judge",),
    "context": ("judge",),
    "structured": ("judge",),
    "same_model": ("judge",),
}
"""Which graders read which key."""
NEEDS = {"regex": "pattern", "python": "callable", "label": "labels", "any_of": "graders", "judge": "rubric"}
"""The key that a grader can't do without."""
EXAMPLES = {
    "regex": "{grader: regex, pattern: 'Answer: (.+)'}",
    "python": "{grader: python, callable: 'checks.py:right'}",
    "label": "{grader: label, labels: [positive, negative]}",
    "any_of": "[numeric, exact]",
    "judge": "{grader: judge, rubric: 'It names the refund period.', model: {name: gpt-4.1}}",
}
"""What each of these is written like."""


class GraderKeys(Section):
    """One grader and its parameters."""

    grader: Literal[
        "choice",
        "multi",
        "label",
        "exact",
        "contains",
        "regex",
        "numeric",
        "json",
        "code",
        "python",
        "any_of",
        "judge",
    ]
    """`choice` reads the chosen option, `multi` all that are chosen; `label` one of your labels; `numeric` a number;
    `exact` and `contains` compare text; `regex` extracts; `json` compares JSON; `code` runs tests; `python` asks your
    function; `any_of` passes what one of several graders passes; `judge` asks another model."""
    labels: Names | None = None
    """label: the labels, one of which is right for each item."""
    partial: bool = False
    """multi: some of the right options are enough, as long as no wrong one is chosen."""
    json_schema: Name | Annotated[dict[str, Json], WithJsonSchema({"type": "object"})] | None = None
    """json: a JSON Schema that the reply's value must fit: a file, relative to the config, or a block. Needs the extra
    `schema`."""
    fields: list[Name] | None = None
    """json: the paths whose values are compared, such as `total` or `items[].sku`; the whole value where not given. An
    empty list compares nothing but the schema."""
    pattern: Pattern | None = None
    """regex: the pattern whose first group (or whole match) is the answer; numeric: where the number stands."""
    tolerance: float = Field(default=0.0, ge=0)
    """numeric, json: absolute difference of numbers that still counts as equal."""
    relative_tolerance: float = Field(default=0.0, ge=0, lt=1)
    """numeric, json: relative difference of numbers that still counts as equal; .01 is one percent."""
    decimal: Literal["auto", "point", "comma"] = "auto"
    """numeric: the decimal mark, for numbers such as `1.234` that can be read in two ways. `auto` reads this as about
    one and `1,234` as more than a thousand; where only the other reading is right, the reply is `unparsed`."""
    ignore_case: bool = True
    """exact, contains, regex: upper and lower case are equal."""
    ignore_accents: bool = False
    """exact, contains, regex: letters with and without accents are equal, as é and e."""
    ignore_punctuation: bool = True
    """exact: punctuation at the ends does not count."""
    callable: FunctionName | None = None
    """python: `package.module:function` or `file.py:function`; given the reply's text and the row, it
    returns true or false."""
    allow_execution: bool | Literal["unprotected"] = False
    """code: must be `true`, since it runs what a model wrote; `unprotected` where this machine can't keep that from
    files and the network."""
    tests: Name | Names = "test"
    """code: the path of a row's tests, or several: texts of Python, or lists of them, run after the reply's code."""
    entry_point: Name = "entry_point"
    """code: the path of the name that the reply's code must define; a `check` in the tests is called with it."""
    stub: Name = "prompt"
    """code: the path of code that the reply goes on from, such as a function's head; replies may also repeat it."""
    solutions: bool = True
    """code: whether the dataset's answers are code that passes; false where they are something else."""
    time_limit_s: float = Field(default=5.0, gt=0, le=600)
    """code: seconds that the code of a reply may run."""
    memory_limit_mb: int = Field(default=1024, ge=64, le=65536)
    """code: memory that it may take, in MiB."""
    count_as_fail: list[Literal["unparsed", "truncated", "refused"]] = ["unparsed", "truncated", "refused"]
    """Which of these statuses count as fail in the headline; the others are missing cells."""

    @model_validator(mode="after")
    def _has_what_its_grader_reads(self) -> Self:
        needed = NEEDS.get(self.grader)
        if needed and getattr(self, needed, None) is None:
            text = f"the grader `{self.grader}` needs `{needed}`, such as `{EXAMPLES[self.grader]}`"
            raise mistake(text, key="grader")
        for key, readers in READS.items():
            field = type(self).model_fields.get(key)
            if field and self.grader not in readers and getattr(self, key) != field.default:
                graders = " or ".join(f"`{reader}`" for reader in readers)
                raise mistake(f"this is for {graders}, and the grader is `{self.grader}`; leave it out", key=key)
        if self.labels is not None and len(self.labels) < 2:
            raise mistake("a set of labels to choose from has two or more", key="labels")
        if self.fields == [] and self.json_schema is None:
            raise mistake("with no fields and no `json_schema` nothing is compared", key="fields")
        return self


def _member(member: dict[str, Json]) -> dict[str, Json]:
    if member.get("grader") == "any_of":
        raise mistake("`any_of` stands within `any_of`; list all graders in one", key="grader")
    if member.get("grader") == "judge":
        raise mistake("a judge is asked after the run, so it stands alone; write it as `grade: judge`", key="grader")
    if "count_as_fail" in member:
        raise mistake("this belongs to `any_of` as a whole; write it beside `graders`", key="count_as_fail")
    GraderKeys.model_validate(member)
    return member


class RubricFile(Section):
    """A rubric that stands in a file."""

    file: Name
    """A text file in UTF-8, relative to the config."""


class GradeConfig(GraderKeys):
    """How a reply is judged."""

    graders: (
        Annotated[
            list[Annotated[dict[str, Json], AfterValidator(_member), SchemaOf(GraderKeys)]],
            Field(min_length=1),
        ]
        | None
    ) = None
    """any_of: the graders, each a name or a block as this one."""
    rubric: Name | RubricFile | None = None
    """judge: what makes an answer pass, in your own words; `{file: rubric.md}` for a text that stands in a file."""
    model: CalledModel | None = None
    """judge: the model that judges, another one than the model under test."""
    verdict: Literal["pass_fail", "score"] = "pass_fail"
    """judge: what it gives an answer: pass or fail, or a score from 0 to 1."""
    threshold: float = Field(default=0.5, gt=0, le=1)
    """judge: the lowest score that passes, with `verdict: score`."""
    reference: bool = True
    """judge: it is shown the dataset's right answer, which every row must have then; `false`: it is shown none."""
    context: Name | None = None
    """judge: the path of a row's ground truth that it is shown, a text or a list of texts."""
    structured: bool | None = None
    """judge: whether its endpoint is asked for JSON of a schema (`response_format`); where not given, OpenAI's own
    is, and a local model. Without it the verdict is read from text."""
    same_model: bool = False
    """judge: whether it may be the model under test, which favours its own answers."""

    @model_validator(mode="after")
    def _a_judge_can_be_asked(self) -> Self:
        if self.grader != "judge":
            return self
        if self.model is None:
            raise mistake("a judge needs `model`, another one than the model under test", key="grader")
        if self.model.provider == "replay":
            raise mistake("a file of replies judges nothing new; name a model", key="model")
        if self.verdict == "pass_fail" and self.threshold != type(self).model_fields["threshold"].default:
            raise mistake("this is for `verdict: score`; leave it out, or add that", key="threshold")
        if isinstance(self.rubric, str) and re.fullmatch(r"\S+\.(?:md|txt)", self.rubric):
            raise mistake("this looks like the name of a file; write `rubric: {file: …}` if it is", key="rubric")
        return self


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
    perturbations: list[Annotated[list[PerturbationConfig], Field(min_length=1), AfterValidator(control_alone)]] = (
        Field(min_length=1)
    )
    """The generators. Each entry is a name, `{name: {parameters}}`, or a list of these to be composed; `mild`, `medium`
    or `hard` alone is a whole list. `rerun` is added where replies may vary by themselves: see there."""
    prompt: PromptConfig = PromptConfig()
    """What is said around each question."""
    grade: GradeConfig | None = None
    """The grader: a name or a block. `choice` where every item has options; must be given otherwise."""
    protect: list[Pattern] = Field(default_factory=list)
    """Regular expressions for text that no generator may change."""
    repeats: int = Field(default=1, ge=1, le=1000)
    """How often each prompt is asked. More than one tells the model's own noise from what the wording does."""
    reuse: list[Literal["refused", "truncated", "empty", "error"]] = Field(default_factory=list)
    """Replies of other runs to take though they hold no answer: those that decline, were cut off, are empty, or failed.
    By default such prompts are asked again; a run's own replies stay, but for failed calls, which `error` keeps too."""
    seed: int = 0
    """Decides every draw."""
    limits: LimitsConfig = LimitsConfig()
    """Concurrency, budgets and completeness."""
    analysis: AnalysisConfig = AnalysisConfig()
    """Significance level and margin."""
    gates: list[GateConfig] = Field(default_factory=list)
    """What the run must show: a gate that fails ends the command with exit code 1 (docs/gates.md)."""
    prices: PricesConfig | None = None
    """What the tokens of the model under test cost: `prt plan`, `limits.max_cost`, the last lines of a run and its
    report reckon with it. Another model, such as a judge, has `prices` in its own block."""
    impact: ImpactConfig | None = None
    """What a change in quality means for a day's requests, as `prt compare` reckons it: docs/compare.md."""
    store: Name | None = Field(default=None, repr=False)
    """Results database: a file, relative to the config file, or an SQLAlchemy URL; `prt.db` in the working directory
    where not given."""
    nightly: NightlyConfig = NightlyConfig()
    """What `prt night` does with this config every night: docs/nightly.md."""
    report: ReportConfig = ReportConfig()
    """The report as a page in HTML: whether and where `prt run` writes it, and how much of the texts it holds."""
    bundle: Name | None = None
    """A frozen bundle of variants (JSONL, by `prt perturb`) to use instead of generating. It must have been made by the
    `seed` and the `perturbations` that the config has; `prt perturb` writes it anew."""

    @model_validator(mode="after")
    def _costs_can_be_added_up_and_bounded(self) -> Self:
        check_prices(self.price_list, self.limits, [*self._asked()])
        return self

    @property
    def price_list(self) -> PriceList:
        """What the tokens of each model cost."""
        asked = [*self._asked()]
        tested = [each.model for each in asked if each.key in TESTED]
        return PriceList.of(tested, self.prices, [each.model for each in asked if each.key not in TESTED])

    def _asked(self) -> Iterator[Asked]:
        """All models that may be asked."""
        yield Asked("the model under test", "model", self.model)
        if self.nightly.reference_model is not None:
            yield Asked("the reference model", "nightly", self.nightly.reference_model)
        if self.grade is not None and self.grade.model is not None:
            yield Asked("the judge", "grade", self.grade.model)
        for step in (step.config for entry in self.perturbations for step in entry):
            if isinstance(step, ParaphraseConfig):
                named = (("the model that writes paraphrases", step.model), ("the judge of paraphrases", step.judge))
                yield from (Asked(who, "perturbations", model) for who, model in named if model is not None)

    @model_validator(mode="after")
    def _weights_are_of_its_perturbations(self) -> Self:
        if self.impact is not None:
            names = {"+".join(step.name for step in entry) for entry in self.perturbations}
            if fault := self.impact.unknown(names):
                raise mistake(fault, key="impact")
        return self

    @model_validator(mode="after")
    def _what_a_batch_uses_is_bounded(self) -> Self:
        budgets = [key for key in ("max_tokens", "max_cost") if getattr(self.limits, key) is not None]
        if budgets and self._in_batches and completion_limit(getattr(self.model, "params", {})) is None:
            raise mistake(
                f"`limits.{budgets[0]}` in batches needs a token limit among `model.params`, such as "
                "`max_completion_tokens: 64`, since all of a batch is sent before its first answer is known",
                key="limits",
            )
        return self

    @property
    def asked_prices(self) -> PricesConfig | None:
        """What the tokens of the model under test cost, the way that it is asked."""
        prices = self.price_list.price(self.model)
        return prices.in_batches if prices is not None and self._in_batches else prices

    @property
    def _in_batches(self) -> bool:
        return isinstance(self.model, OpenAIModel) and self.model.mode == "batch"

    @model_validator(mode="after")
    def _judge_is_no_party(self) -> Self:
        judge = self.grade.model if self.grade is not None and not self.grade.same_model else None
        if judge is not None and known_by(judge) == known_by(self.model):
            raise mistake(
                "the judge is the model under test, and models favour their own answers; name another, or say "
                "`same_model: true`",
                key="grade",
            )
        return self

    @model_validator(mode="after")
    def _a_required_review_stands_in_a_bundle(self) -> Self:
        steps = [step.config for entry in self.perturbations for step in entry]
        required = any(getattr(step, "review", "") == "required" for step in steps)
        frozen = self.bundle is not None or any(getattr(step, "kind", "") == "llm" for step in steps)
        if required and not frozen:
            raise mistake("`review: required` needs `bundle`, the file that holds the reviews", key="perturbations")
        return self
