"""A dataset file to Items: nothing guessed silently, each row that can't be used named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ...perturbations.canonical import canonical_hash
from ...perturbations.question import AnswerForm
from ..config.schema import DatasetConfig, PromptConfig
from ..errors import DatasetError, Problem
from ..problems import RowError, raise_problems
from ..records import Item
from .examples import given_away, read_examples
from .fields import Draft, Fields
from .files import opened
from .gold_reading import read_golds
from .items import ItemMaker, refuse_bad_template
from .notes import notes_on
from .row_checks import refuse_unknown_fields, row_problem, unique_ids
from .rows import Row, read_rows
from .shuffle import shuffled


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """What a dataset file gave.

    Attributes:
        items: The items, in the order of the file.
        skipped: Rows that were met and can't be used, where the config says to skip them.
        sha256: Of the file's bytes, in hexadecimal.
        rows: How many rows the file has.
        notes: Sentences that the user should read: what is allowed, but may not be what is meant.
    """

    items: tuple[Item, ...]
    skipped: tuple[Problem, ...]
    sha256: str
    rows: int
    notes: tuple[str, ...] = ()


def load_items(
    config: DatasetConfig, *, base: Path, prompt: PromptConfig, seed: int, answer_form: AnswerForm = "text"
) -> LoadedItems:
    """Read a dataset file.

    Args:
        config: The dataset block.
        base: Folder that its path is relative to: the config file's.
        prompt: What is said around each question.
        seed: Decides `sample` and `shuffle_options`.
        answer_form: What the closing line asks for where an item has no options; with options it is a label.

    Returns:
        The items. An item's id, options and gold hang on nothing but its own row, the seed and how golds are read.

    Raises:
        DatasetError: If the file can't be read, a field is in no row, or rows can't be used; each is named.
        ConfigError: If a few-shot example or the template can't be used.
    """
    rows, sha256 = _read(config, base)
    fields = Fields.of(config)
    refuse_unknown_fields(rows, fields)
    ids = unique_ids(rows, fields)
    drafts = [_draft(row, fields) for row in rows]
    reading = read_golds(drafts, config)
    examples = read_examples(prompt)
    maker = ItemMaker(prompt, examples, answer_form, reading.asked)

    def make(at: int) -> Item | Problem:
        draft = drafts[at]
        if isinstance(draft, Problem):
            return draft
        try:
            item = maker.item(ids[at], draft, reading.fits[at], reading.decision)
        except RowError as error:
            return row_problem(error, draft.row, config.path)
        return shuffled(item, seed) if config.shuffle_options else item

    chosen, problems = _choose(_order(ids, config, seed), config.limit or config.sample or len(rows), make)
    if config.on_bad_item == "error" or not chosen:
        raise_problems(problems, "rows that can't be used (`dataset.on_bad_item: skip` leaves them out)")
    items = tuple(chosen[at] for at in sorted(chosen))
    used = [draft for at in sorted(chosen) if isinstance(draft := drafts[at], Draft)]
    refuse_bad_template(items)
    notes = (*notes_on(items, used, config, prompt), *given_away(items))
    return LoadedItems(items, tuple(problems), sha256, len(rows), notes)


def _choose(
    order: Sequence[int], wanted: int, make: Callable[[int], Item | Problem]
) -> tuple[dict[int, Item], list[Problem]]:
    """Make items in this order until there are enough; what can't be made is a problem, in the order of the file."""
    chosen: dict[int, Item] = {}
    problems: dict[int, Problem] = {}
    for at in order:
        if len(chosen) == wanted:
            break
        made = make(at)
        if isinstance(made, Problem):
            problems[at] = made
        else:
            chosen[at] = made
    return chosen, [problems[at] for at in sorted(problems)]


def _read(config: DatasetConfig, base: Path) -> tuple[list[Row], str]:
    if "://" in config.path:
        raise DatasetError(Problem("is an address, where a file is needed; download it first", path=config.path))
    with opened(base / Path(config.path).expanduser(), config.path) as source:
        rows = list(read_rows(source, config))
        if not rows:
            raise DatasetError(Problem("there are no rows in it", path=config.path))
        return rows, source.sha256()


def _draft(row: Row, fields: Fields) -> Draft | Problem:
    try:
        return fields.draft(row)
    except RowError as error:
        return row_problem(error, row, fields.config.path)


def _order(ids: Sequence[str], config: DatasetConfig, seed: int) -> Sequence[int]:
    """The order in which rows are taken until there are enough; a larger sample holds each smaller one."""
    if config.sample is None:
        return range(len(ids))
    ranks = [canonical_hash("prt.sample", [seed, item_id]) for item_id in ids]
    return sorted(range(len(ids)), key=ranks.__getitem__)
