"""The `dataset:` block: the file, how to read it, and where its rows keep what."""

from typing import Annotated, Literal, Self

from pydantic import Discriminator, Field, StrictBool, StrictFloat, StrictInt, StrictStr, Tag, model_validator

from .section import Encoding, Name, Names, Pattern, Section, mistake


class InsideOptions(Section):
    """Options that stand as lines inside another field."""

    inside: Name
    """Path of the field whose text holds the options as lines: `(A) text`, `A. text`, or `- text`."""
    pattern: Pattern | None = None
    """Regular expression that finds the options where they have no lines of their own; its first group if it has one.
    All that it matches is taken out of the text: `'Moves: (.+?) Answer with'`."""


class SplitOptions(Section):
    """Options that stand in one text with a separator between them."""

    split: Name
    """Path of the text."""
    at: str = Field(default=",", min_length=1)
    """The separator; white space around the options is taken away."""


class FixedOptions(Section):
    """The same options for every row."""

    fixed: Names
    """Their texts, such as `["True", "False"]`."""


def _shape(value: object) -> str | None:
    """The one reading of a value that may be a path, a list of paths or a block, so that its errors are about that."""
    if isinstance(value, dict):
        return next((tag for key, tag in (("fixed", "<fixed>"), ("split", "<split>")) if key in value), "<block>")
    shapes = {str: "<path>", list: "<list>", type(None): "<null>"}
    blocks = {InsideOptions: "<block>", SplitOptions: "<split>", FixedOptions: "<fixed>"}
    return (shapes | blocks).get(type(value))


PathTag = Annotated[Name, Tag("<path>")]
ListTag = Annotated[Names, Tag("<list>")]
AnyListTag = Annotated[list[Name], Tag("<list>")]
NullTag = Annotated[None, Tag("<null>")]
BlockTag = Annotated[InsideOptions, Tag("<block>")]
SplitTag = Annotated[SplitOptions, Tag("<split>")]
FixedTag = Annotated[FixedOptions, Tag("<fixed>")]


class FieldsConfig(Section):
    """Where a row keeps what: paths such as `question.stem`, `choices[].text`, `0` (a column without header)."""

    question: Name = "question"
    """Path of the question; or a text with paths in braces, such as `{premise} What was the {question}?`."""
    options: Annotated[PathTag | AnyListTag | BlockTag | SplitTag | FixedTag | NullTag, Discriminator(_shape)] = None
    """A path to a list of texts or to one string of lettered lines; a list of paths (named columns); `{inside: input}`
    for options that are lines of another field; `{split: choices, at: ","}` for one text with separators;
    `{fixed: ["True", "False"]}` for the same in every row. `options` is taken where a row has it; `[]` says that there
    are none, whatever a row calls `options`."""
    answer: Annotated[PathTag | ListTag, Discriminator(_shape)] = "answer"
    """Path of the gold answer, or a list of paths where several are right. Where it is the question's own path, the
    assistant's last turn in those chat messages."""
    id: Name | None = None
    """Path of a unique id, or a text with paths in braces, such as `{document}-{number}`; `#` is the row's number,
    `#file` the file's name. `id` is taken where a row has it, else the row's number; with several files, their names
    stand before it."""
    context: Annotated[PathTag | ListTag | NullTag, Discriminator(_shape)] = None
    """Path or paths of passages that the question refers to."""
    system: Name | None = None
    """Path of a system prompt of the row's own."""
    examples: Name | None = None
    """Path of a row's own few-shot examples, a list of `{question, options, answer}`, shown instead of
    `prompt.examples`."""
    cluster: Name | None = None
    """Path of what the item belongs to (source document, topic); `#file` is the file's name."""
    images: Annotated[PathTag | ListTag | NullTag, Discriminator(_shape)] = None
    """Path or paths of images that go with the question, unchanged: addresses (`https:`, `data:`), bytes, or names of
    files that are relative to the data file."""


Scalar = StrictStr | StrictBool | StrictInt | StrictFloat | None


