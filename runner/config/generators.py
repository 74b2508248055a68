"""The `perturbations:` block: one section a generator."""

from typing import Annotated, Literal, Self

from pydantic import Field, ValidationInfo, ValidatorFunctionWrapHandler, field_validator, model_validator

from ...perturbations.generators.layouts import EXTREME, FormatKind
from ...perturbations.generators.reorder import ReorderKind, ReorderPart
from ...perturbations.generators.reorder_parts import PART_KINDS
from ..suggest import listed
from .section import Name, Section, mistake

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


class ParaphraseConfig(Section):
    """Other words for the same request (tier: checked)."""

    kind: Literal["frames", "file"] = "frames"
    """`frames` rewords the instruction and the frame of the question, offline; `file` takes yours, and is implied by
    the key `file`."""
    file: Name | None = None
    """JSONL of yours: `{id, text}` rows (further rows of an id are further variants), optionally `instruction`;
    relative to the config file."""
    variants: int = Field(default=1, ge=1, le=100)
    """How many variants of each item."""
    review: ReviewNeed = "optional"
    """`required` asks only what a person accepted in the bundle (`prt perturb --review`); `optional` asks all but what
    a person rejected there."""

    @model_validator(mode="before")
    @classmethod
    def _a_file_says_its_kind(cls, data: object) -> object:
        if isinstance(data, dict) and data.get("file") is not None:
            return {"kind": "file", **data}
        return data

    @model_validator(mode="after")
    def _a_file_where_one_is_meant(self) -> Self:
        if self.kind == "file" and self.file is None:
            raise mistake("`kind: file` needs `file`, a JSONL file with your paraphrases", key="kind")
        if self.kind == "frames" and self.file is not None:
            raise mistake("`kind: frames` reads no file; leave `kind` out, or leave `file` out", key="kind")
        return self


class TypoConfig(Section):
    """Typing mistakes (tier: checked)."""

    severity: Literal["mild", "medium", "hard"] = "mild"
    """Share of eligible words with one mistake: .05, .10, .20."""
    rate: float | None = Field(default=None, ge=0, le=1)
    """The share itself, instead of a severity."""
    layout: Literal["qwerty", "azerty", "qwertz"] = "qwerty"
    """Keyboard for neighbouring keys."""
    parts: list[Literal["text", "instruction", "context", "system"]] = Field(default=["text"], min_length=1)
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


class RerunConfig(Section):
    """The original prompt again: how often an answer flips by itself (the noise floor).

    It is added, and a note says so, where a model of `openai` or `local` has a temperature other than 0, or none given,
    and `repeats` is 1: such replies vary by themselves. `model: {params: {temperature: 0}}` leaves it out.
    """

    variants: int = Field(default=1, ge=1, le=100)
    """How many further samples of each item."""


GeneratorName = Literal["reorder", "format", "paraphrase", "typo", "rerun"]
GeneratorConfig = ReorderConfig | FormatConfig | ParaphraseConfig | TypoConfig | RerunConfig
GENERATORS: dict[str, type[Section]] = {
    "reorder": ReorderConfig,
    "format": FormatConfig,
    "paraphrase": ParaphraseConfig,
    "typo": TypoConfig,
    "rerun": RerunConfig,
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
