"""The guide's configs load, and it names every setting, default, column and code as the program has them."""

import re
from pathlib import Path

import pytest
from prt.runner.commands.score import COMPLETE, INCOMPLETE
from prt.runner.config.score import KINDS, ScoreConfig, ScoreSettings
from prt.runner.config.score_loading import load_score
from prt.runner.config.show import yaml_line
from prt.runner.errors import UsageError
from prt.runner.scoring.rows import OPTIONAL, REQUIRED

GUIDE = (Path(__file__).parents[3] / "docs" / "score.md").read_text(encoding="utf-8")
PROSE = " ".join(GUIDE.split())


@pytest.mark.parametrize("text", re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL))
def test_the_configs_of_the_guide_load(tmp_path: Path, text: str) -> None:
    (tmp_path / "score.yaml").write_text(text, encoding="utf-8")
    config = load_score(tmp_path / "score.yaml", (), env={}).config
    assert config.sut is not None
    assert config.judge is not None


def test_every_setting_has_a_row_with_its_default_and_bounds() -> None:
    for key, field in ScoreConfig.model_fields.items():
        rows = re.findall(rf"^\|[^|]*`{key}`[^|]*\|([^|]*)\|([^|]*)\|", GUIDE, re.MULTILINE)
        rows = [row for row in rows if key in ScoreSettings.model_fields or row[1]]
        assert rows, key
        default = field.default
        if isinstance(default, bool | int | float):
            assert any(f"`{yaml_line(default)}`" in row[0] for row in rows), key
    for key, bounds in {
        "num_pairs": "1–32",
        "n_sut_retries": "0–5",
        "sut_temperature": "0–2",
        "synthesis_temperature": "0–2",
        "sub_call_concurrency_limit": "1–64",
    }.items():
        low, high = map(int, bounds.split("–"))
        schema = ScoreSettings.model_json_schema()["properties"][key]
        assert (schema["minimum"], schema["maximum"]) == (low, high)
        assert re.search(rf"^\| `{key}` \|[^|]*\| {bounds} \|", GUIDE, re.MULTILINE)


def test_every_column_kind_and_code_is_named() -> None:
    assert all(f"| `{column}` |" in GUIDE for column in (*REQUIRED, *OPTIONAL))
    assert all(f"`{kind}`" in GUIDE for kind in KINDS)
    assert [f"| {code} | " in GUIDE for code in (COMPLETE, UsageError.exit_code, INCOMPLETE)] == [True] * 3


def test_a_config_takes_settings_of_the_command_line_in_its_place(tmp_path: Path) -> None:
    path = tmp_path / "score.yaml"
    path.write_text("num_pairs: 4\nseed: 2\nsut: local\n", encoding="utf-8")
    config = load_score(path, ["num_pairs=5", "sut={name: m}", "reference_answer=the one"], env={}).config
    assert (config.num_pairs, config.seed, config.reference_answer) == (5, 2, "the one")
    assert config.sut is not None
    assert config.sut.provider == "openai"


@pytest.mark.parametrize(
    ("block", "settings", "sent"),
    [
        ("{name: m}", (), {"temperature": 0.7}),
        ("{name: m, params: {temperature: 0.1}}", (), {}),
        ("{name: m, params: {temperature: 0.1}}", ("sut_temperature=0.3",), {"temperature": 0.3}),
        ("local", (), {"temperature": 0.7}),
        ("{provider: python, callable: 'a.py:b'}", (), {}),
    ],
)
def test_the_temperature_of_the_system_is_the_one_that_is_said(
    block: str, settings: tuple[str, ...], sent: dict[str, float]
) -> None:
    assert load_score(None, [f"sut={block}", *settings], env={}).config.sut_params() == sent
