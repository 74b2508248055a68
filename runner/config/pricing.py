"""What the tokens of each model of a config cost: by its own `prices`, or by those of the model under test."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pydantic import JsonValue as Json
from pydantic import ValidationError

from .limits import LimitsConfig, PricesConfig
from .models import ModelConfig, known_by, known_by_values
from .section import mistake

WITHOUT_BILL = frozenset({"local", "replay"})
"""Providers that nobody bills by the token."""
EXAMPLE = "`prices: {input: 2.00, output: 8.00}`"


class Block(NamedTuple):
    """A model of a config, as far as its price goes.

    Attributes:
        known: What makes two blocks name the same model.
        provider: Its provider.
        prices: What its own block says; None where it says nothing.
    """

    known: tuple[object, ...]
    provider: str
    prices: PricesConfig | None


class Asked(NamedTuple):
    """A model that a config has asked.

    Attributes:
        who: What it is, in words: `the judge`.
        key: The key of the config that holds its block.
        model: The block.
    """

    who: str
    key: str
    model: ModelConfig


@dataclass(frozen=True, slots=True)
class PriceList:
    """What the models of a config cost.

    A model costs what its own block says. Prices beside the models are those of the models under test. Another model
    has them where it is the same by endpoint and name, and so with the prices in any block; else what it costs is not
    known. A model on this machine, or a file of replies, costs nothing where anything has a price.

    Attributes:
        tested: The models under test.
        shared: The prices beside the models.
        others: The other models.
    """

    tested: tuple[Block, ...]
    shared: PricesConfig | None
    others: tuple[Block, ...] = ()

    @classmethod
    def of(
        cls, tested: Iterable[ModelConfig], shared: PricesConfig | None, others: Iterable[ModelConfig] = ()
    ) -> "PriceList":
        """The prices of the models of a config."""
        return cls(tuple(map(block_of, tested)), shared, tuple(map(block_of, others)))

    def price(self, model: ModelConfig) -> PricesConfig | None:
        """What a model's tokens cost, asked by calls or in batches; None where that is not known."""
        return self.price_of(block_of(model))

    def price_of(self, block: Block) -> PricesConfig | None:
        """The same for a block."""
        if block.prices is not None:
            return block.prices
        same = (each.prices or shared for each, shared in self._every() if each.known == block.known)
        found = next(filter(None, same), None)
        if found is None and block.provider in WITHOUT_BILL and self.currency:
            return PricesConfig(input=0.0, output=0.0, currency=self.currency)
        return found

    @property
    def currency(self) -> str:
        """What costs are in; empty where nothing has a price."""
        return next(iter(self.currencies()), "")

    def currencies(self) -> list[str]:
        """The currencies that prices are in, each once."""
        named = [None if self.shared is None else self.shared.currency]
        named += [each.prices.currency for each, _ in self._every() if each.prices is not None]
        return list(dict.fromkeys(filter(None, named)))

    def _every(self) -> Iterator[tuple[Block, PricesConfig | None]]:
        yield from ((each, self.shared) for each in self.tested)
        yield from ((each, None) for each in self.others)


def block_of(model: ModelConfig) -> Block:
    """A model's block, as far as its price goes."""
    return Block(known_by(model), model.provider, model.prices)


def check_prices(prices: PriceList, limits: LimitsConfig, asked: Sequence[Asked]) -> None:
    """Refuse costs that can't be added up, and a bound on the cost that can't be kept.

    Args:
        prices: What the models cost.
        limits: The bounds.
        asked: All models that may be asked.

    Raises:
        PydanticCustomError: Prices are in two currencies; or `max_cost` is set, and what a model costs is not known.
    """
    currencies = prices.currencies()
    if len(currencies) > 1:
        one, other = currencies[:2]
        where = next((each.key for each in asked if each.model.prices and each.model.prices.currency == other), "")
        raise mistake(f"prices are in {one} and in {other}; costs are added up, so give all in one currency", key=where)
    if limits.max_cost is None:
        return
    if not currencies:
        raise mistake("`limits.max_cost` needs `prices`: what a million tokens cost, in and out", key="limits")
    for each in asked:
        if prices.price(each.model) is None:
            raise mistake(
                f"`limits.max_cost` can't cover {each.who}, whose prices are not known; add what its tokens cost to "
                f"its block, such as {EXAMPLE} (zeros where it costs nothing), or leave `max_cost` out",
                key=each.key,
            )


def stored_block(block: Json) -> Block | None:
    """The same for a block as a config is stored; None where it is none."""
    if not isinstance(block, dict):
        return None
    return Block(known_by_values(block), str(block.get("provider", "")), read_prices(block.get("prices")))


def read_prices(stored: Json) -> PricesConfig | None:
    """Prices as a config is stored; None where there are none, or another version wrote them otherwise."""
    try:
        return None if stored is None else PricesConfig.model_validate(stored)
    except ValidationError:
        return None


def stored_prices(config: Mapping[str, Json]) -> PriceList:
    """The prices of the models of a stored run: of the one under test, and of the judge where it has one."""
    tested, grade = stored_block(config.get("model")), config.get("grade")
    judge = stored_block(grade.get("model")) if isinstance(grade, dict) else None
    return PriceList(
        () if tested is None else (tested,), read_prices(config.get("prices")), () if judge is None else (judge,)
    )
