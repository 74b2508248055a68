"""A frozen bundle is used only by the config that would make it, and `prt perturb` makes it anew."""

from pathlib import Path

import pytest
import yaml
from prt.perturbations.bundle import read_bundle
from pydantic import JsonValue as Json

from .command_line import CommandLine

FROZEN: dict[str, Json] = {
    "name": "capitals",
    "model": {"provider": "openai", "name": "m", "api_key_env": None, "params": {"temperature": 0}},
    "dataset": "capitals.jsonl",
    "perturbations": ["reorder", {"typo": {"rate": 0.1}}],
    "seed": 3,
    "bundle": "frozen.jsonl",
}
MEND = "; write the bundle anew by `prt perturb`, or remove `bundle:` from the config"


@pytest.fixture
def prt(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    prt = CommandLine(tmp_path, capsys, monkeypatch)
    prt.capitals()
    said(prt)
    assert prt("perturb", "prt.yaml").code == 0
    return prt


def said(prt: CommandLine, **changes: Json) -> None:
    prt.write("prt.yaml", yaml.safe_dump({**FROZEN, **changes}))


def test_a_bundle_of_the_same_config_is_used(prt: CommandLine) -> None:
    assert prt("check", "prt.yaml").code == 0


CHANGES: list[tuple[dict[str, Json], str]] = [
    ({"seed": 4}, "the bundle was made with `seed: 3`, and the config says 4"),
    (
        {"perturbations": ["reorder", "format"]},
        "the bundle was made by `reorder`, `typo`, and the config's perturbations are `reorder`, `format`",
    ),
    (
        {"perturbations": ["reorder"]},
        "the bundle was made by `reorder`, `typo`, and the config's perturbations are `reorder`",
    ),
    (
        {"perturbations": [["reorder", {"typo": {"rate": 0.1}}]]},
        "the bundle was made by `reorder`, `typo`, and the config's perturbations are `reorder+typo`",
    ),
    (
        {"perturbations": ["reorder", {"typo": {"rate": 0.2, "layout": "qwertz"}}]},
        (
            'the bundle has `typo` with layout "qwerty", and the config says "qwertz"; '
            'rate "0.1", and the config says "0.2"'
        ),
    ),
    (
        {"perturbations": ["reorder", {"typo": {"rate": 0.1, "variants": 2}}]},
        (
            "the bundle has the conditions `reorder.1`, `typo.1`, and the config's perturbations make `reorder.1`, "
            "`typo.1`, `typo.2` (item 'q0')"
        ),
    ),
    (
        {"model": {"name": "m", "api_key_env": None, "params": {"temperature": 1}}},
        (
            "the bundle was made by `reorder`, `typo`, and the config's perturbations are `reorder`, `typo`, `rerun` "
            "(`rerun` is added since replies may vary)"
        ),
    ),
]


@pytest.mark.parametrize(("changes", "sentence"), CHANGES)
@pytest.mark.parametrize("command", ["check", "plan", "run"])
def test_a_config_that_would_make_other_variants_is_refused_and_perturb_mends_it(
    prt: CommandLine, command: str, changes: dict[str, Json], sentence: str
) -> None:
    said(prt, **changes)
    ended = prt(command, "prt.yaml")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == f"prt: frozen.jsonl: {sentence}{MEND}\n"
    assert prt("perturb", "prt.yaml").code == 0
    assert prt("check", "prt.yaml").code == 0


def test_another_version_of_a_generator_is_told(prt: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prt.perturbations.Typo.version", 99)
    ended = prt("check", "prt.yaml")
    assert "the bundle has `typo` of version " in ended.err
    assert "and this prt makes version 99" in ended.err


def test_seed_and_generators_are_told_together(prt: CommandLine) -> None:
    said(prt, seed=4, perturbations=["reorder"])
    assert prt("check", "prt.yaml").err.count("frozen.jsonl: the bundle was made") == 2


def test_perturb_says_that_it_reads_no_bundle_and_writes_where_the_config_reads(prt: CommandLine) -> None:
    said(prt, seed=4)
    ended = prt("perturb", "prt.yaml")
    note = "of frozen.jsonl, the config's `bundle`, only reviews are read."
    assert f"note: the variants are made anew from `perturbations`; {note}" in " ".join(ended.out.split())
    assert "frozen.jsonl: 36 variants frozen" in ended.out
    assert read_bundle("frozen.jsonl").seed == 4
    assert prt("perturb", "-o", "other.jsonl", "prt.yaml").code == 0
    assert read_bundle("other.jsonl") == read_bundle("frozen.jsonl")


def test_perturb_needs_no_bundle_to_write_the_first(prt: CommandLine) -> None:
    Path("frozen.jsonl").unlink()
    assert prt("check", "prt.yaml").code == 2
    assert prt("perturb", "prt.yaml").code == 0
    assert prt("check", "prt.yaml").code == 0
