"""The grader `json`: whether the JSON that a reply gives fits a schema and equals the right one."""

import hashlib
import json
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, Protocol

from pydantic import JsonValue as Json

from ..config.schema import GradeConfig
from ..datasets.paths import PathError, resolve
from ..datasets.strict_json import parse_json
from ..errors import GraderError
from ..records import AnswerKey, Grade, Reply, Status
from .base import Samples, UnusableKeyError, identity, register
from .json_compare import Tolerance, canonical_text, difference
from .json_text import Kind, find_json
from .numerals import as_text
from .status import Reading, grade_reply, judge_error
from .timed import SearchTimeoutError

_TOO_DEEP = "its JSON is nested too deeply"
_OTHERS: tuple[Json, ...] = ({}, [], None, {"other": "answer"}, ["another answer"], "another answer")


class Check(Protocol):
    """A JSON Schema, ready to check values."""

    def complaint(self, value: Json) -> str:
        """Why a value does not fit; empty where it does."""
        ...


@dataclass(frozen=True, slots=True)
class JsonGrader:
    """Passes a reply whose JSON fits the schema and has the right values; JSON that is not valid is `unparsed`.

    `Grade.answer` is what is compared, as JSON with its keys sorted.

    Attributes:
        check: The schema; None where there is none.
        digest: SHA-256 of the schema, in hexadecimal; empty where there is none.
        kinds: What the schema says that a value is.
        fields: The paths whose values are compared; empty compares nothing; None compares the whole value.
        tolerance: How near numbers must be.
        count_as_fail: The statuses that count as fail.
    """

    check: Check | None
    digest: str
    kinds: frozenset[Kind]
    fields: tuple[str, ...] | None
    tolerance: Tolerance
    count_as_fail: Collection[Status]
    name: ClassVar[str] = "json"
    version: ClassVar[int] = 1

    def identity(self) -> dict[str, Json]:
        """See `Grader`."""
        return identity(
            self,
            self.count_as_fail,
            json_schema=self.digest,
            fields=None if self.fields is None else [*self.fields],
            tolerance=as_text(self.tolerance.absolute),
            relative_tolerance=as_text(self.tolerance.relative),
        )

    def samples(self, key: AnswerKey) -> Samples:
        """Each right value, alone and fenced in a sentence, and a value of the same kind that is not right."""
        golds = self._golds(key)
        right = [reply for gold in golds for reply in _replies(gold)]
        others = (other for other in _OTHERS if _kinds_of(other) <= self._kinds(golds))
        wrong = [json.dumps(other) for other in others if self._wrong(other, golds)]
        return Samples(tuple(right), tuple(wrong[:1]))

    def grade(self, reply: Reply, key: AnswerKey) -> Grade:
        """See `Grader`."""
        golds = self._golds(key)
        try:
            return grade_reply(reply, lambda text: self._read(text, golds), count_as_fail=self.count_as_fail)
        except SearchTimeoutError as error:
            return judge_error(str(error))

    def _read(self, text: str, golds: tuple[Json, ...]) -> Reading:
        found = find_json(text, self._kinds(golds))
        extracted = text[slice(*found.span)] if found.span else None
        if found.reason:
            return Reading(
                None, found=found.span is not None, extracted=extracted, reason=found.reason, span=found.span
            )
        try:
            reason = self._wrong(found.value, golds)
            answer = canonical_text(self._compared(found.value))
        except RecursionError:
            return Reading(None, extracted=extracted, reason=_TOO_DEEP, span=found.span)
        return Reading(
            not reason, final=found.closed, extracted=extracted, answer=answer, reason=reason, span=found.span
        )

    def _wrong(self, value: Json, golds: tuple[Json, ...]) -> str:
        """What is wrong with a value; empty where it is right."""
        complaint = self.check.complaint(value) if self.check else ""
        if complaint:
            return f"it does not fit the schema: {complaint}"
        differences = [self._difference(value, gold) for gold in golds] if self.fields != () else []
        return differences[0] if differences and all(differences) else ""

    def _difference(self, value: Json, gold: Json) -> str:
        if self.fields is None:
            return difference(value, gold, self.tolerance)
        for path in self.fields:
            try:
                given = resolve(value, path)
            except PathError as error:
                return f"`{path}` is missing: {str(error).replace('the row', 'the value')}"
            found = difference(given, resolve(gold, path), self.tolerance, path)
            if found:
                return found
        return ""

    def _compared(self, value: Json) -> Json:
        if not self.fields:
            return value
        parts: dict[str, Json] = {}
        for path in self.fields:
            try:
                parts[path] = resolve(value, path)
            except PathError:
                continue
        return parts

    def _golds(self, key: AnswerKey) -> tuple[Json, ...]:
        """The right values of an item; none where nothing is compared but the schema.

        Raises:
            UnusableKeyError: There is none, or one that is no JSON, lacks a field or does not fit the schema.
        """
        if self.fields == ():
            return ()
        if not key.item.gold.texts:
            raise UnusableKeyError("the item has no right answer as a text to read JSON from")
        return tuple(self._gold(text) for text in key.item.gold.texts)

    def _gold(self, text: str) -> Json:
        try:
            value = parse_json(text)
            complaint = self.check.complaint(value) if self.check else ""
            for path in self.fields or ():
                resolve(value, path)
        except PathError as error:
            message = str(error).replace("the row", "the value")
            raise UnusableKeyError(f"the right answer {text!r} lacks a field of grade.fields: {message}") from None
        except ValueError as error:
            raise UnusableKeyError(f"the right answer {text!r} is not JSON: {error}") from None
        if complaint:
            raise UnusableKeyError(f"the right answer {text!r} does not fit grade.json_schema: {complaint}")
        return value

    def _kinds(self, golds: tuple[Json, ...]) -> frozenset[Kind]:
        """What to look for in prose: values of the kinds that are right."""
        return frozenset[Kind]().union(*map(_kinds_of, golds)) if golds else self.kinds


