"""What the config calls question, options, answer, …, read from one row."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue as Json

from ...perturbations.question import Attachment, Example, Message
from ..config.schema import DatasetConfig, FixedOptions, InsideOptions, SplitOptions
from ..problems import RowError, quoted
from .chats import Chat, is_chat, is_parts, read_chat, split_answered
from .examples import read_row_examples
from .images import read_images
from .lettered import Inside, split_by_pattern, split_inside
from .option_set import OptionSet
from .options import from_columns, read_options, split_options
from .paths import PathError, kind_of, needs_text, resolve
from .rows import Row
from .templates import Template
from .texts import is_blank, text_of

ROW_NUMBER = "#"
FILE = "#file"
"""What stands for a row's number and its file, where a path is named."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A row as far as it can be read alone; what its gold means may hang on the other rows.

    Attributes:
        row: The row.
        text: What it asks, without options that stood inside.
        options: Its options, or None.
        golds: Its right answers, as they stand.
        system: A system prompt of its own.
        history: Earlier turns.
        context: Passages.
        examples: Few-shot examples of its own; empty where it has none.
        cluster: What it belongs to.
        cue: A closing cue that stood behind the options and was taken away.
        attachments: Images and the like that go with the question.
    """

    row: Row
    text: str
    options: OptionSet | None
    golds: tuple[Json, ...]
    system: str = ""
    history: tuple[Message, ...] = ()
    context: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    cluster: str = ""
    cue: str = ""
    attachments: tuple[Attachment, ...] = ()


@dataclass(frozen=True, slots=True)
class Fields:
    """Reads rows by one config; its templates and patterns are taken apart once.

    Attributes:
        config: The dataset block.
        question: The question's path or template.
        identity: The id's, or None for the default.
        answer_pattern: Finds the answer in its field, or None.
        options_pattern: Finds the options in theirs, or None.
        base: Folder that the dataset's path is relative to.
        json_answers: Whether an answer may be an object or a list, which is then written as JSON.
    """

    config: DatasetConfig
    question: Template
    identity: Template | None
    answer_pattern: re.Pattern[str] | None
    options_pattern: re.Pattern[str] | None
    base: Path
    json_answers: bool = False

    @classmethod
    def of(cls, config: DatasetConfig, base: Path, *, json_answers: bool = False) -> "Fields":
        """Take a config's templates and patterns apart."""
        fields = config.fields
        inside = fields.options.pattern if isinstance(fields.options, InsideOptions) else None
        return cls(
            config=config,
            question=Template.of(fields.question),
            identity=Template.of(fields.id) if fields.id else None,
            answer_pattern=re.compile(config.answer_pattern) if config.answer_pattern else None,
            options_pattern=re.compile(inside) if inside else None,
            base=base,
            json_answers=json_answers,
        )

    def paths(self) -> Iterator[tuple[str, str]]:
        """Each config key that names a field, with the path it names."""
        fields = self.config.fields
        for path in self.question.paths:
            yield "question", path
        for path in self.identity.paths if self.identity else ():
            yield from () if path in {ROW_NUMBER, FILE} else [("id", path)]
        for path in _option_paths(fields.options):
            yield "options", path
        for key, value in (("answer", fields.answer), ("context", fields.context), ("images", fields.images)):
            for path in _as_list(value):
                yield key, path
        for key, single in (
            ("system", fields.system),
            ("examples", fields.examples),
            ("cluster", fields.cluster),
        ):
            yield from [(key, single)] if single and single != FILE else []

    def id_of(self, row: Row) -> str:
        """The row's id.

        Raises:
            RowError: If there is none where one is promised.
        """
        if self.identity is None:
            value = row.values.get("id")
            own = str(row.number) if is_blank(value) else _text(value, "id")
            return f"{row.stem}/{own}" if row.several else own
        text = self.identity.fill(lambda path: _id_part(row, path))
        if not text.strip():
            raise RowError("the id is empty", self.config.fields.id or "")
        return text

    def draft(self, row: Row) -> Draft:
        """Read a row.

        Raises:
            RowError: If it has no question, no readable options where it should, or no answer.
        """
        chat = self._chat(row)
        options, inside = self._options(row)
        text = chat.text.replace(inside[0], inside[1].text) if inside else chat.text
        if not text.strip():
            raise RowError("the question is empty", self.config.fields.question)
        return Draft(
            row=row,
            text=text,
            options=options,
            golds=tuple(self._golds(row)),
            system=self._optional(row, self.config.fields.system) or chat.system,
            history=chat.history,
            context=tuple(_passages(row, _as_list(self.config.fields.context))),
            examples=self._examples(row),
            cluster=self._optional(row, self.config.fields.cluster),
            cue=inside[1].cue if inside else "",
            attachments=(*self._images(row), *chat.attachments),
        )

    def _chat(self, row: Row) -> Chat:
        if not self.question.is_path:
            return Chat("", (), self.question.fill(lambda path: _text(_at(row, path), path)))
        path = self.question.paths[0]
        value = _at(row, path)
        if is_parts(value):
            value = [{"role": "user", "content": value}]
        if not is_chat(value):
            return Chat("", (), _text(value, path))
        with _blamed(path):
            return read_chat(split_answered(value)[0] if self._is_answered(path) else value)

    def _is_answered(self, path: str) -> bool:
        """Whether a conversation ends with its right answer, since the config names it as both."""
        return self.config.fields.answer == path

    def _images(self, row: Row) -> Iterator[Attachment]:
        for path in _as_list(self.config.fields.images):
            value = _maybe(row, path)
            if not is_blank(value):
                with _blamed(path):
                    yield from read_images(value, (self.base / row.file).parent)

    def _options(self, row: Row) -> tuple[OptionSet | None, tuple[str, Inside] | None]:
        """The options; and where they stood inside a text, that text and what is left of it."""
        match self.config.fields.options:
            case None | [] as unnamed:
                return (_usual_options(row) if unnamed is None else None), None
            case str() as path:
                return _read(_at(row, path), path), None
            case InsideOptions() as inside:
                return self._inside(row, inside.inside)
            case SplitOptions() as split:
                text = _text(_at(row, split.split), split.split)
                with _blamed(split.split):
                    return split_options(text, split.at), None
            case FixedOptions() as fixed:
                return OptionSet.of(fixed.fixed), None
            case paths:
                with _blamed(", ".join(paths)):
                    return from_columns([_maybe(row, path) for path in paths], paths), None

    def _inside(self, row: Row, path: str) -> tuple[OptionSet, tuple[str, Inside]]:
        value = _at(row, path)
        with _blamed(path):
            text = self._chat(row).text if is_chat(value) or is_parts(value) else _text(value, path)
            inside = split_by_pattern(text, self.options_pattern) if self.options_pattern else split_inside(text)
        return inside.options, (text, inside)

    def _golds(self, row: Row) -> Iterator[Json]:
        paths = _as_list(self.config.fields.answer)
        if self._ends_with_answer(row, paths):
            yield self._gold(split_answered(_at(row, paths[0]))[1], paths[0])
            return
        found = [(path, _at(row, path) if len(paths) == 1 else _maybe(row, path)) for path in paths]
        present = [(path, value) for path, value in found if not is_blank(value)]
        if not present:
            raise RowError(f"the answer is {_nothing(found[0][1])}", ", ".join(paths))
        for path, value in present:
            for gold in value if isinstance(value, list) else [value]:
                if self.json_answers and isinstance(gold, list | dict):
                    yield json.dumps(gold, ensure_ascii=False)
                    continue
                if is_blank(gold) or isinstance(gold, list | dict):
                    found_here = _nothing(gold) if is_blank(gold) else kind_of(gold)
                    hint = needs_text(value, path)
                    raise RowError(f"an answer is {found_here}, where a text is needed{hint}", path)
                yield self._gold(gold, path)

    def _ends_with_answer(self, row: Row, paths: Sequence[str]) -> bool:
        return len(paths) == 1 and self.question.paths == (paths[0],) and is_chat(_at(row, paths[0]))

    def _gold(self, gold: Json, path: str) -> Json:
        text = _text(gold, path)
        if self.answer_pattern is None:
            return gold
        found = self.answer_pattern.search(text)
        answer = (found[1] if self.answer_pattern.groups else found[0]) if found else None
        if not answer or not answer.strip():
            raise RowError(f"dataset.answer_pattern finds no answer in {quoted(text)}", path)
        return answer

    def _examples(self, row: Row) -> tuple[Example, ...]:
        path = self.config.fields.examples
        value = _maybe(row, path) if path else None
        if path is None or is_blank(value):
            return ()
        with _blamed(path):
            return read_row_examples(value)

    def _optional(self, row: Row, path: str | None) -> str:
        if path == FILE and path not in row.values:
            return row.stem
        value = _maybe(row, path) if path else None
        return "" if is_blank(value) else _text(value, path or "")


