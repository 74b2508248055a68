"""The `impact` section: shares of a whole, of ways to write that the config has."""

from pathlib import Path

import pytest
from prt.runner.config.impact import ImpactConfig
from prt.runner.config.loading import load_config
from prt.runner.errors import ConfigError

CONFIG = """\
model: local
dataset: items.jsonl
perturbations: [typo, style: {variants: 2}, [paraphrase, typo], rerun]
impact: %s
"""


def loaded(tmp_path: Path, impact: str, config: str = CONFIG) -> ImpactConfig | None:
    path = tmp_path / "prt.yaml"
    path.write_text(config % impact, encoding="utf-8")
    return load_config(path, env={}).config.impact


def test_it_says_how_many_requests_there_are_what_failures_cost_and_how_users_write(tmp_path: Path) -> None:
    read = loaded(
        tmp_path, "{traffic: 1000, cost_per_failure: 0.5, weights: {typo: 0.2, style.2: 0.3, paraphrase+typo: 0.5}}"
    )
    assert read is not None
    assert (read.traffic, read.cost_per_failure, read.currency) == (1000, 0.5, "USD")
    assert read.weights == {"typo": 0.2, "style.2": 0.3, "paraphrase+typo": 0.5}


def test_left_empty_it_says_nothing(tmp_path: Path) -> None:
    assert loaded(tmp_path, "") is None


@pytest.mark.parametrize(
    ("impact", "told"),
    [
        ("{weights: {typo: 0.2}}", "impact.traffic"),
        ("{traffic: 0}", "impact.traffic: expected a number above 0"),
        ("{traffic: 10, cost_per_failure: -1}", "impact.cost_per_failure: expected a number of at least 0"),
        ("{traffic: 10, weights: {typo: 1.5}}", "impact.weights.typo: expected a number from 0 to 1"),
        ("{traffic: 10, weights: {typo: 0.7, style: 0.4}}", "shares of requests add up to 1 at most, and these to 1.1"),
        ("{traffic: 10, weights: {baseline: 0.7}}", "`baseline` has what the other shares leave"),
        ("{traffic: 10, weights: {style: 0.1, style.1: 0.1}}", "`style` and `style.1` overlap"),
        (
            "{traffic: 10, weights: {styel: 0.1}}",
            "`styel`, which is none of the ways to write that `perturbations` has",
        ),
        ("{traffic: 10, weights: {styel: 0.1}}", "did you mean `style`?"),
        ("{traffic: 10, weights: {noise.1: 0.1}}", "there are `paraphrase+typo`, `style` and `typo`"),
        ("{traffic: 10, weights: {rerun: 0.1}}", "`rerun`, which is none of the ways to write"),
        ("{traffic: 10, trafic: 10}", "impact.trafic"),
    ],
)
def test_what_can_not_be_reckoned_with_is_named_with_its_place(tmp_path: Path, impact: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        loaded(tmp_path, impact)
    assert told in str(refused.value)
    assert "prt.yaml:4" in str(refused.value)


def test_shares_that_add_up_to_1_but_for_rounding_are_a_whole(tmp_path: Path) -> None:
    ten = ", ".join(f"style.{number}: 0.1" for number in range(1, 11))
    read = loaded(tmp_path, f"{{traffic: 10, weights: {{{ten}}}}}")
    assert read is not None
    assert sum(read.weights.values()) == pytest.approx(1.0)


def test_a_function_of_the_users_has_a_name_of_its_own(tmp_path: Path) -> None:
    own = CONFIG.replace("[typo,", "[python: 'gen.py:make',")
    assert loaded(tmp_path, "{traffic: 10, weights: {mine: 0.1}}", own) is not None
