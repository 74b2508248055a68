"""The embedded model as a judge: all of it runs without a network, and shows how poor a judge it is."""

import importlib.util
from pathlib import Path

import pytest

from ..command_line import CommandLine
from ..fault_server import fails
from .court import court

needs_llama = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="needs llama.cpp (the extra `local`)"
)
RIGHT, WRONG = "France", "Japan"


@needs_llama
@pytest.mark.local_model
def test_the_embedded_model_judges_a_run_from_end_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    with court(prt, {RIGHT: "It is France-City.", WRONG: "It is Kenya-City."}, lambda _: fails(500)) as offline:
        grade = {"grader": "judge", "rubric": "It names the right city.", "model": "local"}
        config = offline.config(grade=grade, perturbations=["rerun"])  # type: ignore[arg-type]
        ended = prt("run", config, "--json")
        assert ended.code == 0, ended.err
        assert ended.json["source"]["judge"] == "SmolLM2-135M-Instruct"
        assert ended.json["summary"]["overall"]["baseline_rate"]["n"] == 2
        assert offline.judged == 0
        prt.write(
            "labels.csv",
            f"item,condition,label\n{RIGHT},baseline,pass\n{WRONG},baseline,fail\n",
        )
        measured = prt("judge", "calibrate", "labels.csv", "--run", "latest", "--json")
        assert measured.code == 0, measured.err
        assert measured.json["n"] == 2
