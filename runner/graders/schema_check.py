"""Checking a JSON value against the user's JSON Schema, by the library `jsonschema`; nothing is fetched."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import regex
from jsonschema import SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, extend, validator_for
from pydantic import JsonValue as Json
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from ..errors import GraderError
from .timed import TIME_LIMIT_S, SearchTimeoutError

_SHOWN = 200


@dataclass(frozen=True, slots=True)
class SchemaCheck:
    """A schema that is one, and all of whose references lead to a place within itself."""

    validator: Validator

    @classmethod
    def of(cls, schema: dict[str, Json]) -> "SchemaCheck":
        """Take a schema, in the dialect that its `$schema` names, else in that of 2020-12.

        Raises:
            GraderError: It is no schema, has a pattern that doesn't compile, or refers to something outside of it.
        """
        dialect = validator_for(schema, default=Draft202012Validator)
        try:
            dialect.check_schema(schema)
        except SchemaError as error:
            raise GraderError(f"grade.json_schema is no JSON Schema: {_place(error)}{error.message}") from None
        resolver = Registry().with_resource("", DRAFT202012.create_resource(schema)).resolver()
        for reference in _references(schema):
            try:
                resolver.lookup(reference)
            except Unresolvable:
                raise GraderError(
                    f"grade.json_schema refers to {reference!r}, which is not in it; put it under `$defs` and refer to "
                    "it by '#/$defs/name', since nothing is fetched"
                ) from None
        checked = extend(dialect, {"pattern": _pattern})  # type: ignore[no-untyped-call]  # as the stubs have it
        return cls(checked(schema, registry=Registry()))

    def complaint(self, value: Json) -> str:
        """Why a value does not fit; empty where it does.

        Raises:
            SearchTimeoutError: A pattern of the schema took too long on it.
            RecursionError: It is nested too deeply.
        """
        errors = sorted(self.validator.iter_errors(value), key=lambda error: (len(error.absolute_path), error.message))
        if not errors:
            return ""
        message = errors[0].message
        return _place(errors[0]) + (message if len(message) <= _SHOWN else message[: _SHOWN - 1] + "…")


def _pattern(validator: Validator, pattern: str, instance: object, schema: object) -> Iterator[ValidationError]:
    """The keyword `pattern`, with a limit on the time."""
    del validator, schema
    if not isinstance(instance, str):
        return
    try:
        found = regex.search(pattern, instance, timeout=TIME_LIMIT_S)
    except TimeoutError:
        raise SearchTimeoutError(
            f"the schema's pattern {pattern!r} took longer than {TIME_LIMIT_S:g} s on this reply; make it plainer"
        ) from None
    if found is None:
        yield ValidationError(f"{json.dumps(instance, ensure_ascii=False)} does not match {pattern!r}")


def _place(error: SchemaError | ValidationError) -> str:
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path).lstrip(".")
    return f"`{path}`: " if path else ""


def _references(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for part in schema:
            yield from _references(part)
    elif isinstance(schema, dict):
        for key, part in schema.items():
            if key in {"$ref", "$dynamicRef"} and isinstance(part, str):
                yield part
            elif key not in {"enum", "const", "default", "examples"}:
                yield from _references(part)
