"""Which model costs what: by its own prices, or by those of the model under test where it is the same; else unknown."""

from typing import Any

import pytest
from prt.runner.config.duel import DuelConfig
from prt.runner.config.grade_text import beside_grade, parse_grade
from prt.runner.config.limits import PricesConfig
from prt.runner.config.models import LocalModel, ModelConfig, OpenAIModel, ReplayModel
from prt.runner.config.pricing import PriceList, read_prices, stored_prices
from prt.runner.config.schema import Config
from prt.runner.config.score import ScoreConfig
from pydantic import JsonValue as Json
from pydantic import ValidationError

CHEAP = PricesConfig(input=0.4, output=1.6)
DEAR = PricesConfig(input=2.0, output=8.0)
FREE = PricesConfig(input=0.0, output=0.0)
SMALL, LARGE = OpenAIModel(name="small"), OpenAIModel(name="large")


def priced(name: str, prices: PricesConfig) -> OpenAIModel:
    return OpenAIModel(name=name, prices=prices)


@pytest.mark.parametrize(
    ("tested", "shared", "other", "expected"),
    [
        (SMALL, CHEAP, LARGE, None),
        (SMALL, CHEAP, priced("large", DEAR), DEAR),
        (SMALL, CHEAP, SMALL.model_copy(update={"params": {"temperature": 0}}), CHEAP),
        (SMALL, CHEAP, OpenAIModel(name="small", base_url="http://other.example/v1"), None),
        (priced("small", DEAR), CHEAP, SMALL, DEAR),
        (priced("small", DEAR), None, LARGE, None),
        (SMALL, None, priced("large", DEAR), DEAR),
        (SMALL, CHEAP, LocalModel(), FREE),
        (SMALL, None, LocalModel(), None),
        (SMALL, CHEAP, LocalModel(prices=DEAR), DEAR),
    ],
)
def test_another_model_has_its_own_prices_or_those_of_the_same_model(
    tested: ModelConfig, shared: PricesConfig | None, other: ModelConfig, expected: PricesConfig | None
) -> None:
    assert PriceList.of([tested], shared, [other]).price(other) == expected


def test_the_model_under_test_has_the_prices_beside_it_unless_its_block_has_some() -> None:
    assert PriceList.of([SMALL], CHEAP, [LARGE]).price(SMALL) == CHEAP
    assert PriceList.of([priced("small", DEAR)], CHEAP).price(priced("small", DEAR)) == DEAR
    assert PriceList.of([SMALL], None, [priced("large", DEAR)]).price(SMALL) is None
    assert PriceList.of([LocalModel()], None, [priced("large", DEAR)]).price(LocalModel()) == FREE


def test_a_file_of_replies_costs_nothing_where_its_judge_costs_something() -> None:
    replay = ReplayModel(path="replies.jsonl")
    prices = PriceList.of([replay], None, [priced("large", DEAR)])
    assert (prices.price(replay), prices.currency) == (FREE, "USD")


def test_a_free_model_is_free_in_the_currency_of_the_others() -> None:
    euro = PricesConfig(input=1.0, output=1.0, currency="EUR")
    assert PriceList.of([SMALL], euro, [LocalModel()]).price(LocalModel()) == FREE.model_copy(
        update={"currency": "EUR"}
    )


def test_the_prices_of_a_stored_run_are_those_of_its_config() -> None:
    config: dict[str, Any] = {
        "model": {"provider": "openai", "name": "small", "base_url": None, "azure": None},
        "prices": {"input": 0.4, "output": 1.6, "currency": "USD", "batch": None},
        "grade": {"grader": "judge", "model": {"provider": "openai", "name": "large", "prices": DEAR.model_dump()}},
    }
    found = stored_prices(config)
    assert [found.price_of(block) for block in (*found.tested, *found.others)] == [CHEAP, DEAR]
    config["grade"]["model"]["prices"] = None
    found = stored_prices(config)
    assert found.price_of(found.others[0]) is None
    config["grade"]["model"]["name"] = "small"
    found = stored_prices(config)
    assert found.price_of(found.others[0]) == CHEAP
    assert stored_prices({}) == PriceList((), None)
    assert read_prices({"input": "dear"}) is None


def judged(**keys: Any) -> dict[str, Any]:
    grade = {"grader": "judge", "rubric": "It is right.", "model": {"name": "large", **keys.pop("judge", {})}}
    base = {"model": {"name": "small"}, "dataset": {"path": "x.jsonl"}, "perturbations": [[_step("typo")]]}
    return {**base, "grade": grade, **keys}


def _step(name: str, **config: Any) -> dict[str, Any]:
    return {"name": name, "config": config}


