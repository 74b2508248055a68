"""Progress: what a person sees while a run goes on, on a terminal and in a file."""

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest
from prt.runner.engine.progress import LineProgress, LiveProgress, Progress, duration, show_progress
from prt.runner.engine.summary import CellDone
from prt.runner.records import AnswerKey, Cell, Grade, Reply, ReplyError
from rich.console import Console

from ..run_fakes import graded, make_item

FAILED = Reply(error=ReplyError("server", "503"))


@dataclass(slots=True)
class Screen:
    """A console that remembers what was printed, and a clock that is set by hand."""

    terminal: bool = False
    encoding: str = "utf-8"
    environ: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    console: Console = field(init=False)
    raw: io.BytesIO = field(default_factory=io.BytesIO)

    def __post_init__(self) -> None:
        stream = io.TextIOWrapper(self.raw, encoding=self.encoding, write_through=True)
        self.console = Console(
            file=stream, force_terminal=self.terminal, width=100, _environ=self.environ, highlight=False
        )

    def progress(self, total: int) -> Progress:
        return show_progress(self.console, total=total, clock=lambda: self.seconds)

    @property
    def shown(self) -> str:
        return self.raw.getvalue().decode(self.encoding)

    @property
    def lines(self) -> list[str]:
        return self.shown.splitlines()


def done(condition: str = "baseline", *, passed: bool | None = True, reply: Reply | None = None) -> CellDone:
    item = make_item(1)
    cell = Cell("key", 0, item.id, condition, 0, 0, (), AnswerKey(item))
    grade = Grade(None, "error") if passed is None else graded("1", passed=passed)
    return CellDone(cell, grade, reply)


ANSWER = Reply(text="1", prompt_tokens=1000, completion_tokens=2)


def test_a_file_gets_a_line_for_each_tenth_of_the_run_and_one_at_the_end() -> None:
    screen = Screen()
    with screen.progress(100) as progress:
        for _ in range(100):
            screen.seconds += 0.01
            progress(done(reply=Reply()))
    assert [line.split()[0] for line in screen.lines] == [f"{tenth}0/100" for tenth in range(1, 11)]


def test_the_baseline_stands_first_whichever_was_answered_first() -> None:
    screen = Screen()
    with screen.progress(2) as progress:
        progress(done("typo.1", passed=False))
        progress(done())
    assert screen.lines[-1] == "2/2 done, 2 reused; baseline 100.0% of 1, typo.1 0.0% of 1"


@pytest.mark.parametrize("terminal", [False, True])
def test_no_rate_is_shown_where_all_that_passes_is_that_there_is_an_answer(*, terminal: bool) -> None:
    screen = Screen(terminal=terminal)
    with show_progress(screen.console, total=1, clock=lambda: screen.seconds, rated=False) as progress:
        progress(done(reply=ANSWER))
    assert "1/1 done" in screen.shown
    assert "%" not in screen.shown


def test_a_slow_run_gets_a_line_every_ten_seconds() -> None:
    screen = Screen()
    with screen.progress(1000) as progress:
        for _ in range(30):
            screen.seconds += 2.0
            progress(done(reply=Reply()))
        assert [line.split()[0] for line in screen.lines] == [f"{count}/1000" for count in (5, 10, 15, 20, 25, 30)]


def test_a_line_says_what_is_done_failed_reused_how_fast_what_is_left_and_the_pass_rates() -> None:
    screen = Screen()
    with screen.progress(10) as progress:
        progress(done())
        progress(done(passed=None, reply=FAILED))
        progress(done(passed=False, reply=ANSWER))
        screen.seconds = 4.0
        progress(done("typo.1", reply=ANSWER))
    assert screen.lines[-1] == (
        "4/10 done, 1 reused, 1 failed, 45.0/min, 0:08 left, 2,000 tokens in, 4 out; "
        "baseline 50.0% of 2, typo.1 100.0% of 1"
    )


def test_reused_results_do_not_make_the_run_look_fast() -> None:
    screen = Screen()
    with screen.progress(101) as progress:
        for _ in range(90):
            progress(done())
        screen.seconds = 10.0
        progress(done(reply=Reply()))
    assert screen.lines[-1].startswith("91/101 done, 90 reused, 6.0/min, 1:40 left")


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (7.4, "0:07"), (59.6, "1:00"), (750, "12:30"), (11100, "3:05:00")]
)
def test_durations_read_as_on_a_clock(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


def test_many_conditions_are_cut_with_a_count() -> None:
    screen = Screen()
    with screen.progress(40) as progress:
        for number in range(1, 41):
            progress(done(f"reorder.{number}", reply=Reply()))
    assert screen.lines[-1].endswith("reorder.30 100.0% of 1, and 10 more")


def test_a_terminal_gets_a_bar_that_gives_way_to_one_line() -> None:
    screen = Screen(terminal=True)
    with screen.progress(4) as progress:
        assert isinstance(progress, LiveProgress)
        progress(done(reply=ANSWER))
        progress(done("typo.1", passed=False, reply=ANSWER))
        drawn = Console(file=io.StringIO(), width=100)
        drawn.print(progress.render())
        assert isinstance(drawn.file, io.StringIO)
        assert drawn.file.getvalue().splitlines() == [
            f"{'━' * 15}{' ' * 15} 2/4 done, 2,000 tokens in, 4 out",
            "baseline 100.0% of 1, typo.1 0.0% of 1",
        ]
    assert "━" in screen.shown
    assert screen.lines[-1].endswith("2/4 done, 2,000 tokens in, 4 out")


def test_no_color_is_honoured_on_a_terminal() -> None:
    def colours(environ: Mapping[str, str]) -> set[str]:
        screen = Screen(terminal=True, environ={"TERM": "xterm-256color", **environ})
        with screen.progress(2) as progress:
            progress(done())
        return set(re.findall(r"\x1b\[[0-9;]*m", screen.shown)) - {"\x1b[0m"}

    assert colours({})
    assert not any(re.search(r"[34]8;5;|\[3\d|\[9\d", code) for code in colours({"NO_COLOR": "1"}))


def test_a_terminal_that_can_not_redraw_gets_lines() -> None:
    screen = Screen(terminal=True, environ={"TERM": "dumb"})
    assert isinstance(screen.progress(1), LineProgress)


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_no_text_breaks_it_or_steers_the_terminal(terminal: bool, encoding: str) -> None:  # noqa: FBT001 - a parameter of the test
    screen = Screen(terminal=terminal, encoding=encoding)
    with screen.progress(3) as progress:
        for condition in ("[bold red]x[/]", "a\x1b]0;title\x07\ud800", "größe 😀 [/nope]"):
            progress(done(condition, reply=ANSWER))
        if isinstance(progress, LiveProgress):
            screen.console.print(progress.render())
    assert "\x1b]0;" not in screen.shown
    assert "[bold red]x[/] 100.0% of 1" in screen.shown


def test_a_run_without_cells_shows_that() -> None:
    screen = Screen()
    with screen.progress(0):
        pass
    assert screen.lines == ["0/0 done"]


def test_a_run_that_fails_still_shows_how_far_it_came() -> None:
    def fail(screen: Screen) -> None:
        with screen.progress(9) as progress:
            progress(done())
            raise ZeroDivisionError

    for terminal in (False, True):
        screen = Screen(terminal=terminal)
        with pytest.raises(ZeroDivisionError):
            fail(screen)
        assert "1/9 done, 1 reused" in screen.shown
