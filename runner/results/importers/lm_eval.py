"""lm-evaluation-harness: the samples that it logs, `samples_TASK_DATE.jsonl`, with `results_DATE.json` beside them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from pydantic import JsonValue as Json

from .log import Documents, Figure, Log, LogFile, LoggedCondition, Score, list_at, mean, object_at, text_at, value_at
from .scores import Value, as_number, numbers

TOOL = "a file of samples of lm-evaluation-harness"
NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT[\d.:-]+)")
NO_METRICS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {"doc_hash", "prompt_hash", "target_hash"}
)
"""What a line has besides its metrics, for versions that don't list these."""
UNFILTERED = "none"


def is_samples(documents: Documents) -> bool:
    """Whether these are samples: lines, or a list in older versions."""
    first = next((row for _, row in documents.objects()), {})
    return {"doc_id", "doc", "target"} <= set(first) and ("resps" in first or "filtered_resps" in first)


def is_results(documents: Documents) -> bool:
    """Whether this is the file of means, which has no item in it."""
    whole = documents.whole
    return isinstance(whole, dict) and "results" in whole and ("n-shot" in whole or "lm_eval_version" in whole)


def read_samples(file: LogFile, documents: Documents) -> Log:
    """Read one task's samples.

    Raises:
        DatasetError: If there is no such metric as is asked for.
    """
    rows = list(documents.objects())
    metrics = list(dict.fromkeys(name for _, row in rows for name in _metrics(row)))
    chosen = file.chosen(metrics)
    name, _, its_filter = chosen.rpartition(",")
    scores = tuple(_scores(row, name) for _, row in rows if _filter(row) == its_filter)
    stem = _stem(file)
    found = NAME.fullmatch(stem)
    beside = _results_beside(file.path, found["date"]) if found and file.path else {}
    task = found["task"] if found else stem
    values = numbers(score.value for score in scores)
    stated = value_at(beside, "results", task, chosen)
    figures = (Figure(chosen, float(stated), mean(values)),) if values and isinstance(stated, int | float) else ()
    condition = LoggedCondition(
        labels={"model": _model(beside, file.path), "task": task}, scores=scores, figures=figures
    )
    return Log(TOOL, chosen, tuple(metrics), (condition,), () if figures else (_not_compared(beside),))


def _metrics(row: dict[str, Json]) -> Iterator[str]:
    listed = [name for name in list_at(row, "metrics") if isinstance(name, str)]
    names = listed or [key for key in row if key not in NO_METRICS]
    return (f"{name},{_filter(row)}" for name in names)


def _filter(row: dict[str, Json]) -> str:
    return text_at(row, "filter") or UNFILTERED


def _scores(row: dict[str, Json], metric: str) -> Score:
    value: Value = as_number(row.get(metric))
    target = text_at(row, "target_hash") or json.dumps(row.get("target"), sort_keys=True)
    return Score(text_at(row, "doc_id"), "1", value, target)


def _stem(file: LogFile) -> str:
    path = file.path or Path(file.name)
    name = path.name.removesuffix(".gz")
    return name.removesuffix(Path(name).suffix)


def _results_beside(path: Path, date: str) -> dict[str, Json]:
    """The means that were written with the samples; nothing where they aren't there, or aren't JSON."""
    beside = path.parent / f"results_{date}.json"
    try:
        return object_at(json.loads(beside.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}


def _model(beside: dict[str, Json], path: Path | None) -> str:
    named = text_at(beside, "model_name") or text_at(beside, "config", "model_args", "model")
    return named or (path.resolve().parent.name if path else "")


def _not_compared(beside: dict[str, Json]) -> str:
    if beside:
        return "the file of results beside it has no such figure, so nothing was compared with it"
    return "there is no results_DATE.json beside it, so no mean was compared with the harness's own"
