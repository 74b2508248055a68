"""`prt shrink`: the fewest changes of a variant that still flip an item."""

import asyncio
import logging
import os
from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ...perturbations.delta_debugging import Search
from ..config.schema import Config
from ..engine.progress import BAR_WIDTH
from ..errors import UsageError
from ..graders.base import Grader, make_grader
from ..graders.judge import JudgeGrader
from ..logs import event
from ..models.base import Model, open_model
from ..prepare import grade_config
from ..problems import counted
from ..reports.shrunk import print_shrunk, shrunk_json
from ..reports.text import visible
from ..shrinking.asking import Asking
from ..shrinking.case import Case, flipped_case
from ..shrinking.found import Shrunk, State
from ..shrinking.search import Shrinking, fewest_calls
from ..shrinking.setting import changed_since, default_repeats, stored_config
from ..store.database import open_store
from ..store.read import StoredRun, load_run
from .interrupting import interruptible, under_way
from .opening import Allowance
from .printing import output_console
from .stdout import reserved_stdout

LOG = logging.getLogger(__name__)
EXIT_CODES: dict[State, int] = {"found": 0, "gone": 1, "unconfirmed": 1, "stopped": 3}


def shrink_command(
    run: str,
    item: str,
    condition: str,
    *,
    store: str,
    repeats: int | None,
    max_calls: int,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the fewest changes of a variant that still flip an item, and print them.

    Args:
        run: A run's id or its beginning, its name, or `latest`.
        item: The item's id.
        condition: The condition that flips it.
        store: Results database.
        repeats: How often each prompt is asked at most; None for what the temperature asks for.
        max_calls: Calls that may be made.
        as_json: Print JSON.
        quiet: Show no progress.

    Returns:
        The exit code: 0 found, 1 the flip is not there or was not confirmed, 3 stopped.

    Raises:
        PrtError: What the user can act on; nothing was called.
    """
    told = Console(stderr=True, highlight=False, quiet=quiet)
    with reserved_stdout() as out, open_store(store, may_create=False) as opened:
        stored = load_run(opened, run)
        case = flipped_case(stored, item, condition)
        loaded = stored_config(stored.record, os.environ)
        config, base = loaded.config, loaded.base
        often = repeats or default_repeats(config)
        check_calls(often, max_calls)
        model = open_model(
            config.model,
            base=base,
            env=os.environ,
            progress=lambda line: told.print(Text(line)),
            limits=Allowance.of(config).limits,
        )
        grader = make_grader(grade_config(config, [case.item]), base=base)
        if isinstance(grader, JudgeGrader):
            raise UsageError(
                f"{stored.record.id} was graded by a judge, which prt shrink can't ask after each call; let `prt grade "
                "--use` put a grader in its place that reads the answers itself, such as `exact` or `contains`"
            )
        for note in (
            *changed_since("model", stored.record.model, model.identity()),
            *changed_since("grader", stored.record.grader, grader.identity()),
        ):
            told.print(Text(f"note: {visible(note)}."))
        LOG.info(
            "search begins", extra=event(run=stored.record.id, item=item, condition=condition, max_calls=max_calls)
        )
        with under_way():
            shrunk = asyncio.run(
                searched(
                    case,
                    stored,
                    config,
                    model=model,
                    grader=grader,
                    repeats=often,
                    max_calls=max_calls,
                    told=told,
                )
            )
        fields = event(state=shrunk.state, reason=shrunk.reason, calls=shrunk.calls, reused=shrunk.reused)
        LOG.info("search ended", extra=fields)
        if as_json:
            out.write(shrunk_json(shrunk) + "\n")
        else:
            print_shrunk(shrunk, output_console(out))
    return EXIT_CODES[shrunk.state]


def check_calls(repeats: int, max_calls: int) -> None:
    """Refuse fewer calls than any search takes.

    Raises:
        UsageError: There are too few.
    """
    least = fewest_calls(repeats)
    if max_calls < least:
        raise UsageError(
            f"--max-calls is {max_calls}, and asking both ends {counted(repeats, 'time')}"
            f"{' and what is found once more' if repeats > 1 else ''} takes {least}; allow more, or ask less often by "
            "--repeats."
        )


async def searched(
    case: Case,
    run: StoredRun,
    config: Config,
    *,
    model: Model,
    grader: Grader,
    repeats: int,
    max_calls: int,
    told: Console,
) -> Shrunk:
    """Search with progress, until the end or an interrupt."""
    with interruptible(told) as stop:
        async with model:
            asking = Asking(
                run,
                case.item,
                model=model,
                grader=grader,
                concurrency=model.concurrency,
                allowed=max_calls,
                stop=stop,
            )
            async with asking:
                with Narrowing(asking, told, total=len(case.parts.changes), max_calls=max_calls) as progress:
                    shrinking = Shrinking(case, asking, repeats=repeats, protect=config.protect, on_trial=progress.show)
                    return await shrinking.run()


class Narrowing:
    """How far a search has come: a bar of the calls on a terminal; else a line whenever fewer changes are enough."""

    def __init__(self, asking: Asking, console: Console, *, total: int, max_calls: int) -> None:
        self._asking = asking
        self._console = console
        self._total = total
        self._max_calls = max_calls
        self._enough = total
        self._live = Live(get_renderable=self.render, console=console, refresh_per_second=4, transient=True)
        self._drawn = console.is_terminal and not console.is_dumb_terminal

    def __enter__(self) -> Self:
        """Begin to show."""
        if self._drawn:
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._drawn:
            self._live.stop()

    def show(self, search: Search) -> None:
        """One more subset was tried."""
        fewer = len(search.best) < self._enough
        self._enough = len(search.best)
        if fewer and not self._drawn:
            self._console.print(Text(f"{self._line()}, {counted(self._asking.calls, 'call')} so far"))

    def render(self) -> RenderableType:
        """What is drawn now."""
        row = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=self._max_calls, completed=self._asking.calls, width=BAR_WIDTH)
        row.add_row(bar, Text(f"{self._line()}, {self._asking.calls} of at most {self._max_calls} calls"))
        return row

    def _line(self) -> str:
        return f"{self._enough} of {counted(self._total, 'change')} {'is' if self._enough == 1 else 'are'} enough"
