"""Inspect: its logs, `.eval` (a ZIP archive of JSON files) and `.json`; epochs are repeats."""

import importlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import JsonValue as Json

from .log import Documents, Figure, Log, LogFile, LoggedCondition, Score, list_at, mean, object_at, text_at, value_at
from .scores import Value, as_number

TOOL = "an Inspect log"
GRADES = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
"""Correct, incorrect, partly correct, no answer: what Inspect's own accuracy makes of them."""
SINGLE = "score"
"""Where a sample of early versions has its one score, and what it is called here."""
KEPT = frozenset({"id", "epoch", "target", "score", "scores"})
"""What is read of a sample; its transcript may be a thousand times as long."""
MEANS = ("accuracy", "mean")
ZSTD = 93
"""The number of Zstandard among a ZIP archive's ways of packing."""
PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}
PACKED |= {getattr(zipfile, "ZIP_ZSTANDARD", zipfile.ZIP_STORED)}
"""The ways of packing that Python itself knows; Zstandard is among them from 3.14 on."""
NEEDS_ZSTD = (
    "it is packed by Zstandard, which this Python can't unpack; pip install 'prompt-robustness[inspect]', or convert it"
    " by `inspect log convert FILE --to json --output-dir FOLDER`"
)
DAMAGED = "the log is damaged or cut off; fetch it again, or mend it by `inspect log recover`"


def is_log(documents: Documents) -> bool:
    """Whether this is a log in JSON."""
    evaluated = object_at(documents.whole, "eval")
    return "task" in evaluated and "model" in evaluated


def read_json_log(file: LogFile, documents: Documents) -> Log:
    """Read a log in JSON.

    Raises:
        DatasetError: If it has no samples, or there is no such metric as is asked for.
    """
    return _read(file, documents.whole, list_at(documents.whole, "samples"))


def read_eval_log(file: LogFile, data: bytes) -> Log:
    """Read a log that is an archive, sample by sample, so that a large one takes little memory.

    Raises:
        DatasetError: If it is no such log or can't be unpacked, or there is no such metric as is asked for.
    """
    module, broken = _unpacking()
    try:
        with module.ZipFile(io.BytesIO(data)) as packed:
            names = set(packed.namelist())
            header = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
            if header is None:
                raise file.refused("is a ZIP archive, but no Inspect log; unpack it and name the file within")
            if (
                module is zipfile
                and ZSTD not in PACKED
                and any(info.compress_type == ZSTD for info in packed.infolist())
            ):
                raise file.refused(NEEDS_ZSTD)
            samples = [_scored(json.loads(packed.read(name))) for name in sorted(names) if _is_sample(name)]
            return _read(file, json.loads(packed.read(header)), samples)
    except broken as error:
        raise file.refused(DAMAGED) from error


def _is_sample(name: str) -> bool:
    return name.startswith("samples/") and name.endswith(".json")


def _unpacking() -> tuple[Any, tuple[type[Exception], ...]]:
    """The module that opens archives, and what it raises: Python's, or its backport that can unpack Zstandard."""
    broken = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)
    try:
        backport = importlib.import_module("backports.zstd")
        module = importlib.import_module("backports.zstd.zipfile")
    except ModuleNotFoundError:
        return zipfile, broken
    return module, (*broken, module.BadZipFile, backport.ZstdError)


def _scored(sample: Json) -> Json:
    """A sample without its transcript."""
    return {key: value for key, value in object_at(sample).items() if key in KEPT}


def _read(file: LogFile, header: Json, samples: Sequence[Json]) -> Log:
    if not samples:
        raise file.refused("there is no sample in this Inspect log (was it written with --no-log-samples?)")
    metrics = list(dict.fromkeys(name for sample in samples for name, _ in _values(sample)))
    chosen = file.chosen(_in_order_of_results(header, metrics))
    scores = tuple(_score(sample, chosen) for sample in samples)
    labels = {
        "task": text_at(header, "eval", "task"),
        "model": text_at(header, "eval", "model"),
        "arguments": ", ".join(f"{key}={value}" for key, value in object_at(header, "eval", "task_args").items()),
    }
    figures, notes = _figures(header, chosen, scores)
    condition = LoggedCondition(labels, scores, tuple(figures))
    return Log(TOOL, chosen, tuple(metrics), (condition,), (*_unfinished(header), *notes))


def _values(sample: Json) -> Iterator[tuple[str, Json]]:
    """The metrics of a sample: its scorers, or the entries of a scorer that gives several values."""
    single = value_at(sample, "score")
    scores = object_at(sample, "scores") or ({} if single is None else {SINGLE: single})
    for scorer, score in scores.items():
        value = value_at(score, "value")
        if isinstance(value, dict):
            yield from ((f"{scorer}/{key}", inner) for key, inner in value.items())
        else:
            yield scorer, value


def _in_order_of_results(header: Json, metrics: Sequence[str]) -> list[str]:
    """The metrics in the order in which the log reports them."""
    names = [text_at(score, "name") for score in list_at(header, "results", "scores")]
    rank = {name: at for at, name in reversed([*enumerate(names)])}
    return sorted(metrics, key=lambda metric: rank.get(metric.rpartition("/")[2], len(names)))


def _score(sample: Json, metric: str) -> Score:
    value = dict(_values(sample)).get(metric)
    number: Value = GRADES[value] if isinstance(value, str) and value in GRADES else as_number(value)
    repeat = text_at(sample, "epoch") or "1"
    return Score(text_at(sample, "id"), repeat, number, json.dumps(value_at(sample, "target"), sort_keys=True))


def _unfinished(header: Json) -> Iterator[str]:
    status = text_at(header, "status") or "started"
    if status != "success":
        yield f"the run's status is `{status}`: it did not finish, and what is not scored is missing"


def _figures(header: Json, metric: str, scores: Sequence[Score]) -> tuple[list[Figure], list[str]]:
    """The log's own means of this metric, and what could not be compared with them."""
    figures: list[Figure] = []
    notes: list[str] = []
    scorer, _, key = metric.rpartition("/")
    found = _mean_over_items(scores)
    single: Json = {"name": SINGLE, "metrics": value_at(header, "results", "metrics")}
    for stated in list_at(header, "results", "scores") or [single]:
        if text_at(stated, "name") != key or (scorer and text_at(stated, "scorer") != scorer) or found is None:
            continue
        reducer = text_at(stated, "reducer") or "mean"
        for name in MEANS:
            value = value_at(stated, "metrics", name, "value")
            if isinstance(value, int | float) and reducer == "mean":
                figures.append(Figure(name, float(value), found))
            elif isinstance(value, int | float):
                notes.append(
                    f"the log's {name} {value:g} takes an item's epochs together by `{reducer}`; here they are repeats,"
                    " and the two were not compared"
                )
    return figures, notes


def _mean_over_items(scores: Sequence[Score]) -> float | None:
    """The mean over items of each one's mean over epochs; None where there is no score."""
    items: dict[str, list[float]] = {}
    for score in scores:
        if isinstance(score.value, float):
            items.setdefault(score.item, []).append(score.value)
    return mean([mean(values) for values in items.values()]) if items else None
