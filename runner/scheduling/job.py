"""What is to be scheduled: everything that a scheduler's files are made from."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ..errors import UsageError
from ..safe_names import safe_name
from ..suggest import shown
from .times import Times
from .variables import Variable

LENGTH = 40
"""Of a schedule's name; those of Kubernetes' CronJobs have 52 characters at most."""
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be scheduled.

    Attributes:
        name: Of the schedule: small letters, digits and `-`.
        config: The config, absolute.
        folder: Where nights work, absolute.
        root: The folder that a pipeline has whole: that of the repository, else the config's.
        out: Where the files go, absolute.
        times: When nights are due.
        retries: How often a night that is incomplete is begun again.
        program: What `prt` is called by on this machine, absolute.
        variables: What the config asks the environment for.
        store: The results database where it is a file, absolute; else None.
        package: What a pipeline installs by pip.
        python: The version of Python there, as `3.13`.
        image: The container's image.
        local_model: Whether llama.cpp runs a model.
    """

    name: str
    config: Path
    folder: Path
    root: Path
    out: Path
    times: Times
    retries: int
    program: tuple[str, ...]
    variables: tuple[Variable, ...]
    store: Path | None
    package: str
    python: str
    image: str
    local_model: bool = False

    @property
    def unit(self) -> str:
        """What its files and units are called, without their endings: `prt-triage`."""
        return unit_name(self.name)

    @property
    def night(self) -> tuple[str, ...]:
        """The command of a night on this machine."""
        return (*self.program, "night", "--quiet", str(self.config))

    @property
    def env_file(self) -> Path:
        """Its environment file."""
        return self.out / f"{self.unit}.env"

    @property
    def entry_file(self) -> Path:
        """What `prt due` reads."""
        return self.out / f"{self.unit}.json"

    @property
    def config_within(self) -> str:
        """The config as a path in the folder that a pipeline has.

        Raises:
            UsageError: It lies outside, which only a root that was given can bring about.
        """
        return within(self.root, self.config, "the config")

    @property
    def kept(self) -> tuple[str, ...]:
        """What a pipeline keeps from night to night, as paths and patterns in its folder; nothing with a server.

        Raises:
            UsageError: The store lies outside.
        """
        return () if self.store is None else (f"{within(self.root, self.store, 'the store')}*", self.reports)

    @property
    def reports(self) -> str:
        """The folder of reports in the folder that a pipeline has: beside the store."""
        if self.store is None:
            return "prt-reports"
        beside = PurePosixPath(within(self.root, self.store, "the store")).parent
        return str(beside / "prt-reports")


def unit_name(name: str) -> str:
    """What the files and units of a schedule are called, without their endings."""
    return f"prt-{name}"


def within(root: Path, path: Path, what: str) -> str:
    """A path as a pipeline has it, with `/`.

    Raises:
        UsageError: It is not in the folder that a pipeline has.
    """
    if not path.is_relative_to(root):
        raise UsageError(
            f"{what} {shown(str(path))} lies outside of {shown(str(root))}, which is all that a pipeline has; "
            "put it there, or name a database server as `store`"
        )
    return path.relative_to(root).as_posix()


def job_name(text: str) -> str:
    """The name of a schedule, made from a config's or a given one."""
    plain = re.sub(r"[^a-z0-9]+", "-", safe_name(text, otherwise="night", length=LENGTH).lower()).strip("-")
    return plain[:LENGTH].rstrip("-") or "night"


def refuse_unwritable(job: Job) -> None:
    """Refuse paths that no scheduler's file can hold.

    Raises:
        UsageError: A path has a line break, another control character or bytes that are no text in it.
    """
    paths: Mapping[str, object] = {
        "the config": job.config,
        "the working directory": job.folder,
        "the folder of the files": job.out,
        "the program": " ".join(job.program),
        "the store": job.store or "",
        "--package": job.package,
        "--image": job.image,
    }
    for what, path in paths.items():
        if _NO_TEXT.search(str(path)):
            raise UsageError(
                f"{what} {shown(str(path))} has a line break or another control character in it, which no file of a "
                "scheduler can hold; rename it"
            )
