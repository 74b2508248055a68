"""The page on models says nothing that does not work."""

import json
import re
from pathlib import Path

import pytest
import yaml
from prt.runner.config.limits import LimitsConfig
from prt.runner.config.models import MOST_REQUESTS, BatchConfig
from prt.runner.config.schema import PROVIDERS, ModelConfig, ReplayModel
from prt.runner.engine.batch_requests import MOST_BYTES as MOST_FILE_BYTES
from prt.runner.engine.batching import FIRST_POLL_S
from prt.runner.models.adaptation import ADAPTABLE
from prt.runner.models.batch_interface import TRANSFER_S
from prt.runner.models.growth import FIRST
from prt.runner.models.pool import MOST_BYTES
from prt.runner.models.throttle import MOST_BY_ITSELF, WORTH_TELLING_S
from pydantic import TypeAdapter

from .asking import opened, replies, request

PAGE = (Path(__file__).parents[3] / "docs" / "models.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)
CONFIGS = [yaml.safe_load(text) for kind, text in BLOCKS if kind == "yaml"]
MODELS = [config["model"] for config in CONFIGS if "model" in config]
ADAPTER: TypeAdapter[ModelConfig] = TypeAdapter(ModelConfig)


@pytest.mark.parametrize("model", [model for model in MODELS if isinstance(model, dict)], ids=str)
def test_each_model_on_the_page_is_a_config(model: dict[str, object]) -> None:
    ADAPTER.validate_python(model)


@pytest.mark.parametrize("limits", [config["limits"] for config in CONFIGS if "limits" in config], ids=str)
def test_the_limits_on_the_page_are_limits(limits: dict[str, object]) -> None:
    LimitsConfig.model_validate(limits)


def test_the_numbers_on_the_page_are_those_of_the_code() -> None:
    assert f"  max_in_flight: {MOST_BY_ITSELF} " in PAGE
    assert f"begins with {FIRST} calls in flight" in PAGE
    assert f"more than {MOST_BYTES >> 20} MiB" in PAGE
    assert f"a\npause of {WORTH_TELLING_S:g} s or more is told" in PAGE
    assert all(f"`{name}`" in PAGE for name in ADAPTABLE)


def test_the_bounds_of_batches_on_the_page_are_those_of_the_code() -> None:
    assert f"A file holds {MOST_REQUESTS:,} requests and {MOST_FILE_BYTES // 10**6} MB at most" in PAGE
    assert f"it begins with {FIRST_POLL_S:g} s and doubles" in PAGE
    assert "half an hour" in PAGE
    assert TRANSFER_S == 1800
    (batch,) = [model["batch"] for model in MODELS if isinstance(model, dict) and "batch" in model]
    assert BatchConfig.model_validate(batch) == BatchConfig()


def test_each_provider_is_on_the_page() -> None:
    shown = {model["provider"] if isinstance(model, dict) else model for model in MODELS}
    assert shown == set(PROVIDERS)


def test_the_function_on_the_page_answers(tmp_path: Path) -> None:
    (source,) = [text for kind, text in BLOCKS if kind == "python"]
    (tmp_path / "app.py").write_text(source, encoding="utf-8")
    (config,) = [model for model in MODELS if isinstance(model, dict) and model["provider"] == "python"]
    (answer,) = replies(opened(ADAPTER.validate_python(config), base=tmp_path), request("Which fruit?"))
    assert (answer.text, answer.error) == ("B", None)


def test_the_replies_on_the_page_can_be_replayed(tmp_path: Path) -> None:
    (rows,) = [text for kind, text in BLOCKS if kind == "json"]
    (tmp_path / "replies.jsonl").write_text(rows, encoding="utf-8")
    model = opened(ReplayModel(path="replies.jsonl"), base=tmp_path)
    wanted = [json.loads(row) for row in rows.splitlines()]
    asked = [request(item_id=row["item"], condition=row["condition"]) for row in wanted]
    assert [answer.text for answer in replies(model, *asked)] == [row["reply"] for row in wanted]


def test_the_defaults_on_the_page_are_the_defaults() -> None:
    (said,) = [model for model in MODELS if isinstance(model, dict) and "retry" in model]
    plain = {key: value for key, value in said.items() if key in {"provider", "name"}}
    assert ADAPTER.validate_python(said) == ADAPTER.validate_python(plain)
