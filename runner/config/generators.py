"""The `perturbations:` block: one section a generator."""

from typing import Annotated, Literal, Self

from pydantic import Field, ValidationInfo, ValidatorFunctionWrapHandler, field_validator, model_validator
from pydantic import JsonValue as Json

from ...perturbations.generators.kinds import (
    EXTREME,
    PART_KINDS,
    REACH,
    UNRATED_KINDS,
    FormatKind,
    NoiseKind,
    ReorderKind,
    ReorderPart,
    StyleKind,
)
from ..suggest import listed
from .models import CalledModel, LocalModel, ModelConfig, OpenAIModel, ReplayModel
from .section import FunctionName, Name, Section, mistake

PartName = Literal["text", "instruction", "context", "system"]
ReviewNeed = Literal["optional", "required"]


class ReorderConfig(Section):
    """Another order of the options, the few-shot examples or the passages (tier: guaranteed)."""

    of: ReorderPart = "options"
    """What changes places: `options`, `examples` (few-shot) or `context`. Ask for `context` where the passages are
    independent of one another."""
    kind: ReorderKind = "balanced"
    """`balanced` gives the right option a slot drawn evenly; `cyclic` rotates; `each_slot` puts the right option into
    every slot in turn (as many variants as options); `length` and `alphabet` sort. Examples and passages take `random`,
    their default, `reverse` or `cyclic`."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""

    @model_validator(mode="before")
    @classmethod
    def _what_changes_places_has_a_kind_of_its_own(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("of", "options") != "options":
            return {"kind": PART_KINDS[0], **data}
        return data

    @model_validator(mode="after")
    def _orders_of_options_are_for_options(self) -> Self:
        if self.of != "options" and self.kind not in PART_KINDS:
            raise mistake(
                f"`{self.kind}` is an order of options; for `of: {self.of}` choose {listed(PART_KINDS)}", key="kind"
            )
        return self

    @model_validator(mode="after")
    def _each_slot_counts_for_itself(self) -> Self:
        if self.kind == "each_slot" and self.variants != 1:
            raise mistake(
                "`each_slot` makes as many variants as an item has options; leave `variants` out", key="variants"
            )
        return self


class FormatConfig(Section):
    """Another way to write the same parts out (tier: guaranteed; of `extreme` kinds: stress)."""

    severity: Literal["mild", "medium", "hard"] = "medium"
    """What may change: `mild` separators and the case of names, `medium` labels and the option separator too, `hard`
    the markup too."""
    kind: Annotated[list[FormatKind], Field(min_length=1)] | None = None
    """The kinds themselves, instead of a severity; a variant draws among them. `extreme` stands alone: layouts such as
    everything in one line, whose tier is stress."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""

    @model_validator(mode="after")
    def _severity_or_kind(self) -> Self:
        if self.kind is not None and self.severity != "medium":
            raise mistake("`kind` stands instead of `severity`; leave one of them out", key="kind")
        if self.kind is not None and EXTREME in self.kind and len(set(self.kind)) > 1:
            apart = "list them apart, `- format: {kind: [extreme]}`"
            raise mistake(f"`extreme` layouts are of the tier stress, and other kinds are not; {apart}", key="kind")
        return self


OF_LLM = ("model", "judge", "self_judge", "temperature", "attempts", "formality")
"""The keys of `paraphrase` that say how a model is asked."""


