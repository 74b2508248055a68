"""What each condition is, where a generator has several: `reorder.6` is `kind: length`."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue as Json

from ..perturbations.canonical import canonical_json

EACH_SLOT = "each_slot"
NAMES_SHOWN = 4
Flat = dict[str, str]


@dataclass(frozen=True, slots=True)
class Named:
    """A condition with what decides it.

    Attributes:
        condition: Its name.
        generator: Its generator.
        parameters: The generator's parameters, as each variant has them.
    """

    condition: str
    generator: str
    parameters: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class LegendLine:
    """One line: some conditions, and what they are."""

    conditions: str
    meaning: str


def parameters_of(text: str) -> dict[str, Json]:
    """Read the parameters of a variant, which has them as canonical JSON."""
    read: dict[str, Json] = json.loads(text)
    return read


def legend(conditions: Iterable[Named]) -> list[LegendLine]:
    """Say what tells the conditions of a generator apart.

    Args:
        conditions: The conditions, in the order in which they are reported.

    Returns:
        A line for the conditions of equal parameters, by those parameters that differ among the conditions of their
        generator; with `each_slot` a line for each. No line where the conditions are draws of the same parameters.
    """
    by_generator: dict[str, dict[str, list[Named]]] = defaultdict(lambda: defaultdict(list))
    for each in conditions:
        by_generator[each.generator][canonical_json(each.parameters)].append(each)
    return [line for entries in by_generator.values() for line in lines_of([*entries.values()])]


def lines_of(entries: Sequence[Sequence[Named]]) -> Iterator[LegendLine]:
    """The lines of one generator; an entry is all conditions of equal parameters."""
    flat = [flattened(entry[0].parameters) for entry in entries]
    for entry, meaning in zip(entries, meanings(flat), strict=True):
        if any(value == EACH_SLOT for value in flattened(entry[0].parameters).values()):
            for place, each in enumerate(entry, 1):
                parts = (meaning, f"the right option in place {place}")
                yield LegendLine(each.condition, ", ".join(filter(None, parts)))
        elif meaning:
            yield LegendLine(shortened([each.condition for each in entry]), meaning)


def meanings(entries: Sequence[Flat]) -> list[str]:
    """What each entry has otherwise than the others, in as few parameters as tell them all apart; empty for one."""
    if len(entries) == 1:
        return [""]
    keys = list(dict.fromkeys(key for entry in entries for key in entry))
    differing = [key for key in keys if len({entry.get(key) for entry in entries}) > 1]
    shared = [key for key in differing if all(key in entry for entry in entries)]
    enough = len({tuple(entry[key] for key in shared) for entry in entries}) == len(entries)
    shown = shared if enough else differing
    return [
        ", ".join(f"{key}: {entry[key]}" for key in shown if key in entry)
        or ", ".join(f"{key}: {value}" for key, value in entry.items())
        or "no parameters"
        for entry in entries
    ]


def flattened(parameters: Mapping[str, Json], prefix: str = "") -> Flat:
    """Parameters by their paths, such as `model.name`; those of a composition's steps by generator, as `typo.rate`."""
    flat: Flat = {}
    for key, value in parameters.items():
        if isinstance(value, dict):
            flat |= flattened(value, f"{prefix}{key}.")
        elif isinstance(value, list) and any(isinstance(each, dict) for each in value):
            for number, each in enumerate(value, 1):
                flat |= flattened_step(each, f"{prefix}{key}.{number}.")
        else:
            flat[prefix + key] = written(value)
    return flat


def flattened_step(step: Json, prefix: str) -> Flat:
    """The parameters of one step of a composition, or whatever else stands in a list."""
    match step:
        case {"generator": str(name), "parameters": dict(parameters)}:
            return flattened(parameters, f"{name}.")
        case dict():
            return flattened(step, prefix)
        case _:
            return {prefix.removesuffix("."): written(step)}


def written(value: Json) -> str:
    """A value as a config has it: text bare, a list of one as that one."""
    match value:
        case str():
            return value
        case [str(only)]:
            return only
        case [*texts] if all(isinstance(text, str) for text in texts):
            return f"[{', '.join(map(str, texts))}]"
        case _:
            return json.dumps(value, ensure_ascii=False)


def shortened(names: Sequence[str]) -> str:
    """`reorder.1, reorder.2`; the first and the last of many, and how many there are."""
    if len(names) <= NAMES_SHOWN:
        return ", ".join(names)
    return f"{names[0]}, …, {names[-1]} ({len(names)})"
