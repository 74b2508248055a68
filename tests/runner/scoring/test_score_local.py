"""The embedded model in all three places: it runs from end to end without a network, and scores poorly."""

import importlib.util
import json
from pathlib import Path

import pytest

from ..command_line import CommandLine

needs_llama = pytest.mark.skipif(
    importlib.util.find_spec("xllamacpp") is None, reason="needs llama.cpp (the extra `local`)"
)


@needs_llama
@pytest.mark.local_model
def test_the_embedded_model_scores_rows_from_end_to_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    question = "Which city is the capital of France?"
    row = {"input_id": "a", "prompt": question, "sut_response": "Paris.", "reference_answer": "Paris"}
    prt.write("rows.jsonl", json.dumps(row) + "\n")
    model = "{provider: local, params: {temperature: 0, max_tokens: 48}}"
    prt.write(
        "score.yaml",
        f"sut: {model}\njudge: {model}\nsame_model: true\nnum_pairs: 1\nperturbations: [style]\n",
    )
    ended = prt("score", "rows.jsonl", "--config", "score.yaml", "--out", "out.jsonl", "--json")
    assert ended.code in {0, 3}, ended.err
    (line,) = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert line["input_id"] == "a"
    assert (line["score"] is None) == bool(line["reason"])
    assert ended.json["rows"] == 1
