"""Telling a judge's grader from others without loading what asks a judge, which most runs do not."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pydantic import JsonValue as Json

from ..config.embedded import EMBEDDED
from .base import JUDGE, Grader

if TYPE_CHECKING:
    from .judge import JudgeGrader


def as_judge(grader: Grader) -> "JudgeGrader | None":
    """A grader that has a judge as what it is; None for one that reads answers by itself."""
    if grader.name != JUDGE:
        return None
    from .judge import JudgeGrader  # noqa: PLC0415 - the reason of this module

    return grader if isinstance(grader, JudgeGrader) else None


def judge_name(grader: Mapping[str, Json]) -> str:
    """What people call the judge of a grader, by the grader's identity; empty where it has none."""
    model = grader.get("model")
    if grader.get("name") != JUDGE or not isinstance(model, dict):
        return ""
    if called := next((model[key] for key in ("name", "callable", "url", "path") if model.get(key)), None):
        return str(called)
    digest = model.get("sha256")
    if not digest:
        return "local"
    return EMBEDDED.name if digest == EMBEDDED.sha256 else f"a local model (SHA-256 {str(digest)[:12]}…)"
