"""Running the command line in this process, on a dataset and an endpoint made for it."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml
from prt.runner.cli import main
from pydantic import JsonValue as Json

KEY = "sk-canary-5f1d2c3b4a59687f"
CAPITALS = [("France", "Paris"), ("Spain", "Madrid"), ("Italy", "Rome"), ("Japan", "Tokyo"), ("Egypt", "Cairo")]


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended: its exit code and what it printed."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output, read as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class CommandLine:
    """The command line, in a folder of its own."""

    folder: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def __call__(self, *args: str) -> Ended:
        self.monkeypatch.setattr(sys, "argv", ["prt", *args])
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        else:
            code = 0
        printed = self.capsys.readouterr()
        assert isinstance(code, int)
        assert "Traceback" not in printed.err
        return Ended(code, printed.out, printed.err)

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8")
        return name

    def capitals(self, items: int = 12) -> str:
        """A dataset of so many multiple-choice items, the right option in turn A, B, C, D, E."""
        options = [capital for _, capital in CAPITALS]
        rows = [
            {
                "id": f"q{at}",
                "question": f"{at + 1}: which city is the capital of {CAPITALS[at % 5][0]}?",
                "options": options,
                "answer": CAPITALS[at % 5][1],
            }
            for at in range(items)
        ]
        return self.write("capitals.jsonl", "".join(json.dumps(row) + "\n" for row in rows))

    def python_config(self, program: str) -> str:
        """A config of that dataset and a function `answer` of this program."""
        self.write("answering.py", program)
        config: dict[str, Json] = {
            "model": {"provider": "python", "callable": "answering.py:answer"},
            "dataset": self.capitals(),
            "perturbations": ["reorder"],
        }
        return self.write("prt.yaml", yaml.safe_dump(config, sort_keys=False))

    def config(self, base_url: str, *, items: int = 12, model: dict[str, Json] | None = None, **rest: Json) -> str:
        """A config of that dataset and an endpoint, whose calls are not repeated unless `model` says so."""
        config: dict[str, Json] = {
            "model": {
                "provider": "openai",
                "name": "m",
                "base_url": base_url,
                "params": {"temperature": 0},
                "timeout_s": 5,
                "retry": {"retries": 0},
                **(model or {}),
            },
            "dataset": self.capitals(items),
            "perturbations": ["reorder", "typo"],
            **rest,
        }
        return self.write("prt.yaml", yaml.safe_dump(config, sort_keys=False))
