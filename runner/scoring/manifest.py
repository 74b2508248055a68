"""A machine-readable description of the score, for platforms that call it."""

from pydantic import JsonValue as Json

from ..config.score import ScoreConfig, ScoreSettings
from .rows import OPTIONAL, REQUIRED

SCORE_VERSION = 1
"""Raised whenever the same rows and replies could come to another score."""
LIMITS = ("batch_rows", "rows_at_once", "total_seconds")
MODELS: dict[str, Json] = {
    "sut": "the system under test",
    "judge": "the model that judges",
    "generator": "the model that writes paraphrases and reference answers; the judge where not given",
}


def manifest(settings: ScoreConfig) -> dict[str, Json]:
    """Describe the score.

    Args:
        settings: The settings that decide its name, direction and range.
    """
    limits: dict[str, Json] = {key: getattr(settings, key) for key in LIMITS}
    models: dict[str, Json] = {"required": ["sut", "judge"], "optional": ["generator"], "meaning": MODELS}
    return {
        "name": settings.metric_name,
        "version": SCORE_VERSION,
        "description": "½·mean robustness + ½·max(0, 1 − max(0, mean correctness drop)) over perturbed variants of a "
        "row, judged by a model",
        "direction": settings.direction,
        "range": [settings.min, settings.max],
        "required_columns": [*REQUIRED],
        "optional_columns": [*OPTIONAL],
        "models": models,
        "settings": settings_schema(),
        "limits": limits,
    }


def settings_schema() -> dict[str, Json]:
    """The JSON Schema of the settings."""
    schema: dict[str, Json] = ScoreSettings.model_json_schema()
    return schema
