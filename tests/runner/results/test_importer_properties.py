"""Logs with anything wrong in them: read, or refused with a sentence that begins with the file's name."""

import copy
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prt.runner.errors import DatasetError
from prt.runner.results.files import read_files

from .logs import evals_log, inspect_log, lm_eval_samples, promptfoo_output

TESTS: list[dict[str, Any]] = [{"vars": {"q": "one"}, "description": "first"}, {"vars": {"q": "two"}}]
LOGS: dict[str, list[Any]] = {
    "inspect": [inspect_log([("a", 1, {"m": "C"}), ("a", 2, {"m": {"x": 1, "y": 0}})], accuracy=0.5, reducer="mean")],
    "promptfoo": [promptfoo_output({("p", "m"): [True, False], ("q", "m"): [None, True]}, TESTS)],
    "lm_eval": [json.loads(line) for line in lm_eval_samples([1.0, 0.0]).splitlines()],
    "evals": [json.loads(line) for line in evals_log({0: True, 1: False}, accuracy=0.5).splitlines()],
}
VALUES: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        True,
        0,
        -1,
        2.5,
        float("nan"),
        "",
        "C",
        "1",
        "\x1b[31m",
        [],
        {},
        [None],
        [[]],
        {"a": {}},
        {"value": []},
        10**30,
    ]
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every value within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key)
        yield from places(each, (*path, key))


def changed(rows: Sequence[Any], path: Sequence[Any], value: Any, *, drop: bool) -> list[Any]:
    """The rows with one value replaced, or left out."""
    new = copy.deepcopy(list(rows))
    place: Any = new
    for key in path[:-1]:
        place = place[key]
    if drop:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return new


@pytest.mark.parametrize("tool", LOGS)
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_a_log_with_anything_in_the_place_of_a_value_is_read_or_refused(tool: str, data: st.DataObject) -> None:
    rows: Sequence[Any] = LOGS[tool]
    for _ in range(data.draw(st.integers(1, 2))):
        path = data.draw(st.sampled_from(list(places(list(rows)))))
        rows = changed(rows, path, data.draw(VALUES), drop=data.draw(st.booleans()))
        if not rows:
            return
    text = "\n".join(json.dumps(row) for row in rows)
    threshold = data.draw(st.sampled_from([None, 0.5]))
    sentence, results = "standard input: ", 1
    try:
        results = read_files(["-"], stdin=text, threshold=threshold).outcomes().cells.size
    except DatasetError as error:
        sentence = str(error)
    assert sentence.startswith("standard input:")
    assert results


def test_each_of_these_logs_is_read_as_it_stands() -> None:
    for tool, rows in LOGS.items():
        if tool != "inspect":
            assert len(read_files(["-"], stdin="\n".join(json.dumps(row) for row in rows)).items) == 2
