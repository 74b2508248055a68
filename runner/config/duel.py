"""The config of a duel: two prompts, or two models, on the same items, compared in dimensions."""

from collections.abc import Iterator
from typing import Annotated, Literal, Self

from pydantic import Field, WithJsonSchema, model_validator
from pydantic import JsonValue as Json

from .dataset import DatasetConfig
from .limits import LimitsConfig, PricesConfig
from .models import CalledModel, known_by
from .pricing import Asked, PriceList, check_prices
from .schema import PromptConfig
from .section import Name, Names, Pattern, Section, mistake

RuleKind = Literal["length", "keyword", "json", "regex"]

RULE_READS: dict[str, tuple[RuleKind, ...]] = {
    "unit": ("length",),
    "min": ("length",),
    "max": ("length",),
    "wins": ("length",),
    "present": ("keyword",),
    "absent": ("keyword",),
    "ignore_case": ("keyword", "regex"),
    "json_schema": ("json",),
    "around": ("json",),
    "pattern": ("regex",),
    "found": ("regex",),
}
"""Which rules read which key."""


class RuleConfig(Section):
    """A rule that every answer can be held to without a model."""

    kind: RuleKind
    """`length`: how long an answer is; `keyword`: words that it must have or must not have; `json`: whether it is JSON,
    of a schema where one is given; `regex`: whether a pattern is found in it."""
    unit: Literal["words", "characters"] = "words"
    """length: what is counted. Words are what stands between white space."""
    min: int | None = Field(default=None, ge=1)
    """length: the fewest that pass."""
    max: int | None = Field(default=None, ge=0)
    """length: the most that pass."""
    wins: Literal["shorter", "longer"] | None = None
    """length: instead of bounds, which of two answers wins."""
    present: Names | None = None
    """keyword: all of these must stand in the answer, as whole words."""
    absent: Names | None = None
    """keyword: none of these may stand in it."""
    ignore_case: bool = True
    """keyword, regex: upper and lower case are equal."""
    json_schema: Name | Annotated[dict[str, Json], WithJsonSchema({"type": "object"})] | None = None
    """json: a JSON Schema that the value must fit: a file, relative to the config, or a block. Needs the extra
    `schema`."""
    around: bool = False
    """json: other text may stand around an object or a list; else the whole answer is one JSON value, in a fence at
    most."""
    pattern: Pattern | None = None
    """regex: the pattern."""
    found: bool = True
    """regex: whether an answer passes that has the pattern; `false`: one that doesn't."""

    @model_validator(mode="after")
    def _has_what_its_kind_reads(self) -> Self:
        for key, readers in RULE_READS.items():
            if self.kind not in readers and getattr(self, key) != type(self).model_fields[key].default:
                kinds = " or ".join(f"`{reader}`" for reader in readers)
                raise mistake(f"this is for {kinds}, and the rule is `{self.kind}`; leave it out", key=key)
        if self.kind == "length":
            self._check_length()
        if self.kind == "keyword" and self.present is None and self.absent is None:
            raise mistake("the rule `keyword` needs `present` or `absent`: the words", key="kind")
        if self.kind == "regex" and self.pattern is None:
            raise mistake("the rule `regex` needs `pattern`", key="kind")
        return self

    def _check_length(self) -> None:
        bounds = [bound for bound in (self.min, self.max) if bound is not None]
        if (self.wins is None) == (not bounds):
            raise mistake(
                "the rule `length` needs either `min` or `max`, or `wins: shorter` or `wins: longer`", key="kind"
            )
        if len(bounds) == 2 and bounds[0] > bounds[1]:
            raise mistake(f"no answer has at least {self.min} and at most {self.max}", key="min")


class DimensionConfig(Section):
    """One thing in which answers are compared."""

    id: Name
    """Its name, in reports."""
    description: Name
    """What is compared, in one sentence; a judge is told it."""
    grader: Literal["pairwise", "judge", "rule"] = "pairwise"
    """`pairwise`: a judge sees both answers, in both orders; `judge`: it sees one answer at a time and scores it;
    `rule`: no model is asked."""
    rubric: Name | None = None
    """pairwise, judge: what a good answer has, in as many words as it takes; a judge is told it too."""
    reference: bool = False
    """pairwise, judge: the judge is shown the dataset's answer."""
    verdict: Literal["score", "pass_fail"] = "score"
    """judge: what it gives each answer, a score from 0 to 1, or pass or fail."""
    rule: RuleConfig | None = None
    """rule: the rule."""

    @model_validator(mode="after")
    def _has_what_its_grader_reads(self) -> Self:
        if (self.grader == "rule") != (self.rule is not None):
            raise mistake("`rule` and `grader: rule` belong together; give both or neither", key="grader")
        read_by = {"rubric": ("pairwise", "judge"), "reference": ("pairwise", "judge"), "verdict": ("judge",)}
        for key, readers in read_by.items():
            if self.grader not in readers and getattr(self, key) != type(self).model_fields[key].default:
                graders = " or ".join(f"`{reader}`" for reader in readers)
                raise mistake(f"this is for {graders}, and the grader is `{self.grader}`; leave it out", key=key)
        return self


