"""What is allowed in a dataset, but may not be what its user means."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ..config.schema import DatasetConfig, PromptConfig
from ..problems import counted, quoted
from ..records import Item
from .fields import Draft
from .row_access import as_list

FEWEST = 5
"""Fewer items than these can have their golds in one slot by chance."""
LIKE_NOTHING = frozenset({"nan", "NaN", "NAN", "NA", "<NA>", "N/A", "n/a", "#N/A", "None", "null", "NULL", "NaT"})
"""What programs write for a value that is missing, where it comes as a text; a small `none` is rather a label."""


@dataclass(slots=True)
class Same:
    """Whether values are all the same.

    Attributes:
        count: How many there are.
        first: The first one; None where there is none.
        differ: Whether another one differs from it.
    """

    count: int = 0
    first: tuple[object, ...] | None = None
    differ: bool = False

    def note(self, value: tuple[object, ...]) -> None:
        """Note a value."""
        self.count += 1
        self.differ = self.differ or (self.first is not None and value != self.first)
        self.first = value if self.first is None else self.first


class Oddities:
    """What may be odd about the items of a dataset, counted item by item."""

    def __init__(self, config: DatasetConfig, prompt: PromptConfig) -> None:
        """Begin with no item.

        Args:
            config: The dataset block.
            prompt: What is said around each question.
        """
        self._config, self._prompt = config, prompt
        self._items = self._systems = self._equal_options = self._attachments = 0
        self._slots, self._texts = Same(), Same()
        self._cues: Counter[str] = Counter()
        self._fixed: Counter[str] = Counter()
        self._like_nothing: Counter[str] = Counter()

    def note(self, item: Item, draft: Draft) -> None:
        """Note an item and the row that it comes from."""
        options = item.question.options
        self._items += 1
        if len(options) > 1:
            self._slots.note(item.gold.options)
        elif not options:
            self._texts.note(item.gold.texts)
            self._like_nothing.update([text for text in item.gold.texts if text in LIKE_NOTHING][:1])
        self._systems += bool(draft.system)
        self._cues.update([draft.cue] if draft.cue else [])
        self._equal_options += len(set(options)) < len(options)
        self._attachments += bool(item.attachments)
        if self._config.shuffle_options:
            from .shuffle import fixed_order  # noqa: PLC0415 - as in `load`

            if reason := fixed_order(item.question):
                self._fixed[reason] += 1

    def notes(self) -> Iterator[str]:
        """Say what looks odd."""
        yield from _one_slot(self._slots)
        yield from _one_text(self._texts)
        yield from _like_nothing(self._like_nothing, self._items, self._config)
        if self._systems and self._prompt.system:
            own = counted(self._systems, "item")
            yield f"a system prompt of the row's own takes the place of prompt.system in {own}"
        yield from _cues(self._cues)
        if self._equal_options:
            equal = counted(self._equal_options, "item")
            yield f"two options have the same text in {equal}; where one is right, both are"
        if self._attachments:
            carrying = f"{self._attachments} of {counted(self._items, 'item')} carry images or other attachments"
            yield f"{carrying}, sent unchanged; `prt plan` counts no tokens of them"
        yield from _fixed_orders(self._fixed)
        if self._config.sample and self._config.sample > self._items:
            yield f"dataset.sample asks for {self._config.sample} items, and {self._items} can be used"


def _one_slot(slots: Same) -> Iterator[str]:
    if slots.first and not slots.differ and slots.count >= FEWEST and len(slots.first) == 1:
        (slot,) = slots.first
        yield (
            f"the right answer is option {int(str(slot)) + 1} in each of the {slots.count} items with options, so a"
            " model that always picks it looks perfect; `dataset.shuffle_options: true` mixes the options"
        )


def _one_text(texts: Same) -> Iterator[str]:
    if texts.first and not texts.differ and texts.count >= FEWEST:
        yield (
            f"the right answer is {' or '.join(map(quoted, texts.first))} in each of the {texts.count} items, so a"
            " model that always says it looks perfect"
        )


def _like_nothing(found: Counter[str], items: int, config: DatasetConfig) -> Iterator[str]:
    if found:
        words = " or ".join(map(quoted, found))
        wanted = ", ".join(f"'{word}'" for word in found)
        path = next(iter(as_list(config.fields.answer)), "answer")
        yield (
            f"the right answer is {words} in {found.total()} of {counted(items, 'item')}, and is taken as that text;"
            f" where it stands for no answer, `filter: {{{path}: {{not_in: [{wanted}]}}}}` under `dataset` leaves such"
            " rows out"
        )


def _cues(cues: Counter[str]) -> Iterator[str]:
    if cues:
        shown = ", ".join(quoted(cue) for cue, _ in cues.most_common(3))
        count = counted(cues.total(), "item")
        yield f"a closing cue behind the options was taken away in {count} ({shown}): prt writes its own"


def _fixed_orders(reasons: Counter[str]) -> Iterator[str]:
    if reasons:
        reason = reasons.most_common(1)[0][0]
        yield f"the options keep their order in {counted(reasons.total(), 'item')}, such as: {reason}"
