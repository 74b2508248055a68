"""The page about nights says what the code does."""

import re
from pathlib import Path

from prt.runner.config.loading import parse_config
from prt.runner.config.nightly import When
from prt.runner.nightly.rule import fewest_units
from prt.stats import spending_level

PAGE = (Path(__file__).parents[3] / "docs" / "nightly.md").read_text(encoding="utf-8")
BEGIN = "model: local\ndataset: items.jsonl\nperturbations: [typo]\n"


def test_its_configs_load() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        text = block if "dataset:" in block else BEGIN + block
        config = parse_config(text, Path("config.yaml"), env={}).config
        assert config.nightly.notify or config.nightly.reference == "fresh"


def test_its_levels_are_those_of_the_rule() -> None:
    levels = ", ".join(f"{spending_level(look):.4f}".removeprefix("0") for look in (1, 2, 3))
    assert f"it is an alarm if p ≤ alpha·6/(π²t²): {levels}, …" in PAGE
    assert (fewest_units(spending_level(2)), fewest_units(spending_level(10))) == (8, 12)
    assert "8 at look 2 and 12 at look 10" in " ".join(PAGE.split())


def test_it_names_each_way_to_be_told() -> None:
    for when in ("always", "change", "alarm"):
        assert when in When.__args__  # type: ignore[attr-defined]
        assert f"| `{when}` |" in PAGE
