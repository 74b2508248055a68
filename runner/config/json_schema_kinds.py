"""The JSON Schemas of the configs of `prt duel` and `prt score`, as a user may write them, for editors."""

from collections.abc import Mapping

from pydantic import JsonValue as Json

from . import duel, schema
from .duel import DimensionConfig, DuelConfig, DuelModels
from .json_schema import DIALECT, Object, allow_empty_blocks, an_object, or_text, require_providers
from .score import ScoreConfig
from .section import Section

LOCAL: Object = {"const": "local", "description": "The embedded model."}


def duel_schema() -> Object:
    """The JSON Schema of the config of a duel, short forms included.

    Returns:
        A schema in the dialect of 2020-12.
    """
    whole, definitions, properties = _begun(DuelConfig)
    models = an_object(an_object(definitions[DuelModels.__name__])["properties"])
    for block, key in ((properties, "model"), (properties, "judge"), (models, "baseline"), (models, "candidate")):
        block[key] = _or_local(an_object(block[key]))
    properties["dataset"] = or_text(an_object(properties["dataset"]), {"type": "string", "minLength": 1})
    an_object(definitions[DimensionConfig.__name__]).update(_rule_and_grader_belong_together())
    return {**whole, "oneOf": [{"required": ["model", "prompts"]}, {"required": ["models"]}], "title": "prt duel"}


def score_schema() -> Object:
    """The JSON Schema of the config of `prt score`, short forms included.

    Returns:
        A schema in the dialect of 2020-12.
    """
    whole, _, properties = _begun(ScoreConfig)
    for key in ("sut", "judge", "generator"):
        properties[key] = _or_local(an_object(properties[key]))
    return {**whole, "title": "prt score"}


def _begun(section: type[Section]) -> tuple[Object, Object, Object]:
    """A schema with what all kinds of config have in common, its definitions and its properties."""
    made = section.model_json_schema()
    definitions, properties = an_object(made["$defs"]), an_object(made["properties"])
    known: Mapping[str, object] = {**vars(schema), **vars(duel)}
    for name, definition in definitions.items():
        block = known.get(name)
        if isinstance(block, type) and issubclass(block, Section):
            allow_empty_blocks(block, an_object(an_object(definition).get("properties", {})))
    allow_empty_blocks(section, properties)
    require_providers(definitions)
    return {"$schema": DIALECT, **made}, definitions, properties


def _or_local(model: Object) -> Object:
    """A model's block, or the short form of the embedded one."""
    branches: list[Json] = [LOCAL]
    for key in ("anyOf", "oneOf"):
        found = model.pop(key, [])
        branches += found if isinstance(found, list) else []
    model.pop("discriminator", None)
    return {**model, "anyOf": branches}


def _rule_and_grader_belong_together() -> Object:
    return {
        "if": {"properties": {"grader": {"const": "rule"}}, "required": ["grader"]},
        "then": {"properties": {"rule": {"type": "object"}}, "required": ["rule"]},
        "else": {"properties": {"rule": {"type": "null"}}},
    }
