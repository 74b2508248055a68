"""The models that a config asks for paraphrases: each `paraphrase: {kind: llm}` settled, and nothing asked yet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import JsonValue as Json

from ...perturbations.canonical import canonical_hash
from ...perturbations.generator import Generator
from ..config.generators import given_params
from ..config.loading import LoadedConfig
from ..config.schema import (
    Config,
    HttpModel,
    LocalModel,
    ModelConfig,
    ModelSection,
    OpenAIModel,
    ParaphraseConfig,
    PerturbationConfig,
    PythonModel,
    ReplayModel,
)
from ..errors import ConfigError, Problem
from .prompts import PROMPT_VERSION

if TYPE_CHECKING:
    from ...perturbations.generators.paraphrase_llm import ParaphraseProposals, Paraphrasing, Written

OF_ANSWERS = frozenset(
    {
        "max_tokens",
        "max_completion_tokens",
        "max_output_tokens",
        "stop",
        "response_format",
        "logit_bias",
        "logprobs",
        "top_logprobs",
        "tools",
        "tool_choice",
    }
)
"""Parameters that shape the answers of the model under test, and would spoil the paraphrases that it writes."""
NOT_DESCRIBED = {*ModelSection.model_fields, "threads", "api_key_env", "base_url", "azure", "adapt", "mode", "batch"}
"""Keys of a model that change none of its replies, or say only where it is served."""


@dataclass(frozen=True, slots=True)
class Use:
    """An entry of `perturbations` that takes paraphrases.

    Attributes:
        entry: Its index.
        variants: How many of each item.
        composed: Whether it is a composition, which takes those from the first on; one that stands alone numbers on
            where the same is listed before it.
    """

    entry: int
    variants: int
    composed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Paraphraser:
    """A model that is asked for paraphrases.

    Attributes:
        key: A hash of who is asked how, which tells it from the others of a config.
        model: Its config, with the temperature in it.
        judge: The config of its judge; None without one.
        asked: The same for the record, without any secret.
        is_under_test: Whether it is the model under test, since the config names no other.
        uses: What takes its paraphrases.
    """

    key: str
    model: ModelConfig = field(repr=False)
    judge: ModelConfig | None = field(repr=False)
    asked: "Paraphrasing"
    is_under_test: bool
    uses: tuple[Use, ...]

    def numbers(self) -> int:
        """How many paraphrases of each item are needed."""
        alone = sum(use.variants for use in self.uses if not use.composed)
        return max(alone, *(use.variants for use in self.uses))

    def generators(self, written: "Written | None") -> Iterator[tuple[int, "ParaphraseProposals"]]:
        """Make the generators of its entries, of what it wrote; None where it was not asked yet."""
        from ...perturbations.generators.paraphrase_llm import ParaphraseProposals  # noqa: PLC0415 - few configs ask one

        for use in self.uses:
            yield use.entry, ParaphraseProposals(asked=self.asked, written=written, variants=use.variants)


def asks_a_model(config: Config) -> bool:
    """Whether a config wants paraphrases that a model writes."""
    return any(is_llm(step) for entry in config.perturbations for step in entry)


def is_llm(step: PerturbationConfig) -> bool:
    """Whether a step of an entry is `paraphrase: {kind: llm}`."""
    return isinstance(step.config, ParaphraseConfig) and step.config.kind == "llm"


def begun(paraphrasers: Iterable[Paraphraser], written: Mapping[str, "Written"]) -> dict[int, Generator]:
    """Make the generators that take what models wrote, by the index of the entry that each begins.

    Args:
        paraphrasers: The paraphrasers of a config.
        written: What they wrote, by their keys; none of those that were not asked yet.
    """
    return {at: made for one in paraphrasers for at, made in one.generators(written.get(one.key))}


def paraphraser_notes(paraphrasers: Iterable[Paraphraser]) -> tuple[str, ...]:
    """Say where the model under test writes the paraphrases that it is tested with."""
    return tuple(
        f"the model under test ({model_name(one.model)}) writes the paraphrases too, since `paraphrase` names no "
        "`model`; it may understand its own words better than those of others, and another model under test would get "
        "other paraphrases."
        for one in paraphrasers
        if one.is_under_test
    )


def find_paraphrasers(loaded: LoadedConfig) -> tuple[Paraphraser, ...]:
    """Find the models that a config asks for paraphrases; entries that ask alike share one.

    Raises:
        ConfigError: An entry can't work: it is not the first step of its composition, it names no model and the model
            under test can't reword, or a judge would judge its own words.
    """
    found: dict[str, Paraphraser] = {}
    for at, entry in enumerate(loaded.config.perturbations):
        for step, each in enumerate(entry):
            if isinstance(each.config, ParaphraseConfig) and is_llm(each):
                place = (at, step) if len(entry) > 1 else (at,)
                one = _paraphraser(each.config, Entry(loaded, place))
                known = found.get(one.key, replace(one, uses=()))
                found[one.key] = replace(known, uses=(*known.uses, *one.uses))
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a config asks for paraphrases."""

    loaded: LoadedConfig
    place: tuple[int, ...]

    def refuse(self, message: str, key: str = "") -> ConfigError:
        """An error at a key of the entry."""
        own = "".join(f"[{part}]" for part in self.place)
        name = f"perturbations{own}.paraphrase"
        dotted = f"{name}.{key}" if key else name
        origins = self.loaded.origins
        line = next((origins[each].line for each in (dotted, name, f"perturbations{own}") if each in origins), None)
        return ConfigError(Problem(message, str(self.loaded.path), line, key=dotted))

    def public(self) -> Mapping[str, Json]:
        """The entry's parameters as they may be shown."""
        value: Json = self.loaded.public()["perturbations"]
        for part in (*self.place, "paraphrase"):
            value = value[part]  # type: ignore[index,call-overload]  # the shape of a config
        return value if isinstance(value, dict) else {}


