"""The embedded model as a judge: calibration runs end to end, and shows how poor it is."""

import csv
import importlib.util
from pathlib import Path

import pytest

from ..command_line import CommandLine

needs_llama = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="needs llama.cpp (the extra `local`)"
)
CITIES = {"France": "Paris", "Spain": "Madrid", "Italy": "Rome"}
CONFIG = """\
model: {name: m, base_url: "http://127.0.0.1:9/v1"}
dataset: items.jsonl
perturbations: [style]
grade: {grader: judge, rubric: The answer names the same city as the reference., model: local}
"""


@needs_llama
@pytest.mark.local_model
def test_calibration_shows_how_poor_the_embedded_model_judges(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    with (tmp_path / "labels.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["question", "reply", "reference", "label"])
        for country, city in CITIES.items():
            for said, label in ((city, "pass"), ("Lima", "fail")):
                table.writerow([f"What is the capital of {country}?", f"It is {said}.", city, label])
    prt.write("prt.yaml", CONFIG)
    ended = prt("judge", "calibrate", "labels.csv", "-c", "prt.yaml", "--json", "-q")
    assert ended.code == 0, ended.err
    assert ended.json["n"] + ended.json["unreadable"] == 2 * len(CITIES)
    assert ended.json["specificity"]["estimate"] < 1
    assert not ended.json["better_than_chance"] or ended.json["kappa"]["low"] <= 0
