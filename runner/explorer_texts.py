"""What was asked, answered and read for some items of a run: as much as fits a page, the most telling items first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from ..perturbations.difference import Mark, marked_difference, merged
from ..perturbations.variant import Variant
from .analysis import Results
from .explorer import CellMap
from .flipped import answer_of, gold_words, own_gold_words, prompt_of
from .plan import BASELINE
from .records import Item
from .reports.text import visible
from .reports.variants import MOVED, movable
from .store.of_items import items_of, variants_at
from .store.read import Result, StoredRun

CHARACTERS = 2_000_000
"""Of all texts in a page together."""
PROMPTS = 5_000
"""Items × conditions in a page, whose differences have to be marked."""
AT_A_TIME = 50
PASSED_OVER = 20
"""Items too long for the room that is left, after which no further one is tried."""

Piece = int | str
"""A part of a changed prompt: so many characters of the original kept, or with a minus left out; or text put in."""


@dataclass(frozen=True, slots=True)
class ShownAnswer:
    """One reply, its texts made visible.

    Attributes:
        before: The reply up to what was read in it; all of it where nothing was.
        read: What was read, as it stands there.
        after: The rest.
        extracted: What was read as the answer; it need not stand in the reply.
        passed: The verdict; None where there is none.
        status: How it was judged; `not_graded` where it was not.
        reason: Why nothing was read, or why there is no reply.
    """

    before: str
    read: str
    after: str
    extracted: str | None
    passed: bool | None
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class ShownVariant:
    """One item under one condition.

    Attributes:
        condition: The condition.
        outcome: `applied`, or why there was nothing to ask.
        reason: The generator's reason.
        gold: What counts as right where that is not what does in the dataset; empty elsewhere.
        pieces: The prompt as changes of the original's; none for the baseline and where nothing was asked.
        answers: The replies, one a run.
    """

    condition: str
    outcome: str
    reason: str
    gold: str
    pieces: tuple[Piece, ...]
    answers: tuple[ShownAnswer, ...]


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item with its texts.

    Attributes:
        item_id: The item.
        gold: What counts as right, in words.
        prompt: The prompt under the baseline.
        variants: Every condition, the baseline first.
    """

    item_id: str
    gold: str
    prompt: str
    variants: tuple[ShownVariant, ...]

    @property
    def characters(self) -> int:
        """How many characters its texts have."""
        texts = [self.item_id, self.gold, self.prompt]
        for variant in self.variants:
            texts += [variant.condition, variant.outcome, variant.reason, variant.gold]
            texts += [piece for piece in variant.pieces if isinstance(piece, str)]
            for answer in variant.answers:
                texts += [answer.before, answer.read, answer.after, answer.extracted or "", answer.reason]
        return sum(map(len, texts))


