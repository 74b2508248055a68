"""Opening what a config names for a run: the model, as far as that goes without a call, and the store's address."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from rich.console import Console
from rich.text import Text

from ..config.loaded import LoadedConfig
from ..config.pricing import PriceList
from ..config.schema import Config
from ..engine.budget import Budget
from ..models.base import Model, open_model
from ..models.throttle import Caps, Limits
from ..prepare import Prepared
from ..store import DEFAULT_STORE

if TYPE_CHECKING:
    from ..config.duel import DuelConfig
    from ..config.duel_loading import LoadedDuel
    from ..config.score import ScoreConfig
    from ..config.score_loading import LoadedScore

STORE_VARIABLE = "PRT_STORE"


class StorePlace(NamedTuple):
    """Where results go: an address, and the folder that a relative file starts from (None: the working directory)."""

    address: str
    base: Path | None


def store_place(prepared: Prepared, override: str | None) -> StorePlace:
    """The results database of a prepared run, as `place_of`."""
    return place_of(prepared.loaded, override)


def place_of(loaded: "LoadedConfig | LoadedDuel | LoadedScore", override: str | None) -> StorePlace:
    """The results database: the option's, else the config's, else `prt.db` in the working directory.

    A relative path in the config is relative to the config's folder, as every path there is.
    """
    if override is None and loaded.config.store is not None:
        return StorePlace(loaded.config.store, loaded.base)
    return StorePlace(override or DEFAULT_STORE, None)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a command may do with endpoints, whichever of its models asks.

    Attributes:
        budget: What it may spend.
        limits: How many calls each endpoint is given.
        prices: What each model's tokens cost.
    """

    budget: Budget
    limits: Limits
    prices: PriceList

    @classmethod
    def of(cls, config: "Config | DuelConfig | ScoreConfig") -> Self:
        """What a config allows."""
        asked, budget = config.limits, Budget(config.limits)
        caps = Caps(
            concurrency=asked.fixed_concurrency, max_in_flight=asked.max_in_flight, rpm=asked.rpm, tpm=asked.tpm
        )
        return cls(budget, Limits(caps, before_attempt=budget.before_attempt), config.price_list)


def opened_model(prepared: Prepared, told: Console, allowance: Allowance | None = None) -> Model:
    """Make the model of a config; nothing is called, started or fetched.

    Args:
        prepared: The config and what belongs to it.
        told: Where to say, while the model is used, what takes long.
        allowance: What the command may do; what the config allows where not given.

    Raises:
        PrtError: Something that it needs is missing, with what to do about it.
    """
    allowed = allowance or Allowance.of(prepared.config)
    return open_model(
        prepared.config.model,
        base=prepared.loaded.base,
        env=os.environ,
        progress=lambda line: told.print(Text(line), soft_wrap=True),
        limits=allowed.limits,
    )
