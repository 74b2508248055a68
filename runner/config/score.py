"""The config of `prt score`: the settings of the robustness score, and the models that it takes."""

from typing import Literal, Self

from pydantic import Field, model_validator

from .generators import given_params
from .limits import LimitsConfig, PricesConfig
from .models import CalledModel, LocalModel, ModelConfig, OpenAIModel, known_by
from .pricing import Asked, PriceList, check_prices
from .section import Name, Section, mistake

VariantKind = Literal["typo", "paraphrase", "style", "format", "noise"]
KINDS: list[VariantKind] = ["typo", "paraphrase", "style", "format", "noise"]
METRIC_NAME = "robustness_score"


class ScoreSettings(Section):
    """The settings of the robustness score."""

    metric_name: Name = METRIC_NAME
    """What the score is called in the output."""
    num_pairs: int = Field(default=3, ge=1, le=32)
    """How many perturbed variants are made of each row; each makes a pair with the original."""
    n_sut_retries: int = Field(default=0, ge=0, le=5)
    """How often the system under test is asked again where a call fails or its answer is empty or cut off, beside the
    retries of its own block."""
    sut_temperature: float = Field(default=0.7, ge=0, le=2)
    """Temperature of the system under test, where it is an endpoint or the local model. Where it is not given, the
    `params` of its block come first."""
    synthesis_temperature: float = Field(default=0.0, ge=0, le=2)
    """Temperature of the generator, which writes paraphrases and reference answers."""
    sub_call_concurrency_limit: int = Field(default=5, ge=1, le=64)
    """Calls of one row that are in flight at once."""
    timeout_seconds: float = Field(default=60.0, gt=0)
    """Seconds that one attempt of a call may take; a `timeout_s` in the block of a model comes first."""
    reference_answer: Name | None = None
    """A right answer to every row that has no column `reference_answer`. Where there is neither, the generator writes
    one."""
    groundtruth_context: Name | None = None
    """What answers may rely on, for every row that has no column `groundtruth_context`; a row's `context` comes
    next."""
    inverted: bool = False
    """Whether the score is turned round, to max + min − score: the higher, the more fragile."""
    min: float = Field(default=0.0, allow_inf_nan=False)
    """What a score of nothing robust is written as."""
    max: float = Field(default=1.0, allow_inf_nan=False)
    """What a score of all robust is written as."""
    weight: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    """What a row counts in the pooled score, where it has no column `weight`. A row of weight 0 is scored, and counts
    nothing."""

    @model_validator(mode="after")
    def _the_range_is_one(self) -> Self:
        if self.min >= self.max:
            raise mistake(f"`min` ({self.min:g}) must be less than `max` ({self.max:g})", key="min")
        return self

    @property
    def direction(self) -> Literal["higher_is_better", "lower_is_better"]:
        """Which scores are the good ones."""
        return "lower_is_better" if self.inverted else "higher_is_better"

    def scaled(self, score: float) -> float:
        """A score from 0 to 1 as it is written: between `min` and `max`, turned round where it is inverted."""
        share = 1.0 - score if self.inverted else score
        return self.min * (1.0 - share) + self.max * share


class ScoreConfig(ScoreSettings):
    """All that `prt score` takes: settings, and for rows the models."""

    name: Name = "score"
    """Name of the work in the results database; the config file's name where not given."""
    sut: CalledModel | None = None
    """The system under test. `local`, or a block with `provider`."""
    judge: CalledModel | None = None
    """The model that judges, another one than the system under test. `local`, or a block with `provider`."""
    generator: CalledModel | None = None
    """The model that writes paraphrases and reference answers; the judge where not given."""
    same_model: bool = False
    """Whether the judge may be the system under test, which favours its own answers."""
    perturbations: list[VariantKind] = Field(default=KINDS, min_length=1)
    """Kinds of variants, taken in turn; one that does not apply to a row makes room for the next."""
    seed: int = 0
    """Decides the variants, and the draws behind the interval."""
    batch_rows: int = Field(default=5_000, ge=1)
    """Rows that are read at once."""
    rows_at_once: int = Field(default=8, ge=1, le=256)
    """Rows that are scored at once."""
    total_seconds: float = Field(default=21_600.0, gt=0)
    """Seconds for all rows; those that are left then have no score, and the same command goes on."""
    limits: LimitsConfig = LimitsConfig()
    """Concurrency and budgets of all models together; `max_error_rate` means nothing here."""
    prices: PricesConfig | None = None
    """What the tokens of the system under test cost, for `prt plan`, `limits.max_cost` and the summary. Judge and
    generator have `prices` in their own blocks."""
    store: Name | None = Field(default=None, repr=False)
    """Results database, where replies are kept: a file, relative to the config file, or an SQLAlchemy URL; `prt.db` in
    the working directory where not given."""

    @model_validator(mode="after")
    def _models_can_be_asked(self) -> Self:
        for key in ("sut", "judge", "generator"):
            model = getattr(self, key)
            if model is not None and model.provider == "replay":
                raise mistake("a file of replies has no answer to variants that are yet to be made", key=key)
        both = self.sut, self.judge
        if None not in both and not self.same_model and len({known_by(each) for each in both if each}) == 1:
            raise mistake(
                "the judge is the system under test, and models favour their own answers; name another, or say "
                "`same_model: true`",
                key="judge",
            )
        return self

    @model_validator(mode="after")
    def _costs_can_be_added_up_and_bounded(self) -> Self:
        roles = ("sut", "the system under test"), ("judge", "the judge"), ("generator", "the generator")
        named = ((who, key, getattr(self, key)) for key, who in roles)
        check_prices(self.price_list, self.limits, [Asked(*each) for each in named if each[-1] is not None])
        return self

    @property
    def price_list(self) -> PriceList:
        """What the tokens of each model cost."""
        tested, others = ([self.sut], [self.judge, self.generator])
        return PriceList.of(filter(None, tested), self.prices, filter(None, others))

    @property
    def writer(self) -> ModelConfig | None:
        """The model that writes paraphrases and references."""
        return self.generator or self.judge

    def sut_params(self) -> dict[str, float]:
        """What is sent to the system under test besides its own parameters: the temperature, where it takes one."""
        if not isinstance(self.sut, OpenAIModel | LocalModel):
            return {}
        own = given_params(self.sut)
        is_left = "sut_temperature" not in self.model_fields_set and "temperature" in own
        return {} if is_left else {"temperature": self.sut_temperature}

    def writer_params(self) -> dict[str, float]:
        """The same for the generator."""
        takes = isinstance(self.writer, OpenAIModel | LocalModel)
        return {"temperature": self.synthesis_temperature} if takes else {}


def timed(model: ModelConfig, timeout_seconds: float) -> ModelConfig:
    """A model whose attempts may take so long, unless its block says how long."""
    if "timeout_s" in model.model_fields_set:
        return model
    total = max(model.total_timeout_s, timeout_seconds)
    return model.model_copy(update={"timeout_s": timeout_seconds, "total_timeout_s": total})