class ParaphraseConfig(Section):
    """Other words for the same request (tier: checked)."""

    kind: Literal["frames", "file", "llm"] = "frames"
    """`frames` rewords the instruction and the frame of the question, offline; `file` takes yours, and is implied by
    the key `file`; `llm` lets a model reword the question, and is implied by the key `model`. What a model writes is
    validated and frozen into the bundle before anything is scored."""
    file: Name | None = None
    """JSONL of yours: `{id, text}` rows (further rows of an id are further variants), optionally `instruction`;
    relative to the config file."""
    model: CalledModel | None = None
    """llm: the model that writes; the model under test where not given."""
    temperature: float | None = Field(default=0.7, ge=0, le=2)
    """llm: its temperature, instead of one in its `params`; null leaves it to the endpoint. For `openai` and `local`
    only."""
    attempts: int = Field(default=4, ge=1, le=20)
    """llm: how many proposals for one variant may fail the validators before it counts as rejected."""
    formality: Literal["kept", "formal", "informal"] = "kept"
    """llm: rewords in the question's own tone, or formally, or informally."""
    judge: CalledModel | None = None
    """llm: another model that is asked whether a proposal asks the same, after all other validators; none where not
    given."""
    self_judge: bool = False
    """llm: accept a judge that is the paraphraser itself, which tends to approve of its own words."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""
    review: ReviewNeed = "optional"
    """`required` asks only what a person accepted in the bundle (`prt perturb --review`); `optional` asks all but what
    a person rejected there."""

    @model_validator(mode="before")
    @classmethod
    def _a_file_or_a_model_says_its_kind(cls, data: object) -> object:
        for key, kind in (("file", "file"), ("model", "llm")):
            if isinstance(data, dict) and data.get(key) is not None:
                return {"kind": kind, **data}
        return data

    @model_validator(mode="after")
    def _a_file_where_one_is_meant(self) -> Self:
        if self.kind == "file" and self.file is None:
            raise mistake("`kind: file` needs `file`, a JSONL file with your paraphrases", key="kind")
        if self.kind != "file" and self.file is not None:
            raise mistake(f"`kind: {self.kind}` reads no file; leave `kind` out, or leave `file` out", key="kind")
        return self

    @model_validator(mode="after")
    def _how_a_model_is_asked_where_one_is(self) -> Self:
        stray = [key for key in OF_LLM if getattr(self, key) != type(self).model_fields[key].default]
        if self.kind != "llm" and stray:
            only = f"this is for `kind: llm`, and the kind is `{self.kind}`; say `kind: llm`, or leave this out"
            raise mistake(only, key=stray[0])
        for key in ("model", "judge"):
            if isinstance(getattr(self, key), ReplayModel):
                raise mistake("a file of replies can't be asked; `file` takes paraphrases of yours", key=key)
        if self.self_judge and self.judge is None:
            raise mistake("there is no `judge`; name it, or leave this out", key="self_judge")
        return self

    @model_validator(mode="after")
    def _the_temperature_is_said_once_and_makes_a_difference(self) -> Self:
        samples = self.model is None or isinstance(self.model, OpenAIModel | LocalModel)
        if self.model is not None and "temperature" in given_params(self.model):
            raise mistake("`temperature` stands beside `model`: `paraphrase: {temperature: 0.7}`", key="model")
        if not samples and self.temperature not in {None, type(self).model_fields["temperature"].default}:
            raise mistake("an application sets its own temperature; leave this out", key="temperature")
        if samples and self.temperature == 0 and (self.attempts > 1 or self.variants > 1):
            which = "attempts" if self.attempts > 1 else "variants"
            raise mistake(f"with a temperature of 0 every proposal is the same; write `{which}: 1`", key="temperature")
        return self


def given_params(model: ModelConfig) -> dict[str, Json]:
    """The parameters that a model's block says of itself, without those that every local model has by default."""
    if not isinstance(model, OpenAIModel | LocalModel):
        return {}
    default = type(model).model_fields["params"].get_default(call_default_factory=True)
    return {} if model.params == default else model.params


class TypoConfig(Section):
    """Typing mistakes (tier: checked)."""

    severity: Literal["mild", "medium", "hard"] = "mild"
    """Share of eligible words with one mistake: .05, .10, .20."""
    rate: float | None = Field(default=None, ge=0, le=1)
    """The share itself, instead of a severity."""
    layout: Literal["qwerty", "azerty", "qwertz"] = "qwerty"
    """Keyboard for neighbouring keys."""
    parts: list[PartName] = Field(default=["text"], min_length=1)
    """Which parts may be mistyped."""
    operations: list[Literal["replace", "delete", "insert", "transpose", "misspelling"]] = Field(
        default=["replace", "delete", "insert", "transpose"], min_length=1
    )
    """What may go wrong, in the mix .5, .2, .2, .1; `misspelling` writes common English misspellings, as often as
    `replace` strikes a neighbouring key."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""

    @model_validator(mode="after")
    def _severity_or_rate(self) -> Self:
        if self.rate is not None and self.severity != "mild":
            raise mistake("`rate` stands instead of `severity`; leave one of them out", key="rate")
        return self


class StyleConfig(Section):
    """The same request in another style, by rule and in English alone (tier: checked)."""

    kind: list[StyleKind] = Field(default=["polite"], min_length=1)
    """What may change; a variant draws one kind among those that fit the item. `polite` and `casual` say something
    around the request, `terse` cuts words, `imperative` makes a request of a question, `question` a question of a
    request, `contractions` contracts or writes out, `spelling` turns American into British spelling and back."""
    parts: list[PartName] = Field(default=["text", "instruction"], min_length=1)
    """Which parts may change, as far as the kind reaches them; `context` and `system` only where named."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""

    @model_validator(mode="after")
    def _some_part_that_is_reached(self) -> Self:
        reached = dict.fromkeys(part for kind in self.kind for part in REACH[kind])
        if not set(reached) & set(self.parts):
            raise mistake(f"{listed(self.kind, 'and')} can change {listed(reached)} alone", key="parts")
        return self


