"""From a config and what the command line says to what is to be scheduled."""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from ..config.loaded import LoadedConfig
from ..config.schema import LocalModel
from ..config.section import Section
from ..errors import UsageError
from ..problems import quoted
from ..store import DEFAULT_STORE
from ..store.database import is_uri, store_url
from .job import Job, job_name, refuse_unwritable
from .kinds import LOCAL, PIPELINES, Kind
from .times import Times
from .variables import blocks_of, load_unset, variables_of

PACKAGE = "prompt-robustness"
FOLDER = "prt-schedule"
RETRIES = 2
BUDGETS = ("max_calls", "max_tokens", "max_cost")
ENDINGS = {".parquet": "parquet", ".xlsx": "xlsx"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command line says; None where it leaves something open.

    Attributes:
        config: The config.
        kind: The scheduler.
        times: When nights are due.
        out: Where the files go.
        name: Of the schedule.
        retries: How often a night that is incomplete is begun again.
        package: What a pipeline installs by pip.
        image: The container's image.
    """

    config: Path
    kind: Kind
    times: Times
    out: Path | None = None
    name: str | None = None
    retries: int | None = None
    package: str | None = None
    image: str | None = None


def named(config: Path, name: str | None, env: Mapping[str, str]) -> str:
    """The name of a schedule: the given one, else the config's.

    Raises:
        UsageError: Nothing of the given one can be part of a file's name.
        ConfigError: The config can't be used.
    """
    if name is None:
        return job_name(load_unset(config, env).config.name)
    if not any(char.isascii() and char.isalnum() for char in name):
        raise UsageError(f"--name: {quoted(name)} has neither letters (a to z) nor digits; write one such as triage")
    return job_name(name)


def build(asked: Asked, *, folder: Path, env: Mapping[str, str]) -> tuple[Job, list[str]]:
    """Say what is to be scheduled.

    Args:
        asked: What the command line says.
        folder: The working directory.
        env: Environment variables; those that the config names need not be set.

    Returns:
        It, and what the user should know.

    Raises:
        ConfigError: The config can't be used.
        UsageError: Something can't be scheduled so.
    """
    loaded = load_unset(asked.config, env)
    config, name = Path(os.path.abspath(asked.config)), named(asked.config, asked.name, env)  # noqa: PTH100 - links stay
    root = config.parent if asked.kind in LOCAL else repository(config, asked.kind)
    works_in = root if asked.kind in PIPELINES else folder
    retries, notes = _retries(loaded, asked.retries)
    local_model = any(blocks_of(loaded.config, LocalModel))
    job = Job(
        name=name,
        config=config,
        folder=works_in,
        root=root,
        out=folder / asked.out if asked.out else _out(asked.kind, folder, root),
        times=asked.times,
        retries=retries,
        program=program(),
        variables=tuple(variables_of(loaded)),
        store=_store_file(loaded, works_in),
        package=asked.package or _package(loaded, local_model=local_model),
        python=f"{sys.version_info.major}.{sys.version_info.minor}",
        image=asked.image or f"prt-{name}:{version(PACKAGE)}",
        local_model=local_model,
    )
    refuse_unwritable(job)
    return job, notes


def program() -> tuple[str, ...]:
    """What calls `prt` on this machine: the script beside the interpreter, else the interpreter with the module."""
    script = Path(sys.executable).with_name("prt.exe" if os.name == "nt" else "prt")
    return (str(script),) if script.is_file() else (sys.executable, "-m", "prt.runner")


def repository(config: Path, kind: Kind) -> Path:
    """The folder of the repository that a config is in; for Kubernetes the config's own where there is none.

    Raises:
        UsageError: It is in none, and a pipeline has nothing but its repository.
    """
    found = next((folder for folder in config.parents if (folder / ".git").exists()), None)
    if found is None and kind in PIPELINES:
        raise UsageError(
            f"{config}: this config is in no Git repository, and --for {kind} has nothing else; put it into one"
        )
    return found or config.parent


def _out(kind: Kind, folder: Path, root: Path) -> Path:
    if kind == "github":
        return root / ".github" / "workflows"
    return root / ".gitlab" if kind == "gitlab" else folder / FOLDER


def _retries(loaded: LoadedConfig, asked: int | None) -> tuple[int, list[str]]:
    """How often an incomplete night is begun again: not by itself where each try may spend a whole budget."""
    budget = next((key for key in BUDGETS if getattr(loaded.config.limits, key) is not None), None)
    if budget is None:
        return (RETRIES if asked is None else asked), []
    if asked is None:
        note = "so an incomplete night is not begun again; --retries says how often it may be"
        return 0, [f"`limits.{budget}` is that of each try, {note}"]
    return asked, [f"each of the {asked + 1} tries of a night may spend the whole `limits.{budget}`"] if asked else []


def _store_file(loaded: LoadedConfig, folder: Path) -> Path | None:
    """The store where it is a file; None for a server, and for what only the environment says."""
    address = loaded.config.store
    if address is None:
        return folder / DEFAULT_STORE
    if ("store",) in loaded.templates:
        return None
    base = Path(os.path.abspath(loaded.base))  # noqa: PTH100 - links stay
    url = store_url(address, base=base)
    if url.get_backend_name() != "sqlite" or is_uri(url) or url.database is None:
        return None
    return Path(os.path.abspath(url.database))  # noqa: PTH100 - links stay


def _package(loaded: LoadedConfig, *, local_model: bool) -> str:
    """What pip installs: this version, with the extras that the config needs."""
    path = loaded.config.dataset.path
    extras = {
        "local": local_model,
        "hf": path.startswith("hf://"),
        "postgres": (loaded.config.store or "").startswith("postgres"),
        "schema": any(getattr(block, "json_schema", None) is not None for block in blocks_of(loaded.config, Section)),
        **{extra: path.lower().endswith(ending) for ending, extra in ENDINGS.items()},
    }
    wanted = ",".join(extra for extra, needed in extras.items() if needed)
    return f"{PACKAGE}{f'[{wanted}]' if wanted else ''}=={version(PACKAGE)}"
