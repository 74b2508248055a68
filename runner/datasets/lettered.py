"""Options written as text: lines such as `A. text`, `(A) text`, `1) text` or `- text`, or all of them in one line."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..problems import RowError, listed, quoted
from .option_set import OptionSet

# A label at the start of a line. After `.`, `)` or `:` comes white space, or a script that needs none.
LABEL = re.compile(
    r"\s*(?:\((?P<round>[A-Za-z]|\d\d?)\)|\[(?P<square>[A-Za-z]|\d\d?)\]"
    r"|(?P<bare>[A-Za-z]|\d\d?)(?P<mark>[.):．：、）])(?=\s|$|[^\x00-\x7f]))"
)
BULLET = re.compile(r"\s*[-*•](?=\s)")
HEADING = re.compile(
    r"\s*[*#\s]*(?:the )?(?:(?:answer|possible|multiple|available) )?(?:options|choices|answers|alternatives)"
    r"(?: are)?\**\s*[:：]\s*\**\s*",
    re.IGNORECASE,
)
CUE = re.compile(r"[^\n.?!]{1,40}[:：]")
INLINE = re.compile(r"(?:^|(?P<separator>[,;|]\s*|\s+))" + LABEL.pattern)
FIRST = {"A", "a", "1", "0"}
SPLIT = "to split them use `{split: …, at: …}`"
KEEP = (
    "where their labels stand in the text without a mark such as `A.`, leave them in the question (`options: []`) and"
    " grade by `{grader: label, labels: [A, B, …]}`"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A label that was found: where it stands, where its text begins, in which style, and the label."""

    at: int
    end: int
    style: str
    label: str


@dataclass(frozen=True, slots=True)
class Inside:
    """A text that had options in it.

    Attributes:
        text: What is left of it.
        options: The options.
        cue: The closing cue that was taken away with them, such as `Answer:`; empty where there was none.
    """

    text: str
    options: OptionSet
    cue: str = ""


def _mark(found: re.Match[str], at: int) -> Mark:
    label: str = found["round"] or found["square"] or found["bare"]
    wrapper = "()" if found["round"] else "[]" if found["square"] else found["mark"]
    letters = "digit" if label.isdigit() else "upper" if label.isupper() else "lower"
    return Mark(at, found.end(), f"{letters}{wrapper}", label)


def _marks(lines: Sequence[str]) -> list[Mark]:
    found = ((at, LABEL.match(line)) for at, line in enumerate(lines))
    return [_mark(match, at) for at, match in found if match]


def _following(label: str) -> str:
    return str(int(label) + 1) if label.isdigit() else chr(ord(label) + 1)


def _run(marks: Sequence[Mark]) -> list[Mark]:
    """The marks of the first one's style; they must count up without a gap.

    Raises:
        RowError: If they don't.
    """
    run = [mark for mark in marks if mark.style == marks[0].style]
    for mark, following in pairwise(run):
        if following.label != _following(mark.label):
            labels = listed(mark.label for mark in run)
            raise RowError(
                f"the option lines are labelled {labels}, where `{_following(mark.label)}` follows on `{mark.label}`"
            )
    return run


def read_lines_as_options(text: str, advice: str = SPLIT) -> OptionSet:
    """Read a text that holds options and nothing else.

    Args:
        text: The text.
        advice: What to do where they have no labels that are told.

    Raises:
        RowError: If it isn't labelled in order from the first label on.
    """
    lines = text.strip().split("\n")
    if BULLET.match(lines[0]):
        return _bullets(lines)
    marks = _marks(lines)
    if not marks or marks[0].at != 0 or marks[0].label not in FIRST:
        raise RowError(f"the options {quoted(text)} are no lines labelled A, B, …; {advice}")
    return _one_line(lines[0]) if len(lines) == 1 else _texts(lines, _run(marks), len(lines))


def _texts(lines: Sequence[str], run: Sequence[Mark], stop: int) -> OptionSet:
    ends = [mark.at for mark in run[1:]] + [stop]
    blocks = (
        "\n".join([lines[mark.at][mark.end :], *lines[mark.at + 1 : end]]) for mark, end in zip(run, ends, strict=True)
    )
    return OptionSet(tuple(block.strip() for block in blocks), tuple(mark.label for mark in run), own=True)


def _bullets(lines: Sequence[str]) -> OptionSet:
    if not all(BULLET.match(line) for line in lines if line.strip()):
        raise RowError("some lines of the options begin with a bullet and some don't")
    return OptionSet.of([BULLET.sub("", line, count=1).strip() for line in lines if line.strip()])


