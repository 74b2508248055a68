"""docs/results.md: its commands run, and it tells of every tool whose logs are read."""

import re
import shlex
from pathlib import Path

import pytest
from prt.runner.results.importers import inspect_log, lm_eval, openai_evals, promptfoo

from ..command_line import CommandLine
from .logs import inspect_log as inspect_run
from .logs import lm_eval_samples, written

PAGE = (Path(__file__).parents[3] / "docs" / "results.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^\$ prt (.*)$", PAGE, re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, task in (("run", "riddles"), ("plain", "riddles"), ("polite", "riddles-polite")):
        values = [(str(at), 1, {"match": "C" if at % 2 else "I"}) for at in range(12)]
        written(tmp_path, f"{name}.eval", inspect_run(values, accuracy=0.5, task=task))
        for model in ("small", "large"):
            log = inspect_run(values, accuracy=0.5, task=task, model=model)
            written(tmp_path / "logs", f"{task}-{model}.eval", log)
    samples = [lm_eval_samples([1.0, 0.0], each, "exact_match") for each in ("strict-match", "flexible-extract")]
    written(tmp_path / "out" / "model", "samples_riddles_2026-01-02T03-04-05.jsonl", "".join(samples))
    words = shlex.split(command)
    files = [str(file.relative_to(tmp_path)) for word in words for file in tmp_path.glob(word) if "*" in word]
    told = CommandLine(tmp_path, capsys, monkeypatch)(*(word for word in words if "*" not in word), *files)
    assert (told.code, told.err) == (0, "")
    assert "50.0%" in told.out


@pytest.mark.parametrize(
    ("tool", "name"),
    [
        (inspect_log.TOOL, "Inspect"),
        (lm_eval.TOOL, "lm-evaluation-harness"),
        (promptfoo.TOOL, "promptfoo"),
        (openai_evals.TOOL, "OpenAI evals"),
    ],
)
def test_the_page_has_a_row_for_every_tool(tool: str, name: str) -> None:
    assert name in tool
    assert f"\n| {name} | " in PAGE


def test_the_page_tells_of_every_option_for_logs() -> None:
    assert all(option in PAGE for option in ("--metric", "--threshold", "--baseline"))
