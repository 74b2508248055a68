"""The config's JSON Schema: as a user may write it, for editors; and with every form long, for messages and docs."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache

from pydantic import JsonValue as Json

from . import schema as sections
from .models import MODEL_KEYS
from .presets import PRESETS
from .schema import GENERATORS, PROVIDERS, Config, GradeConfig, NightlyConfig, ParaphraseConfig, Section

Object = dict[str, Json]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
ALTERNATIVES = {section.__name__: name for name, section in (PROVIDERS | GENERATORS).items()}
"""The sections of which one holds, with the provider or generator that decides."""


@cache
def long_schema(section: type[Section] = Config) -> Object:
    """The schema of a block whose forms are all long, without references; a block names its section as `title`."""
    schema = section.model_json_schema()
    return an_object(_inlined(schema, an_object(schema.pop("$defs", {}))))


def an_object(value: Json) -> Object:
    """A part of a schema that is an object.

    Raises:
        TypeError: It is none.
    """
    if not isinstance(value, dict):
        raise TypeError(f"a JSON object is needed here, not {value!r}")
    return value


def _inlined(schema: Json, definitions: Object) -> Json:
    if isinstance(schema, list):
        return [_inlined(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _inlined({**an_object(definitions[name]), **rest}, definitions)
    return {key: _inlined(value, definitions) for key, value in schema.items() if key != "discriminator"}


def schema_at(path: tuple[str | int, ...], chosen: frozenset[str], root: type[Section] = Config) -> Object | None:
    """What one key of the long form takes.

    Args:
        path: The keys that lead to it.
        chosen: The provider and the generator on the way, which decide among alternatives.
        root: The block that is the whole file.

    Returns:
        Its schema; None where there is no such key.
    """
    level: list[Object] = [long_schema(root)]
    for part in path:
        level = [child for schema in level for child in _children(schema, part, chosen)]
    return level[0] if level else None


@dataclass(frozen=True, slots=True)
class Block:
    """What a block may hold.

    Attributes:
        section: Name of its class.
        keys: Its keys, each with what it takes.
    """

    section: str
    keys: Object


def block_at(
    path: tuple[str | int, ...], chosen: frozenset[str], present: Collection[str], root: type[Section] = Config
) -> Block:
    """The block at a key path of the long form; where several shapes are possible, those whose required keys it has."""
    schema = schema_at(path, chosen, root) or {}
    blocks = [branch for branch in _branches(schema) if "properties" in branch and _holds(branch, chosen)]
    blocks = [block for block in blocks if all(key in present for key in _texts(block.get("required")))] or blocks
    keys = {key: value for block in blocks for key, value in an_object(block["properties"]).items()}
    return Block(str(blocks[0].get("title", "")) if blocks else "", keys)


def _branches(schema: Object) -> Iterator[Object]:
    """A schema and all that may hold in its place."""
    yield schema
    for part in (part for key in ("anyOf", "oneOf") for part in _objects(schema.get(key))):
        yield from _branches(part)


def _texts(value: Json) -> list[str]:
    return [part for part in value if isinstance(part, str)] if isinstance(value, list) else []


def _holds(schema: Object, chosen: frozenset[str]) -> bool:
    return ALTERNATIVES.get(str(schema.get("title")), "") in chosen | {""}


def _children(schema: Object, part: str | int, chosen: frozenset[str]) -> list[Object]:
    """The schemas of one key or list item, in every branch that may hold it."""
    if not _holds(schema, chosen):
        return []
    branches = [branch for key in ("anyOf", "oneOf") for branch in _objects(schema.get(key))]
    found = [child for branch in branches for child in _children(branch, part, chosen)]
    if isinstance(part, int):
        return [*found, *_objects(schema.get("items"))]
    properties = schema.get("properties")
    if isinstance(properties, dict) and part in properties:
        return [*found, an_object(properties[part])]
    return [*found, *_objects(schema.get("additionalProperties"))]


def _objects(value: Json) -> list[Object]:
    return [part for part in (value if isinstance(value, list) else [value]) if isinstance(part, dict)]


def json_schema() -> Object:
    """The JSON Schema of a config file, short forms included: what an editor needs to complete and check one.

    Returns:
        A schema in the dialect of 2020-12.
    """
    schema = Config.model_json_schema()
    definitions = an_object(schema["$defs"])
    properties = an_object(schema["properties"])
    del definitions["PerturbationConfig"]
    for name in definitions:
        allow_empty_blocks(getattr(sections, name, None), an_object(an_object(definitions[name]).get("properties", {})))
    allow_empty_blocks(Config, properties)
    require_providers(definitions)
    properties["model"] = _model(an_object(properties["model"]))
    paraphrase = an_object(an_object(definitions[ParaphraseConfig.__name__])["properties"])
    for key in MODEL_KEYS:
        paraphrase[key] = _optional_model(an_object(paraphrase[key]))
    properties["dataset"] = or_text(an_object(properties["dataset"]), {"type": "string", "minLength": 1})
    grade = an_object(an_object(definitions[GradeConfig.__name__])["properties"])
    grade["model"] = _optional_model(an_object(grade["model"]))
    nightly = an_object(an_object(definitions[NightlyConfig.__name__])["properties"])
    nightly["reference_model"] = _optional_model(an_object(nightly["reference_model"]))
    member = _allow_names(an_object(definitions[GradeConfig.__name__]))
    properties["grade"] = or_text(an_object(properties["grade"]), {"enum": _graders(definitions)}, member)
    properties["perturbations"] = _perturbations(an_object(properties["perturbations"]))
    return {"$schema": DIALECT, **schema, "title": "prt config"}


def allow_empty_blocks(section: type[Section] | None, properties: Object) -> None:
    """Let nothing stand for a block with its defaults."""
    for key in section.blocks() if section else ():
        schema = an_object(properties[key])
        about: Object = {name: schema.pop(name) for name in ("description", "default", "title") if name in schema}
        properties[key] = {**about, "anyOf": [schema, {"type": "null"}]}


def require_providers(definitions: Object) -> None:
    """Only `openai` goes without saying."""
    for name, section in PROVIDERS.items():
        if name != "openai":
            schema = an_object(definitions[section.__name__])
            required = schema.get("required", [])
            schema["required"] = ["provider", *(required if isinstance(required, list) else [])]


def _model(schema: Object) -> Object:
    local: Object = {"const": "local", "description": "The embedded model."}
    branches = schema["oneOf"]
    return {"description": schema["description"], "anyOf": [local, *(branches if isinstance(branches, list) else [])]}


def _optional_model(schema: Object) -> Object:
    local: Object = {"const": "local", "description": "The embedded model."}
    branches = schema["anyOf"]
    return {**schema, "anyOf": [local, *(branches if isinstance(branches, list) else [])]}


def or_text(schema: Object, *others: Json) -> Object:
    """Let short forms stand for a block."""
    about: Object = {key: schema.pop(key) for key in ("description", "default") if key in schema}
    branches = schema.pop("anyOf", None)
    return {**about, "anyOf": [*others, *(branches if isinstance(branches, list) else [schema])]}


def _allow_names(grade: Object) -> Object:
    """Let names stand for the graders of `any_of`; what is returned is the list of them, which may stand alone."""
    graders = an_object(an_object(grade["properties"])["graders"])
    found = next(branch for branch in _objects(graders["anyOf"]) if branch.get("type") == "array")
    item = an_object(found["items"])
    found["items"] = {"anyOf": [an_object(an_object(item["properties"])["grader"]), item]}
    return found


def _graders(definitions: Object) -> Json:
    properties = an_object(an_object(definitions[GradeConfig.__name__])["properties"])
    return an_object(properties["grader"])["enum"]


def _perturbations(schema: Object) -> Object:
    parameters: Object = {
        name: {"anyOf": [{"$ref": f"#/$defs/{section.__name__}"}, {"type": _beside_a_block(section)}]}
        for name, section in GENERATORS.items()
    }
    block: Object = {
        "type": "object",
        "properties": parameters,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    alone: list[Json] = [name for name, section in GENERATORS.items() if _beside_a_block(section) == "null"]
    step: list[Json] = [{"enum": alone, "description": "A generator with its defaults."}, block, *_beside_callables()]
    composition: Object = {
        "type": "array",
        "items": {"anyOf": step},
        "minItems": 1,
        "description": "Composed in order.",
    }
    presets: Object = {"enum": list(PRESETS), "description": "A whole list of generators, by strength."}
    about: Object = {key: schema.pop(key) for key in ("description", "title") if key in schema}
    return {**about, "anyOf": [presets, {**schema, "items": {"anyOf": [*step, composition]}}]}


def _beside_a_block(section: type[Section]) -> str:
    """What may stand for a generator's parameters besides a block: nothing, or its only required key."""
    return "string" if any(field.is_required() for field in section.model_fields.values()) else "null"


def _beside_callables() -> Iterator[Object]:
    """`{python: gen.py:make, variants: 2}`: a generator's required key as its name's value, the others beside it."""
    for name, section in GENERATORS.items():
        if _beside_a_block(section) == "string":
            keys = [key for key, field in section.model_fields.items() if not field.is_required()]
            others: Object = {key: {"$ref": f"#/$defs/{section.__name__}/properties/{key}"} for key in keys}
            about = " ".join((section.__doc__ or "").split())
            properties: Object = {name: {"type": "string", "description": about}, **others}
            yield {"type": "object", "properties": properties, "required": [name], "additionalProperties": False}