def _kinds_of(value: Json) -> frozenset[Kind]:
    kind: Kind | None = "object" if isinstance(value, dict) else "array" if isinstance(value, list) else None
    return frozenset((kind,)) if kind else frozenset()


def _replies(gold: Json) -> tuple[str, ...]:
    alone = json.dumps(gold, ensure_ascii=False)
    if not _kinds_of(gold):
        return (alone,)
    return alone, f"Here it is:\n\n```json\n{json.dumps(gold, ensure_ascii=False, indent=2)}\n```"


@register("json")
def make_json(config: GradeConfig, base: Path) -> JsonGrader:
    """The grader of a `grade: json`.

    Raises:
        GraderError: The schema can't be read or is none, or the library that checks it is not installed.
    """
    schema = config.json_schema if isinstance(config.json_schema, dict) else _loaded(config.json_schema, base)
    kind = schema.get("type") if schema else None
    every: tuple[Kind, ...] = ("object", "array")
    return JsonGrader(
        check=_checked(schema) if schema is not None else None,
        digest="" if schema is None else hashlib.sha256(json.dumps(schema, sort_keys=True).encode()).hexdigest(),
        kinds=frozenset(each for each in every if kind not in every or kind == each),
        fields=None if config.fields is None else tuple(config.fields),
        tolerance=Tolerance(Fraction(repr(config.tolerance)), Fraction(repr(config.relative_tolerance))),
        count_as_fail=tuple(config.count_as_fail),
    )


def _loaded(name: str | None, base: Path) -> dict[str, Json] | None:
    """The schema in a file; None where none is named."""
    if name is None:
        return None
    path = base / Path(name).expanduser()
    try:
        schema = parse_json(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise GraderError(f"grade.json_schema: {path} can't be read: {error.strerror or error}") from None
    except ValueError as error:
        raise GraderError(f"grade.json_schema: {path} is not valid JSON: {error}") from None
    if not isinstance(schema, dict):
        raise GraderError(f"grade.json_schema: {path} holds no object, and a JSON Schema is one")
    return schema


def _checked(schema: dict[str, Json]) -> Check:
    try:
        from .schema_check import SchemaCheck  # noqa: PLC0415 - an extra, which only a config with a schema needs
    except ModuleNotFoundError as error:
        raise GraderError(
            f"grade.json_schema needs the package {error.name}; pip install 'prompt-robustness[schema]'"
        ) from None
    return SchemaCheck.of(schema)