def providers(data: Any) -> Any:
    """Config data with the provider said in each model's block, as the loader says it."""
    if isinstance(data, list):
        return [providers(each) for each in data]
    if not isinstance(data, dict):
        return data
    known = {key: providers(value) for key, value in data.items()}
    for key in ("model", "judge", "sut", "generator", "baseline", "candidate", "reference_model"):
        if isinstance(known.get(key), dict) and known[key].get("name"):
            known[key] = {"provider": "openai", **known[key]}
    return known


CHEAP_, DEAR_ = {"input": 0.4, "output": 1.6}, {"input": 2.0, "output": 8.0}
LIMITS = {"max_cost": 1.0}


@pytest.mark.parametrize(
    ("section", "data", "told"),
    [
        (Config, judged(limits=LIMITS, prices=CHEAP_), "can't cover the judge, whose prices are not known"),
        (Config, judged(limits=LIMITS), "`limits.max_cost` needs `prices`"),
        (Config, judged(limits=LIMITS, judge={"prices": DEAR_}), "can't cover the model under test"),
        (
            Config,
            judged(
                limits=LIMITS,
                prices=CHEAP_,
                judge={"prices": DEAR_},
                perturbations=[[_step("paraphrase", model={"name": "writer"})]],
            ),
            "can't cover the model that writes paraphrases",
        ),
        (Config, judged(prices=CHEAP_, judge={"prices": {**DEAR_, "currency": "EUR"}}), "in USD and in EUR"),
        (
            Config,
            judged(judge={"prices": {**DEAR_, "batch": CHEAP_}}),
            "only the model under test of `prt run` is asked in batches; leave `batch` out of its prices",
        ),
        (
            DuelConfig,
            {
                "models": {"baseline": {"name": "a"}, "candidate": {"name": "b"}},
                "dataset": {"path": "x.jsonl"},
                "dimensions": [{"id": "d", "description": "It is right."}],
                "judge": {"name": "large"},
                "limits": LIMITS,
                "prices": CHEAP_,
            },
            "can't cover the judge",
        ),
        (
            ScoreConfig,
            {
                "sut": {"name": "small"},
                "judge": {"name": "large", "prices": DEAR_},
                "generator": {"name": "writer"},
                "limits": LIMITS,
                "prices": CHEAP_,
            },
            "can't cover the generator",
        ),
    ],
)
def test_a_cost_that_can_not_be_told_or_bounded_is_refused(section: Any, data: dict[str, Any], told: str) -> None:
    with pytest.raises(ValidationError) as found:
        section.model_validate(providers(data))
    assert told in str(found.value)


def test_a_bound_on_the_cost_is_taken_where_all_models_have_prices() -> None:
    config = Config.model_validate(providers(judged(limits=LIMITS, prices=CHEAP_, judge={"prices": DEAR_})))
    assert config.grade is not None
    assert config.grade.model is not None
    assert config.price_list.price(config.grade.model) == DEAR
    assert config.asked_prices == CHEAP
    assert Config.model_validate(providers(judged(prices=CHEAP_))).limits.max_cost is None


PAID: dict[str, Json] = {"input": 1.0, "output": 2.0}
ASKED: dict[str, Json] = {"provider": "openai", "name": "asked", "base_url": "${ENDPOINT}", "params": {"seed": 1}}
ITSELF = "{grader: judge, rubric: It is right., same_model: true, model: {name: asked, base_url: '${ENDPOINT}'}}"


def beside(config: dict[str, Json], grader: str, **env: str) -> Config:
    """The config by which another grader reads the replies of a stored run with this config."""
    return parse_grade(grader, "--grader", env=env, beside=beside_grade(config, env)).config


@pytest.mark.parametrize("stored", [{"model": ASKED, "prices": PAID}, {"model": {**ASKED, "prices": PAID}}])
def test_a_judge_that_is_the_model_of_a_stored_run_costs_what_that_does(stored: dict[str, Json]) -> None:
    config = beside({**stored, "limits": {"max_cost": 1.0}}, ITSELF, ENDPOINT="http://127.0.0.1:1/v1")
    assert config.grade is not None
    assert config.grade.model is not None
    assert config.price_list.price(config.grade.model) == PricesConfig.model_validate(PAID)


@pytest.mark.parametrize(
    "stored",
    [
        {"model": {**ASKED, "prices": PAID}},
        {"model": {"provider": "local"}, "grade": {"grader": "judge", "model": {"name": "judge", "prices": PAID}}},
    ],
)
def test_a_bound_on_the_cost_keeps_no_grader_away_that_asks_nothing(stored: dict[str, Json]) -> None:
    config = beside({**stored, "limits": {"max_cost": 1.0}}, "contains")
    assert (config.limits.max_cost, config.price_list.currency) == (1.0, "USD")


def test_no_judge_is_taken_for_a_model_that_is_not_known() -> None:
    config = beside({"prices": PAID}, "{grader: judge, rubric: It is right., model: local}")
    assert config.grade is not None
    assert config.grade.model is not None
    assert config.price_list.price(config.grade.model) == PricesConfig(input=0.0, output=0.0)
