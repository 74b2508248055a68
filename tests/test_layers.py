"""The layers of the house: imports go downward only, and each folder's packages are all installed."""

import ast
import graphlib
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = {"stats": "prt.stats", "perturbations": "prt.perturbations", "runner": "prt.runner"}
ALLOWED = {"stats": {"numpy", "scipy"}, "perturbations": set[str]()}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("prt", *parts)).removesuffix(".__init__")


def imported(path: Path) -> set[str]:
    """The full names of what a module imports, relative imports resolved."""
    package = name_of(path) if path.name == "__init__.py" else name_of(path).rpartition(".")[0]
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            names.add(".".join([*base, *([node.module] if node.module else [])]))
    return names


@pytest.mark.parametrize("folder", ["stats", "perturbations"])
def test_a_lower_package_imports_no_other_package_of_ours_and_little_else(folder: str) -> None:
    import sys  # noqa: PLC0415 - the list of the standard library is wanted here alone

    allowed = sys.stdlib_module_names | ALLOWED[folder]
    for path in modules(folder):
        for name in imported(path):
            if name.startswith("prt."):
                assert name.startswith(PACKAGES[folder]), f"{path} imports {name}"
            else:
                assert name.partition(".")[0] in allowed, f"{path} imports {name}"


def test_no_module_imports_itself_by_way_of_others() -> None:
    every = {name_of(path): imported(path) for folder in PACKAGES for path in modules(folder)}
    graph = {name: {other for other in names if other in every} - {name} for name, names in every.items()}
    assert len([*graphlib.TopologicalSorter(graph).static_order()]) == len(every)


LAYERS = (
    (
        "prt.runner.errors",
        "prt.runner.records",
        "prt.runner.suggest",
        "prt.runner.problems",
        "prt.runner.callables",
        "prt.runner.threads",
        "prt.runner.spool",
        "prt.runner.encoding",
        "prt.runner.safe_names",
    ),
    ("prt.runner.config", "prt.runner.datasets", "prt.runner.results"),
    (
        "prt.runner.plan",
        "prt.runner.graders",
        "prt.runner.judging.fence",
        "prt.runner.judging.forms",
        "prt.runner.judging.quoting",
        "prt.runner.judging.statements",
        "prt.runner.judging.verdict",
        "prt.runner.judging.prompts",
        "prt.runner.own_generator",
        "prt.runner.own_loading",
        "prt.runner.generators",
        "prt.runner.paraphrasing.paraphrasers",
        "prt.runner.paraphrasing.prompts",
        "prt.runner.file_lock",
        "prt.runner.reviewing",
        "prt.runner.review_file",
        "prt.runner.legend",
        "prt.runner.perturb_stats",
        "prt.runner.bundles",
        "prt.runner.unmatched",
        "prt.runner.costs",
        "prt.runner.counting",
        "prt.runner.prepare",
        "prt.runner.frozen",
        "prt.runner.recipe",
        "prt.runner.idle",
        "prt.runner.sight",
        "prt.runner.planning",
    ),
    ("prt.runner.models", "prt.runner.masking", "prt.runner.store"),
    (
        "prt.runner.engine",
        "prt.runner.paraphrasing",
        "prt.runner.findings",
        "prt.runner.flipped",
        "prt.runner.answers",
        "prt.runner.orders",
        "prt.runner.tallies",
        "prt.runner.table_analysis",
        "prt.runner.positions",
        "prt.runner.controls",
        "prt.runner.headline",
        "prt.runner.judge_usage",
        "prt.runner.usage",
        "prt.runner.explorer",
        "prt.runner.explorer_texts",
        "prt.runner.analysis",
        "prt.runner.gating",
        "prt.runner.reports",
        "prt.runner.regrading",
        "prt.runner.auditing",
        "prt.runner.audit_file",
        "prt.runner.exporting",
        "prt.runner.shrinking",
        "prt.runner.judging",
        "prt.runner.duel",
        "prt.runner.scheduling",
        "prt.runner.scoring",
        "prt.runner.comparing",
        "prt.runner.nightly",
        "prt.runner.logs",
    ),
    ("prt.runner.serving",),
    ("prt.runner.commands", "prt.runner.completing"),
    ("prt.runner.cli",),
    ("prt.runner.__main__", "prt.runner.cli_docs"),
)
"""The runner's layers, the lowest first; a module may import what is in its own layer or below."""


def layer_of(name: str) -> int:
    return next(
        height for height, layer in enumerate(LAYERS) if any(f"{name}.".startswith(f"{each}.") for each in layer)
    )


def test_the_runner_imports_downward_only() -> None:
    for path in modules("runner"):
        name = name_of(path)
        if name == "prt.runner":
            continue
        for other in imported(path):
            if other.startswith("prt.runner."):
                assert layer_of(other) <= layer_of(name), f"{name} imports {other}"


def test_every_folder_with_modules_is_installed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(project["tool"]["setuptools"]["packages"])
    found = {name_of(path.parent / "__init__.py") for folder in PACKAGES for path in modules(folder)}
    assert found == listed
