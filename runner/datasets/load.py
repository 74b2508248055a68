"""A dataset to Items: nothing guessed silently, each row that can't be used named."""

from array import array
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ...perturbations.canonical import canonical_hash
from ...perturbations.question import AnswerForm
from ..config.schema import DatasetConfig, PromptConfig
from ..encoding import item_spool
from ..errors import DatasetError, Problem
from ..problems import RowError, raise_problems
from ..records import Item
from ..spool import Places, Spool, pickled, unpickled
from .examples import read_examples, refuse_given_away
from .fields import Draft, Fields
from .files import digest_of, opened
from .filtering import refuse_none_kept, row_filter
from .gold_reading import GoldReading
from .items import ItemMaker, template_notes
from .locating import DataFile, data_files
from .notes import Oddities
from .row_checks import ColumnsSeen, row_problem, twice, unnamed_columns
from .rows import Row, read_rows

HUB = "hf://"
"""What an address of a dataset on the Hugging Face hub begins with."""
SKIP = "`dataset.on_bad_item: skip` leaves such rows out"


@dataclass(frozen=True, slots=True)
class LoadedItems:
    """What a dataset file gave.

    Attributes:
        items: The items, in the order of the file; they lie on the disk.
        skipped: Rows that were met and can't be used, where the config says to skip them.
        sha256: Of the file's bytes, in hexadecimal; of several files, of their digests, one a line.
        rows: How many rows the dataset has.
        notes: Sentences that the user should read: what is allowed, but may not be what is meant.
        ids: The ids of all rows that the filter keeps, those that `limit` or `sample` leaves out too.
        unnamed: The columns that no field names.
        free: How many items have no options.
    """

    items: Sequence[Item]
    skipped: tuple[Problem, ...]
    sha256: str
    rows: int
    notes: tuple[str, ...] = ()
    ids: Container[str] = frozenset()
    unnamed: tuple[str, ...] = ()
    free: int = 0


def load_items(
    config: DatasetConfig,
    *,
    base: Path,
    prompt: PromptConfig,
    seed: int,
    answer_form: AnswerForm = "text",
    json_answers: bool = False,
    need_answers: bool = True,
) -> LoadedItems:
    """Read a dataset.

    Args:
        config: The dataset block.
        base: Folder that its path is relative to: the config file's.
        prompt: What is said around each question.
        seed: Decides `sample` and `shuffle_options`.
        answer_form: What the closing line asks for where an item has no options; with options it is a label.
        json_answers: Whether an answer may be an object or a list, which is then written as JSON.
        need_answers: Whether every row must have a right answer; else one is read where a row has it.

    Returns:
        The items. An item's id, options and gold hang on nothing but its own row, the seed and how golds are read.

    Raises:
        DatasetError: If the file can't be read, a field is in no row, or rows can't be used; each is named.
        ConfigError: If a few-shot example or the template can't be used.
    """
    fields = Fields.of(config, base, json_answers=json_answers, need_answers=need_answers)
    read = _read(config, base, fields)
    decision = read.golds.decision(lambda at: read.entries[at].draft)
    maker = ItemMaker(prompt, read_examples(prompt), answer_form, read.golds.asked)

    odd = Oddities(config, prompt)

    def make(at: int) -> Item | Problem:
        entry = read.entries[at]
        if isinstance(entry.draft, Problem):
            return entry.draft
        try:
            item = maker.item(entry.item_id, entry.draft, read.golds.fits(at), decision)
            refuse_given_away(item)
        except RowError as error:
            return row_problem(error, entry.row)
        if config.shuffle_options:
            from .shuffle import shuffled  # noqa: PLC0415 - few datasets have their right answers in one column

            item = shuffled(item, seed)
        odd.note(item, entry.draft)
        return item

    count = len(read.entries)
    chosen, problems = _choose(_order(read.entries, config, seed), config.limit or config.sample or count, make)
    if config.on_bad_item == "error" or not chosen.rows:
        raise_problems(problems, "rows that can't be used", advice=SKIP if chosen.rows else "")
    items = chosen.items if config.sample is None else item_spool(chosen.in_order_of_rows())
    template = template_notes(items) if prompt.template is not None else []
    kept = [f"dataset.filter keeps {count} of {read.rows} rows"] if config.filter else []
    notes = (*read.notes, *kept, *template, *odd.notes())
    return LoadedItems(
        items,
        tuple(problems),
        read.sha256,
        read.rows,
        notes,
        read.ids,
        unnamed_columns(read.columns, fields),
        chosen.free,
    )


class _Chosen:
    """Items as they were made, the row of each, and how many have no options."""

    def __init__(self) -> None:
        self.items = item_spool()
        self.rows = array("L")
        self.free = 0

    def append(self, at: int, item: Item) -> None:
        self.free += not item.question.options
        self.rows.append(at)
        self.items.append(item)

    def in_order_of_rows(self) -> Iterator[Item]:
        return (self.items[place] for place in sorted(range(len(self.rows)), key=self.rows.__getitem__))


