"""Conditions that one label of many logs makes: the model of all its tasks, or the prompt of all models."""

from collections.abc import Sequence
from dataclasses import replace

from ..errors import DatasetError, Problem
from ..problems import did_you_mean, listed
from .importers.importing import Imported


def grouped(conditions: Sequence[Imported], by: str, name: str) -> list[Imported]:
    """Put conditions of equal label together.

    Args:
        conditions: The conditions of all logs.
        by: The label that is to tell conditions apart, such as `model`.
        name: What messages call the files.

    Returns:
        One condition for each value of the label. The other labels in which logs differ, such as the task, stand
        before the ids of their items: `riddles/q1`.

    Raises:
        DatasetError: If a log has no such label, or an item has two scores under one condition.
    """
    keys = list(dict.fromkeys(key for each in conditions for key in each.labels))
    if by not in keys or not all(each.labels.get(by) for each in conditions):
        there = [key for key in keys if all(each.labels.get(key) for each in conditions)]
        text = f"--by: not every condition has a `{by}`; all have {listed(there) or 'none'}{did_you_mean(by, there)}"
        raise DatasetError(Problem(text, path=name))
    others = [key for key in keys if key != by and len({each.labels.get(key, "") for each in conditions}) > 1]
    groups: dict[str, list[Imported]] = {}
    for each in conditions:
        prefix = "".join(f"{each.labels[key]}/" for key in others if each.labels.get(key))
        groups.setdefault(each.labels[by], []).append(_prefixed(each, prefix))
    return [_merged(by, value, group, name) for value, group in groups.items()]


def _prefixed(condition: Imported, prefix: str) -> Imported:
    results = tuple(replace(result, item=prefix + result.item) for result in condition.results)
    return replace(condition, results=results, targets={prefix + item: to for item, to in condition.targets.items()})


def _merged(by: str, value: str, group: Sequence[Imported], name: str) -> Imported:
    seen: set[tuple[str, str]] = set()
    results = [result for each in group for result in each.results]
    for result in results:
        if (result.item, result.repeat) in seen:
            text = f"item `{result.item}` has two scores under `{value}`; give each run once, or leave --by out"
            raise DatasetError(Problem(text, path=name))
        seen.add((result.item, result.repeat))
    targets = {item: target for each in group for item, target in each.targets.items()}
    return Imported({by: value}, tuple(results), targets)
