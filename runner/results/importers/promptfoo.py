"""promptfoo: what `promptfoo eval -o FILE` writes, as JSON or JSONL; prompts × providers are the conditions."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue as Json

from .log import Documents, Figure, Log, LogFile, LoggedCondition, Score, list_at, object_at, text_at, value_at
from .scores import Value, as_number

TOOL = "an output file of promptfoo"
SUCCESS = "success"
ERROR = 2
"""`failureReason` of a result that is no answer: the call, or an assertion, broke down."""

Rows = Sequence[dict[str, Json]]


def is_output(documents: Documents) -> bool:
    """Whether this is what promptfoo writes."""
    whole = documents.whole
    if list_at(whole, "results", "results") and (object_at(whole, "results", "stats") or text_at(whole, "evalId")):
        return True
    return isinstance(documents.first, dict) and {"promptIdx", "testIdx", SUCCESS} <= set(documents.first)


def read_output(file: LogFile, documents: Documents) -> Log:
    """Read an output file.

    Raises:
        DatasetError: If there is no such metric as is asked for, or the results don't say which test they belong to.
    """
    whole = documents.whole
    rows = [row for row in list_at(whole, "results", "results") if isinstance(row, dict)]
    rows = rows or [row for _, row in documents.objects()]
    if not all({"promptIdx", "testIdx"} <= set(row) for row in rows):
        raise file.refused("its results have no `promptIdx` and `testIdx`; write it again by promptfoo 0.100 or newer")
    metrics = [SUCCESS, *dict.fromkeys(name for row in rows for name in object_at(row, "namedScores"))]
    chosen = file.chosen(metrics)
    items = _items(rows)
    prompts = list_at(whole, "results", "prompts")
    numbers = sorted({_index(row, "promptIdx") for row in rows})
    conditions = tuple(
        _condition([row for row in rows if _index(row, "promptIdx") == number], chosen, items, _at(prompts, number))
        for number in numbers
    )
    return Log(TOOL, chosen, tuple(metrics), conditions, (*_repeated(items), *_uncounted(conditions)))


def _index(row: Mapping[str, Json], key: str) -> int:
    value = row.get(key)
    return value if isinstance(value, int) else -1


def _at(prompts: Sequence[Json], number: int) -> Json:
    return prompts[number] if 0 <= number < len(prompts) else None


def _items(rows: Rows) -> dict[int, tuple[str, str]]:
    """The item and the repeat of each test: equal tests, as `--repeat` makes them, are one item that is asked again."""
    tests = {_index(row, "testIdx"): row for row in rows}
    cases: dict[str, list[int]] = {}
    for index in sorted(tests):
        case = tests[index].get("testCase") or tests[index].get("vars")
        cases.setdefault(json.dumps(case, sort_keys=True), []).append(index)
    names = [text_at(tests[indices[0]], "testCase", "description") for indices in cases.values()]
    twice = Counter(names)
    found = {}
    for number, (name, indices) in enumerate(zip(names, cases.values(), strict=True), 1):
        item = name if name and twice[name] == 1 else str(number)
        found.update({index: (item, str(repeat)) for repeat, index in enumerate(indices, 1)})
    return found


def _repeated(items: Mapping[int, tuple[str, str]]) -> Iterable[str]:
    repeats = len({repeat for _, repeat in items.values()})
    if repeats > 1:
        yield f"equal tests are read as one item asked {repeats} times"


def _uncounted(conditions: Iterable[LoggedCondition]) -> Iterable[str]:
    if not any(condition.figures for condition in conditions):
        yield "it holds no counts of this metric (JSON Lines have none), so nothing was compared"


def _condition(rows: Rows, metric: str, items: Mapping[int, tuple[str, str]], prompt: Json) -> LoggedCondition:
    first = rows[0]
    provider = text_at(prompt, "provider") or text_at(first, "provider", "label") or text_at(first, "provider", "id")
    label = text_at(prompt, "label") or text_at(first, "prompt", "label") or text_at(first, "prompt", "raw")
    scores = [
        Score(*items[_index(row, "testIdx")], _value(row, metric), json.dumps(row.get("vars"), sort_keys=True))
        for row in sorted(rows, key=lambda row: _index(row, "testIdx"))
    ]
    figures = _figures(object_at(prompt, "metrics"), metric, scores)
    return LoggedCondition({"prompt": label, "provider": provider}, tuple(scores), figures)


def _value(row: dict[str, Json], metric: str) -> Value:
    if row.get("failureReason") == ERROR:
        return None
    return as_number(row.get(SUCCESS) if metric == SUCCESS else value_at(row, "namedScores", metric))


def _figures(stated: dict[str, Json], metric: str, scores: Sequence[Score]) -> tuple[Figure, ...]:
    values = [score.value for score in scores]
    found = {
        "testPassCount": values.count(1.0),
        "testFailCount": values.count(0.0),
        "testErrorCount": values.count(None),
    }
    if metric != SUCCESS:
        total = sum(value for value in values if isinstance(value, float))
        named = value_at(stated, "namedScores", metric)
        return (Figure(f"namedScores.{metric}", float(named), total),) if isinstance(named, int | float) else ()
    return tuple(
        Figure(key, float(count), float(found[key])) for key in found if isinstance(count := stated.get(key), int)
    )
