"""The documents say what the program does: the command line's reference is its own, and the README's config loads."""

import re
from pathlib import Path

import pytest
from prt.runner.cli_docs import command_reference
from prt.runner.config.loading import parse_config

ROOT = Path(__file__).parents[2]
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_reference_of_the_command_line_is_up_to_date() -> None:
    told = "run: python -m prt.runner.cli_docs > docs/cli.md"
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == command_reference(), told


def test_every_config_in_the_readme_loads() -> None:
    blocks = re.findall(r"```yaml\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    for block in blocks:
        parse_config(block, ROOT / "readme.yaml", env={})


def test_every_command_in_the_readme_exists() -> None:
    used = set(re.findall(r"\bprt ([a-z]+)\b", (ROOT / "README.md").read_text(encoding="utf-8")))
    known = set(re.findall(r"^## `prt ([a-z]+)", command_reference(), re.MULTILINE))
    assert used & known >= {"run", "init", "check", "perturb", "report", "show", "analyze", "schema"}
    assert used - known <= {"tells"}


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_every_link_between_documents_leads_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_no_document_says_that_grading_again_never_calls(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    for sentence in re.split(r"(?<=\.) ", text):
        assert "prt grade" not in sentence or "without a call" not in sentence, sentence
