"""The items that flip most, for the terminal: the changed words of the prompt, both answers, what was read."""

import re
import shlex
from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from ...perturbations.difference import marked_difference
from ..findings import Answer, FlippedItem, Report
from ..store import DEFAULT_STORE
from .text import how_read, one_line, visible

CONTEXT = 24
REPLY_WIDTH = 100
NAME_WIDTH = 18


def flipped_items(report: Report) -> Iterator[RenderableType]:
    """Show each of the items that flip most."""
    if not report.flipped:
        return
    yield Text("\nItems that flip most; [-what the variant takes out-] {+what it puts in+}", style="bold")
    for item in report.flipped:
        yield Text(f"  {visible(item.item_id)} · flips under {item.flips} of {item.compared}", style="bold")
        yield beside("right", Text(one_line(item.gold, REPLY_WIDTH)))
        yield beside("prompt", difference(item))
        yield beside("baseline", answer_line(item.baseline))
        yield beside(visible(item.condition), answer_line(item.variant))
    for told, command in next_commands(report):
        yield Text(f"  {told}: {command_line(*command, store=report.source.store)}", no_wrap=True, overflow="ignore")


def next_commands(report: Report) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What shows more of the item that flips most, and the words of the command that does."""
    first = report.flipped[0]
    yield "Whole prompts and replies", ("show", report.source.name, first.item_id)
    if not report.source.judge and report.source.provider != "replay":  # which `prt shrink` can't ask anew
        yield "The fewest changes that flip it", ("shrink", report.source.name, first.item_id, first.condition)


def command_line(*words: str, store: str) -> str:
    """A command to be copied, which finds the store again unless it is where it is looked for anyway."""
    option = ["--store", store] if store not in {"", DEFAULT_STORE} else []
    return visible(shlex.join(["prt", *words, *option]))


def beside(name: str, text: Text) -> Table:
    """A name, and beside it a text that wraps in a column of its own."""
    row = Table.grid(padding=(0, 1))
    row.add_column(width=NAME_WIDTH)
    row.add_column()
    row.add_row(Text(f"    {name}"), text)
    return row


def difference(item: FlippedItem) -> Text:
    """The prompt's change: what went in [-brackets-], what came in {+braces+}, the rest cut short."""
    text = Text()
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


def answer_line(answer: Answer) -> Text:
    """One answer: passed or failed, what was read, the reply."""
    verdict = {True: "pass", False: "fail", None: "none"}[answer.passed]
    style = {True: "green", False: "red", None: "yellow"}[answer.passed]
    return Text(verdict, style=style).append(f" ({how_read(answer)}): {one_line(answer.text, REPLY_WIDTH)}", style="")
