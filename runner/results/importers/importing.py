"""Which tool a file comes from, told by what is in it, and its log as results."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ...problems import counted, listed
from ..result import Result
from .inspect_log import is_log, read_json_log
from .lm_eval import is_results, is_samples, read_samples
from .log import Documents, Log, LogFile, LoggedCondition, Score
from .openai_evals import is_events, read_events
from .promptfoo import is_output, read_output
from .scores import passed, shown


class Importer(NamedTuple):
    """One tool's logs: how they are told, and what reads them."""

    knows: Callable[[Documents], bool]
    read: Callable[[LogFile, Documents], Log]


IMPORTERS = (
    Importer(is_log, read_json_log),
    Importer(is_output, read_output),
    Importer(is_samples, read_samples),
    Importer(is_events, read_events),
)
ONLY_MEANS = (
    "holds the means of lm-evaluation-harness and no item; give the samples_*.jsonl that --log_samples writes beside it"
)


@dataclass(frozen=True, slots=True)
class Imported:
    """One condition of a log, as results.

    Attributes:
        labels: What tells it from others.
        results: Its results, without a condition's name.
        targets: What the log has for each item's right answer.
    """

    labels: dict[str, str]
    results: tuple[Result, ...]
    targets: dict[str, str]


def documents_of(text: str) -> Documents | None:
    """Take a text as JSON, or as one JSON object a line; None where it is neither.

    NaN and Infinity are read, since logs have them for what could not be scored.
    """
    stripped = text.lstrip()
    if not stripped.startswith(("{", "[")):
        return None
    try:
        first, end = json.JSONDecoder().raw_decode(stripped)
        if not stripped[end:].strip():
            return Documents(first, ((1, first),))
        lines = tuple((number, json.loads(line)) for number, line in enumerate(text.split("\n"), 1) if line.strip())
    except (ValueError, RecursionError):
        return None
    return Documents(lines[0][1], lines)


def read_log(file: LogFile, documents: Documents) -> Log | None:
    """Read a log of another tool that is JSON; None where it is none.

    Raises:
        DatasetError: If it is one that can't be read.
    """
    if is_results(documents):
        raise file.refused(ONLY_MEANS)
    return next((importer.read(file, documents) for importer in IMPORTERS if importer.knows(documents)), None)


def imported(log: Log, file: LogFile, threshold: float | None) -> list[Imported]:
    """The conditions of a log as results.

    Raises:
        DatasetError: If an item was scored twice, or scores are neither pass nor fail and no threshold says which pass.
    """
    return [_imported(condition, log, file, threshold) for condition in log.conditions]


def _imported(condition: LoggedCondition, log: Log, file: LogFile, threshold: float | None) -> Imported:
    _refuse_twice(condition.scores, file)
    results: list[Result] = []
    odd: list[tuple[str, str]] = []
    for number, score in enumerate(condition.scores, 1):
        try:
            outcome = passed(score.value, threshold)
        except ValueError as error:
            odd.append((score.item, str(error)))
        else:
            results.append(Result(number, score.item, "", score.repeat, outcome))
    if odd:
        raise file.refused(_no_result(odd, len(condition.scores), log, threshold))
    targets = {score.item: score.target for score in condition.scores if score.target}
    return Imported(dict(condition.labels), tuple(results), targets)


def _refuse_twice(scores: Sequence[Score], file: LogFile) -> None:
    seen: set[tuple[str, str]] = set()
    for score in scores:
        if (score.item, score.repeat) in seen:
            raise file.refused(f"the item `{score.item}` has two scores; items are paired by their ids")
        seen.add((score.item, score.repeat))


def _no_result(odd: Sequence[tuple[str, str]], count: int, log: Log, threshold: float | None) -> str:
    item, value = odd[0]
    others = [metric for metric in log.metrics if metric != log.metric]
    choices = [] if threshold is not None else ["say from which number on one passes (--threshold 0.5)"]
    choices += [f"choose another metric (--metric): {listed(others)}"] if others else []
    advice = f"; {', or '.join(choices)}" if choices else ""
    what = "are neither 1 nor 0" if threshold is None else "are no numbers"
    return f"{len(odd)} of {counted(count, 'score')} of `{log.metric}` {what}, such as {value} (item `{item}`){advice}"


def log_notes(log: Log, file: LogFile, threshold: float | None) -> Iterator[str]:
    """Say what was read, what else there is, and where the log's own figures are others."""
    others = [metric for metric in log.metrics if metric != log.metric]
    more = f"; there {'is' if len(others) == 1 else 'are'} also {listed(others)} (--metric)" if others else ""
    rule = "" if threshold is None else f", a pass from {shown(threshold)} on"
    yield f"{file.name} is {log.tool}; its metric is `{log.metric}`{rule}{more}"
    yield from (f"{file.name}: {note}" for note in log.notes)
    for condition in log.conditions:
        where = " ".join(condition.labels.values()).strip() if len(log.conditions) > 1 else ""
        missing = sum(1 for score in condition.scores if score.value is None)
        if missing:
            of = f" of `{where}`" if where else ""
            yield f"{file.name}: {missing} of {counted(len(condition.scores), 'result')}{of} have no score: missing"
        for figure in condition.figures:
            if not figure.agrees:
                of = f" for `{where}`" if where else ""
                yield (
                    f"warning: {file.name} itself reports {figure.name} {figure.stated:.6g}{of}, and its"
                    f" {counted(len(condition.scores), 'score')} give {figure.found:.6g}"
                )
    agreeing = [figure for condition in log.conditions for figure in condition.figures if figure.agrees]
    if agreeing:
        names = listed(dict.fromkeys(figure.name for figure in agreeing))
        yield f"{file.name}: the figures that it reports itself ({names}) come out the same"
