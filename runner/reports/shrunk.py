"""The fewest changes that flip an item, for the terminal: what they are, the prompt, both answers, what it took."""

import json
import re
from collections.abc import Iterator
from dataclasses import asdict

from rich.console import Console, RenderableType
from rich.text import Text

from ...perturbations.difference import Mark
from ...perturbations.question import Question
from ...perturbations.variant import Edit
from ..findings import Answer
from ..problems import counted
from ..shrinking.found import Asked, Shrunk
from .items import answer_text
from .text import of, one_line, percent_interval, visible
from .variants import differences, indented, styled

SHOWN = 80
HEADINGS = {"gone": "It does not flip any more", "unconfirmed": "Not confirmed", "stopped": "Stopped"}
ELEMENT = re.compile(r"(\w+)\[(\d+)\]")


def print_shrunk(shrunk: Shrunk, console: Console) -> None:
    """Print what a search came to; the console decides on colour and width."""
    for block in blocks(shrunk):
        console.print(block)


def shrunk_json(shrunk: Shrunk) -> str:
    """Write what a search came to as JSON, two spaces deep."""
    return json.dumps(asdict(shrunk), indent=2, allow_nan=False)


def blocks(shrunk: Shrunk) -> Iterator[RenderableType]:
    """All that is printed, from above."""
    yield Text(f"{visible(shrunk.item_id)} under {visible(shrunk.condition)} · {visible(shrunk.run)}", style="bold")
    yield Text(f"right: {visible(shrunk.gold)}")
    if shrunk.state != "found":
        yield Text(f"\n{HEADINGS[shrunk.state]}: {visible(shrunk.reason)}.", style="bold yellow")
    prompt = shrunk.shrunk or shrunk.whole
    if shrunk.baseline is not None and prompt is not None and shrunk.state != "gone":
        yield from changes(shrunk, shrunk.baseline, prompt)
    for name, asked in (("baseline", shrunk.baseline), (prompt_name(shrunk), prompt)):
        if asked is not None:
            yield Text(f"\n{name} · passes in {of(asked.passed, asked.n)}", style="bold")
            yield indented(answer_text(typical(asked)))
    yield Text(f"\n{took(shrunk)}")


def changes(shrunk: Shrunk, baseline: Asked, prompt: Asked) -> Iterator[RenderableType]:
    """The changes that are enough, what is known of them, and the prompt that they make."""
    yield Text(f"\n{headline(shrunk)}", style="bold")
    for edits in shrunk.changes:
        lines = Text("\n").join(described(edit, baseline.variant.question) for edit in edits)
        yield indented(lines, 2)
    if shrunk.again_flips is not None:
        figure = shrunk.again_flips
        yield Text(
            f"Asked once more, for replies that had no part in the search, they flip it in "
            f"{of(figure.count, figure.n)} ({100 * (figure.level or 0):.0f}% interval {percent_interval(figure)}%; "
            f"{figure.method})."
        )
    layout = "" if prompt.variant.layout == baseline.variant.layout else " in its new layout"
    yield Text(f"\nprompt{layout}; [-what the changes take out-] {{+what they put in+}}", style="bold")
    yield indented(styled(differences(baseline.variant, prompt.variant)))


def headline(shrunk: Shrunk) -> str:
    """How many of the changes are enough, and what is known of them."""
    enough, total = len(shrunk.changes), shrunk.total
    to = "pass" if shrunk.to_pass else "fail"
    if total == 1:
        return f"The variant is a single change, which makes it {to}: there is nothing to leave out."
    if shrunk.guarantee == "none":
        return f"{enough} of {total} changes make it {to}; the search was not over, so fewer may."
    needed = f"All {total} changes are needed" if enough == total else f"{enough} of {total} changes"
    makes = f" make{'s' if enough == 1 else ''} it {to}"
    start = f"{needed} to make it {to}" if enough == total else needed + makes
    if shrunk.guarantee == "smallest":
        return f"{start}: no smaller number of them does." if enough > 1 else f"{start}."
    return f"{start}: none of these can be left out, though a smaller number of others may do it too."


def described(edit: Edit, question: Question) -> Text:
    """One edit in a line: `text: [-capital-]{+captial+}`, `options: 'Rome' from place 3 to place 1`."""
    if edit.kind == "order":
        return Text(f"{element(edit.part, question)} from {edit.before} to {edit.after}")
    if edit.part.startswith("layout."):
        return Text(f"{edit.part}: {edit.before!r} → {edit.after!r}")
    marks: list[tuple[Mark, str]] = [("delete", one_line(edit.before, SHOWN)), ("insert", one_line(edit.after, SHOWN))]
    return Text(f"{edit.part}: ").append_text(styled(mark for mark in marks if mark[1]))


def element(part: str, question: Question) -> str:
    """`options: 'Rome'`: one of several by what it says."""
    match = ELEMENT.fullmatch(part)
    if match is None:
        return part
    found = getattr(question, match[1])[int(match[2])]
    said = getattr(found, "text", None) or getattr(found, "content", None) or found
    return f"{match[1]}: {one_line(str(said), SHOWN)!r}"


def prompt_name(shrunk: Shrunk) -> str:
    """What the prompt is called that the answer is to."""
    if shrunk.shrunk is None:
        return visible(shrunk.condition)
    return f"with {counted(len(shrunk.changes), 'change')} of {visible(shrunk.condition)}"


def typical(asked: Asked) -> Answer:
    """An answer with the result that most of them have."""
    mostly = 2 * asked.passed > asked.n
    return next((answer for answer in asked.answers if answer.passed is mostly), asked.answers[0])


def took(shrunk: Shrunk) -> str:
    """Calls made, and what they were for."""
    repeats = f", each prompt up to {shrunk.repeats} times" if shrunk.repeats > 1 else ""
    line = (
        f"{counted(shrunk.calls, 'call')}{repeats}; {shrunk.reused} from the store; "
        f"{counted(shrunk.subsets, 'set')} of changes tried"
    )
    if shrunk.unfit:
        line += f", {shrunk.unfit} of them not asked, as they would ask something else or could not be graded"
    return f"{line}. The same command goes on from here." if shrunk.state == "stopped" else f"{line}."
