"""Configs that test nothing, and conditions that apply to no item: told by every command, refused by a run."""

import json
from pathlib import Path

import pytest
import yaml
from pydantic import JsonValue as Json

from .command_line import KEY, CommandLine

CALLED = "def answer(question):\n    open('called', 'w').close()\n    return 'A'\n"


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.delenv("PRT_STORE", raising=False)
    return CommandLine(tmp_path, capsys, monkeypatch)


def config(prt: CommandLine, perturbations: list[Json], **rest: Json) -> str:
    prt.write("answering.py", CALLED)
    whole = {
        "model": {"provider": "python", "callable": "answering.py:answer"},
        "dataset": prt.capitals(5),
        "perturbations": perturbations,
        **rest,
    }
    return prt.write("prt.yaml", yaml.safe_dump(whole, sort_keys=False))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_run_that_would_test_nothing_is_refused_before_a_call_and_check_says_the_same(prt: CommandLine) -> None:
    named = config(prt, [{"typo": {"variants": 2}}], protect=[".*"])
    checked, ran = prt("check", named), prt("run", named)
    assert (checked.code, ran.code, checked.out, ran.out) == (2, 2, "", "")
    assert "no perturbation applies to any item" in checked.err
    assert "`typo.1`, `typo.2` apply to none of 5 items: 5 not applicable" in checked.err
    assert checked.err.strip() in ran.err
    assert not (prt.folder / "called").exists()


@pytest.mark.parametrize("perturbations", [["rerun"], [{"control": {"kind": ["logic"]}}]])
def test_what_perturbs_nothing_on_purpose_is_run(prt: CommandLine, perturbations: list[Json]) -> None:
    assert prt("run", "--quiet", config(prt, perturbations)).code == 0
    assert (prt.folder / "called").exists()


@pytest.mark.parametrize("command", ["check", "plan", "perturb", "run"])
def test_a_condition_without_an_item_is_named_with_its_reason_by_every_command(prt: CommandLine, command: str) -> None:
    ended = prt(command, config(prt, ["reorder", {"reorder": {"of": "examples"}}, {"control": {"kind": ["logic"]}}]))
    assert ended.code == 0
    notes = flat(ended.out + ended.err)
    assert "note: `reorder.2` applies to none of 5 items: 5 not applicable (no examples)" in notes
    assert "note: `control.1` applies to none of 5 items" in notes
    assert "`reorder.1` applies" not in notes


def test_a_plan_counts_the_variants_that_run(prt: CommandLine) -> None:
    named = config(prt, ["reorder", {"reorder": {"of": "examples", "variants": 3}}])
    assert prt("plan", "--json", named).json["sight"]["variants"] == 1
    assert "flip, 1 variant at 0.05:" in flat(prt("plan", named).out)
    assert json.loads(prt("plan", "--json", config(prt, ["reorder", "format"])).out)["sight"]["variants"] == 2
