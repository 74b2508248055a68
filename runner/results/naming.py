"""Names for conditions that come from several files: as short as tells them apart."""

from collections.abc import Iterator, Mapping, Sequence

LONGEST = 48
BETWEEN = " · "


TABLE_LABEL = "condition"
"""The label of a condition that a table names; it is kept as it stands."""


def names_of(labels: Sequence[Mapping[str, str]], files: Sequence[str]) -> list[str]:
    """Name conditions, each differently.

    The labels in which they differ (model, task, prompt) are taken, or one label where there is one condition; where
    these don't tell all apart, the files' names; else both.

    Args:
        labels: What is known of each condition.
        files: The name of the file that each comes from, without its ending.
    """
    names: list[str] = []
    for names in _candidates(labels, files):
        if all(names) and len(set(names)) == len(names):
            return names
    return [
        f"{name} ({names[: at + 1].count(name)})" if names.count(name) > 1 else name for at, name in enumerate(names)
    ]


def _candidates(labels: Sequence[Mapping[str, str]], files: Sequence[str]) -> Iterator[list[str]]:
    keys = list(dict.fromkeys(key for each in labels for key in each))
    for longest in (LONGEST, None):
        texts = [{key: _one_line(key, each.get(key, ""), longest) for key in keys} for each in labels]
        differing = [key for key in keys if len({each[key] for each in texts}) > 1]
        both = [BETWEEN.join(each[key] for key in differing if each[key]) for each in texts]
        yield both
        if len(texts) == 1:
            yield from ([texts[0][key]] for key in keys)
    yield list(files)
    yield [BETWEEN.join(filter(None, pair)) for pair in zip(both, files, strict=True)]


def _one_line(key: str, text: str, longest: int | None) -> str:
    if key == TABLE_LABEL:
        return text
    words = " ".join(text.split())
    return words if longest is None or len(words) <= longest else words[: longest - 1].rstrip() + "…"
