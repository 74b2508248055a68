"""A run whose answers a judge grades: answers first, then the verdicts; each is paid for once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import JsonValue as Json

from ..command_line import CommandLine
from ..fault_server import Behaviour, Call, answers, fails, is_cut_off, is_filtered
from .court import Court, court, fair, fenced_text

REPLIES = {"Alpha": "It is Alpha-City.", "Beta": "No idea.", "Gamma": "Gamma-City", "Delta": "Epsilon-City"}


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsys, monkeypatch)


@pytest.fixture
def fair_court(prt: CommandLine) -> Iterator[Court]:
    with court(prt, REPLIES, fair) as made:
        yield made


def test_the_judge_grades_what_the_model_answered(fair_court: Court, prt: CommandLine) -> None:
    ended = prt("run", fair_court.config(), "--json")
    assert ended.code == 0, ended.err
    assert ended.json["baseline"]["estimate"] == 0.5
    assert fair_court.answered == 8
    assert fair_court.judged == 4  # equal answers to one item have equal prompts


def test_the_same_command_again_asks_neither(fair_court: Court, prt: CommandLine) -> None:
    config = fair_court.config()
    prt("run", config)
    assert prt("run", config).code == 0
    assert (fair_court.answered, fair_court.judged) == (8, 4)