class DuelPrompts(Section):
    """The two prompts that are compared."""

    baseline: PromptConfig
    """The prompt as it is."""
    candidate: PromptConfig
    """The prompt that may take its place."""


class DuelModels(Section):
    """The two models that are compared."""

    baseline: CalledModel
    """The model as it is: `local`, or a block with `provider`."""
    candidate: CalledModel
    """The model that may take its place: `local`, or a block with `provider`."""


class DuelConfig(Section):
    """A whole duel: two prompts of one model, or two models with one prompt."""

    name: Name = "duel"
    """Name of the duel; the config file's name where not given."""
    model: CalledModel | None = None
    """The model that answers under both prompts. `local`, or a block with `provider`."""
    prompts: DuelPrompts | None = None
    """The prompts that are compared; they need `model`."""
    models: DuelModels | None = None
    """The models that are compared, in place of `model` and `prompts`."""
    prompt: PromptConfig = PromptConfig()
    """What is said around each question, where models are compared."""
    dataset: DatasetConfig
    """The items: a path, or a block. Right answers are read where rows have them; a dimension with `reference` needs
    them."""
    dimensions: list[DimensionConfig] = Field(min_length=1)
    """What is compared; each has a verdict of its own."""
    judge: CalledModel | None = None
    """The model that judges, where a dimension needs one: `local`, or a block with `provider`."""
    same_model: bool = False
    """Whether the judge may be the model whose answers it judges, which favours its own."""
    alpha: float = Field(default=0.05, gt=0, lt=1)
    """Significance level over all dimensions together (Holm); intervals have level 1 − alpha."""
    margin: float = Field(default=0.05, gt=0, lt=0.5)
    """How far a win rate may lie from one half and still be TIED."""
    failures: int = Field(default=3, ge=0, le=100)
    """How many lost queries are shown of each losing dimension, with both answers."""
    seed: int = 0
    """Decides which items a `sample` takes."""
    limits: LimitsConfig = LimitsConfig()
    """Concurrency, budgets and completeness."""
    prices: PricesConfig | None = None
    """What the tokens of the models that are compared cost, where their own blocks don't say; for `prt plan`,
    `limits.max_cost` and the last lines. The judge has `prices` in its own block."""
    store: Name | None = Field(default=None, repr=False)
    """Results database: a file, relative to the config file, or an SQLAlchemy URL; `prt.db` in the working directory
    where not given."""

    @model_validator(mode="after")
    def _compares_one_thing(self) -> Self:
        if (self.prompts is None) == (self.models is None):
            raise mistake("a duel compares either two `prompts` of one `model`, or two `models`; give one of both")
        if self.prompts is not None and self.model is None:
            raise mistake("`prompts` need the one `model` that answers under both", key="prompts")
        if self.models is not None and self.model is not None:
            raise mistake("`models` names both models; leave `model` out", key="model")
        if self.prompts is not None and self.prompt != PromptConfig():
            raise mistake("`prompts` holds both prompts; leave `prompt` out", key="prompt")
        if self.prompts is not None and self.prompts.baseline == self.prompts.candidate:
            raise mistake("both prompts are the same, so there is nothing to compare", key="prompts")
        if self.models is not None and self.models.baseline == self.models.candidate:
            raise mistake("both models are the same, so there is nothing to compare", key="models")
        return self

    @model_validator(mode="after")
    def _dimensions_can_be_judged(self) -> Self:
        ids = [dimension.id for dimension in self.dimensions]
        if twice := next((name for name in ids if ids.count(name) > 1), None):
            raise mistake(f"two dimensions have the id `{twice}`; each has its own", key="dimensions")
        judged = [dimension.id for dimension in self.dimensions if dimension.grader != "rule"]
        if judged and self.judge is None:
            raise mistake(f"the dimension `{judged[0]}` needs `judge`, the model that judges", key="dimensions")
        if self.judge is not None and not judged:
            raise mistake("every dimension has a rule, so no judge is asked; leave it out", key="judge")
        return self

    @model_validator(mode="after")
    def _costs_can_be_added_up_and_bounded(self) -> Self:
        judge = [] if self.judge is None else [Asked("the judge", "judge", self.judge)]
        check_prices(self.price_list, self.limits, [*self._sides(), *judge])
        return self

    @property
    def price_list(self) -> PriceList:
        """What the tokens of each model cost."""
        others = [] if self.judge is None else [self.judge]
        return PriceList.of([each.model for each in self._sides()], self.prices, others)

    def _sides(self) -> Iterator[Asked]:
        """The models whose answers are compared."""
        if self.model is not None:
            yield Asked("the model that answers", "model", self.model)
        if self.models is not None:
            yield Asked("the baseline's model", "models", self.models.baseline)
            yield Asked("the candidate's model", "models", self.models.candidate)

    @model_validator(mode="after")
    def _judge_is_no_party(self) -> Self:
        parties = [self.model] if self.models is None else [self.models.baseline, self.models.candidate]
        if self.judge is not None and not self.same_model:
            seen = [known_by(self.judge)]
            if any(party is not None and known_by(party) in seen for party in parties):
                raise mistake(
                    "the judge is the model whose answers it judges, and models favour their own; name another, or say "
                    "`same_model: true`",
                    key="judge",
                )
        return self
