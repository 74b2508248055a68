"""A report for programs: JSON of a documented schema, without NaN or infinity."""

import json
from typing import Any

from ..findings import Report, report_adapter


def report_json(report: Report) -> str:
    """Write a report as JSON, two spaces deep; lone surrogates stay escaped.

    Raises:
        ValueError: If a figure is not finite, which `stats` promises never to give.
    """
    return json.dumps(report_adapter().dump_python(report, mode="json"), indent=2, allow_nan=False)


def report_schema() -> dict[str, Any]:
    """The JSON Schema of `report_json`."""
    schema = report_adapter().json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
