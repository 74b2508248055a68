"""What is allowed in a dataset, but may not be what its user means."""

from collections import Counter
from collections.abc import Iterator, Sequence

from ..config.schema import DatasetConfig, PromptConfig
from ..problems import counted, quoted
from ..records import Item
from .fields import Draft
from .shuffle import fixed_order

FEWEST = 5
"""Fewer items than these can have their golds in one slot by chance."""


def notes_on(
    items: Sequence[Item], drafts: Sequence[Draft], config: DatasetConfig, prompt: PromptConfig
) -> Iterator[str]:
    """Say what looks odd.

    Args:
        items: The items.
        drafts: The rows they come from.
        config: The dataset block.
        prompt: What is said around each question.
    """
    yield from _one_slot(items)
    yield from _one_text(items)
    yield from _systems(drafts, prompt)
    yield from _cues(drafts)
    yield from _equal_options(items)
    yield from _attachments(items)
    if config.shuffle_options:
        yield from _fixed_orders(items)
    if config.sample and config.sample > len(items):
        yield f"dataset.sample asks for {config.sample} items, and {len(items)} can be used"


def _one_slot(items: Sequence[Item]) -> Iterator[str]:
    slots = Counter(item.gold.options for item in items if len(item.question.options) > 1)
    if len(slots) == 1 and slots.total() >= FEWEST and len(slot := next(iter(slots))) == 1:
        yield (
            f"the right answer is option {slot[0] + 1} in each of the {slots.total()} items with options, so a model"
            " that always picks it looks perfect; `dataset.shuffle_options: true` mixes the options"
        )


def _one_text(items: Sequence[Item]) -> Iterator[str]:
    texts = Counter(item.gold.texts for item in items if not item.question.options)
    if len(texts) == 1 and texts.total() >= FEWEST and (golds := next(iter(texts))):
        yield (
            f"the right answer is {' or '.join(map(quoted, golds))} in each of the {texts.total()} items, so a model"
            " that always says it looks perfect"
        )


def _systems(drafts: Sequence[Draft], prompt: PromptConfig) -> Iterator[str]:
    own = sum(1 for draft in drafts if draft.system)
    if own and prompt.system:
        yield f"a system prompt of the row's own takes the place of prompt.system in {counted(own, 'item')}"


def _cues(drafts: Sequence[Draft]) -> Iterator[str]:
    cues = Counter(draft.cue for draft in drafts if draft.cue)
    if cues:
        shown = ", ".join(quoted(cue) for cue, _ in cues.most_common(3))
        count = counted(cues.total(), "item")
        yield f"a closing cue behind the options was taken away in {count} ({shown}): prt writes its own"


def _equal_options(items: Sequence[Item]) -> Iterator[str]:
    count = sum(1 for item in items if len(set(item.question.options)) < len(item.question.options))
    if count:
        yield f"two options have the same text in {counted(count, 'item')}; where one is right, both are"


def _attachments(items: Sequence[Item]) -> Iterator[str]:
    count = sum(1 for item in items if item.attachments)
    if count:
        carrying = f"{count} of {counted(len(items), 'item')} carry images or other attachments"
        yield f"{carrying}, sent unchanged; `prt plan` counts no tokens of them"


def _fixed_orders(items: Sequence[Item]) -> Iterator[str]:
    reasons = Counter(reason for item in items if (reason := fixed_order(item.question)))
    if reasons:
        reason = reasons.most_common(1)[0][0]
        yield f"the options keep their order in {counted(reasons.total(), 'item')}, such as: {reason}"
