"""`prt duel`: which of its four things a command is to do."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..duel.templates import Task
from ..errors import DuelError
from .duel import Bars, Form, comparisons_command, self_test_command, suggest_command
from .duel_run import duel_command

Way = Literal["run", "comparisons", "suggest", "test"]
DRAFTED = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What the command line asks for.

    Attributes:
        config: The config of a duel; None where there is none.
        comparisons: Verdicts made elsewhere; None where there are none.
        candidate: Whom the verdicts are about, or the file with its prompt.
        baseline: Its opponent, or the file with its prompt.
        bars: What decides a verdict.
        suggest: Whether dimensions are to be drafted.
        task: For which task; None to go by the prompts.
        test: Whether the analysis is to be checked.
        fresh: Use no stored reply.
        store: Results database, instead of the config's.
        as_json: Print JSON.
        as_markdown: Print Markdown.
        quiet: Show no progress.
    """

    config: Path | None
    comparisons: Path | None
    candidate: str | None
    baseline: str | None
    bars: Bars
    suggest: bool
    task: Task | None
    test: bool
    fresh: bool
    store: str | None
    as_json: bool
    as_markdown: bool
    quiet: bool

    @property
    def way(self) -> Way:
        """What is to be done.

        Raises:
            DuelError: The options do not go together, or say nothing.
        """
        asked = {"--self-test": self.test, "--suggest": self.suggest, "--comparisons": self.comparisons is not None}
        given = [option for option, is_given in asked.items() if is_given]
        if len(given) > 1:
            raise DuelError(f"{given[0]} and {given[1]} are different things to do; give one of them")
        if self.as_json and self.as_markdown:
            raise DuelError("--json and --markdown are two forms of one report; give one of them")
        if self.task is not None and not self.suggest:
            raise DuelError("--task says for what --suggest is to draft; give both")
        if self.config is not None and given in (["--self-test"], ["--comparisons"]):
            raise DuelError(f"{given[0]} takes no config; leave {self.config} out")
        if self.config is None and not given:
            raise DuelError(
                "name the config of a duel (`prt duel --suggest` drafts one), or the rows that were judged elsewhere: "
                "--comparisons FILE"
            )
        ways: dict[str, Way] = {"--self-test": "test", "--suggest": "suggest", "--comparisons": "comparisons"}
        return ways[given[0]] if given else "run"

    @property
    def form(self) -> Form:
        """What is printed."""
        return "json" if self.as_json else "markdown" if self.as_markdown else "text"


def wanted_command(wanted: Wanted) -> int:
    """Do what is asked for.

    Returns:
        The exit code.

    Raises:
        PrtError: What the user can act on.
    """
    way = wanted.way
    if way == "test":
        return self_test_command()
    if way == "suggest":
        suggest_command(wanted.config, baseline=wanted.baseline, candidate=wanted.candidate, task=wanted.task)
        return DRAFTED
    if wanted.comparisons is not None:
        return comparisons_command(
            wanted.comparisons,
            candidate=wanted.candidate,
            baseline=wanted.baseline,
            bars=wanted.bars,
            form=wanted.form,
        )
    return duel_command(
        wanted.config or Path(),
        fresh=wanted.fresh,
        store=wanted.store,
        bars=wanted.bars,
        form=wanted.form,
        quiet=wanted.quiet,
    )
