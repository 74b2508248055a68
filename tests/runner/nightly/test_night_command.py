"""`prt night` on the command line: nights of a real run, their digest, their exit codes, and who is told."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from prt.runner.nightly.lock import night_lock
from prt.runner.nightly.summary import NightSummary, read_history
from prt.runner.store.baselines import find_baseline
from prt.runner.store.database import open_store
from prt.runner.store.nights import list_nights
from prt.runner.store.schema import nights
from pydantic import JsonValue as Json
from sqlalchemy import delete

from ..command_line import CommandLine
from ..fault_server import FaultServer, fails, sends

SECRET = "hook-canary-7d21e8f0"  # noqa: S105 - made for these tests
PROGRAM = """
import pathlib

HERE = pathlib.Path(__file__).parent
CAPITALS = {"France": "Paris", "Spain": "Madrid", "Italy": "Rome", "Japan": "Tokyo", "Egypt": "Cairo"}

def note(name):
    with (HERE / name).open("a") as calls:
        calls.write(".")

def right(text):
    return next(city for land, city in CAPITALS.items() if land in text)

def answer(messages):
    note("calls")
    text = messages[-1]["content"]
    if (HERE / "broken").exists() and (HERE / "calls").stat().st_size > int((HERE / "broken").read_text()):
        raise RuntimeError("it broke")
    return "Madrid" if (HERE / "worse").exists() else right(text)

def reference(messages):
    note("reference_calls")
    if (HERE / "reference_broken").exists():
        raise RuntimeError("the reference broke")
    return right(messages[-1]["content"])
