"""Finding the user's functions, and what is said where they can't be found."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prt.runner.callables import load_callable, source_digest
from prt.runner.errors import ConfigError


@pytest.fixture(autouse=True)
def clean_imports() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "neighbour_of_mine.py").write_text("WORD = 'hello'\n", encoding="utf-8")
    (tmp_path / "functions_of_mine.py").write_text(
        "import neighbour_of_mine\n"
        "TIMES = []\n"
        "TIMES.append(1)\n"
        "def greet(name): return f'{neighbour_of_mine.WORD} {name}'\n"
        "def count(): return len(TIMES)\n"
        "class Box:\n"
        "    @staticmethod\n"
        "    def open(a, b): return a\n"
        "NUMBER = 5\n",
        encoding="utf-8",
    )
    return tmp_path


@pytest.mark.parametrize("source", ["functions_of_mine.py", "./functions_of_mine.py", "functions_of_mine"])
def test_a_function_is_found_in_a_file_and_in_a_module_beside_the_config(folder: Path, source: str) -> None:
    assert load_callable(f"{source}:greet", base=folder, key="k")("Ada") == "hello Ada"


def test_an_absolute_path_is_taken_as_it_is(folder: Path, tmp_path: Path) -> None:
    function = load_callable(f"{folder / 'functions_of_mine.py'}:greet", base=tmp_path / "elsewhere", key="k")
    assert function("Ada") == "hello Ada"


def test_an_installed_module_is_found(tmp_path: Path) -> None:
    assert load_callable("json:dumps", base=tmp_path, key="k")([1]) == "[1]"


def test_a_dotted_function_is_found(folder: Path) -> None:
    assert load_callable("functions_of_mine.py:Box.open", base=folder, key="k", given=("a", "b"))(1, 2) == 1


def test_a_file_runs_once_however_many_functions_are_taken(folder: Path) -> None:
    load_callable("functions_of_mine.py:greet", base=folder, key="k")
    assert load_callable("functions_of_mine.py:count", base=folder, key="k")() == 1


def test_the_user_s_folder_hides_no_library(folder: Path) -> None:
    (folder / "json.py").write_text("raise RuntimeError('hidden')\n", encoding="utf-8")
    load_callable("functions_of_mine.py:greet", base=folder, key="k")
    assert sys.path[-1] == str(folder.resolve())


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("greet", "'greet' names no function; write `package.module:function`"),
        (":greet", "names no function"),
        ("functions_of_mine.py:", "names no function"),
        ("missing.py:greet", "there is no file"),
        ("missing_of_mine:greet", "there is no module 'missing_of_mine'"),
        ("missing_of_mine.sub:greet", "there is no module 'missing_of_mine'"),
        ("json.missing:greet", "there is no module 'json.missing'"),
        ("functions_of_mine.py:hello", "has no 'hello'; it defines count, greet"),
        ("neighbour_of_mine.py:hello", "it defines no function"),
        ("functions_of_mine.py:NUMBER", "is int, not a function"),
        ("functions_of_mine.py:greet.missing", "has no 'greet.missing'"),
        ("..:greet", "importing .. raised"),
    ],
)
def test_what_can_not_be_found_is_said_in_one_sentence(folder: Path, spec: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_callable(spec, base=folder, key="grade.callable")
    assert said in str(caught.value)
    assert str(caught.value).startswith("grade.callable: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 / 0", "raised ZeroDivisionError"),
        ("import missing_of_mine", "raised ModuleNotFoundError: No module named 'missing_of_mine'"),
        ("import sys; sys.exit(3)", "raised SystemExit: 3"),
        ("def f(:", "raised SyntaxError"),
    ],
)
@pytest.mark.parametrize("suffix", [".py", ""])
def test_a_file_that_can_not_be_imported_says_what_it_raised(
    tmp_path: Path, source: str, said: str, suffix: str
) -> None:
    (tmp_path / "broken_of_mine.py").write_text(source, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"importing .*broken_of_mine") as caught:
        load_callable(f"broken_of_mine{suffix}:f", base=tmp_path, key="k")
    assert said in str(caught.value)


def test_a_broken_file_is_run_again_once_it_is_mended(tmp_path: Path) -> None:
    file = tmp_path / "mended_of_mine.py"
    file.write_text("1 / 0\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        load_callable("mended_of_mine.py:f", base=tmp_path, key="k")
    file.write_text("def f(): return 'well'\n", encoding="utf-8")
    assert load_callable("mended_of_mine.py:f", base=tmp_path, key="k")() == "well"


def test_a_function_that_takes_other_arguments_is_refused(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"has the arguments \(name\); it will be called with \(reply, row\)"):
        load_callable("functions_of_mine.py:greet", base=folder, key="k", given=("reply", "row"))


def test_the_digest_of_a_function_follows_its_file(folder: Path) -> None:
    before = source_digest(load_callable("functions_of_mine.py:greet", base=folder, key="k"))
    file = folder / "functions_of_mine.py"
    file.write_text(file.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    after = source_digest(load_callable("functions_of_mine.py:count", base=folder, key="k"))
    assert len(before) == 64
    assert before != after


def test_a_builtin_has_no_file_to_digest() -> None:
    assert source_digest(len) == ""


def test_a_file_that_is_not_there_is_told_with_the_folder_that_it_would_be_in(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="relative to the folder") as caught:
        load_callable("ck.py:f", base=tmp_path, key="grade.callable")
    assert str(caught.value) == (
        f"grade.callable: there is no file {tmp_path / 'ck.py'}; write `package.module:function`, or `file.py:function`"
        f" relative to the folder {tmp_path}"
    )