def _paraphraser(config: ParaphraseConfig, entry: Entry) -> Paraphraser:
    from ...perturbations.generators.paraphrase_llm import Paraphrasing  # noqa: PLC0415 - as above

    at, *steps = entry.place
    if any(steps):
        raise entry.refuse("a model rewords the original question, so this is the first step of a composition; move it")
    model = _writer(config, entry)
    if config.judge is not None and _which(config.judge) == _which(model) and not config.self_judge:
        instead = "name another model, or say `self_judge: true`"
        raise entry.refuse(f"the judge is the paraphraser itself, which approves of its own words; {instead}", "judge")
    own = config.model is not None
    public = entry.public()
    temperature = config.temperature if isinstance(model, OpenAIModel | LocalModel) else None
    kept = _params(model, own=own)
    asked = Paraphrasing(
        model=_described(public["model"] if own else entry.loaded.public()["model"], kept),
        judge=None if config.judge is None else _described(public["judge"]),
        prompt=PROMPT_VERSION,
        temperature=temperature,
        attempts=config.attempts,
        formality=config.formality,
    )
    who = [_which(each) for each in (model, config.judge) if each is not None]
    return Paraphraser(
        key=canonical_hash("prt.paraphraser", [asked, *who]).hex(),
        model=_sampling(model, kept, temperature),
        judge=config.judge,
        asked=asked,
        is_under_test=not own,
        uses=(Use(at, config.variants, composed=bool(steps)),),
    )


def _writer(config: ParaphraseConfig, entry: Entry) -> ModelConfig:
    """The model that is asked: the entry's own, or the one under test."""
    if config.model is not None:
        return config.model
    model = entry.loaded.config.model
    if not isinstance(model, OpenAIModel | LocalModel):
        what = "a file of replies" if isinstance(model, ReplayModel) else "an application"
        raise entry.refuse(
            f"without `model` the model under test writes the paraphrases, and that is {what}; name a model: "
            "`paraphrase: {kind: llm, model: {name: …}}`"
        )
    return model


def _params(model: ModelConfig, *, own: bool) -> tuple[str, ...]:
    """Names of the parameters of a model that are passed on when it writes paraphrases."""
    return tuple(name for name in given_params(model) if own or name not in {*OF_ANSWERS, "temperature"})


def _sampling(model: ModelConfig, kept: Sequence[str], temperature: float | None) -> ModelConfig:
    """The model with the parameters that it writes with."""
    if not isinstance(model, OpenAIModel | LocalModel):
        return model
    params = {name: model.params[name] for name in kept}
    if temperature is not None:
        params["temperature"] = temperature
    return model.model_copy(update={"params": params})


def _described(public: Json, kept: Sequence[str] | None = None) -> dict[str, object]:
    """A model for the record: what decides its replies, as the config may be shown."""
    model = public if isinstance(public, dict) else {}
    described: dict[str, object] = {key: value for key, value in model.items() if key not in NOT_DESCRIBED}
    params = model.get("params")
    if kept is not None and isinstance(params, dict):
        described["params"] = {name: params[name] for name in kept}
    return described


def _which(model: ModelConfig) -> tuple[str, ...]:
    """What tells one model from another, whatever its parameters."""
    match model:
        case OpenAIModel():
            return model.provider, (model.base_url or "").rstrip("/"), model.name
        case LocalModel():
            return model.provider, model.path or ""
        case HttpModel():
            return model.provider, model.url
        case PythonModel():
            return model.provider, model.callable
        case ReplayModel():
            return model.provider, model.path


def model_name(model: ModelConfig) -> str:
    """What people call a model, without opening it."""
    match model:
        case OpenAIModel():
            return model.name
        case LocalModel():
            return "the embedded model" if model.path is None else Path(model.path).stem
        case HttpModel():
            return urlsplit(model.url).hostname or "an application"
        case PythonModel():
            return model.callable
        case ReplayModel():
            return model.path