"""
CELLS = 30
"""Of 10 items under three conditions."""


class Nights(CommandLine):
    """The command line in a folder with a config for nights, whose model can be made worse or broken."""

    def prepare(self, nightly: dict[str, Json] | None = None, *, items: int = 10, **rest: Json) -> str:
        self.write("answering.py", PROGRAM)
        config: dict[str, Json] = {
            "name": "capitals",
            "model": {"provider": "python", "callable": "answering.py:answer", "retry": {"retries": 0}},
            "dataset": self.capitals(items),
            "perturbations": ["reorder", "format"],
            "prices": {"input": 1, "output": 2},
            "nightly": nightly or {},
            **rest,
        }
        return self.write("night.yaml", yaml.safe_dump(config, sort_keys=False))

    def touch(self, name: str, text: str = "") -> None:
        self.write(name, text)

    def calls(self, name: str = "calls") -> int:
        path = self.folder / name
        return path.stat().st_size if path.exists() else 0

    def history(self) -> tuple[NightSummary, ...]:
        with open_store(str(self.folder / "prt.db")) as store:
            return read_history(list_nights(store, "capitals")).nights


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Nights:
    monkeypatch.chdir(tmp_path)
    return Nights(tmp_path, capsys, monkeypatch)


def last_json(folder: Path) -> dict[str, Any]:
    lines = (folder / "nights.jsonl").read_text(encoding="utf-8").splitlines()
    value: dict[str, Any] = json.loads(lines[-1])
    return value


def test_three_nights_the_third_with_a_worse_model_behind_the_same_name(prt: Nights) -> None:
    notify: Json = [{"webhook": {"url_env": "HOOK"}}, {"file": {"path": "nights.jsonl"}}]
    config = prt.prepare({"notify": notify})
    with FaultServer(sends("ok")) as server:
        prt.monkeypatch.setenv("HOOK", f"{server.url}/{SECRET}")
        first, second = prt("night", config), prt("night", config)
        prt.touch("worse")
        third = prt("night", config)
    assert (first.code, second.code, third.code) == (0, 0, 1)
    assert "capitals, night 1" in first.out
    assert "this night is pinned as the baseline 'capitals'" in first.out
    assert "night 2" in second.out
    assert "quiet, nothing is proven worse" in second.out
    assert "ALARM, proven worse" in third.out
    assert "look 2 of alpha 0.05; Item sign-flip exact, one-sided (worse)" in third.out
    assert "8 items with 24 results never seen before (24 now fail)" in third.out
    assert "took        30 calls" in third.out
    assert prt.calls() == 3 * CELLS
    told = [call.json for call in server.calls]
    assert [(each["exit_code"], each["night"]["night"]) for each in told] == [(0, 1), (1, 3)]  # type: ignore[index,call-overload]
    assert len((prt.folder / "nights.jsonl").read_text(encoding="utf-8").splitlines()) == 3
    assert [night.verdict for night in prt.history()] == ["first", "quiet", "alarm"]


def test_json_says_the_same_as_the_sinks_and_the_files(prt: Nights) -> None:
    config = prt.prepare({"notify": [{"file": {"path": "nights.jsonl"}}]})
    ended = prt("night", config, "--json", "--quiet")
    told = last_json(prt.folder)
    files = told["files"]
    assert told == ended.json
    assert {Path(file).suffix for file in files} == {".md", ".json"}
    written = json.loads(next(Path(file) for file in files if file.endswith(".json")).read_text(encoding="utf-8"))
    assert written["night"] == told["night"]


def test_pages_of_the_night_and_its_run_are_written_where_they_are_wanted(prt: Nights) -> None:
    config = prt.prepare()
    ended = prt("night", config, "--html")
    pages = sorted((prt.folder / "prt-reports").glob("*.html"))
    assert len(pages) == 2
    assert all("<!doctype html>" in page.read_text(encoding="utf-8")[:20] for page in pages)
    assert "reports of the night: " in ended.err


def test_a_night_that_broke_off_is_gone_on_with_and_asks_only_what_is_missing(prt: Nights) -> None:
    config = prt.prepare(
        {"notify": [{"file": {"path": "nights.jsonl"}}]}, limits={"give_up_after": 3, "concurrency": 1}
    )
    prt("night", config)
    prt.touch("broken", str(CELLS + 12))
    broken = prt("night", config)
    assert broken.code == 3
    assert "capitals, night 2" in broken.out
    assert "INCOMPLETE, nothing is decided" in broken.out
    assert "18 of 30 cells have no result" in broken.out
    assert "it broke" in broken.err
    assert last_json(prt.folder)["exit_code"] == 3
    (prt.folder / "broken").unlink()
    before = prt.calls()
    again = prt("night", config)
    assert again.code == 0
    assert "capitals, night 2" in again.out
    assert prt.calls() - before == CELLS - 12
    assert [(night.night, night.verdict) for night in prt.history()] == [(1, "first"), (2, "quiet")]


def test_a_broken_night_that_is_too_old_is_left_and_a_new_one_begins(prt: Nights) -> None:
    config = prt.prepare({"resume_h": 0.000001}, limits={"give_up_after": 3, "concurrency": 1})
    prt.touch("broken", "12")
    assert prt("night", config).code == 3
    (prt.folder / "broken").unlink()
    ended = prt("night", config)
    assert "capitals, night 2" in ended.out
    assert [night.verdict for night in prt.history()] == ["incomplete", "first"]


def test_reports_that_can_not_be_written_are_told_of_in_a_quiet_night_too(prt: Nights) -> None:
    prt.touch("prt-reports")
    ended = prt("night", prt.prepare(), "--quiet")
    assert ended.code == 0
    assert "warning: prt-reports/capitals-night-0001.md: its folder can't be made" in ended.err
    assert ended.err.count("; the night is stored all the same") == len(ended.err.splitlines())


def test_a_run_of_the_same_config_neither_takes_nor_changes_a_night(prt: Nights) -> None:
    config = prt.prepare()
    prt("night", config)
    prt.touch("worse")
    assert prt("run", config).code == 0
    assert prt.calls() == CELLS  # the run took the replies of the night, as runs do
    (prt.folder / "worse").unlink()
    assert prt("night", config).code == 0
    assert prt.calls() == 2 * CELLS
    assert prt("report", "capitals").code == 0


def test_a_fresh_reference_is_asked_every_night_and_decides_by_the_evidence_of_all(prt: Nights) -> None:
    reference: Json = {"provider": "python", "callable": "answering.py:reference"}
    config = prt.prepare({"reference": "fresh", "reference_model": reference})
    first, second = prt("night", config), prt("night", config)
    assert (first.code, second.code) == (0, 0)
    assert "look 1 of alpha 0.05; beta-binomial e-process, Jeffreys mixture over drops, one-sided" in first.out
    assert prt.calls("reference_calls") == 2 * CELLS
    prt.touch("worse")
    third = prt("night", config)
    (prt.folder / "worse").unlink()
    fourth = prt("night", config)
    assert (third.code, fourth.code) == (1, 1)
    assert "8 worse and 0 better so far" in fourth.out
    restarted = prt("night", config, "--restart")
    assert restarted.code == 0
    assert "look 1 of alpha 0.05" in restarted.out
    with open_store("prt.db") as store:
        assert find_baseline(store, "capitals") is None


def test_a_reference_that_broke_off_makes_the_night_incomplete_and_is_gone_on_with(prt: Nights) -> None:
    reference: Json = {"provider": "python", "callable": "answering.py:reference", "retry": {"retries": 0}}
    config = prt.prepare({"reference": "fresh", "reference_model": reference}, limits={"give_up_after": 3})
    prt.touch("reference_broken")
    broken = prt("night", config)
    assert broken.code == 3
    assert "the reference: " in broken.out
    (prt.folder / "reference_broken").unlink()
    again = prt("night", config)
    assert (again.code, prt.calls()) == (0, CELLS)
    assert [(night.night, night.verdict) for night in prt.history()] == [(1, "quiet")]


def test_a_reference_that_lacks_something_is_told_before_anything_is_asked(prt: Nights) -> None:
    config = prt.prepare({"reference": "fresh", "reference_model": {"name": "m", "api_key_env": "NO_SUCH_KEY"}})
    ended = prt("night", config)
    assert ended.code == 2
    assert "NO_SUCH_KEY" in ended.err
    assert prt.calls() == 0


def test_check_opens_the_reference_and_says_which_sinks_can_not_be_told(prt: Nights) -> None:
    config = prt.prepare({"notify": [{"webhook": {"url_env": "UNSET_HOOK"}}]})
    noted = prt("check", config)
    assert noted.code == 0
    assert "the webhook (UNSET_HOOK) can't be told" in noted.out
    config = prt.prepare({"reference": "fresh", "reference_model": {"name": "m", "api_key_env": "NO_SUCH_KEY"}})
    refused = prt("check", config)
    assert refused.code == 2
    assert "NO_SUCH_KEY" in refused.err


@pytest.mark.parametrize(
    ("name", "fault"), [("n" * 101, "a name has at most 100 characters"), ("latest", "this means the newest run")]
)
def test_check_says_where_no_baseline_can_have_the_name_that_nights_would_give_it(
    prt: Nights, name: str, fault: str
) -> None:
    noted = prt("check", prt.prepare(name=name))
    assert noted.code == 0
    assert "`prt night` refuses this config" in noted.out
    assert fault in noted.out
    assert fault in prt("night", prt.prepare(name=name)).err
    assert "refuses this config" not in prt("check", prt.prepare({"baseline": "main"}, name=name)).out


def test_a_baseline_of_other_items_is_refused_before_any_call_and_restart_pins_anew(prt: Nights) -> None:
    config = prt.prepare()
    prt("night", config)
    prt.prepare(items=9)
    refused = prt("night", config)
    assert refused.code == 2
    assert "was asked other items or variants than this config has" in refused.err
    assert prt.calls() == CELLS
    restarted = prt("night", config, "--restart")
    assert restarted.code == 0
    assert "this night is pinned as the baseline" in restarted.out
    assert "look 1 of" in prt("night", config).out


def test_a_model_that_the_config_did_not_name_then_is_compared_and_noted(prt: Nights) -> None:
    config = prt.prepare()
    prt("night", config)
    text = (prt.folder / config).read_text(encoding="utf-8").replace("answering.py:answer", "answering.py:reference")
    prt.write(config, text)
    ended = prt("night", config)
    assert ended.code == 0
    assert "look 1 of" in ended.out
    assert "note " in ended.out
    assert "answering.py:reference" in ended.out


def test_looks_are_counted_from_the_baseline_that_is_pinned(prt: Nights) -> None:
    config = prt.prepare({"baseline": "good", "nights": 2})
    assert prt("run", config).code == 0
    assert prt("baseline", "set", "good", "latest").code == 0
    first, second, third = (prt("night", config) for _ in range(3))
    assert "p = 1 > .0250 (look 1 of" in first.out
    assert "against the baseline good" in first.out
    assert "look 2 of" in second.out
    assert third.code == 2
    assert "alpha was split over 2 nights, and 2 were held against this baseline" in third.err
    assert prt("baseline", "set", "good", first.out.partition("prt report ")[2].split()[0]).code == 0
    assert "look 1 of" in prt("night", config).out


def test_a_second_night_at_once_is_refused_and_calls_nothing(prt: Nights) -> None:
    config = prt.prepare()
    with open_store("prt.db") as store, night_lock(store, "capitals"):
        refused = prt("night", config)
    assert refused.code == 2
    assert 'a night of "capitals" is under way (process ' in refused.err
    assert prt.calls() == 0


def test_a_gate_that_fails_ends_the_night_with_1_and_one_against_the_baseline_waits_for_it(prt: Nights) -> None:
    gates: Json = [
        {"figure": "pass_rate", "fail_if_below": 0.95, "name": "good enough"},
        {"figure": "pass_rate", "against": "compared", "fail_unless_no_worse_than": 0.4, "min_n": 2},
    ]
    config = prt.prepare(gates=gates)
    first = prt("night", config)
    assert first.code == 0
    prt.touch("worse")
    ended = prt("night", config)
    assert ended.code == 1
    assert "good enough" in ended.out
    failed = prt.history()[-1].failed_gates
    assert {outcome.gate.partition(" ")[0] for outcome in failed} == {"good", "pass"}
    assert {outcome.verdict for outcome in failed} == {"failed"}


def test_old_nights_are_given_up_as_the_config_says_and_the_trend_keeps_them(prt: Nights) -> None:
    config = prt.prepare({"keep": 2})
    for _ in range(4):
        ended = prt("night", config)
    assert "nightly.keep: 30 replies of 1 old run are removed" in ended.err
    assert prt("runs", "--json").json[2]["state"] == "pruned"
    assert "capitals: 4 nights" in prt("trend").out
    assert prt("store", "check").code == 0


def test_a_night_that_can_not_begin_is_told_to_the_sinks(prt: Nights) -> None:
    config = prt.prepare({"notify": [{"file": {"path": "nights.jsonl"}}]})
    (prt.folder / "capitals.jsonl").unlink()
    ended = prt("night", config)
    assert ended.code == 2
    told = last_json(prt.folder)
    assert (told["event"], told["exit_code"]) == ("prt.night_failed", 2)
    assert "there is no such file" in told["text"]


def test_a_failing_sink_is_one_warning_and_changes_no_exit_code(prt: Nights) -> None:
    sink: Json = {"webhook": {"url_env": "HOOK", "retries": 0}}
    config = prt.prepare({"notify": [sink, {"webhook": {"url_env": "UNSET_HOOK"}}, {"file": {"path": "nights.jsonl"}}]})
    with FaultServer(fails(500, message=f"no {SECRET}")) as server:
        prt.monkeypatch.setenv("HOOK", f"{server.url}/{SECRET}")
        ended = prt("night", config)
    assert ended.code == 0
    warnings = [line for line in ended.err.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 2
    assert "note: the webhook (UNSET_HOOK) can't be told: set the environment variable UNSET_HOOK" in ended.err
    assert (prt.folder / "nights.jsonl").exists()
    assert prt.history()[0].verdict == "first"


def test_the_address_of_a_webhook_stands_nowhere(prt: Nights) -> None:
    config = prt.prepare({"notify": [{"webhook": {"url_env": "HOOK"}}]})
    with FaultServer(sends("ok")) as server:
        prt.monkeypatch.setenv("HOOK", f"{server.url}/{SECRET}")
        ended = prt("night", config, "--html", "-vv", "--log-file", "log.jsonl")
    assert server.calls[0].path == f"/{SECRET}"
    assert SECRET not in ended.out + ended.err
    files = [path for path in prt.folder.rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if SECRET.encode() in path.read_bytes()] == []


@pytest.mark.sqlite
def test_a_night_that_was_pinned_but_not_noted_is_the_first_one_still(prt: Nights) -> None:
    config = prt.prepare()
    prt("night", config)
    with open_store("prt.db") as store, store.writing() as connection:
        connection.execute(delete(nights))
    again = prt("night", config)
    assert "this night is pinned as the baseline" in again.out
    assert prt.calls() == CELLS


@pytest.mark.sqlite
def test_reports_that_can_not_be_written_cost_no_night(prt: Nights) -> None:
    config = prt.prepare()
    prt.touch("prt-reports")
    ended = prt("night", config)
    assert ended.code == 0
    assert "its folder can't be made" in ended.err
    assert prt.history()[0].verdict == "first"
    shutil.rmtree(prt.folder / "prt-reports", ignore_errors=True)
