"""The `limits` and `prices` sections: how fast an endpoint is asked, what a command may spend, and when it stops."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field

from .section import Name, Section

MOST_IN_FLIGHT = 4096
CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English text; other languages and code take more tokens for as many characters."""
COMPLETION_LIMITS = ("max_completion_tokens", "max_tokens", "max_output_tokens")
MILLION = 1_000_000


def completion_limit(params: Mapping[str, object]) -> int | None:
    """The most tokens that a reply may have, by the parameters passed on; None where they set no limit."""
    limits = [value for name in COMPLETION_LIMITS if isinstance(value := params.get(name), int)]
    return limits[0] if limits else None


class LimitsConfig(Section):
    """How hard the endpoint may be pushed, what one command may spend, and what may be missing at the end.

    A budget (`max_calls`, `max_tokens`, `max_cost`) is that of one command. A run that reaches one stops before it goes
    over (exit code 3); the same command goes on, with the whole budget again.
    """

    concurrency: Literal["auto"] | Annotated[int, Field(ge=1, le=MOST_IN_FLIGHT)] = "auto"
    """Calls in flight. `auto` starts low with an endpoint, grows while it answers well and falls when it is too much;
    it is 1 for the local model and 8 for a Python function."""
    max_in_flight: int | None = Field(default=None, ge=1, le=MOST_IN_FLIGHT)
    """Calls in flight that are never exceeded, whatever `concurrency` says; `auto` comes to 256 at most where it is not
    given."""
    rpm: int | None = Field(default=None, ge=1)
    """Calls that may begin in a minute, retries included; no limit of its own where not given."""
    tpm: int | None = Field(default=None, ge=1)
    """Tokens, in and out, that may be used in a minute; no limit of its own where not given."""
    max_calls: int | None = Field(default=None, ge=1)
    """Budget: calls that one command may make, retries included: those of the model under test, of the judge of its
    answers, and those for paraphrases."""
    max_tokens: int | None = Field(default=None, ge=1)
    """Budget: tokens, in and out, that one command may use in the same calls. A call is only made if the most that it
    could use is left; without a token limit among `model.params` that is reckoned by the longest reply so far."""
    max_cost: float | None = Field(default=None, gt=0)
    """Budget: what these tokens may cost, each model's by its own prices. It is refused where it can't be kept: where
    the prices of a model that is asked are not known."""
    max_error_rate: float | None = Field(default=None, ge=0, le=1)
    """Share of cells that may stay without a result for the run to count as complete (exit code 0). Once more have
    none, the run stops (exit code 3). Where it is not given, errors end no run, unless by `give_up_after`, and any cell
    without a result makes it incomplete (exit code 3)."""
    give_up_after: int | None = Field(default=5, ge=1)
    """How many cells may fail alike, each with all of its retries, before any is answered; then the run stops with
    what they say (exit code 3), unless `max_error_rate` allows for them. Four times as many in a row, or two for each
    call in flight but no more than 128, stop it later, where the endpoint is at fault. Errors that the prompt may
    cause, such as a refused request, count once an item. Before any is answered, no new cell is sent while so many have
    failed and wait for their retries. `null` never stops; a `replay` file is always read through."""

    @property
    def fixed_concurrency(self) -> int | None:
        """Calls in flight where the config sets them; None where they are left to the model."""
        return None if self.concurrency == "auto" else self.concurrency


class BatchPrices(Section):
    """What tokens cost in batches."""

    input: float = Field(ge=0)
    """Price of a million tokens in."""
    output: float = Field(ge=0)
    """Price of a million tokens out."""


class PricesConfig(Section):
    """What tokens of a model cost, for `prt plan`, for `limits.max_cost`, and for what a run and its report say."""

    input: float = Field(ge=0)
    """Price of a million tokens in."""
    output: float = Field(ge=0)
    """Price of a million tokens out."""
    currency: Name = "USD"
    """What the prices are in."""
    batch: BatchPrices | None = None
    """What tokens cost in batches (`model.mode: batch`): `{input: 0.20, output: 0.80}`; the same where not given."""

    @property
    def in_batches(self) -> "PricesConfig":
        """What tokens cost in batches."""
        if self.batch is None:
            return self
        return PricesConfig(input=self.batch.input, output=self.batch.output, currency=self.currency)

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """What so many tokens in and out cost, in the currency."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / MILLION