class NoiseConfig(Section):
    """Noise on the line (tier: checked; with `caps`, `ocr`, `homoglyphs` or `distractor`: stress)."""

    kind: list[NoiseKind] = Field(default=["spacing", "punctuation"], min_length=1)
    """What is changed; a variant has every kind that finds a place in the item. `quotes` writes quotation marks,
    apostrophes and dashes in another form, `case` begins sentences small, `distractor` says a sentence that has nothing
    to do with the matter."""
    severity: Literal["mild", "medium", "hard"] = "mild"
    """Share of a kind's places that change, one at least: .05, .10, .20; of no meaning for `quotes`, `caps` and
    `distractor`."""
    rate: float | None = Field(default=None, ge=0, le=1)
    """The share itself, instead of a severity."""
    parts: list[PartName] = Field(default=["text"], min_length=1)
    """Which parts noise may reach; `distractor` reaches the text alone."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""

    @model_validator(mode="after")
    def _severity_or_rate(self) -> Self:
        if self.rate is not None and self.severity != "mild":
            raise mistake("`rate` stands instead of `severity`; leave one of them out", key="rate")
        return self

    @model_validator(mode="after")
    def _a_share_of_something(self) -> Self:
        key = "rate" if self.rate is not None else "severity" if self.severity != "mild" else ""
        if key and set(self.kind) <= UNRATED_KINDS:
            unrated = f"there is no share of {listed(self.kind, 'and')}: all that is reached changes; leave this out"
            raise mistake(unrated, key=key)
        return self

    @model_validator(mode="after")
    def _a_distractor_beside_the_text(self) -> Self:
        if set(self.kind) == {"distractor"} and "text" not in self.parts:
            raise mistake("a distractor stands beside the text; leave `parts` out", key="parts")
        return self


class PythonGeneratorConfig(Section):
    """A generator of your own, a function or a class (tier: checked, unless it says otherwise).

    It runs only where a config names it, when variants are made. The guide to perturbations says how to write one.
    """

    callable: FunctionName
    """`file.py:function` relative to the config file, or `package.module:function`; a class likewise. The text alone,
    `python: file.py:function`, is the short form."""
    name: Name | None = None
    """What its conditions are called; the function's name, or what a class calls itself, where not given."""
    parameters: dict[str, Json] = Field(default_factory=dict)
    """Keyword arguments that it is called with, or that a class is made with."""
    tier: Literal["checked", "stress"] | None = None
    """How far the same meaning is warranted; `checked`, or what a class says of itself, where not given."""
    moves_words: bool = False
    """Whether it rewords. Protected text must stand byte for byte and in order otherwise; here the validators of
    paraphrases are asked instead."""
    variants: int | None = Field(default=None, ge=1, le=100)
    """How many variants of each item; 1, or what a class says of itself, where not given."""
    review: ReviewNeed = "optional"
    """`required` asks only what a person accepted in the bundle (`prt perturb --review`); `optional` asks all but what
    a person rejected there."""


class RerunConfig(Section):
    """The original prompt again: how often an answer flips by itself (the noise floor).

    It is added, and a note says so, where a model of `openai` or `local` has a temperature other than 0, or none given,
    and `repeats` is 1: such replies vary by themselves. `model: {params: {temperature: 0}}` leaves it out.
    """

    variants: int = Field(default=1, ge=1, le=100)
    """How many further samples of each item."""


class ControlConfig(Section):
    """Small changes of what is asked, with a new right answer (tier: control).

    A model that ignores its input can't follow them. They enter no figure of robustness; no other generator may be
    composed with them.
    """

    kind: list[Literal["numbers", "logic", "negate"]] = Field(default=["numbers", "logic", "negate"], min_length=1)
    """What may be changed; the first that applies to an item is: `numbers` a number of an arithmetic item, `logic` a
    value or operator of a boolean expression, `negate` a yes/no question, a statement, or "Which of these is …?" of two
    options. Most items of most datasets allow none, and are counted as not applicable."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item; a question has one or two negated forms."""


GeneratorName = Literal["reorder", "format", "paraphrase", "typo", "style", "noise", "python", "rerun", "control"]
GeneratorConfig = (
    ReorderConfig
    | FormatConfig
    | ParaphraseConfig
    | TypoConfig
    | StyleConfig
    | NoiseConfig
    | PythonGeneratorConfig
    | RerunConfig
    | ControlConfig
)
GENERATORS: dict[str, type[Section]] = {
    "reorder": ReorderConfig,
    "format": FormatConfig,
    "paraphrase": ParaphraseConfig,
    "typo": TypoConfig,
    "style": StyleConfig,
    "noise": NoiseConfig,
    "python": PythonGeneratorConfig,
    "rerun": RerunConfig,
    "control": ControlConfig,
}


class PerturbationConfig(Section):
    """One entry of `perturbations:`, or one step of a composition."""

    name: GeneratorName
    """The generator."""
    config: GeneratorConfig
    """Its parameters."""

    @field_validator("config", mode="wrap")
    @classmethod
    def _read_as_its_generator(cls, value: object, _: ValidatorFunctionWrapHandler, info: ValidationInfo) -> object:
        """The name decides what the parameters are; a mapping such as `{variants: 2}` would fit several generators."""
        section = GENERATORS.get(info.data.get("name", ""))
        return value if section is None else section.model_validate(value)


def control_alone(steps: list[PerturbationConfig]) -> list[PerturbationConfig]:
    """Refuse a composition with a control, which would change what is right for its other steps."""
    if len(steps) > 1 and any(step.name == "control" for step in steps):
        raise mistake("`control` changes what is right, so it stands alone; give it an entry of its own")
    return steps
