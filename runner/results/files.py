"""One or several files of results, tables or logs of other tools, to one table."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..datasets.files import ZIP, digest_of, opened
from ..datasets.locating import DATA
from ..errors import DatasetError, Problem
from ..problems import counted, quoted
from .assembling import assembled
from .grouping import grouped
from .importers.importing import Imported, documents_of, imported, log_notes, read_log
from .importers.inspect_log import read_eval_log
from .importers.log import Log, LogFile
from .naming import TABLE_LABEL, names_of
from .read import decoded, pasted, results_of
from .result import Given, Result
from .table import ResultsTable

STDIN = "-"
FIRST = "1"
"""What the one repeat of a file without repeats is called beside those of files that have some."""


@dataclass(frozen=True, slots=True)
class ReadFile:
    """What one file gave.

    Attributes:
        name: The file, as the user named it.
        sha256: Of its bytes, in hexadecimal.
        conditions: Its conditions.
        notes: What the user should read.
        log: Whether it is a log, which may have one condition alone.
    """

    name: str
    sha256: str
    conditions: tuple[Imported, ...]
    notes: tuple[str, ...]
    log: bool


def read_files(
    files: Sequence[str],
    *,
    stdin: str = "",
    baseline: str | None = None,
    by: str | None = None,
    metric: str | None = None,
    threshold: float | None = None,
) -> ResultsTable:
    """Read results.

    Args:
        files: Paths, plain or gzipped; `-` is `stdin`. Each is a table of results or a log of another tool.
        stdin: What came on standard input.
        baseline: The condition that the others are compared with, or the file that it is in; None to go by names, or
            take the first.
        by: The label of logs that makes the conditions, such as `model`, whatever the files; None for one condition
            each.
        metric: Which of a log's metrics to read; None for the first.
        threshold: The least score that passes, in logs and tables; None where scores are pass or fail.

    Returns:
        All results, the baseline's first; items are paired by their ids.

    Raises:
        DatasetError: If a file can't be read, or there is nothing to compare.
    """
    read = [_read_file(file, stdin, metric, threshold) for file in files]
    name = read[0].name if len(read) == 1 else f"{len(read)} files: {', '.join(file.name for file in read)}"
    conditions = _named(read, by, name)
    results = [replace(result, condition=each) for each, part in conditions.items() for result in part.results]
    if len(read) > 1:
        _refuse_torn(results, name)
    elif not read[0].log:
        results.sort(key=lambda result: result.number)
    notes = [note for file in read for note in file.notes]
    notes += _differences(conditions, name) if len(read) > 1 else ()
    return assembled(
        _one_style(results),
        _condition_in(baseline, read, list(conditions)),
        name=name,
        sha256=digest_of([file.sha256 for file in read]),
        notes=notes,
        fewest=1 if any(file.log for file in read) else 2,
    )


def _named(read: Sequence[ReadFile], by: str | None, name: str) -> dict[str, Imported]:
    """The conditions of all files under their names."""
    conditions = [condition for file in read for condition in file.conditions]
    if by is not None:
        conditions = grouped(conditions, by, name)
    stems = [_stem(file.name) for file in read for _ in file.conditions]
    names = names_of([condition.labels for condition in conditions], stems[: len(conditions)])
    return dict(zip(names, conditions, strict=True))


def _one_style(results: Sequence[Result]) -> list[Result]:
    """Repeats under one name where some files number them and others have none."""
    if all(not result.repeat for result in results):
        return list(results)
    return [result if result.repeat else replace(result, repeat=FIRST) for result in results]


def _stem(name: str) -> str:
    path = Path(name.removesuffix(".gz"))
    return path.name.removesuffix(path.suffix) or name


def _condition_in(baseline: str | None, read: Sequence[ReadFile], names: Sequence[str]) -> str | None:
    """The condition that `--baseline` means: by its name, or by the file that it alone is in."""
    if baseline is None or baseline in names:
        return baseline
    owners = [file for file in read for _ in file.conditions]
    if len(owners) != len(names):
        return baseline
    within = [each for each, file in zip(names, owners, strict=True) if baseline in {file.name, _stem(file.name)}]
    return within[0] if len(within) == 1 else baseline


def _refuse_torn(results: Sequence[Result], name: str) -> None:
    clusters: dict[str, str] = {}
    for result in results:
        if result.cluster is not None and clusters.setdefault(result.item, result.cluster) != result.cluster:
            both = f"{quoted(clusters[result.item])} in one file and in {quoted(result.cluster)} in another"
            text = f"item {quoted(result.item)} is in cluster {both}; an item belongs to one cluster"
            raise DatasetError(Problem(text, path=name))


def _differences(named: Mapping[str, Imported], name: str) -> Iterator[str]:
    """Say where conditions of several files don't have the same items.

    Raises:
        DatasetError: If none of a condition's items is among those of the first.
    """
    (first, reference), *others = named.items()
    items = {result.item for result in reference.results}
    for other, condition in others:
        its = {result.item for result in condition.results}
        common = items & its
        if not common:
            ids = " and ".join(f"`{min(each)}`" for each in (items, its) if each)
            text = f"no item of `{other}` is among those of `{first}` (ids such as {ids}), so nothing can be paired"
            raise DatasetError(Problem(text, path=name))
        if its != items:
            shared = f"{counted(len(common), 'item')} in common with `{first}`"
            yield f"`{other}` has {shared}, of {len(its)} and {len(items)}"
        targets, its_targets = reference.targets, condition.targets
        known = [item for item in common if item in targets and item in its_targets]
        unlike = sum(1 for item in known if targets[item] != its_targets[item])
        if unlike:
            yield (
                f"warning: the right answer of {unlike} of {counted(len(known), 'item')} differs between `{first}`"
                f" and `{other}`; items are paired by their ids alone, so make sure that they are the same"
            )


def _read_file(name: str, stdin: str, metric: str | None, threshold: float | None) -> ReadFile:
    if name == STDIN:
        return _of_text(pasted(stdin, "standard input"), None, metric, threshold)
    path = Path(name)
    if path.is_dir():
        raise DatasetError(Problem(_of_folder(path, name), path=name))
    with opened(path, name, takes={"zip"}) as source:
        if not source.stream.peek(len(ZIP)).startswith(ZIP):
            return _of_text(decoded(source), path, metric, threshold)
        data = source.stream.read()
        file = LogFile(name, path, source.sha256(), metric)
    return _of_log(file, read_eval_log(file, data), threshold)


def _of_folder(folder: Path, name: str) -> str:
    """Say how the files of a folder are given: by the pattern of the commonest ending."""
    endings = Counter(file.suffix for file in folder.iterdir() if file.is_file() and not file.name.startswith("."))
    known = {ending: count for ending, count in endings.items() if ending in (*DATA, ".eval", ".gz", ".md", ".txt")}
    if not known:
        return "is a folder without results in it; give files"
    most = max(known, key=known.__getitem__)
    pattern = f"{name.rstrip('/')}/*{most}"
    return f"is a folder; give its files, of which each is a condition: prt analyze {pattern} ({known[most]} of them)"


def _of_text(given: Given, path: Path | None, metric: str | None, threshold: float | None) -> ReadFile:
    documents = documents_of(given.text)
    file = LogFile(given.name, path, given.sha256, metric)
    log = read_log(file, documents) if documents else None
    if log is not None:
        return _of_log(file, log, threshold)
    if metric is not None:
        raise file.refused("is a table of results; --metric is for logs of other tools")
    results, notes = results_of(given, threshold=threshold)
    conditions = tuple(
        Imported({TABLE_LABEL: condition}, tuple(result for result in results if result.condition == condition), {})
        for condition in dict.fromkeys(result.condition for result in results)
    )
    return ReadFile(given.name, given.sha256, conditions, tuple(notes), log=False)


def _of_log(file: LogFile, log: Log, threshold: float | None) -> ReadFile:
    notes = tuple(log_notes(log, file, threshold))
    return ReadFile(file.name, file.sha256, tuple(imported(log, file, threshold)), notes, log=True)
