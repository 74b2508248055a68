"""The package stands on the standard library alone, and its modules on one another without circles."""

import ast
import graphlib
import sys
from collections.abc import Iterator
from pathlib import Path

import prt.perturbations
import pytest

FOLDER = Path(next(iter(prt.perturbations.__path__)))
MODULES = sorted(FOLDER.glob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Give each import's level (0 absolute, 1 from this package) and module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((0, name.name) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or ""


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_nothing_outside_the_package_and_the_standard_library_is_imported(path: Path) -> None:
    for level, module in imports(path):
        assert level == 1 or (level == 0 and module.partition(".")[0] in sys.stdlib_module_names), module


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = {path.stem: {module for level, module in imports(path) if level == 1} for path in MODULES}
    assert len([*graphlib.TopologicalSorter(graph).static_order()]) >= len(graph)


def test_the_modules_are_found() -> None:
    assert {"perturb", "reorder", "format", "bundle", "question"} <= {path.stem for path in MODULES}
