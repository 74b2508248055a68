"""One item of a run: every prompt, every reply, and what was read in it."""

import json
import sys
from dataclasses import asdict, dataclass

from rich.console import Console
from rich.text import Text

from ...perturbations.variant import Variant
from ..errors import UsageError
from ..findings import Answer
from ..flipped import answer_of, gold_words, prompt_of
from ..plan import BASELINE
from ..problems import did_you_mean, quoted
from ..store.read import StoredRun
from ..suggest import meant_or_known
from .text import how_read, visible
from .variants import heading, indented, marked


@dataclass(frozen=True, slots=True)
class ConditionView:
    """One item under one condition; one answer a repeat, none where it was not asked, or not yet."""

    variant: Variant
    prompt: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class ItemView:
    """One item of a run, the baseline first."""

    run: str
    item_id: str
    gold: str
    conditions: tuple[ConditionView, ...]


def item_view(run: StoredRun, item_id: str, *, condition: str | None) -> ItemView:
    """Read one item of a run.

    Args:
        run: The run.
        item_id: The item.
        condition: Only this condition beside the baseline; None for all.

    Raises:
        UsageError: The run has no such item or condition.
    """
    try:
        item = run.item(item_id)
    except KeyError:
        known = (each.id for each in run.items())
        near = did_you_mean(item_id, known)
        raise UsageError(f"{run.record.id}: there is no item {quoted(item_id)}{near}") from None
    variants = list(run.variants(item_id))
    names = [variant.condition for variant in variants]
    if condition is not None and condition not in names:
        hint = meant_or_known(condition, names)
        raise UsageError(f"{run.record.id}: there is no condition {quoted(condition)}{hint}")
    answers: dict[str, list[Answer]] = {}
    for result in run.results(item_id):
        answers.setdefault(result.condition, []).append(answer_of(result))
    shown = [each for each in variants if condition is None or each.condition in {BASELINE, condition}]
    return ItemView(
        run=run.record.id,
        item_id=item_id,
        gold=gold_words(item),
        conditions=tuple(
            ConditionView(each, prompt_of(each), tuple(answers.get(each.condition, ())))
            for each in sorted(shown, key=lambda each: each.condition != BASELINE)
        ),
    )


def print_item(view: ItemView, console: Console, *, as_json: bool) -> None:
    """Print one item for a person or for a program."""
    if as_json:
        sys.stdout.write(json.dumps(asdict(view), indent=2, allow_nan=False) + "\n")
        return
    console.print(Text(f"{visible(view.item_id)} · {visible(view.run)}", style="bold"))
    console.print(Text(f"right: {visible(view.gold)}"))
    before = view.conditions[0].prompt
    for each in view.conditions:
        console.print()
        console.print(heading(each.variant))
        if each.variant.outcome == "applied":
            console.print(indented(marked(before, each.prompt)))
            for answer in each.answers or (None,):
                console.print(indented(answer_text(answer)))


def answer_text(answer: Answer | None) -> Text:
    """A reply with what was read in it marked [=so=], and the verdict."""
    if answer is None:
        return Text("no reply yet", style="yellow")
    verdict = {True: "pass", False: "fail", None: "no result"}[answer.passed]
    style = {True: "green", False: "red", None: "yellow"}[answer.passed]
    text = Text(f"→ {verdict}", style=style).append(f" ({how_read(answer)})", style="")
    return text.append("\n").append_text(read_in(answer)) if answer.text else text


def read_in(answer: Answer) -> Text:
    """The text of a reply, with the answer that was read marked where it stands."""
    start, end = answer.span or (0, 0)
    before, read, after = (visible(part) for part in (answer.text[:start], answer.text[start:end], answer.text[end:]))
    text = Text(before, style="default")
    if read:
        text.append(f"[={read}=]", style="bold cyan")
    return text.append(after)