def _choose(order: Iterable[int], wanted: int, make: Callable[[int], Item | Problem]) -> tuple[_Chosen, list[Problem]]:
    """Make items in this order until there are enough; what can't be made is a problem, in the order of the file."""
    chosen = _Chosen()
    problems: dict[int, Problem] = {}
    for at in order:
        if len(chosen.rows) == wanted:
            break
        made = make(at)
        if isinstance(made, Problem):
            problems[at] = made
        else:
            chosen.append(at, made)
    return chosen, [problems[at] for at in sorted(problems)]


@dataclass(frozen=True, slots=True)
class _Entry:
    """A row that the filter keeps: its id, and what was read of it."""

    item_id: str
    row: Row
    draft: Draft | Problem


class _Ids(Container[str]):
    """The ids of rows, by their places among the entries."""

    def __init__(self, entries: Sequence[_Entry]) -> None:
        self._entries = entries
        self._places = Places()

    def append(self, item_id: str) -> None:
        self._places.append(item_id)

    def entry(self, item_id: str) -> _Entry | None:
        """The first row of an id; None where there is none."""
        found = (self._entries[place] for place in self._places.of(item_id))
        return next((entry for entry in found if entry.item_id == item_id), None)

    def __contains__(self, item_id: object) -> bool:
        return isinstance(item_id, str) and self.entry(item_id) is not None


class _Reading:
    """What all rows of a dataset give, noted row by row: nothing is kept but on the disk, and a few bytes a row.

    Attributes:
        rows: How many rows there are.
        entries: Those that the filter keeps.
        ids: Their ids.
        golds: What their golds may mean.
        columns: The columns that they have.
        sha256: The digest of the files.
        notes: What the user should read.
    """

    def __init__(self, config: DatasetConfig, fields: Fields) -> None:
        self._config, self._fields = config, fields
        self._seen = ColumnsSeen(fields)
        self._passes = row_filter(config)
        self._bad_ids: list[Problem] = []
        self.rows = 0
        self.entries: Spool[_Entry] = Spool(pickled, unpickled)
        self.ids = _Ids(self.entries)
        self.golds = GoldReading(config)
        self.columns: dict[str, None] = {}
        self.sha256 = ""
        self.notes: tuple[str, ...] = ()

    def note(self, row: Row) -> None:
        """Read a row."""
        self.rows += 1
        self._seen.note(row)
        if not self._passes(row):
            return
        self.columns |= dict.fromkeys(row.values)
        try:
            item_id = self._fields.id_of(row)
        except RowError as error:
            self._bad_ids.append(row_problem(error, row))
            return
        if earlier := self.ids.entry(item_id):
            self._bad_ids.append(twice(item_id, earlier.row, row, self._fields))
        draft = _draft(row, self._fields)
        self.ids.append(item_id)
        self.golds.note(draft)
        self.entries.append(_Entry(item_id, row, draft))

    def settle(self) -> None:
        """Refuse what can't be used as a whole."""
        if not self.rows:
            raise DatasetError(Problem("there are no rows in it", path=self._config.path))
        self._seen.refuse_unknown()
        refuse_none_kept(len(self.entries) + len(self._bad_ids), self.rows, self._config)
        raise_problems(self._bad_ids, "ids that can't be used")


def _read(config: DatasetConfig, base: Path, fields: Fields) -> _Reading:
    reading = _Reading(config, fields)
    if config.path.startswith(HUB):
        from .hub import read_hub  # noqa: PLC0415 - files need none of it

        loaded = read_hub(config.path)
        for at, row in enumerate(loaded.rows, 1):
            reading.note(Row(at, None, row, config.path))
        reading.sha256, reading.notes = loaded.sha256, loaded.notes
    elif "://" in config.path:
        raise DatasetError(Problem("is an address, where a file is needed; download it first", path=config.path))
    else:
        _read_files(data_files(base, config.path), config, reading)
    reading.settle()
    return reading


def _read_files(files: Sequence[DataFile], config: DatasetConfig, reading: _Reading) -> None:
    digests = []
    for file in files:
        with opened(file.path, file.name, takes={"parquet", "xlsx"}) as source:
            for row in read_rows(source, config):
                reading.note(replace(row, stem=file.stem, several=len(files) > 1))
            digests.append(source.sha256())
    reading.sha256 = digest_of(digests)
    if len(files) > 1:
        reading.notes = (f"{config.path} stands for {len(files)} files; their names stand before the ids",)


def _draft(row: Row, fields: Fields) -> Draft | Problem:
    try:
        return fields.draft(row)
    except RowError as error:
        return row_problem(error, row)


def _order(entries: Sequence[_Entry], config: DatasetConfig, seed: int) -> Iterable[int]:
    """The order in which rows are taken until there are enough; a larger sample holds each smaller one."""
    if config.sample is None:
        return range(len(entries))
    ranks = [canonical_hash("prt.sample", [seed, entry.item_id]) for entry in entries]
    return sorted(range(len(entries)), key=ranks.__getitem__)
