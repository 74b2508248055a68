"""What the guide says of gates is so: its examples load, its tables are whole, its numbers are those of the program."""

import re
from pathlib import Path

import yaml
from prt.runner.config.figures import FIGURES
from prt.runner.config.gates import FEWEST_ITEMS, READINGS, RULES, SHORT, GateConfig
from prt.stats import zero_flip_items

GUIDE = Path(__file__).parents[3] / "docs" / "gates.md"
TEXT = GUIDE.read_text(encoding="utf-8")
FLAT = " ".join(TEXT.split())


def test_the_examples_of_the_guide_are_gates() -> None:
    blocks = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]
    gates = [GateConfig.model_validate(each) for block in blocks for each in block["gates"]]
    assert len(gates) > 8


def section(heading: str) -> str:
    return TEXT.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_the_table_of_figures_names_each_of_them_with_its_kind_of_rule() -> None:
    told: dict[str, str] = {}
    for line in section("Figures").splitlines():
        if line.startswith("| `"):
            names, _, rules, _ = line.strip("| ").split(" | ")
            told |= dict.fromkeys(re.findall(r"`(\w+)`", names), rules)
    assert told.keys() == FIGURES.keys()
    for name, rules in told.items():
        kind = FIGURES[name].kind
        assert rules.startswith("margin" if kind == "difference" else "bound")
        assert ("decide: point" in rules) == (kind == "point")


def test_every_rule_and_short_form_is_told() -> None:
    for key in (*RULES, *SHORT, "must_pass", "min_n", "undecided", "against", "together", "decide"):
        assert f"`{key}" in TEXT
    assert any(f"`{key}`" in TEXT for key in READINGS)


def test_the_numbers_of_the_guide_are_those_of_the_program() -> None:
    assert f"fewer than `min_n` items ({FEWEST_ITEMS} where not given)" in FLAT
    assert f"even without a flip {zero_flip_items(0.05) - 1} items can't rule out a drop of 5 points" in FLAT
    assert f"at α = 5% up to {100 * (1 - 0.95**10):.0f} of 100 runs" in FLAT
    for key, figure in SHORT.items():
        rule = GateConfig.model_validate({key: 0.5}).rule
        assert rule is not None
        assert (rule.figure, rule.reading, rule.side) == (figure, "fail_if", "above")
        assert re.search(rf"`{key}: [\d.]+` (is short )?for `{{figure: {figure}, fail_if_above: ", FLAT)
