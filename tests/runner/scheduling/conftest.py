"""What tests of schedules share: the command line in a folder of its own, away from this machine's schedulers."""

from pathlib import Path

import pytest

from ..command_line import KEY, CommandLine


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line, with an empty home and without schedulers of this machine."""
    (tmp_path / "home").mkdir()
    (tmp_path / "programs").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "programs"))
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    for name in ("PRT_STORE", "XDG_CONFIG_HOME", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)