@contextmanager
def _blamed(key: str) -> Iterator[None]:
    """Give a row's error the field at fault."""
    try:
        yield
    except RowError as error:
        error.key = error.key or key
        raise


def _as_list(value: str | Sequence[str] | None) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)


def _option_paths(options: object) -> list[str]:
    match options:
        case str() as path:
            return [path]
        case InsideOptions(inside=path) | SplitOptions(split=path):
            return [path]
        case list() as paths:
            return [str(path) for path in paths]
        case _:
            return []


def _at(row: Row, path: str) -> Json:
    try:
        return resolve(row.values, path)
    except PathError as error:
        raise RowError(str(error), path) from error


def _maybe(row: Row, path: str) -> Json:
    try:
        return resolve(row.values, path)
    except PathError:
        return None


def _read(value: Json, path: str) -> OptionSet:
    with _blamed(path):
        return read_options(value, path)


def _usual_options(row: Row) -> OptionSet | None:
    """The options under their usual name, for a config that names none."""
    value = row.values.get("options")
    if is_blank(value):
        return None
    try:
        return _read(value, "options")
    except RowError as error:
        raise RowError(f"{error}; if these are no options, set dataset.fields.options: []", error.key) from None


def _text(value: Json, path: str) -> str:
    try:
        return text_of(value)
    except ValueError as error:
        hint = needs_text(value, path) if isinstance(value, dict) else ""
        raise RowError(f"this is {error}{hint}", path) from error


def _id_part(row: Row, path: str) -> str:
    if path == ROW_NUMBER and path not in row.values:
        return str(row.number)
    if path == FILE and path not in row.values:
        return row.stem
    return _text(_at(row, path), path)


def _passages(row: Row, paths: Sequence[str]) -> Iterator[str]:
    for path in paths:
        value = _maybe(row, path)
        passages, place = (value, f"{path.removesuffix('[]')}[]") if isinstance(value, list) else ([value], path)
        yield from (_text(passage, place) for passage in passages if not is_blank(passage))


def _nothing(value: Json) -> str:
    return "null" if value is None else "an empty list" if value == [] else "empty"