def texts_of(
    run: StoredRun, results: Results, cells: CellMap, *, characters: int = CHARACTERS, prompts: int = PROMPTS
) -> tuple[ShownItem, ...]:
    """Read the texts of the items that tell most: those that flip most, then those with unread answers, then others.

    Args:
        run: The run; its store must be open.
        results: Its results.
        cells: The same, as they are laid out.
        characters: How many characters all texts may have together.
        prompts: How many items × conditions there may be.

    Returns:
        The items that fit. One that is longer than the room left is passed over.

    Raises:
        StoreError: The store can't be read.
    """
    shown: list[ShownItem] = []
    passed_over = 0
    order = telling_order(cells)[: max(1, prompts // len(cells.conditions)) if characters else 0]
    for start in range(0, len(order), AT_A_TIME):
        for item in read_items(run, results, cells.places[order[start : start + AT_A_TIME]]):
            size = item.characters
            if size > characters:
                passed_over += 1
                if passed_over == PASSED_OVER:
                    return tuple(shown)
                continue
            characters -= size
            shown.append(item)
    return tuple(shown)


def telling_order(cells: CellMap) -> NDArray[np.intp]:
    """Places in the map of all items, the most telling ones first; ties in the order of the dataset."""
    return np.lexsort((cells.places, -cells.unread, -cells.flips))


def read_items(run: StoredRun, results: Results, places: Sequence[int] | NDArray[np.intp]) -> Iterator[ShownItem]:
    """Read some items, in the order given; `places` are theirs in the dataset."""
    columns = results.variants
    ids = [columns.items[place] for place in places]
    positions = np.flatnonzero(np.isin(columns.item, places)).tolist()
    variants: dict[str, list[Variant]] = defaultdict(list)
    answers: dict[tuple[str, str], list[Result]] = defaultdict(list)
    for variant in variants_at(run, positions):
        variants[variant.item_id].append(variant)
    for result in run.results_at(positions):
        answers[result.item_id, result.condition].append(result)
    items = {item.id: item for item in items_of(run, ids)}
    for item_id in ids:
        of_item = sorted(variants[item_id], key=lambda variant: variant.condition != BASELINE)
        yield shown_item(items[item_id], of_item, [answers[item_id, variant.condition] for variant in of_item])


def shown_item(item: Item, variants: Sequence[Variant], results: Sequence[Sequence[Result]]) -> ShownItem:
    """One item; its variants, the baseline first, each with its replies."""
    original, prompt = variants[0], visible(prompt_of(variants[0]))
    return ShownItem(
        item_id=item.id,
        gold=visible(gold_words(item)),
        prompt=prompt,
        variants=tuple(
            ShownVariant(
                condition=variant.condition,
                outcome=variant.outcome,
                reason=visible(variant.reason),
                gold="" if variant.gold is None else visible(own_gold_words(variant, variant.gold)),
                pieces=pieces_of(original, variant, prompt) if variant is not original else (),
                answers=tuple(map(shown_answer, of_variant)),
            )
            for variant, of_variant in zip(variants, results, strict=True)
        ),
    )


def shown_answer(result: Result) -> ShownAnswer:
    """One reply as it was read."""
    answer = answer_of(result)
    start, end = answer.span or (len(answer.text), len(answer.text))
    error = result.reply.error
    return ShownAnswer(
        before=visible(answer.text[:start]),
        read=visible(answer.text[start:end]),
        after=visible(answer.text[end:]),
        extracted=None if answer.extracted is None else visible(answer.extracted),
        passed=answer.passed,
        status=answer.status,
        reason=visible(answer.reason or ("" if error is None else error.message)),
    )


def pieces_of(original: Variant, variant: Variant, prompt: str) -> tuple[Piece, ...]:
    """A variant's prompt as changes of the original's."""
    if variant.outcome != "applied":
        return ()
    return tuple(compact(changes(original, variant, prompt, visible(prompt_of(variant)))))


def changes(original: Variant, variant: Variant, before: str, after: str) -> Iterable[tuple[Mark, str]]:
    """Mark what differs: what may have moved line by line, all else word by word.

    The kept and left-out runs together are `before`, the kept and put-in runs `after`.
    """
    moved = variant.permutation and variant.permutation != tuple(range(len(variant.permutation)))
    if not moved and not any(edit.part in MOVED for edit in variant.edits):
        return marked_difference(before, after)
    texts = [visible(text) for text in (*movable(original), *movable(variant)) if text]
    return merged([*line_changes(before, after, texts)])


def line_changes(before: str, after: str, moved: Sequence[str]) -> Iterator[tuple[Mark, str]]:
    """Mark lines as a whole where they show a text that may have moved, and words in the others."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for _, start, end, new_start, new_end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        was, becomes = old[start:end], new[new_start:new_end]
        if len(was) != len(becomes):
            yield from (("delete", "".join(was)), ("insert", "".join(becomes)))
            continue
        for line, other in zip(was, becomes, strict=True):
            if line != other and all(any(text in each for text in moved) for each in (line, other)):
                yield from (("delete", line.removesuffix("\n")), ("insert", other.removesuffix("\n")))
                yield from marked_difference("\n" * line.endswith("\n"), "\n" * other.endswith("\n"))
            else:
                yield from marked_difference(line, other)


def compact(marks: Iterable[tuple[Mark, str]]) -> Iterator[Piece]:
    """Changes as pieces."""
    for kind, text in marks:
        yield text if kind == "insert" else len(text) if kind == "equal" else -len(text)
