"""The items that flip most, for the terminal: the changed words of the prompt, both answers, what was read."""

import re
from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from ...perturbations.difference import marked_difference
from ..findings import Answer, FlippedItem, Report
from .text import one_line, visible

CONTEXT = 24
REPLY_WIDTH = 100


def flipped_items(report: Report) -> Iterator[RenderableType]:
    """Show each of the items that flip most."""
    if not report.flipped:
        return
    yield Text("\nItems that flip most", style="bold")
    for item in report.flipped:
        yield Text(f"  {visible(item.item_id)} · flips under {item.flips} of {item.compared}", style="bold")
        yield Text(f"    right      {one_line(item.gold, REPLY_WIDTH)}")
        yield Text("    ").append_text(difference(item))
        yield answer_line("baseline", item.baseline)
        yield answer_line(visible(item.condition), item.variant)
    yield Text(
        f"  whole prompts and replies: prt show {visible(report.source.name)} {visible(report.flipped[0].item_id)}"
    )


def difference(item: FlippedItem) -> Text:
    """The prompt's change on one line: what went in [-brackets-], what came in {+braces+}, the rest cut short."""
    text = Text("prompt     ")
    for kind, words in marked_difference(item.prompt, item.variant_prompt):
        shown = flat(words)
        if kind == "delete":
            text.append(f"[-{shown}-]", style="red")
        elif kind == "insert":
            text.append(f"{{+{shown}+}}", style="green")
        else:
            text.append(shortened(shown), style="dim")
    return text


def flat(words: str) -> str:
    """A stretch of a prompt with each line break, or several, as one sign."""
    return re.sub(r"\s*\n\s*", " ⏎ ", visible(words))


def shortened(same: str) -> str:
    """Keep the ends of an unchanged stretch, for context."""
    return same if len(same) <= 2 * CONTEXT else f"{same[:CONTEXT]} … {same[-CONTEXT:]}"


def answer_line(name: str, answer: Answer) -> Text:
    """One answer: who, passed or failed, what was read, the reply."""
    verdict = {True: "pass", False: "fail", None: "none"}[answer.passed]
    read = "nothing read" if answer.extracted is None else f"read {one_line(answer.extracted, 30)!r}"
    status = "" if answer.status == "graded" else f", {answer.status}"
    style = {True: "green", False: "red", None: "yellow"}[answer.passed]
    line = Text(f"    {name:<10} ")
    line.append(verdict, style=style)
    return line.append(f" ({read}{status}): {one_line(answer.text, REPLY_WIDTH)}")
