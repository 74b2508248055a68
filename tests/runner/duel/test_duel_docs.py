"""The guide's configs load, and it names every key, default, task and code as the program has them."""

import re
from pathlib import Path
from typing import get_args

import pytest
from prt.runner.config.duel import DimensionConfig, DuelConfig, RuleConfig, RuleKind
from prt.runner.config.duel_loading import parse_duel
from prt.runner.config.section import Section
from prt.runner.config.show import yaml_line
from prt.runner.duel.findings import NO_WIN, WINS
from prt.runner.duel.rules import TIE, make_rule
from prt.runner.duel.templates import Task
from prt.runner.errors import DuelError, JudgingStoppedError
from prt.stats import DuelVerdict
from prt.stats.head_to_head import FEWEST_QUERIES

GUIDE = (Path(__file__).parents[3] / "docs" / "duel.md").read_text(encoding="utf-8")
TABLES = GUIDE.partition("## All keys")[2]
EXAMPLES = re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_the_configs_of_the_guide_load(text: str) -> None:
    config = parse_duel(text, Path("duel.yaml"), env={}).config
    for dimension in config.dimensions:
        assert dimension.rule is None or make_rule(dimension, base=Path())("same", "same").score == TIE


@pytest.mark.parametrize("section", [DuelConfig, DimensionConfig])
def test_every_key_has_a_row_with_its_default(section: type[Section]) -> None:
    for key, field in section.model_fields.items():
        default = field.get_default(call_default_factory=True)
        cells = re.findall(rf"^\|[^|]*`{key}`[^|]*\|([^|]*)\|", TABLES, re.MULTILINE)
        assert len(cells) == 1, key
        if isinstance(default, bool | int | float | str) and key != "name":
            assert cells[0].strip() == f"`{yaml_line(default)}`", key


def test_every_rule_key_verdict_task_and_code_is_named() -> None:
    assert all(f"`kind: {kind}`" in GUIDE for kind in get_args(RuleKind))
    assert all(re.search(rf"`{key}\b", GUIDE) for key in RuleConfig.model_fields)
    assert all(f"`{verdict}`" in GUIDE for verdict in get_args(DuelVerdict))
    assert all(f"`{task}`" in GUIDE for task in get_args(Task))
    assert f"fewer than {FEWEST_QUERIES} complete queries" in GUIDE
    codes = (WINS, DuelError.exit_code, NO_WIN, JudgingStoppedError.exit_code)
    assert [f"| {code} | " in GUIDE for code in codes] == [True] * 4
