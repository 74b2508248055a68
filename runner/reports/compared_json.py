"""A comparison for programs: JSON of a documented schema, without NaN or infinity."""

import json
from typing import Any

from ..comparing.findings import Comparison, VersionsComparison, comparison_adapter


def comparison_dict(found: Comparison | VersionsComparison) -> dict[str, Any]:
    """A comparison as plain data."""
    plain: dict[str, Any] = comparison_adapter().dump_python(found, mode="json")
    return plain


def comparison_json(found: Comparison | VersionsComparison) -> str:
    """Write a comparison as JSON, two spaces deep; lone surrogates stay escaped.

    Raises:
        ValueError: If a figure is not finite, which `stats` promises never to give.
    """
    return json.dumps(comparison_dict(found), indent=2, allow_nan=False)


def comparison_schema() -> dict[str, Any]:
    """The JSON Schema of `comparison_json`: of two runs, or of several versions."""
    schema = comparison_adapter().json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
