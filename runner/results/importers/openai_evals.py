"""OpenAI evals: the log of events that `oaieval` records, JSONL."""

import json
from collections import Counter
from collections.abc import Sequence

from pydantic import JsonValue as Json

from .log import Documents, Figure, Log, LogFile, LoggedCondition, Score, list_at, mean, object_at, text_at, value_at
from .scores import Value, as_number, numbers

TOOL = "a log of OpenAI evals"
MATCH = "match"
METRICS = "metrics"
ACCURACY = "accuracy"
"""The figure of the final report that is the mean of the matches."""

Rows = Sequence[dict[str, Json]]


def is_events(documents: Documents) -> bool:
    """Whether this is a log of events: its first line is the run's spec, or an event."""
    first = documents.first
    if not isinstance(first, dict):
        return False
    return "run_id" in object_at(first, "spec") or {"run_id", "event_id", "sample_id", "type", "data"} <= set(first)


def read_events(file: LogFile, documents: Documents) -> Log:
    """Read a log of events. Several scores of one sample are repeats of it, in the order of the log.

    Raises:
        DatasetError: If it has no score, or no such metric as is asked for.
    """
    rows = [row for _, row in documents.objects()]
    spec = next((object_at(row, "spec") for row in rows if "spec" in row), {})
    report = next((object_at(row, "final_report") for row in reversed(rows) if "final_report" in row), {})
    events = [row for row in rows if "sample_id" in row]
    metrics = _metrics(events)
    chosen = file.chosen(metrics)
    scores = _scores(events, chosen, f"{text_at(spec, 'base_eval')}.{text_at(spec, 'split')}.")
    figures = tuple(_figures(report, chosen, [score.value for score in scores]))
    labels = {
        "model": ", ".join(str(name) for name in list_at(spec, "completion_fns")),
        "eval": text_at(spec, "eval_name"),
    }
    notes = [] if report else ["there is no final report in it: the run did not finish"]
    notes += [] if figures else [f"it reports no figure of `{chosen}`, so nothing was compared"]
    return Log(TOOL, chosen, tuple(metrics), (LoggedCondition(labels, scores, figures),), tuple(notes))


def _metrics(events: Rows) -> list[str]:
    """The matches, then the metrics that are numbers, then the others."""
    found = [MATCH] if any(event.get("type") == MATCH for event in events) else []
    values: dict[str, list[Json]] = {}
    for event in events:
        if event.get("type") == METRICS:
            for key, value in object_at(event, "data").items():
                values.setdefault(key, []).append(value)
    texts = {key for key, each in values.items() if any(isinstance(value, str) for value in each)}
    return [*found, *sorted(values, key=lambda key: key in texts)]


def _scores(events: Rows, metric: str, prefix: str) -> tuple[Score, ...]:
    scores: list[Score] = []
    seen: Counter[str] = Counter()
    for event in events:
        value = _value(event, metric)
        if value is not None:
            item = text_at(event, "sample_id").removeprefix(prefix)
            seen[item] += 1
            expected = json.dumps(value_at(event, "data", "expected"), sort_keys=True)
            scores.append(Score(item, str(seen[item]), value, expected if metric == MATCH else ""))
    unscored = dict.fromkeys(text_at(event, "sample_id").removeprefix(prefix) for event in events)
    return (*scores, *(Score(item, "1", None) for item in unscored if item not in seen))


def _value(event: dict[str, Json], metric: str) -> Value:
    if event.get("type") == MATCH and metric == MATCH:
        return as_number(value_at(event, "data", "correct"))
    return as_number(value_at(event, "data", metric)) if event.get("type") == METRICS else None


def _figures(report: dict[str, Json], metric: str, values: Sequence[Value]) -> list[Figure]:
    name = ACCURACY if metric == MATCH else metric
    stated, found = report.get(name), numbers(values)
    return [Figure(name, float(stated), mean(found))] if found and isinstance(stated, int | float) else []
