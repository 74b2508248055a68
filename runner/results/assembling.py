"""Results, in whatever order they were read, to a table with the baseline first."""

import re
from collections.abc import Iterable, Sequence

from ..errors import DatasetError, Problem
from ..problems import did_you_mean, listed
from .columns import NEEDED
from .result import Result
from .table import RERUN, ResultsTable

BASELINES = ("baseline", "original", "base")
LIKE_REPEATS = re.compile(r"(?:trial|run|repeat|epoch|seed|try|attempt)[ _-]?\d+", re.IGNORECASE)


def assembled(
    results: Sequence[Result],
    baseline: str | None,
    *,
    name: str,
    sha256: str,
    notes: Iterable[str] = (),
    fewest: int = 2,
) -> ResultsTable:
    """Put results into a table.

    Args:
        results: The results; none stands twice.
        baseline: The condition that the others are compared with; None to go by names, or take the first.
        name: What messages and reports call the input.
        sha256: Of the input's bytes, in hexadecimal.
        notes: What the user should read besides.
        fewest: How many conditions there must be.

    Raises:
        DatasetError: If there are fewer, or none is named as the baseline asked for.
    """
    conditions = list(dict.fromkeys(result.condition for result in results))
    if len(conditions) < fewest:
        found = f"only one condition, `{conditions[0]}`" if conditions else "no result"
        text = f"there is {found}; a comparison needs a baseline and a variant; {NEEDED}"
        raise DatasetError(Problem(text, path=name))
    chosen, why = _baseline(conditions, baseline, name)
    conditions.sort(key=lambda condition: condition != chosen)
    items = tuple(dict.fromkeys(result.item for result in results))
    repeats = _in_order({result.repeat for result in results})
    passed = {(result.item, result.condition, result.repeat): result.passed for result in results}
    return ResultsTable(
        name=name,
        sha256=sha256,
        items=items,
        conditions=tuple(conditions),
        repeats=repeats,
        passed=tuple(
            tuple(tuple(passed.get((item, condition, repeat)) for repeat in repeats) for condition in conditions)
            for item in items
        ),
        notes=(why, *notes, *_like_repeats(conditions)),
        clusters=_clusters(results),
    )


def _clusters(results: Sequence[Result]) -> tuple[str, ...] | None:
    clusters = {result.item: result.cluster for result in results}
    known = tuple(cluster for cluster in clusters.values() if cluster is not None)
    return known if len(known) == len(clusters) else None


def _baseline(conditions: Sequence[str], asked: str | None, name: str) -> tuple[str, str]:
    """The baseline, and a sentence that says why it is."""
    if asked is not None:
        if asked not in conditions:
            text = f"there is no condition `{asked}`; there are {listed(conditions)}{did_you_mean(asked, conditions)}"
            raise DatasetError(Problem(text, path=name))
        return asked, f"the baseline is `{asked}`, as asked"
    folded = {condition.casefold(): condition for condition in reversed(conditions)}
    named = next((folded[word] for word in BASELINES if word in folded), None)
    if named is not None:
        return named, f"the baseline is `{named}`, by its name"
    first = next((condition for condition in conditions if not RERUN.fullmatch(condition)), conditions[0])
    if len(conditions) == 1:
        return first, f"there is one condition, `{first}`; further files give others to compare it with"
    return first, f"the baseline is `{first}`, the first condition; `--baseline` chooses another"


def _in_order(repeats: set[str]) -> tuple[str, ...]:
    if all(repeat.isdecimal() for repeat in repeats):
        return tuple(sorted(repeats, key=int))
    return tuple(sorted(repeats))


def _like_repeats(conditions: Sequence[str]) -> list[str]:
    if not all(LIKE_REPEATS.fullmatch(condition) for condition in conditions):
        return []
    return ["the conditions look like repeats of one system; in a column `repeat` they would be read as such"]
