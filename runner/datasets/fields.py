"""What the config calls question, options, answer, …, read from one row."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import JsonValue as Json

from ...perturbations.question import Attachment, Example, Message
from ..config.schema import DatasetConfig, FixedOptions, InsideOptions, SplitOptions
from ..problems import RowError, quoted
from .chats import Chat, is_chat, is_parts, opened_chat, read_chat, split_answered
from .examples import read_row_examples
from .option_set import OptionSet
from .options import from_columns, split_options
from .paths import kind_of, needs_text
from .row_access import (
    FILE,
    ROW_NUMBER,
    as_list,
    blamed,
    id_part,
    nothing,
    options_of,
    passages,
    text_at,
    usual_options,
    value_at,
    value_or_none,
)
from .rows import Row
from .templates import Template
from .texts import is_blank

if TYPE_CHECKING:
    from .lettered import Inside


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
        need_answers: Whether every row must have one.
    """

    config: DatasetConfig
    question: Template
    identity: Template | None
    answer_pattern: re.Pattern[str] | None
    options_pattern: re.Pattern[str] | None
    base: Path
    json_answers: bool = False
    need_answers: bool = True

    @classmethod
    def of(
        cls, config: DatasetConfig, base: Path, *, json_answers: bool = False, need_answers: bool = True
    ) -> "Fields":
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
            need_answers=need_answers,
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
        answer = fields.answer if self.need_answers else None
        for key, value in (("answer", answer), ("context", fields.context), ("images", fields.images)):
            for path in as_list(value):
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
            own = str(row.number) if is_blank(value) else text_at(value, "id")
            return f"{row.stem}/{own}" if row.several else own
        text = self.identity.fill(lambda path: id_part(row, path))
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
            context=tuple(passages(row, as_list(self.config.fields.context))),
            examples=self._examples(row),
            cluster=self._optional(row, self.config.fields.cluster),
            cue=inside[1].cue if inside else "",
            attachments=(*self._images(row), *chat.attachments),
        )

    def _chat(self, row: Row) -> Chat:
        if not self.question.is_path:
            return Chat("", (), self.question.fill(lambda path: text_at(value_at(row, path), path)))
        path = self.question.paths[0]
        value = opened_chat(value_at(row, path))
        if is_parts(value):
            value = [{"role": "user", "content": value}]
        if not is_chat(value):
            return Chat("", (), text_at(value, path))
        with blamed(path):
            return read_chat(split_answered(value)[0] if self._is_answered(path) else value)

    def _is_answered(self, path: str) -> bool:
        """Whether a conversation ends with its right answer, since the config names it as both."""
        return self.config.fields.answer == path

    def _images(self, row: Row) -> Iterator[Attachment]:
        for path in as_list(self.config.fields.images):
            value = value_or_none(row, path)
            if not is_blank(value):
                from .images import read_images  # noqa: PLC0415 - most items are text alone

                with blamed(path):
                    yield from read_images(value, (self.base / row.file).parent)

    def _options(self, row: Row) -> "tuple[OptionSet | None, tuple[str, Inside] | None]":
        """The options; and where they stood inside a text, that text and what is left of it."""
        match self.config.fields.options:
            case None | [] as unnamed:
                return (usual_options(row) if unnamed is None else None), None
            case str() as path:
                return options_of(value_at(row, path), path), None
            case InsideOptions() as inside:
                return self._inside(row, inside.inside)
            case SplitOptions() as split:
                text = text_at(value_at(row, split.split), split.split)
                with blamed(split.split):
                    return split_options(text, split.at), None
            case FixedOptions() as fixed:
                return OptionSet.of(fixed.fixed), None
            case paths:
                with blamed(", ".join(paths)):
                    return from_columns([value_or_none(row, path) for path in paths], paths), None

    def _inside(self, row: Row, path: str) -> "tuple[OptionSet, tuple[str, Inside]]":
        from .lettered import split_by_pattern, split_inside  # noqa: PLC0415 - most options are lists or columns

        value = opened_chat(value_at(row, path))
        with blamed(path):
            text = self._chat(row).text if is_chat(value) or is_parts(value) else text_at(value, path)
            inside = split_by_pattern(text, self.options_pattern) if self.options_pattern else split_inside(text)
        return inside.options, (text, inside)

    def _golds(self, row: Row) -> Iterator[Json]:
        paths = as_list(self.config.fields.answer)
        if self._ends_with_answer(row, paths):
            yield self._gold(split_answered(opened_chat(value_at(row, paths[0])))[1], paths[0])
            return
        read = value_at if len(paths) == 1 and self.need_answers else value_or_none
        found = [(path, read(row, path)) for path in paths]
        present = [(path, value) for path, value in found if not is_blank(value)]
        if not present and self.need_answers:
            raise RowError(f"the answer is {nothing(found[0][1])}", ", ".join(paths))
        for path, value in present:
            for gold in value if isinstance(value, list) else [value]:
                if self.json_answers and isinstance(gold, list | dict):
                    yield json.dumps(gold, ensure_ascii=False)
                    continue
                if is_blank(gold) or isinstance(gold, list | dict):
                    found_here = nothing(gold) if is_blank(gold) else kind_of(gold)
                    hint = needs_text(value, path)
                    raise RowError(f"an answer is {found_here}, where a text is needed{hint}", path)
                yield self._gold(gold, path)

    def _ends_with_answer(self, row: Row, paths: Sequence[str]) -> bool:
        return len(paths) == 1 and self.question.paths == (paths[0],) and is_chat(opened_chat(value_at(row, paths[0])))

    def _gold(self, gold: Json, path: str) -> Json:
        text = text_at(gold, path)
        if self.answer_pattern is None:
            return gold
        found = self.answer_pattern.search(text)
        answer = (found[1] if self.answer_pattern.groups else found[0]) if found else None
        if not answer or not answer.strip():
            raise RowError(f"dataset.answer_pattern finds no answer in {quoted(text)}", path)
        return answer

    def _examples(self, row: Row) -> tuple[Example, ...]:
        path = self.config.fields.examples
        value = value_or_none(row, path) if path else None
        if path is None or is_blank(value):
            return ()
        with blamed(path):
            return read_row_examples(value)

    def _optional(self, row: Row, path: str | None) -> str:
        if path == FILE and path not in row.values:
            return row.stem
        value = value_or_none(row, path) if path else None
        return "" if is_blank(value) else text_at(value, path or "")


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
