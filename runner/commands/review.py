"""`prt perturb --review`: a person accepts or rejects the variants of a bundle, one at a time."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console
from rich.text import Text

from ...perturbations.rendering.render import user_text
from ...perturbations.variant import Review, Variant
from ..bundles import bundle_target
from ..config.loading import load_config
from ..errors import UsageError
from ..flipped import gold_words
from ..paraphrasing.paraphrasers import asks_a_model
from ..plan import BASELINE
from ..prepare import Prepared, prepare
from ..problems import counted, did_you_mean, listed, quoted
from ..records import Item
from ..reports.text import visible
from ..reports.variants import differences, heading, indented, styled
from ..review_file import ReviewFile
from ..reviewing import SAID, can_be_asked, is_meant
from . import dialogue
from .dialogue import LATER
from .keyboard import ReadKey, single_keys
from .stdout import reserved_stdout

ANSWERS: dict[str, Review] = {"a": "accept", "r": "reject"}
KEYS = f"a accept · r reject · {LATER}"


@dataclass(frozen=True, slots=True)
class Case:
    """A variant that a person is asked about.

    Attributes:
        number: Its number among the variants of the file, from 0.
        item: Its item.
        original: The baseline of its item.
    """

    number: int
    item: Item
    original: Variant


def review_command(config: Path, target: Path, *, item_id: str | None, conditions: Sequence[str]) -> None:
    """Ask a person about the variants of a bundle, at the terminal.

    Args:
        config: The config.
        target: Its bundle.
        item_id: Only this item, also what was reviewed before; None for all items.
        conditions: Patterns of the conditions to ask about; none for all that were put into other words.

    Raises:
        UsageError: There is nothing of the names given, or an answer can't be saved.
        BundleError: The bundle is not one of this config.
    """
    with reserved_stdout():
        prepared = prepare(config, env=os.environ)
    console = Console(highlight=False)
    file = ReviewFile(target)
    cases = chosen_cases(prepared, file, item_id, conditions)
    with single_keys() as read_key, suppress(KeyboardInterrupt):  # it may come at any time, and all answers are saved
        ask_about(file, cases, console, read_key, again=item_id is not None)
    for line in summary(file, cases):
        console.print(Text(line), soft_wrap=True)


def refuse_without_terminal() -> None:
    """Say what to do instead where nobody can be asked.

    Raises:
        UsageError: Standard input or output is no terminal.
    """
    instead = "write `accept` or `reject` as `review` into the lines of the bundle instead, by an editor or a script"
    dialogue.refuse_without_terminal("--review", instead)


def reviewed_bundle(config: Path) -> Path:
    """The bundle that a review is written to.

    Raises:
        UsageError: A run of this config would make its variants anew, and know of no review.
    """
    loaded = load_config(config, env=os.environ)
    target = bundle_target(loaded)
    if loaded.config.bundle is None and not asks_a_model(loaded.config):
        raise UsageError(
            f"{config}: the config names no `bundle`, so no run would know of a review; add `bundle: {target.name}`"
        )
    return target


def chosen_cases(
    prepared: Prepared, file: ReviewFile, item_id: str | None, conditions: Sequence[str]
) -> tuple[Case, ...]:
    """The variants to ask about, in the order of the file."""
    items = {item.id: item for item in prepared.items if item_id in {None, item.id}}
    if not items:
        near = did_you_mean(item_id or "", (item.id for item in prepared.items))
        raise UsageError(f"there is no item {quoted(item_id)} in the dataset{near}")
    named = dict.fromkeys(variant.condition for variant in file.variants if variant.condition != BASELINE)
    for pattern in conditions:
        if not any(fnmatchcase(name, pattern) for name in named):
            raise UsageError(f"no condition is called {quoted(pattern)}; the bundle has {listed(named)}")
    originals = {variant.item_id: variant for variant in file.variants if variant.condition == BASELINE}
    in_run = {(variant.item_id, variant.condition): variant for variant in prepared.all_variants()}
    return tuple(
        Case(number, items[variant.item_id], originals[variant.item_id])
        for number, variant in enumerate(file.variants)
        if variant.item_id in items
        and variant.condition != BASELINE
        and can_be_asked(in_run[variant.item_id, variant.condition])
        and is_meant(in_run[variant.item_id, variant.condition], conditions)
    )


def ask_about(file: ReviewFile, cases: Sequence[Case], console: Console, read_key: ReadKey, *, again: bool) -> None:
    """Show one variant after the other, and write each answer down at once.

    Args:
        file: Where answers are written.
        cases: The variants.
        console: Where to show them.
        read_key: Waits for a key.
        again: Whether to ask about those too that were reviewed before.
    """

    def ask(at: int) -> str:
        show(file, cases, at, console)
        key = dialogue.answer(console, read_key, KEYS, {key: SAID[review] for key, review in ANSWERS.items()})
        if key in ANSWERS:
            file.put(cases[at].number, ANSWERS[key])
        return key

    dialogue.walk(len(cases), ask, lambda at: again or not file.variants[cases[at].number].review)


def show(file: ReviewFile, cases: Sequence[Case], at: int, console: Console) -> None:
    """Show a variant below its original, with what differs marked, and what was said of it so far."""
    case = cases[at]
    variant = file.variants[case.number]
    said = f" · {SAID[variant.review]} so far" if variant.review else ""
    console.rule(style="dim")
    console.print(Text(f"{at + 1} of {len(cases)} · {visible(case.item.id)}{said}", style="bold"))
    console.print(indented(Text(f"right: {visible(gold_words(case.item))}"), 2))
    console.print(indented(Text("original", style="bold"), 2))
    console.print(indented(Text(visible(user_text(case.original.question, case.original.layout)))))
    console.print(indented(heading(variant), 2))
    console.print(indented(styled(differences(case.original, variant))))


def summary(file: ReviewFile, cases: Sequence[Case]) -> Iterator[str]:
    """What was said of the variants, and what follows from it."""
    if not cases:
        yield "There is nothing in other words to review; `--condition '*'` asks about every applied variant."
        return
    said = Counter(file.variants[case.number].review for case in cases)
    words = ", ".join(f"{said[review]} {word}" for review, word in SAID.items())
    yield f"{counted(len(cases), 'variant')}: {words}; saved in {file.path}"
    if not said[""]:
        yield "All are reviewed; `--item ID` asks about those of one item again."
