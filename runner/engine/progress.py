"""How a run is getting on: a live display on a terminal, plain lines where the output is a file or a pipe."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from ..plan import BASELINE
from ..reports.text import percent, visible
from ..store.earlier import Kind
from .summary import CellDone, Tally

LINE_EVERY_S = 10.0
LINE_EVERY_SHARE = 0.1
CONDITIONS_SHOWN = 30
BAR_WIDTH = 30

Seconds = Callable[[], float]


class Progress(Protocol):
    """Something that is told of each cell that is done; a context manager around the run."""

    def __enter__(self) -> Self:
        """Begin to show."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Show where it ended."""
        ...

    def __call__(self, done: CellDone) -> None:
        """One more cell is done."""
        ...

    def found(self, settled: Mapping[Kind, int]) -> None:
        """So many cells of each kind had their result before."""
        ...


def show_progress(console: Console, *, total: int, clock: Seconds, rated: bool = True) -> Progress:
    """Choose how to show progress; enter it around the run, and call it with each cell that is done.

    Args:
        console: Where to; `stderr`, so that the report alone goes to `stdout`. It decides on colour (NO_COLOR).
        total: How many cells there are.
        clock: Tells seconds that pass.
        rated: Whether what passes is a result, and no more than that there is an answer.

    Returns:
        A live display where the console is a terminal that can redraw, else one that prints a line now and then.
    """
    if console.is_terminal and not console.is_dumb_terminal:
        return LiveProgress(console, Progressing(total, clock, rated))
    return LineProgress(console, Progressing(total, clock, rated))


@dataclass(slots=True)
class Progressing:
    """What is known so far, and how it is said.

    Attributes:
        total: How many cells there are.
        clock: Tells seconds that pass.
        rated: Whether pass rates are said.
        began: When the run began, by the clock.
        tally: Counts over all conditions.
        passed: Passes by condition.
        judged: Cells that passed or failed, by condition.
    """

    total: int
    clock: Seconds
    rated: bool = True
    began: float = field(init=False)
    tally: Tally = field(default_factory=Tally)
    passed: Counter[str] = field(default_factory=Counter)
    judged: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.began = self.clock()

    def add(self, done: CellDone) -> None:
        """Count one more cell."""
        self.tally.add(done)
        condition, grade = done.cell.condition, done.grade
        if grade.passed is not None:
            self.judged[condition] += 1
            self.passed[condition] += grade.passed

    def add_found(self, settled: Mapping[Kind, int]) -> None:
        """Count cells that had their result before."""
        for kind, count in settled.items():
            self.tally.add_found(kind.status, count)
            if kind.passed is not None:
                self.judged[kind.condition] += count
                self.passed[kind.condition] += count * kind.passed

    def counts(self) -> str:
        """Done, reused, failed, rate, time left, tokens: `120/500 done, 40 reused, 3 failed, 4.1/s, 1:33 left, …`."""
        tally = self.tally
        parts = [f"{tally.done}/{self.total} done"]
        parts += [f"{tally.reused} reused"] if tally.reused else []
        parts += [f"{tally.failed} failed"] if tally.failed else []
        parts += self.speed()
        if tally.prompt_tokens or tally.completion_tokens:
            parts.append(f"{tally.prompt_tokens:,} tokens in, {tally.completion_tokens:,} out")
        return ", ".join(parts)

    def speed(self) -> list[str]:
        """Calls a second so far, and how long the rest takes at that speed; nothing before the first call."""
        elapsed = self.clock() - self.began
        if not self.tally.asked or elapsed <= 0:
            return []
        per_s = self.tally.asked / elapsed
        left = self.total - self.tally.done
        return [rate(per_s), f"{duration(left / per_s)} left"] if left > 0 else [rate(per_s)]

    def rates(self) -> str:
        """The pass rate of each condition so far: `baseline 52.0% of 25, typo.1 48.0% of 25`; nothing where unrated."""
        if not self.rated:
            return ""
        in_order = sorted(self.judged.items(), key=lambda each: each[0] != BASELINE)  # whichever was answered first
        shown = [
            f"{visible(condition)} {percent(self.passed[condition] / judged)} of {judged}"
            for condition, judged in in_order[:CONDITIONS_SHOWN]
        ]
        rest = len(self.judged) - len(shown)
        return ", ".join([*shown, f"and {rest} more"] if rest else shown)


def rate(per_s: float) -> str:
    """`950.3/s`, `45.0/min`."""
    return f"{per_s:,.1f}/s" if per_s >= 1 else f"{60 * per_s:.1f}/min"


def duration(seconds: float) -> str:
    """`0:07`, `12:30`, `3:05:00`."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def plain(text: str, console: Console) -> Text:
    """A text as it stands, without markup, in characters that the console's encoding has."""
    return Text(text.encode(console.encoding, "backslashreplace").decode(console.encoding))


class LiveProgress:
    """A bar, the counts and the running pass rates, redrawn in place."""

    def __init__(self, console: Console, progressing: Progressing) -> None:
        self._console = console
        self._progressing = progressing
        self._live = Live(get_renderable=self.render, console=console, refresh_per_second=4, transient=True)

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Replace the display by one line of counts."""
        self._live.stop()
        self._console.print(plain(self._progressing.counts(), self._console), soft_wrap=True)

    def __call__(self, done: CellDone) -> None:
        """Count; the display redraws by itself."""
        self._progressing.add(done)

    def found(self, settled: Mapping[Kind, int]) -> None:
        """Count likewise."""
        self._progressing.add_found(settled)

    def render(self) -> RenderableType:
        """What is drawn now."""
        known = self._progressing
        line = Table.grid(padding=(0, 1))
        bar = ProgressBar(total=max(known.total, 1), completed=known.tally.done, width=BAR_WIDTH)
        line.add_row(bar, plain(known.counts(), self._console))
        return Group(line, plain(known.rates(), self._console))


class LineProgress:
    """A line every ten seconds or every tenth of the run, whichever is sooner, and one at the end."""

    def __init__(self, console: Console, progressing: Progressing) -> None:
        self._console = console
        self._progressing = progressing
        self._printed_at = progressing.began
        self._printed_done = 0

    def __enter__(self) -> Self:
        """Nothing to show yet."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Print the counts at the end."""
        self._print()

    def __call__(self, done: CellDone) -> None:
        """Count, and print a line if one is due."""
        known = self._progressing
        known.add(done)
        late = known.clock() - self._printed_at >= LINE_EVERY_S
        far = known.tally.done - self._printed_done >= max(LINE_EVERY_SHARE * known.total, 1)
        if (late or far) and known.tally.done < known.total:
            self._print()

    def found(self, settled: Mapping[Kind, int]) -> None:
        """Count; that alone is no reason to print a line."""
        self._progressing.add_found(settled)
        self._printed_done = self._progressing.tally.done

    def _print(self) -> None:
        known = self._progressing
        self._printed_at, self._printed_done = known.clock(), known.tally.done
        text = "; ".join(part for part in (known.counts(), known.rates()) if part)
        self._console.print(plain(text, self._console), soft_wrap=True)
