"""A dataset to Items: nothing guessed silently, each row that can't be used named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...perturbations.canonical import canonical_hash
from ...perturbations.question import AnswerForm
from ..config.schema import DatasetConfig, PromptConfig
from ..errors import DatasetError, Problem
from ..problems import RowError, raise_problems
from ..records import Item
from .examples import read_examples, refuse_given_away
from .fields import Draft, Fields
from .files import digest_of, opened
from .filtering import filtered
from .gold_reading import read_golds
from .hub import SCHEME, read_hub
from .items import ItemMaker, refuse_bad_template
from .locating import DataFile, data_files
from .notes import notes_on
from .row_checks import refuse_unknown_fields, row_problem, unique_ids, unnamed_columns
from .rows import Row, read_rows
from .shuffle import shuffled

SKIP = "`dataset.on_bad_item: skip` leaves such rows out"


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """What a dataset file gave.

    Attributes:
        items: The items, in the order of the file.
        skipped: Rows that were met and can't be used, where the config says to skip them.
        sha256: Of the file's bytes, in hexadecimal; of several files, of their digests, one a line.
        rows: How many rows the dataset has.
        notes: Sentences that the user should read: what is allowed, but may not be what is meant.
        ids: The ids of all rows that the filter keeps, those that `limit` or `sample` leaves out too.
        unnamed: The columns that no field names.
    """

    items: tuple[Item, ...]
    skipped: tuple[Problem, ...]
    sha256: str
    rows: int
    notes: tuple[str, ...] = ()
    ids: frozenset[str] = frozenset()
    unnamed: tuple[str, ...] = ()


def load_items(
    config: DatasetConfig,
    *,
    base: Path,
    prompt: PromptConfig,
    seed: int,
    answer_form: AnswerForm = "text",
    json_answers: bool = False,
) -> LoadedItems:
    """Read a dataset.

    Args:
        config: The dataset block.
        base: Folder that its path is relative to: the config file's.
        prompt: What is said around each question.
        seed: Decides `sample` and `shuffle_options`.
        answer_form: What the closing line asks for where an item has no options; with options it is a label.
        json_answers: Whether an answer may be an object or a list, which is then written as JSON.

    Returns:
        The items. An item's id, options and gold hang on nothing but its own row, the seed and how golds are read.

    Raises:
        DatasetError: If the file can't be read, a field is in no row, or rows can't be used; each is named.
        ConfigError: If a few-shot example or the template can't be used.
    """
    read = _read(config, base)
    fields = Fields.of(config, base, json_answers=json_answers)
    refuse_unknown_fields(read.rows, fields)
    rows = filtered(read.rows, config) if config.filter else read.rows
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
            refuse_given_away(item)
        except RowError as error:
            return row_problem(error, draft.row)
        return shuffled(item, seed) if config.shuffle_options else item

    chosen, problems = _choose(_order(ids, config, seed), config.limit or config.sample or len(rows), make)
    if config.on_bad_item == "error" or not chosen:
        raise_problems(problems, "rows that can't be used", advice=SKIP if chosen else "")
    items = tuple(chosen[at] for at in sorted(chosen))
    used = [draft for at in sorted(chosen) if isinstance(draft := drafts[at], Draft)]
    refuse_bad_template(items)
    kept = [f"dataset.filter keeps {len(rows)} of {len(read.rows)} rows"] if config.filter else []
    notes = (*read.notes, *kept, *notes_on(items, used, config, prompt))
    return LoadedItems(
        items, tuple(problems), read.sha256, len(read.rows), notes, frozenset(ids), unnamed_columns(rows, fields)
    )


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


@dataclass(frozen=True, slots=True)
class _Read:
    """All rows of a dataset, their digest, and what the user should read."""

    rows: list[Row]
    sha256: str
    notes: tuple[str, ...] = ()


def _read(config: DatasetConfig, base: Path) -> _Read:
    if config.path.startswith(SCHEME):
        loaded = read_hub(config.path)
        rows = [Row(at, None, row, config.path) for at, row in enumerate(loaded.rows, 1)]
        read = _Read(rows, loaded.sha256, loaded.notes)
    elif "://" in config.path:
        raise DatasetError(Problem("is an address, where a file is needed; download it first", path=config.path))
    else:
        read = _read_files(data_files(base, config.path), config)
    if not read.rows:
        raise DatasetError(Problem("there are no rows in it", path=config.path))
    return read


def _read_files(files: Sequence[DataFile], config: DatasetConfig) -> _Read:
    rows: list[Row] = []
    digests = []
    for file in files:
        with opened(file.path, file.name, takes={"parquet", "xlsx"}) as source:
            rows += (replace(row, stem=file.stem, several=len(files) > 1) for row in read_rows(source, config))
            digests.append(source.sha256())
    note = f"{config.path} stands for {len(files)} files; their names stand before the ids"
    return _Read(rows, digest_of(digests), (note,) if len(files) > 1 else ())


def _draft(row: Row, fields: Fields) -> Draft | Problem:
    try:
        return fields.draft(row)
    except RowError as error:
        return row_problem(error, row)


def _order(ids: Sequence[str], config: DatasetConfig, seed: int) -> Sequence[int]:
    """The order in which rows are taken until there are enough; a larger sample holds each smaller one."""
    if config.sample is None:
        return range(len(ids))
    ranks = [canonical_hash("prt.sample", [seed, item_id]) for item_id in ids]
    return sorted(range(len(ids)), key=ranks.__getitem__)
