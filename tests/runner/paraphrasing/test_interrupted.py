"""Ctrl-C while paraphrases are written: no bundle, what came is kept, and the same command does the rest."""

from pathlib import Path

import pytest

from ..command_line import KEY, CommandLine
from ..fault_server import Behaviour, Call, FaultServer, stalls
from ..test_interrupt import dropped, started, until
from .scripts import Endpoint, writes_well


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def test_an_interrupt_while_paraphrases_are_written_keeps_what_came(prt: CommandLine) -> None:
    def first_five(call: Call) -> Behaviour:
        return writes_well(call) if call.number <= 5 else stalls()

    endpoint = Endpoint(write=first_five)
    with FaultServer(by=endpoint) as server:
        config = prt.config(
            server.base_url,
            items=8,
            model={"timeout_s": 60},
            perturbations=[{"paraphrase": {"kind": "llm"}}],
            limits={"concurrency": 1},
        )
        with started(prt.folder, config) as process:
            until(server, 6, process)
            dropped(process)
            out, err = process.communicate(timeout=9)
        assert (process.returncode, out) == (3, "")
        assert "paraphrases are missing, so nothing is frozen: it was interrupted" in err
        assert not Path("prt.bundle.jsonl").exists()
        asked = list(endpoint.wanted())
        endpoint.write = writes_well
        assert prt("run", config).code == 0
        again = list(endpoint.wanted())[len(asked) :]
    assert Path("prt.bundle.jsonl").exists()
    assert set(asked[:5]).isdisjoint(again)
    assert len(again) == 3
    assert endpoint.counts()[2] == 16
