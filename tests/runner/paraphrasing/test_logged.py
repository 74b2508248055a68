"""What the log tells of the calls for paraphrases."""

import json
from pathlib import Path

import pytest

from ..command_line import KEY, CommandLine
from ..fault_server import Behaviour, Call, FaultServer, fails
from .scripts import Endpoint, llm_config


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def test_each_round_is_an_event_and_a_failure_is_told_by_its_kind(prt: CommandLine) -> None:
    endpoint = Endpoint()

    def refuses_the_first(call: Call) -> Behaviour:
        return fails(400, message=f"not that one, {KEY}") if call.number == 1 else endpoint(call)

    with FaultServer(by=refuses_the_first) as server:
        ended = prt("perturb", llm_config(prt, server.base_url), "-vv", "--log-file", "log.jsonl")
    assert ended.code == 0
    lines = [json.loads(line) for line in Path("log.jsonl").read_text(encoding="utf-8").splitlines()]
    rounds = [line["event"] for line in lines if line["event"].startswith("paraphrases, attempt ")]
    assert rounds[0].endswith("4 proposals; rates say how many pass")
    assert len(rounds) == 2, "the one that was refused is asked for again"
    (failed,) = [line for line in lines if line["event"] == "failures"]
    assert (failed["fields"]["kind"], failed["fields"]["cells"]) == ("bad_request", 1)
    (attempt,) = [line for line in lines if line["event"] == "a call failed"]
    assert attempt["fields"]["error"].endswith("answered 400: not that one, [hidden]")
    assert "first bad_request" in ended.err
    assert KEY not in ended.err