class FilterTest(Section):
    """A test of what stands at a path that is more than equality; one of the two."""

    regex: Pattern | None = None
    """A regular expression that must be found in it."""
    not_in: Annotated[list[Scalar], Field(min_length=1)] | None = None
    """What it must not be."""

    @model_validator(mode="after")
    def _is_one_test(self) -> Self:
        if (self.regex is None) == (self.not_in is None):
            raise mistake("expected one test, `regex` or `not_in`")
        return self


def _filter_shape(value: object) -> str:
    if isinstance(value, dict | FilterTest):
        return "<block>"
    return "<list>" if isinstance(value, list) else "<scalar>"


FilterValue = Annotated[
    Annotated[Scalar, Tag("<scalar>")]
    | Annotated[list[Scalar], Field(min_length=1), Tag("<list>")]
    | Annotated[FilterTest, Tag("<block>")],
    Discriminator(_filter_shape),
]

TABLE_KEYS = {"header": True, "delimiter": None, "quoting": True}
"""What only CSV and TSV files have, with its default."""


class DatasetConfig(Section):
    """The dataset and how to read it."""

    path: Name
    """A file of data, a folder of files, or a pattern such as `data/*.json`, relative to the config file; or
    `hf://owner/name/config@revision?split=test` on the Hugging Face hub."""
    format: Literal["auto", "jsonl", "json", "csv", "tsv", "yaml", "parquet", "xlsx"] = "auto"
    """How to read it; `auto` goes by the file's name, and knows Parquet and Excel by their content. Texts may be
    gzipped. Parquet, Excel and `hf://` need the extra `parquet`, `xlsx` or `hf`."""
    rows: Name | None = None
    """In JSON and YAML, the path of the list of rows, such as `examples`, the top level where not given; in Excel, the
    name of the sheet."""
    header: bool = True
    """CSV, TSV and Excel: the first row names the columns; with `false` columns are `0`, `1`, …"""
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    """CSV and TSV: the one character between two cells; a comma, in a TSV file a tab, where not given."""
    quoting: bool = True
    """CSV and TSV: double quotes enclose a cell; with `false` they are plain text."""
    encoding: Encoding = "utf-8"
    """Text encoding; a byte order mark is read away."""
    fields: FieldsConfig = FieldsConfig()
    """Where question, options and answer are."""
    answer_as: Literal["auto", "label", "index", "index1", "text"] = "auto"
    """What the answer is: an option's label, its 0-based or 1-based index, or its text. `auto` takes what fits in one
    way only, and asks where two readings differ."""
    answer_pattern: Pattern | None = None
    """Regular expression that finds the answer in its field; its first group where it has one: `'#### (.+)'`."""
    shuffle_options: bool = False
    """Shuffle each item's options once, by the seed; for data that keeps the right one in a column of its own."""
    filter: dict[Name, FilterValue] = Field(default_factory=dict)
    """Only the rows where each of these paths holds: one value (`level: 5`), one of several (`subject: [law, art]`),
    `{not_in: [draft]}` or `{regex: '^en'}`. Where a list stands at a path, one of its elements is enough."""
    on_bad_item: Literal["error", "skip"] = "error"
    """An item without a usable answer stops the run, or is counted and skipped."""
    limit: int | None = Field(default=None, ge=1)
    """Only the first so many items."""
    sample: int | None = Field(default=None, ge=1)
    """Only so many items, drawn by the seed."""

    @model_validator(mode="after")
    def _keys_fit_together(self) -> Self:
        if self.limit is not None and self.sample is not None:
            raise mistake(
                "`limit` takes the first items and `sample` draws among all; leave one of them out", key="sample"
            )
        if self.rows is not None and self.format not in ("auto", "json", "yaml", "xlsx"):
            raise mistake(f"`rows` is for JSON, YAML and Excel; with `format: {self.format}` leave it out", key="rows")
        for key, default in TABLE_KEYS.items():
            headed = key == "header" and self.format == "xlsx"
            if getattr(self, key) != default and self.format not in ("auto", "csv", "tsv") and not headed:
                raise mistake(f"`{key}` is for CSV and TSV; with `format: {self.format}` leave it out", key=key)
        return self