def _one_line(line: str) -> OptionSet:
    """Options in one line: `A: f4, B: Rd2, C: Kg1`. All labels in order, each once, all separated in one way."""
    found = list(INLINE.finditer(line))
    marks = [_mark(match, match.start()) for match in found]
    run = _run(marks)
    separators = {
        (match["separator"] or "").strip() for match in found if match.start() in {mark.at for mark in run[1:]}
    }
    if len(separators) > 1:
        raise RowError(f"the options {quoted(line)} can be split in more than one way; put each on a line of its own")
    ends = [mark.at for mark in run[1:]] + [len(line)]
    texts = tuple(line[mark.end : end].strip() for mark, end in zip(run, ends, strict=True))
    return OptionSet(texts, tuple(mark.label for mark in run), own=True)


def split_inside(text: str) -> Inside:
    """Take the option lines, and a heading such as `Options:`, out of a text.

    The options are the lines under the last such heading; without one the last lines labelled in order from the first
    label on, letters before numbers; or the last lines with bullets. Text behind them stays, a cue to answer doesn't.

    Raises:
        RowError: If there are none, or their labels have a gap.
    """
    lines = text.split("\n")
    found = _under_heading(lines) or _last_run(lines)
    if found is None:
        needed = "lines such as `(A) text`, `A. text` or `- text` are needed, or a `pattern` beside `inside`"
        raise RowError(f"there are no option lines in {quoted(text)}; {needed}")
    end, start = found
    options, stop = _block(lines, start)
    after = "\n".join(lines[stop:]).strip()
    cue = after if CUE.fullmatch(after) else ""
    kept = ("\n".join(lines[:end]).rstrip(), "" if cue else after)
    return Inside("\n".join(part for part in kept if part), options, cue)


def split_by_pattern(text: str, pattern: re.Pattern[str]) -> Inside:
    """Take what a pattern finds out of a text; its first group, where it has one, is the options.

    Raises:
        RowError: If it finds nothing, or what it finds are no options.
    """
    found = pattern.search(text)
    if found is None:
        raise RowError(f"the pattern finds no options in {quoted(text)}")
    options = read_lines_as_options(found[1] if pattern.groups else found[0], KEEP)
    kept = [part.strip() for part in (text[: found.start()], text[found.end() :])]
    return Inside("\n".join(part for part in kept if part), options)


def _under_heading(lines: Sequence[str]) -> tuple[int, int] | None:
    """The last heading that has options under it, and their first line."""
    for heading in range(len(lines) - 1, -1, -1):
        if HEADING.fullmatch(lines[heading]):
            start = next((at for at in range(heading + 1, len(lines)) if lines[at].strip()), heading)
            if LABEL.match(lines[start]) or BULLET.match(lines[start]):
                return heading, start
    return None


def _last_run(lines: Sequence[str]) -> tuple[int, int] | None:
    """The first line of the last run of options, twice."""
    marks = _marks(lines)
    for letters in (True, False):
        starts = [mark for mark in marks if mark.label in FIRST and mark.label.isalpha() is letters]
        with_next = [mark for mark in starts if any(_comes_next(mark, other) for other in marks)]
        if with_next:
            return with_next[-1].at, with_next[-1].at
    bullets = [at for at, line in enumerate(lines) if BULLET.match(line)]
    start = next((at for at in reversed(bullets) if at - 1 not in bullets and at + 1 in bullets), None)
    return None if start is None else (start, start)


def _comes_next(mark: Mark, other: Mark) -> bool:
    return other.at > mark.at and other.style == mark.style and other.label == _following(mark.label)


def _block(lines: Sequence[str], start: int) -> tuple[OptionSet, int]:
    """The options from a line on, and the line after the last."""
    if BULLET.match(lines[start]):
        stop = next((at for at in range(start, len(lines)) if not BULLET.match(lines[at])), len(lines))
        return _bullets(lines[start:stop]), stop
    run = _run([mark for mark in _marks(lines) if mark.at >= start])
    if run[0].label not in FIRST:
        raise RowError(f"the option lines begin with the label `{run[0].label}`, where A or 1 is needed")
    stop = run[-1].at + 1
    if any(following.at - mark.at > 1 for mark, following in pairwise(run)):
        stop += sum(1 for _ in _continued(lines[stop:]))
    return _texts(lines, run, stop), stop


def _continued(lines: Sequence[str]) -> Iterator[str]:
    """Lines that may go on with the last option, where the others go over several lines too."""
    for line in lines:
        if not line.strip() or CUE.fullmatch(line.strip()):
            return
        yield line
